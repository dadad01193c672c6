import TaskKit

let center = TaskCenter(registry: .generated)

struct Configuration: Sendable {
  var databasePath = ""
}

@EventTask(event: .willFinishLaunching)
enum LoadConfiguration {
  static func run() -> Configuration { Configuration() }
}

struct Database: Sendable {
  init(at path: String) async throws {}
}

struct MessageStore: Sendable {
  func unread() async throws -> Int { 0 }
}

enum Settings {
  static let showsBadges = true
}

@MainActor enum Badge {
  static func show(_ count: Int) {}
}

struct Order: Sendable {
  var number: Int
}

// What the plugin writes into the modules of an app and of a package.
func _taskKit_App() -> ModuleTasks { ModuleTasks(module: "App", count: 0) }
func _taskKit_Feed() -> ModuleTasks { ModuleTasks(module: "Feed", count: 0) }
