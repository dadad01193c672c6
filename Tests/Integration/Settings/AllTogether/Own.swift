// settings: .enableUpcomingFeature("ExistentialAny")
// settings: .enableUpcomingFeature("InternalImportsByDefault")
// settings: .enableUpcomingFeature("MemberImportVisibility")
// settings: .enableUpcomingFeature("NonisolatedNonsendingByDefault")
// settings: .strictMemorySafety()
// settings: .treatAllWarnings(as: .error)
import TaskKit

@EventTask(event: .didBecomeActive)
enum Watch {
  static func run() {}
}
