// settings: .swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)
// settings: .enableUpcomingFeature("ExistentialAny")
// settings: .enableUpcomingFeature("InternalImportsByDefault")
// settings: .enableUpcomingFeature("MemberImportVisibility")
// settings: .enableUpcomingFeature("NonisolatedNonsendingByDefault")
// settings: .strictMemorySafety()
// settings: .treatAllWarnings(as: .error)
import TaskKit

var counter = 0

@EventTask(event: .didBecomeActive)
enum Watch {
  static func run() { counter += 1 }
}
