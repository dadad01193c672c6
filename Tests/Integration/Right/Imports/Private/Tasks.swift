private import Core
internal import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Open.self])
enum ShowPrivate {
  static func run() { print("private") }
}
