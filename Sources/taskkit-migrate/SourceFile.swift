#if Durable && Postgres
import Foundation
import GRDB
import TaskKitDurable

/// A store's file, held so that nobody else can write it.
final class SourceFile {
  private let database: DatabaseQueue
  private let path: String
  /// Where an earlier run, which did not come to its end, was about to move the jobs, or has moved them.
  let earlierTarget: String?
  /// The tables of a program that shares the file with its store.
  let others: [String]
  /// The most rows and bytes that are read at a time. What is sent for one statement has to fit into a message.
  private static let chunk = (rows: 1000, bytes: 8 << 20)

  /// - Parameter path: without links.
  /// - Throws: where somebody uses it, and where it is no file that can be moved.
  static func open(at path: String) async throws -> SourceFile {
    do { return try await take(path) } catch let error as DatabaseError {
      throw MoveError(description: "\(path) \(problem(error))")
    }
  }

  /// What SQLite says, which names no file.
  private static func problem(_ error: DatabaseError) -> String {
    let text = error.message ?? error.resultCode.description
    return switch error.resultCode {
    case .SQLITE_NOTADB: "is not a file of jobs: \(text)"
    case .SQLITE_BUSY, .SQLITE_LOCKED: "is held by another program (\(text)): stop that, then move the jobs"
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      "cannot be opened and written, which it has to be to be marked as moved: \(text)"
    default: "cannot be read: \(text)"
    }
  }

  private static func take(_ path: String) async throws -> SourceFile {
    var configuration = Configuration()
    // One transaction for the whole move.
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(10)
    let database = try DatabaseQueue(path: path, configuration: configuration)
    var (target, tables, owners) = try begin(database, path)
    if owners.living.isEmpty, !owners.away.isEmpty {
      // Somebody has deleted the folder of the locks, or brought back another file. Not in the transaction: whoever lives
      // has to write that it has another lock. It looks for that when somebody else has written.
      try await database.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK; \(SQLiteMove.touch)") }
      let names = owners.away.values.sorted().joined(separator: ", ")
      let text = "the lock of \(names) is not there: waiting \(SQLiteMove.grace) for it to be put back\n"
      FileHandle.standardError.write(Data(text.utf8))
      try await Task.sleep(for: SQLiteMove.grace)
      (target, tables, owners) = try begin(database, path, away: Set(owners.away.keys))
    }
    let others = owners.living + owners.away.values.sorted()
    guard others.isEmpty else {
      throw MoveError(
        description: "\(path) is in use by \(others.joined(separator: ", ")): stop it, then move the jobs")
    }
    return SourceFile(database, path, earlierTarget: target, others: tables)
  }

  private init(_ database: DatabaseQueue, _ path: String, earlierTarget: String?, others: [String]) {
    self.database = database
    self.path = path
    self.earlierTarget = earlierTarget
    self.others = others
  }

  /// Begins the transaction.
  private static func begin(
    _ database: DatabaseQueue, _ path: String, away: Set<String> = []
  ) throws -> (target: String?, tables: [String], owners: SQLiteMove.Owners) {
    try database.writeWithoutTransaction { db in
      guard try db.tableExists("taskkit_format") else { throw MoveError(description: "\(path) is not a file of jobs") }
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1; BEGIN IMMEDIATE")
      let target = try SQLiteMove.target(db)
      try SQLiteMove.unmark(db)
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'taskkit_*' AND name NOT GLOB 'sqlite_*'
          ORDER BY name
          """)
      return (target, tables, try SQLiteMove.settle(db, at: path, away: away))
    }
  }

  /// Ends the transaction, and leaves the file as it was.
  func end() throws {
    try database.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try database.close()
  }

  /// Ends the transaction, and keeps everybody from using the file from now on.
  func mark(_ target: String) throws {
    try database.writeWithoutTransaction { db in
      try SQLiteMove.mark(db, target: target)
      try db.execute(sql: "COMMIT")
    }
  }

  /// Lets everybody use the file again.
  func unmark() throws {
    try database.inTransaction(.immediate) { db in
      try SQLiteMove.unmark(db)
      return .commit
    }
    try database.close()
  }

  /// Takes the marked file out of the way; one that a program has tables of its own in stays where it is.
  func putAside() throws {
    guard others.isEmpty else { return try database.close() }
    // Whoever reads it still, reads what is in the log, which must not be parted from the file.
    _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try database.close()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    for end in ["-wal", "-shm", "-owners"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// - Parameter last: the row after which to go on; nil for the beginning.
  func rows(_ step: CopyStep, after last: [CopyValue]?) throws -> [[CopyValue]] {
    try database.writeWithoutTransaction { db in
      let key = last.map { last in step.keyPlaces.map { last[$0].databaseValue } } ?? []
      let arguments = StatementArguments(key + [Self.chunk.rows.databaseValue])
      let cursor = try Row.fetchCursor(db, sql: step.select(isFirst: last == nil), arguments: arguments)
      var rows: [[CopyValue]] = []
      var bytes = 0
      while bytes < Self.chunk.bytes, let row = try cursor.next() {
        rows.append(
          step.types.enumerated().map { place, type in
            switch type {
            case .integers: .integer(row[place])
            case .texts: .text(row[place])
            case .blobs: .blob(row[place])
            }
          })
        bytes += rows.last!.reduce(0) { $0 + $1.size }
      }
      return rows
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
      // Names that differ in their bytes may be one text here.
      return Dictionary(rows.map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: +)
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

// Not beside the type: with GRDB's name for what is joined, a text of several would become one of its own sort.
extension CopyValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .integer(let number): number?.databaseValue ?? .null
    case .text(let text): text?.databaseValue ?? .null
    case .blob(let data): data?.databaseValue ?? .null
    }
  }
}
#endif
