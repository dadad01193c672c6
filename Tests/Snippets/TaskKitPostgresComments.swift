import TaskKit
import TaskKitDurable

// A snippet is compiled, not run.
let center: TaskCenter = { fatalError() }()
let context: DurableContext = { fatalError() }()
let client = Client()

@DurableTask(kind: "receipt")
struct SendReceipt: Codable, Sendable {
  var order: Int

  func run() async throws {}
}

/// What stands for a client of PostgreSQL.
struct Connection {
  struct Rows {
    var first: [String]?
  }

  @discardableResult
  func query(_ sql: String) async throws -> Rows { Rows() }
}

struct Client {
  @discardableResult
  func withTransaction<Value>(_ body: (Connection) async throws -> Value) async throws -> Value {
    try await body(Connection())
  }
}
