#if Durable && Postgres
import Foundation
import GRDB
import TaskKitPostgres

/// A store's file, held so that nobody else can write it.
final class SourceFile {
  private let database: DatabaseQueue
  /// How many rows are read at a time.
  private static let chunk = 1000

  init(at path: String) throws {
    var configuration = Configuration()
    // One transaction for the whole move.
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(10)
    database = try DatabaseQueue(path: path, configuration: configuration)
    let owners = try database.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      return try String.fetchAll(db, sql: "SELECT name FROM taskkit_owner ORDER BY id")
    }
    guard owners.isEmpty else {
      throw MoveError(
        description: "\(path) is in use by \(owners.joined(separator: ", ")): stop it, then move the jobs")
    }
  }

  func end() throws {
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "ROLLBACK")
      try db.checkpoint(.truncate)
    }
    try database.close()
  }

  func rows(_ step: CopyStep, after: Int64, offset: Int) throws -> [[CopyValue]] {
    try database.writeWithoutTransaction { db in
      let arguments: StatementArguments = step.isByID ? [after, Self.chunk] : [Self.chunk, offset]
      return try Row.fetchAll(db, sql: step.select, arguments: arguments).map { row in
        step.types.enumerated().map { place, type in
          switch type {
          case .integers: .integer(row[place])
          case .texts: .text(row[place])
          case .blobs: .blob(row[place])
          }
        }
      }
    }
  }

  /// By queue, kind and state.
  func jobs() throws -> [String: Int] {
    try database.writeWithoutTransaction { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT q.text || ' ' || k.text || ' ' || coalesce(s.state, j.state), count(*) FROM taskkit_job j
          LEFT JOIN taskkit_state s ON s.id = j.id JOIN taskkit_name q ON q.id = j.queue
          JOIN taskkit_name k ON k.id = j.kind GROUP BY 1
          """)
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as Int) })
    }
  }

  func count(_ table: String) throws -> Int {
    try database.writeWithoutTransaction { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)")! }
  }

  /// The next numbers of jobs and tokens.
  func sequences() throws -> (job: Int64, token: Int64) {
    try database.writeWithoutTransaction { db in
      func next(_ name: String) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT next FROM taskkit_sequence WHERE name = ?", arguments: [name]) ?? 1
      }
      return (try next("job"), try next("token"))
    }
  }

  func identity() throws -> String {
    try database.writeWithoutTransaction { try String.fetchOne($0, sql: "SELECT identity FROM taskkit_format")! }
  }
}
#endif
