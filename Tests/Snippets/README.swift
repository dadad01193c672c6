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

enum Feed {
  static func refresh() async throws {}
}

enum Invoices {
  static func send(for date: Date) async throws {}
}

struct Price: Sendable {}

enum Prices {
  static var updates: AsyncStream<Price> { AsyncStream { $0.finish() } }
}

@MainActor final class Totals {
  static let shared = Totals()
  func recalculate() {}
  func show(_ price: Price) {}
}

enum Popup {
  @MainActor static func upgrade() async {}
}

enum Shop {
  static func charge(_ order: Int, key: String) async throws -> Int { order }
  static func mail(_ receipt: Int) async throws {}
}
