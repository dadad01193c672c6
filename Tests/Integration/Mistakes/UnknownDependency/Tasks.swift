import TaskKit

@EventTask(event: .willFinishLaunching)
enum LoadConfiguration {
  static func run() {}
}

@EventTask(
  event: .didFinishLaunching,
  dependencies: [
    LoadConfiguration.self,
    LoadConfigration.self,  // error: did you mean 'LoadConfiguration'?
  ])
enum OpenDatabase {
  static func run() {}
}
