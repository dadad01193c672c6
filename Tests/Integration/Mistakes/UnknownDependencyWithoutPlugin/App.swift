// plugin: none
import TaskKit

// What the compiler says by itself, where no generator speaks first: that it does not compile at all.

// warning: this task is not collected into a registry
@EventTask(event: .willFinishLaunching)
enum LoadConfiguration {
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  dependencies: [
    LoadConfiguration.self,
    LoadConfigration.self,  // error: cannot find 'LoadConfigration' in scope
  ])
enum OpenDatabase {
  static func run() {}
}
