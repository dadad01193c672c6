// settings: .swiftLanguageMode(.v6)
import TaskKit

@MainActor var counter = 0

@EventTask(event: .didBecomeActive)
@MainActor
enum Count {
  static func run() { counter += 1 }
}

@globalActor
actor Storage {
  static let shared = Storage()
}

@EventTask(event: .didBecomeActive)
enum Store {
  @Storage static func run() async {}
}
