@_exported import Core
@preconcurrency import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Core.Open.self])
enum ShowExported {
  static func run() { print("exported") }
}
