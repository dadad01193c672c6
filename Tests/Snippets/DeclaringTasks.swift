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
