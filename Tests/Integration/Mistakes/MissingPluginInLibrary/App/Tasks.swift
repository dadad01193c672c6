import Core
import TaskKit

@EventTask(event: .didFinishLaunching)
enum Show {
  static func run() {}
}
