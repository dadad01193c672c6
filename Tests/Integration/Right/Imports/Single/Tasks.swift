import enum Core.Open
import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Open.self])
enum ShowSingle {
  static func run() { print("single") }
}
