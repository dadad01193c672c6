import Foundation
import GRDB
import TaskKit
import TaskKitDurable

let pool: DatabasePool = { fatalError() }()
let photo = URL(filePath: "photo.jpg")
let tomorrow = Date(timeIntervalSinceNow: 86_400)
let first = URL(string: "https://example.com/1")!
let files = [first]

// A snippet is compiled, not run.
let center: TaskCenter = { fatalError() }()

enum Server {
  struct Account {
    var isClosed = false
  }

  struct Closed: Error {}

  static var account: Account? { nil }
  static func isBusy() async throws -> Bool { false }
  static func reserve(_ album: String, _ key: String) async throws -> URL { first }
  static func send(_ file: URL, to place: URL) async throws {}
}

enum Shop {
  static func charge(_ items: [String], key: String) async throws -> Int { 1 }
  static func mail(_ receipt: Int) async throws {}
}

@DurableTask(kind: "download")
struct Download: Codable, Sendable {
  var url: URL

  func run() async throws -> URL { url }
}
