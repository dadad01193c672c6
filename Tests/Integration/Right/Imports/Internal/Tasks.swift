internal import Core
internal import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Open.self])
enum ShowInternal {
  static func run() { print("internal") }
}
