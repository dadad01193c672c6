import Core
import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Refresh.self])  // error: itself
enum Refresh {
  static func run() {}
}
