import TaskKitDurable

@DurableTask(kind: "receipt")
struct SendReceipt: Codable, Sendable {
  var order: Int

  func run() async throws {}
}

/// What stands for a client of PostgreSQL.
struct Connection {
  func query(_ sql: String) async throws -> [[String]] { [] }
}

struct Client {
  func withTransaction<Value>(_ body: (Connection) async throws -> Value) async throws -> Value {
    try await body(Connection())
  }
}

let client = Client()

enum Shop {
  static func mail(_ order: Int, _ seat: String?) async throws {}
}
