#if Durable
import Foundation
import GRDB

/// What waiting adds to priorities at a time.
struct Aging {
  /// After how many microseconds a major priority counts as one more.
  let step: Int64
  let now: Int64

  /// The complement of a major priority, with what has been added since a time: what runs earlier is smaller.
  func major(_ major: Int, since: Int64) -> Int {
    guard since < now else { return major }
    // Times of stores are far from the ends of the numbers.
    let (aged, overflows) = major.subtractingReportingOverflow(Int((now - since) / step))
    return overflows ? .min : aged
  }
}

/// The jobs on a shelf that have one priority and one number of attempts, those that have waited longest first: what waiting
/// adds changes their place among others all the time, and never that order.
struct AgingReader {
  struct Row {
    let candidate: SQLiteTransaction.Candidate
    let since: Int64
  }

  let shelf: Int64
  let kind: Int64
  private let aging: Aging
  private var rows: ArraySlice<Row>
  private var isAtEnd = false

  private static let chunk = 64
  private static let columns = "\(SQLiteTransaction.Candidate.columns), since"

  /// Passes over the jobs of keys of which none may start now, where they lie: there may be very many of them.
  private static let hasRoom = """
    (limit_key IS NULL
      OR NOT EXISTS (SELECT 1 FROM used WHERE used.key = limit_key AND used.value >= limit_count))
    """

  /// Made when a queue of the file ages for the first time: others do not pay for it.
  static func makeIndex(_ db: Database) throws {
    let isThere = try db.first(
      "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?", "taskkit_ready_since"
    ) { _ in true }
    guard isThere == nil else { return }
    try db.execute(sql: "CREATE INDEX taskkit_ready_since ON taskkit_ready (shelf, major, minor, attempts, since, id)")
  }

  /// One reader for each class, which has read its first job: no other one is looked at.
  static func classes(of shelf: SQLiteCaches.Shelf, _ db: Database, aging: Aging) throws -> [AgingReader] {
    var readers: [AgingReader] = []
    var next = (Int.min, Int.min, 0)
    while let row = try db.first(
      """
      SELECT \(columns) FROM taskkit_ready INDEXED BY taskkit_ready_since
      WHERE shelf = ? AND (major, minor, attempts) >= (?, ?, ?) ORDER BY major, minor, attempts, since, id LIMIT 1
      """, shelf.id, next.0, next.1, next.2, value: row)
    {
      readers.append(AgingReader(shelf: shelf.id, kind: shelf.kind, aging: aging, rows: [row]))
      let order = row.candidate.order
      guard order.2 < .max else { break }
      // Not 'greater than the last': SQLite would pass over its whole class, job by job.
      next = (order.0, order.1, order.2 + 1)
    }
    return readers
  }

  private static func row(_ row: GRDB.Row) -> Row {
    Row(candidate: SQLiteTransaction.Candidate(row), since: row[7])
  }

  var head: Row? { rows.first }

  /// Where the next one stands among those of all classes: what runs earlier is smaller.
  var order: (Int, Int, Int, Int64, Int64)? {
    rows.first.map { row in
      let (major, minor, attempts, id) = row.candidate.order
      return (aging.major(major, since: row.since), minor, attempts, row.since, id)
    }
  }

  mutating func advance(_ db: Database, _ allowance: SQLiteTransaction.Allowance) throws {
    let last = rows.removeFirst()
    guard rows.isEmpty, !isAtEnd else { return }
    let (order, met) = (last.candidate.order, try Self.met(allowance))
    rows = try db.list(
      """
      WITH used AS MATERIALIZED (SELECT key, value FROM json_each(?))
      SELECT \(Self.columns) FROM taskkit_ready INDEXED BY taskkit_ready_since
      WHERE shelf = ? AND major = ? AND minor = ? AND attempts = ? AND (since, id) > (?, ?)
        AND \(Self.hasRoom)
      ORDER BY since, id LIMIT ?
      """, met, shelf, order.0, order.1, order.2, last.since, order.3, Self.chunk, value: Self.row)[...]
    isAtEnd = rows.count < Self.chunk
  }

  /// How many run of the keys that have been met, as JSON; more than any limit where none may start for now.
  private static func met(_ allowance: SQLiteTransaction.Allowance) throws -> String {
    let met = allowance.rates.reduce(into: allowance.used) { met, rate in
      if rate.value.left <= 0 { met[rate.key] = .max }
    }
    return met.isEmpty ? "{}" : String(decoding: try JSONEncoder().encode(met), as: UTF8.self)
  }
}
#endif
