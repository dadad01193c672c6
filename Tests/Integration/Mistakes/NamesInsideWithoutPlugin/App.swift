// plugin: none
import TaskKit

// What the compiler says by itself, where no generator speaks first.

let limit = Duration.seconds(5)

// warning: this task is not collected into a registry
@EventTask(event: .didFinishLaunching, timeout: limit)  // error: the name that the line above ends with is that of a member
enum Load {
  static func run() {}
}

extension Load {
  static let limit = Duration.seconds(60)
}

class Worker {
  class var limit: Duration { .seconds(60) }
}

// warning: this task is not collected into a registry
@EventTask(event: .didFinishLaunching, timeout: limit)  // error: the name that the line above ends with is that of a member
final class Show: Worker {
  static func run() {}
}
