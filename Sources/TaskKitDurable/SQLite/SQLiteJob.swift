#if Durable
import Foundation
import GRDB

/// What a transaction needs to know of a job in order to move it.
struct SQLiteJob {
  /// What else is there of a job, so that nothing is looked for that is not.
  struct Flags: OptionSet {
    let rawValue: Int64
    static let parents = Flags(rawValue: 1)
    static let checkpoint = Flags(rawValue: 2)
    static let errors = Flags(rawValue: 4)
    static let steps = Flags(rawValue: 8)
    /// Somebody has released it though a parent had failed; until it waits for that again. The number is PostgreSQL's.
    static let excused = Flags(rawValue: 256)
  }

  struct Attempt {
    let token: AttemptToken
    let owner: Int64
    let began: StoreTime
    /// Counted from 1.
    let number: Int
  }

  let id: JobID
  let queue: Int64
  let kind: Int64
  /// The shelf that its constraints ask for.
  var firstShelf: Int64
  let created: StoreTime
  let maximumAttempts: Int?
  let maximumCrashes: Int
  var needs: String
  var needsUntil: StoreTime?
  let uniqueKey: String?
  let uniquePeriod: Int64?
  let limit: KeyLimit?
  let parentFailure: ParentFailure
  let exhaustion: Exhaustion
  let keepFinished: Int64?
  let keepFailed: Int64?
  /// That of its payload.
  let version: Int

  var state: JobState
  /// The shelf on which it lies when it is ready.
  var shelf: Int64
  var priority: JobPriority
  var attempts: Int
  var crashes = 0
  var due: StoreTime
  var flags: Flags
  /// Whether there is a row that says what has become of it.
  var isChanged: Bool
  var ended: StoreTime?
  var expiry: StoreTime?
  var hold: HoldReason?
  var result: Data?
  var attempt: Attempt?

  static let columns = """
    j.id, j.queue, j.kind, j.shelf, j.created, j.maximum_attempts, j.maximum_crashes, j.needs, j.needs_until, \
    j.unique_key, j.unique_period, j.limit_key, j.limit_count, j.parent_failure, j.exhaustion, j.keep_finished, \
    j.keep_failed, \
    s.id, coalesce(s.state, j.state), coalesce(s.shelf, j.shelf), coalesce(s.major, j.major), \
    coalesce(s.minor, j.minor), coalesce(s.attempts, 0), coalesce(s.crashes, 0), coalesce(s.due, j.due), \
    coalesce(s.flags, j.flags), s.ended, s.expiry, s.hold, s.result, \
    r.token, r.owner, r.began, r.attempt, j.version
    """
  static let columnCount = 35
  static let tables =
    "taskkit_job j LEFT JOIN taskkit_state s ON s.id = j.id LEFT JOIN taskkit_running r ON r.id = j.id"

  /// - Throws: for a value that means nothing, as for a damaged page.
  init(_ row: Row) throws {
    let job = JobID(rawValue: row[0])
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
      try row.value(column, of: "job \(job)")
    }
    id = job
    queue = try value(1)
    kind = try value(2)
    firstShelf = try value(3)
    created = try StoreTime(microseconds: value(4))
    maximumAttempts = row[5]
    maximumCrashes = try value(6)
    needs = try value(7)
    needsUntil = (row[8] as Int64?).map { StoreTime(microseconds: $0) }
    uniqueKey = row[9]
    uniquePeriod = row[10]
    limit = try (row[11] as String?).map { try KeyLimit($0, count: value(12)) }
    parentFailure = try ParentFailure.all.meaning(of: value(13), "what job \(job) does without a parent")
    exhaustion = try Exhaustion.all.meaning(of: value(14), "what becomes of job \(job) without attempts")
    keepFinished = row[15]
    keepFailed = row[16]
    version = try value(34)
    isChanged = row[17] as Int64? != nil
    shelf = try value(19)
    priority = try JobPriority(major: value(20), minor: value(21))
    crashes = try value(23)
    due = try StoreTime(microseconds: value(24))
    flags = try Flags(rawValue: value(25))
    ended = (row[26] as Int64?).map { StoreTime(microseconds: $0) }
    expiry = (row[27] as Int64?).map { StoreTime(microseconds: $0) }
    hold = try (row[28] as String?).map { text -> HoldReason in
      do { return try JSONDecoder().decode(HoldReason.self, from: Data(text.utf8)) } catch {
        throw DatabaseError.damage("what holds job \(job) cannot be read: '\(text.prefix(100))'")
      }
    }
    result = row[29]
    let attempt = try (row[30] as Int64?).map { token in
      try Attempt(
        token: AttemptToken(rawValue: token), owner: value(31), began: StoreTime(microseconds: value(32)),
        number: value(33))
    }
    self.attempt = attempt
    if let attempt {
      state = .running
      attempts = attempt.number
    } else {
      state = try JobState.all.meaning(of: value(18), "the state of job \(job)")
      attempts = try value(22)
    }
  }

  /// The state as it is written down: that it runs is said elsewhere.
  var storedState: Int { JobState.all.firstIndex(of: state == .running ? .ready : state)! }
}

// The places in these lists are what the file holds: never changed, only added to.
extension JobState {
  static let all: [JobState] = [.waiting, .delayed, .ready, .running, .held, .finished, .dead, .cancelled]
  var number: Int { Self.all.firstIndex(of: self)! }
}

extension ParentFailure {
  static let all: [ParentFailure] = [.cancel, .hold, .run]
  var number: Int { Self.all.firstIndex(of: self)! }
}

extension Exhaustion {
  static let all: [Exhaustion] = [.keep, .hold, .discard]
  var number: Int { Self.all.firstIndex(of: self)! }
}

extension Database {
  /// Runs a statement that is kept compiled.
  func run(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws {
    try cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
  }

  /// The rows of a statement that is kept compiled, each made into a value.
  func list<Value>(
    _ sql: String, _ arguments: (any DatabaseValueConvertible)?..., value: (Row) throws -> Value
  ) throws -> [Value] {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    var values: [Value] = []
    while let row = try rows.next() { values.append(try value(row)) }
    return values
  }

  /// The first row of a statement that is kept compiled, made into a value.
  func first<Value>(
    _ sql: String, _ arguments: (any DatabaseValueConvertible)?..., value: (Row) throws -> Value
  ) throws -> Value? {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    return try rows.next().map(value)
  }
}
#endif
