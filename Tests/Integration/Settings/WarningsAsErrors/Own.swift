// settings: .treatAllWarnings(as: .error)
import TaskKit

@EventTask(event: .didBecomeActive)
enum Watch {
  static func run() {}
}
