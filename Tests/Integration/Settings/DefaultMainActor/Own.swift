// settings: .defaultIsolation(MainActor.self)
import TaskKit

// State of the app, which belongs to the main actor without saying so.
var counter = 0

final class Model {
  var title = "one"
}

let model = Model()

@EventTask(event: .didBecomeActive)
enum ChangeTitle {
  static func run() {
    counter += 1
    model.title = "two"
  }
}

@EventTask(event: .didBecomeActive)
struct ChangeTitleLater {
  static var isEnabled: Bool { counter >= 0 }

  let model = Model()

  func run() async throws { model.title = "three" }
}

@EventTask(event: .didBecomeActive)
final class Count {
  var count = 0

  func run() -> Int {
    count += counter
    return count
  }
}
