public import Core
package import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Open.self])
package enum ShowMixed {
  package static func run() { print("mixed") }
}

public func open() -> Open.Type { Open.self }
