import Foundation

struct Configuration: Sendable {
  var databasePath = ""

  init(contentsOf url: URL) throws {}
}

extension URL {
  static let configurationFile = URL(filePath: "configuration.json")
}

struct Database: Sendable {
  init(at path: String) async throws {}
}
