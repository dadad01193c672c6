import TaskKit

typealias Configuration = LoadConfiguration
typealias Database = Storage.Open

@EventTask(event: .didFinishLaunching)
enum LoadConfiguration {
  static func run() { print("configuration") }
}

enum Storage {
  typealias Own = Open

  @EventTask(event: .didFinishLaunching, dependencies: [Configuration.self])
  enum Open {
    static func run() { print("open") }
  }

  @EventTask(event: .didFinishLaunching, dependencies: [Own.self, App.LoadConfiguration.self])
  enum Fill {
    static func run() { print("fill") }
  }
}

@EventTask(
  event: .didFinishLaunching,
  dependencies: [
    Database.self,  // an alias of a nested type
    Storage.Fill.self,
  ])
enum Show {
  static func run() { print("show") }
}
