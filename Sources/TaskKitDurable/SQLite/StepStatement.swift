#if Durable
import Foundation
import GRDB
import GRDBSQLite

/// A statement on SQLite's C interface: values are given in the order of their places, then it is run.
struct StepStatement {
  let handle: SQLiteStatement
  /// The place of the last value that was given. Values stay when a statement has run: who skips places leaves theirs.
  var place: Int32 = 0

  init(handle: SQLiteStatement) { self.handle = handle }

  // MARK: Values

  mutating func bind(_ value: Int64) {
    place += 1
    sqlite3_bind_int64(handle, place, value)
  }

  mutating func bind(_ value: Int) { bind(Int64(value)) }

  mutating func bind(_ values: ClosedRange<Int64>) {
    bind(values.lowerBound)
    bind(values.upperBound)
  }

  mutating func bind(_ value: Int64?) {
    if let value { bind(value) } else { bindNull() }
  }

  mutating func bind(_ value: Int?) { bind(value.map(Int64.init)) }

  mutating func bind(_ value: String) {
    place += 1
    var value = value
    _ = value.withUTF8 { text in
      sqlite3_bind_text(handle, place, text.baseAddress, Int32(text.count), Self.copied)
    }
  }

  mutating func bind(_ value: String?) {
    if let value { bind(value) } else { bindNull() }
  }

  private mutating func bindNull() {
    place += 1
    sqlite3_bind_null(handle, place)
  }

  /// SQLITE_TRANSIENT, a cast in C that Swift does not import: SQLite copies what it is given.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Running

  /// Gives the last value, which is not copied, and runs a statement that returns nothing.
  mutating func run(_ last: Data) throws {
    place += 1
    try last.withUnsafeBytes { bytes in
      // An address of nothing would be NULL.
      _ =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, place, 0)
        : sqlite3_bind_blob(handle, place, bytes.baseAddress, Int32(bytes.count), nil)
      defer { sqlite3_bind_null(handle, place) }
      try run()
    }
  }

  /// Runs a statement that returns nothing.
  func run() throws {
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    if code != SQLITE_DONE { throw error(code) }
  }

  /// The first row, made into a value.
  func first<Value>(_ value: (StepRow) throws -> Value) throws -> Value? {
    let code = sqlite3_step(handle)
    defer { sqlite3_reset(handle) }
    switch code {
    case SQLITE_ROW: return try value(StepRow(handle: handle))
    case SQLITE_DONE: return nil
    default: throw error(code)
    }
  }

  /// All rows, each made into a value.
  func list<Value>(_ value: (StepRow) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    try forEach { values.append(try value($0)) }
    return values
  }

  func forEach(_ body: (StepRow) throws -> Void) throws {
    defer { sqlite3_reset(handle) }
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code) }
      try body(StepRow(handle: handle))
    }
  }

  /// Whether there is any row.
  func hasRow() throws -> Bool { try first { _ in true } ?? false }

  private func error(_ code: Int32) -> DatabaseError {
    let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
    let sql = sqlite3_sql(handle).map { String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
  }
}

/// The row that a statement stands at.
struct StepRow {
  fileprivate let handle: SQLiteStatement

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func text(_ column: Int32) -> String? { sqlite3_column_text(handle, column).map { String(cString: $0) } }

  func data(_ column: Int32) -> Data {
    guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
#endif
