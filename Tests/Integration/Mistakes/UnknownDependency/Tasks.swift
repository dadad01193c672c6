import TaskKit

@EventTask(event: .willFinishLaunching)  // note: 'App.LoadConfiguration' is declared here
enum LoadConfiguration {
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  dependencies: [
    LoadConfiguration.self,
    // error: task 'App.OpenDatabase' needs 'LoadConfigration', which is not declared in module 'App' or in one that it depends on; did you mean 'LoadConfiguration'?
    LoadConfigration.self,
  ])
enum OpenDatabase {
  static func run() {}
}
