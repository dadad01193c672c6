#if Durable
import Foundation
import GRDB

extension SQLiteTransaction {
  /// What a selection means in SQL.
  static func condition(of selection: JobSelection) throws -> (String, [(any DatabaseValueConvertible)?]) {
    let selection = selection.asStored
    var parts: [String] = ["1"]
    var arguments: [(any DatabaseValueConvertible)?] = []
    func add(_ part: String, _ values: some Encodable) throws {
      parts.append(part)
      arguments.append(String(decoding: try JSONEncoder().encode(values), as: UTF8.self))
    }
    let names = "IN (SELECT n.id FROM taskkit_name n WHERE n.text IN (SELECT value FROM json_each(?)))"
    if let ids = selection.ids { try add("j.id IN (SELECT value FROM json_each(?))", ids.map(\.rawValue)) }
    if let kinds = selection.kinds { try add("j.kind \(names)", kinds) }
    if let queues = selection.queues { try add("j.queue \(names)", queues) }
    if let keys = selection.uniqueKeys { try add("j.unique_key IN (SELECT value FROM json_each(?))", keys) }
    if let tags = selection.tags {
      let own = elements(of: "j.tags")
      try add("EXISTS (SELECT 1 FROM \(own) t WHERE t.value IN (SELECT value FROM json_each(?)))", tags)
    }
    if let states = selection.states {
      try add(
        "CASE WHEN r.id IS NOT NULL THEN 3 ELSE coalesce(s.state, j.state) END IN (SELECT value FROM json_each(?))",
        states.map(\.number))
    }
    if let causes = selection.heldFor {
      try add(
        """
        j.id IN (SELECT id FROM taskkit_state WHERE hold IS NOT NULL
          AND (SELECT h.key FROM \(elements(of: "CAST(hold AS TEXT)")) h) IN (SELECT value FROM json_each(?)))
        """, causes.map(\.rawValue))
    }
    return (parts.joined(separator: " AND ") + " ORDER BY j.id", arguments)
  }

  /// What JSON of the file has in it: nothing where it is damaged, as SQLite would fail for that with all other jobs, too.
  private static func elements(of json: String) -> String {
    "json_each(CASE WHEN json_valid(\(json)) THEN \(json) END)"
  }

  static func jobs(_ db: Database, _ selection: JobSelection, after: JobID?, limit: Int) throws -> [JobSnapshot] {
    let (condition, arguments) = try condition(of: selection)
    let statement = try db.makeStatement(
      sql: """
        SELECT \(SQLiteJob.columns), k.text, q.text, j.payload, j.deadline, j.tags, r.completed, r.total, j.schedule,
          j.occurrence
        FROM \(SQLiteJob.tables) JOIN taskkit_name k ON k.id = j.kind JOIN taskkit_name q ON q.id = j.queue
        WHERE j.id > ? AND \(condition) LIMIT ?
        """)
    let rows = try Row.fetchCursor(
      statement, arguments: StatementArguments([after?.rawValue ?? .min] + arguments + [max(0, limit)]))
    var snapshots: [JobSnapshot] = []
    while let row = try rows.next() { snapshots.append(try snapshot(db, row)) }
    return snapshots
  }

