import TaskKit

typealias Configuration = LoadConfiguration

@EventTask(event: .willFinishLaunching)
enum LoadConfiguration {
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  dependencies: [
    Configuration.self,
    // error: task 'App.OpenDatabase' needs 'Confguration', which is not declared in module 'App' or in one that it depends on
    Confguration.self,
  ])
enum OpenDatabase {
  static func run() {}
}
