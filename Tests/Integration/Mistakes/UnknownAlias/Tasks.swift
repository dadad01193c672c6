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
    Confguration.self,  // error: 'Confguration'
  ])
enum OpenDatabase {
  static func run() {}
}