  private static func snapshot(_ db: Database, _ row: Row) throws -> JobSnapshot {
    let job = try SQLiteJob(row)
    let next = SQLiteJob.columnCount
    let id = job.id.rawValue
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
      try row.value(column, of: "job \(id)")
    }
    let parents =
      job.flags.contains(.parents)
      ? try db.list("SELECT parent FROM taskkit_edge WHERE child = ? AND is_open ORDER BY place", id) {
        JobID(rawValue: $0[0])
      } : []
    let errors =
      job.flags.contains(.errors)
      ? try db.list("SELECT attempt, date, cause, text FROM taskkit_error WHERE id = ? ORDER BY place", id) {
        try failure($0, of: job.id)
      } : []
    let checkpoint: Data? =
      job.flags.contains(.checkpoint)
      ? try db.first("SELECT data FROM taskkit_checkpoint WHERE id = ?", id) { $0[0] } : nil
    let owner: String? = try job.attempt.flatMap { attempt in
      try db.first("SELECT name FROM taskkit_owner WHERE id = ?", attempt.owner) {
        try $0.value(0, of: .owner, "\(attempt.owner)")
      }
    }
    let (kind, queue): (String, String) = try (value(next), value(next + 1))
    let payload = try JobPayload(version: job.version, bytes: value(next + 2))
    let occurrence = try (row[next + 7] as String?).map { schedule in
      try JobOccurrence(schedule: schedule, date: StoreTime(microseconds: value(next + 8)).date)
    }
    return JobSnapshot(
      id: job.id, kind: kind, queue: queue, state: job.state, priority: job.priority, payload: payload,
      attempts: job.attempts,
      maximumAttempts: job.maximumAttempts, crashes: job.crashes,
      deadline: (row[next + 3] as Int64?).map { .microseconds($0) }, created: job.created.date,
      due: job.state == .delayed ? job.due.date : nil, started: job.attempt?.began.date, ended: job.ended?.date,
      // A list that cannot be read is shown as it is.
      constraints: strings(job.needs) ?? [job.needs], constraintsUntil: job.needsUntil?.date, uniqueKey: job.uniqueKey,
      limit: job.limit, parents: parents, hold: job.hold,
      tags: (row[next + 4] as String?).map { strings($0) ?? [$0] } ?? [],
      progress: (row[next + 5] as Int64?).map { JobProgress(completed: $0, of: row[next + 6]) },
      checkpoint: checkpoint, result: job.result, errors: errors, owner: owner, maximumCrashes: job.maximumCrashes,
      exhaustion: job.exhaustion, parentFailure: job.parentFailure,
      retention: JobRetention(
        finished: job.keepFinished.map { .microseconds($0) }, failed: job.keepFailed.map { .microseconds($0) }),
      uniquePeriod: job.uniquePeriod.map { .microseconds($0) },
      occurrence: occurrence)
  }

  private static func failure(_ row: Row, of job: JobID) throws -> AttemptFailure {
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
      try row.value(column, of: "the errors of job \(job)")
    }
    return try AttemptFailure(
      attempt: value(0), date: StoreTime(microseconds: value(1)).date,
      cause: AttemptFailure.Cause(rawValue: value(2)) ?? .error, text: value(3))
  }

  static func counts(_ db: Database) throws -> [JobCount] {
    try db.list(
      """
      SELECT q.text, k.text, c.state, c.count FROM taskkit_count c
      JOIN taskkit_name q ON q.id = c.queue JOIN taskkit_name k ON k.id = c.kind WHERE c.count > 0
      """
    ) { try jobCount($0) }
    .sorted { ($0.queue, $0.kind, $0.state.rawValue) < ($1.queue, $1.kind, $1.state.rawValue) }
  }

  private static func jobCount(_ row: Row) throws -> JobCount {
    let subject = "a row of taskkit_count"
    return try JobCount(
      queue: row.value(0, of: subject), kind: row.value(1, of: subject),
      state: JobState.all.meaning(of: row.value(2, of: subject), "the state of \(subject)"),
      count: row.value(3, of: subject))
  }

  static func countAhead(_ db: Database, of id: JobID) throws -> Int {
    let found = try db.first("SELECT \(SQLiteJob.columns) FROM \(SQLiteJob.tables) WHERE j.id = ?", id.rawValue) {
      try SQLiteJob($0)
    }
    guard let job = found, !job.state.isFinal, job.state != .running else { return 0 }
    return try db.first(
      """
      SELECT coalesce(sum((SELECT count(*) FROM taskkit_ready r WHERE r.shelf = f.id
        AND (r.major, r.minor, r.attempts, r.id) < (?, ?, ?, ?))), 0)
      FROM taskkit_shelf f WHERE f.queue = ?
      """, ~job.priority.major, ~job.priority.minor, job.attempts, id.rawValue, job.queue
    ) { $0[0] }!
  }

  static func step(_ db: Database, _ name: String, of id: JobID) throws -> Data? {
    try db.first("SELECT result FROM taskkit_step WHERE id = ? AND name = ?", id.rawValue, name) { $0[0] }
  }

  static func schedule(_ db: Database, _ name: String) throws -> ScheduleRecord? {
    try db.first("SELECT begun, latest, count FROM taskkit_schedule WHERE name = ?", name) { row in
      try ScheduleRecord(
        begun: StoreTime(microseconds: row.value(0, of: .schedule, "'\(name)'")).date,
        latest: (row[1] as Int64?).map { StoreTime(microseconds: $0).date },
        count: row.value(2, of: .schedule, "'\(name)'"))
    }
  }

  static func pauses(_ db: Database) throws -> [JobPause] {
    try db.list("SELECT subject, name, by, since FROM taskkit_pause ORDER BY subject, name") { row in
      func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        try row.value(column, of: .pause, "\(row[1] as DatabaseValue)")
      }
      return try JobPause(
        subject: PauseSubject(sort: value(0), name: value(1)), by: value(2),
        since: StoreTime(microseconds: value(3)).date)
    }
  }
}
#endif
