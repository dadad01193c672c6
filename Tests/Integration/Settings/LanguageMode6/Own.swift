// settings: .swiftLanguageMode(.v6)
import TaskKit

@MainActor var counter = 0

@EventTask(event: .didBecomeActive)
@MainActor
enum Count {
  static func run() { counter += 1 }
}
