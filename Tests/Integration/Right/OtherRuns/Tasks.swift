import TaskKit

// What could be taken for a 'run' that does not fit its event, and is none.

@EventTask(priority: 90, event: .didFinishLaunching)
enum Overloaded {
  static func run(_ argument: String) { print("overloaded for \(argument)") }
}

extension Overloaded {
  static func run(_ options: LaunchOptions) { run(options.arguments[0]) }
}

protocol Route {
  associatedtype Data
  static func accepts(_ data: Data) -> Bool
}

@EventTask(priority: 89, event: .didFinishLaunching)
enum Routed: Route {
  static func accepts(_ options: LaunchOptions) -> Bool { true }
  static func run(_ data: Data) { print("routed, \(accepts(data))") }
}

class Opener {
  class func run(_ options: LaunchOptions) { print("inherited") }
}

@EventTask(priority: 88, event: .didFinishLaunching)
final class Inheriting: Opener {
  static func run(_ argument: String) {}
}

@EventTask(priority: 87, event: .didFinishLaunching)
enum OfEveryTask {
  static func run(_ number: Int) {}
}

extension LifecycleTask {
  static func run(_ options: LaunchOptions) { print("of every task") }
}

@EventTask(priority: 86, event: .didFinishLaunching)
enum Labelled {
  static func run(_ options: LaunchOptions) -> Int { run(options: options) }
  static func run(options: LaunchOptions) -> Int {
    print("labelled")
    return 1
  }

  static func stop(_ server: Int) { stop(server: server) }
  static func stop(server: Int) { print("stopped") }
}

#if false
@EventTask(event: .openURL)
enum Never {
  static func run(_ number: Int) {}
}

@EventTask(event: .didFinishLaunching)
func never() {}

@EventTask(event: .didFinishLaunching)
extension Overloaded {}
#endif
