public import TaskKit

struct Configuration: Sendable {}  // note: 'Configuration' is declared here

@EventTask(event: .didFinishLaunching)
public enum LoadConfiguration {
  // error: 'run' returns 'Configuration', which other modules do not see, and they see the task 'App.LoadConfiguration'; make
  static func run() -> Configuration { Configuration() }
}
