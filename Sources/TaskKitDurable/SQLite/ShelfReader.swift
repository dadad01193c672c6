#if Durable
import GRDB

/// The jobs on a shelf in their order, read in pieces.
///
/// Where many that may not start for their limit lie in front of others, those are found by lanes, each of which has the jobs of
/// one limit: what that costs grows with the number of limits, and not with that of the jobs that have to wait. Nobody knows
/// which of both numbers is the smaller one, so as much is spent on the one as on the other: what is read to get past those in
/// front costs a few times what the cheaper way does, whichever that is.
struct ShelfReader {
  typealias Candidate = SQLiteTransaction.Candidate
  typealias Allowance = SQLiteTransaction.Allowance

  /// The jobs of a shelf that have one limit, from some place on; one at least.
  private struct Lane {
    let limit: KeyLimit
    var rows: ArraySlice<Candidate>
  }

  let shelf: SQLiteCaches.Shelf
  private let chunk: Int
  private var rows: ArraySlice<Candidate>
  private var isAtEnd: Bool
  /// How many pieces have been read of the whole shelf, and how many rows.
  private var pieces = 1
  private var rowsRead: Int
  /// What is left behind those; the lane whose first job is the best of all is the last one.
  private var lanes: [Lane]?

  /// So many are looked for at once.
  private static let fewLanes = 64
  /// To look for one costs about as much as to read so many rows of a piece.
  private static let rowsPerLane = 4
  private static let largestPiece = 512

  init(_ shelf: SQLiteCaches.Shelf, _ transaction: SQLiteTransaction, wanted: Int) throws {
    self.shelf = shelf
    chunk = min(max(wanted, 8), Self.largestPiece)
    rows = try transaction.candidates(on: shelf.id, limit: chunk)[...]
    rowsRead = rows.count
    isAtEnd = rows.count < chunk
  }

  /// The first ones; nil where more of them have to be read.
  func first(_ count: Int) -> ArraySlice<Candidate>? { rows.count >= count || isAtEnd ? rows.prefix(count) : nil }

  var head: Candidate? {
    if let lanes { lanes.last?.rows.first } else { rows.first }
  }

  /// Goes on behind the head.
  ///
  /// - Parameter allowance: as it is now that the head has been taken or refused.
  mutating func advance(_ db: Database, _ allowance: Allowance) throws {
    guard lanes == nil else { return try advanceLane(db, allowance) }
    let last = rows.removeFirst()
    guard rows.isEmpty, !isAtEnd else { return }
    // Whenever as many pieces again have been read: where that is in vain, it has at most doubled what the claim costs.
    if shelf.isLimited, pieces.nonzeroBitCount == 1 {
      let most = max(Self.fewLanes, rowsRead / Self.rowsPerLane)
      lanes = try lanes(behind: last, db, allowance, atMost: most)
      if lanes != nil { return }
    }
    let size = shelf.isLimited ? Self.largestPiece : chunk
    rows = try db.list(
      """
      SELECT \(Candidate.columns) FROM taskkit_ready WHERE shelf = ? AND (major, minor, attempts, id) > (?, ?, ?, ?)
      ORDER BY major, minor, attempts, id LIMIT ?
      """, shelf.id, last.order.0, last.order.1, last.order.2, last.order.3, size, value: Candidate.init)[...]
    rowsRead += rows.count
    isAtEnd = rows.count < size
    pieces += 1
  }

  // MARK: Lanes

  private mutating func advanceLane(_ db: Database, _ allowance: Allowance) throws {
    var lane = lanes!.removeLast()
    let last = lane.rows.removeFirst()
    // No place becomes free while a claim is made.
    guard allowance.mayHaveRoom(for: lane.limit) else { return }
    if lane.rows.isEmpty { lane.rows = try rows(of: lane.limit, behind: last, db)[...] }
    guard let order = lane.rows.first?.order else { return }
    var (place, end) = (0, lanes!.count)
    while place < end {
      let middle = (place + end) / 2
      if lanes![middle].rows.first!.order > order { place = middle + 1 } else { end = middle }
    }
    lanes!.insert(lane, at: place)
  }

  /// - Returns: nil where there are more than that.
  private func lanes(
    behind last: Candidate, _ db: Database, _ allowance: Allowance, atMost most: Int
  ) throws -> [Lane]? {
    var lanes: [Lane] = []
    var count = 0
    var lastLimit: KeyLimit?
    while let first = try first(behind: lastLimit, db), let limit = first.limit {
      count += 1
      guard count <= most else { return nil }
      if allowance.mayHaveRoom(for: limit) {
        let rows = first.order > last.order ? [first] : try rows(of: limit, behind: last, db)
        if !rows.isEmpty { lanes.append(Lane(limit: limit, rows: rows[...])) }
      }
      lastLimit = limit
    }
    return lanes.sorted { $0.rows.first!.order > $1.rows.first!.order }
  }

  /// The first job of the first lane, or of the one behind another.
  private func first(behind limit: KeyLimit?, _ db: Database) throws -> Candidate? {
    func sql(_ condition: String) -> String {
      """
      SELECT \(Candidate.columns) FROM taskkit_ready INDEXED BY taskkit_ready_lane
      WHERE shelf = ? AND limit_key IS NOT NULL AND \(condition)
      ORDER BY limit_key, limit_count, major, minor, attempts, id LIMIT 1
      """
    }
    // Not 'greater than' both: SQLite would pass over the whole lane, job by job.
    return if let limit, limit.count == .max {
      try db.first(sql("limit_key > ?"), shelf.id, limit.key, value: Candidate.init)
    } else {
      try db.first(
        sql("(limit_key, limit_count) >= (?, ?)"), shelf.id, limit?.key ?? "", limit.map { $0.count + 1 } ?? .min,
        value: Candidate.init)
    }
  }

  private func rows(of limit: KeyLimit, behind last: Candidate, _ db: Database) throws -> [Candidate] {
    try db.list(
      """
      SELECT \(Candidate.columns) FROM taskkit_ready INDEXED BY taskkit_ready_lane
      WHERE shelf = ? AND limit_key = ? AND limit_count = ? AND (major, minor, attempts, id) > (?, ?, ?, ?)
      ORDER BY major, minor, attempts, id LIMIT ?
      """, shelf.id, limit.key, limit.count, last.order.0, last.order.1, last.order.2, last.order.3,
      min(max(limit.count, 1), chunk), value: Candidate.init)
  }
}
#endif
