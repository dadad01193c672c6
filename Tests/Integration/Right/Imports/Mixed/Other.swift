internal import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [ShowMixed.self])
enum ShowOther {
  static func run() { print("other") }
}
