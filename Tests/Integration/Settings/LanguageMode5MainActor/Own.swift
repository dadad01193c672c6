// settings: .swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)
import TaskKit

var counter = 0

@EventTask(event: .didBecomeActive)
enum Count {
  static func run() { counter += 1 }
}
