import Core
import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Refresh.self])  // error: task 'News.Refresh' needs itself; remove
enum Refresh {
  static func run() {}
}
