#if Postgres
public import Foundation
public import TaskKitDurable

extension PostgresStore {
  public func jobs(_ selection: JobSelection, after: JobID?, limit: Int) async throws -> [JobSnapshot] {
    let selection = String(decoding: try JSONEncoder().encode(StoredSelection(selection)), as: UTF8.self)
    let rows = try await query(
      """
      SELECT j.*, CASE WHEN j.state = 3 THEN (
        SELECT o.name FROM \(schema).taskkit_state s JOIN \(schema).taskkit_owner o ON o.id = s.owner
        WHERE s.id = j.id AND s.state + 0 = 3) END
      FROM \(schema).taskkit_jobs($1, $2, $3) j
      """,
      [.json(selection), .integer(after?.rawValue ?? .min), .integer(Int64(max(0, limit)))])
    return try understood { try rows.map(JobSnapshot.init) }
  }

  public func counts() async throws -> [JobCount] {
    let rows = try await query(
      """
      SELECT queue, kind, state::bigint, sum(count)::bigint FROM \(schema).taskkit_count
      GROUP BY queue, kind, state HAVING sum(count) > 0
      """)
    return try understood {
      try rows.map { row in
        JobCount(
          queue: row.text(0) ?? "", kind: row.text(1) ?? "",
          state: try JobState(stored: Int(row.integer(2) ?? 0), of: "a row of taskkit_count"),
          count: Int(row.integer(3) ?? 0))
      }
    }.sorted { ($0.queue, $0.kind, $0.state.rawValue) < ($1.queue, $1.kind, $1.state.rawValue) }
  }

  public func countAhead(of job: JobID) async throws -> Int {
    let rows = try await query(
      """
      SELECT count(o.id) FROM \(schema).taskkit_state s
      JOIN \(schema).taskkit_shelf f ON f.id = s.shelf
      JOIN \(schema).taskkit_shelf g ON g.queue = f.queue
      JOIN \(schema).taskkit_state o ON o.state = 2 AND o.shelf = g.id
        AND (o.major, o.minor, o.attempts, o.id) < (s.major, s.minor, s.attempts, s.id)
      WHERE s.id = $1 AND s.state IN (0, 1, 2, 4)
      """, [.integer(job.rawValue)])
    return Int(rows.first?.integer(0) ?? 0)
  }

  public func step(_ name: String, of job: JobID) async throws -> Data? {
    try await query(
      "SELECT result FROM \(schema).taskkit_step WHERE id = $1 AND name = $2", [.integer(job.rawValue), .text(name)]
    ).first?.data(0)
  }

  public func schedule(_ name: String) async throws -> ScheduleRecord? {
    let rows = try await query(
      "SELECT begun, latest, count FROM \(schema).taskkit_schedule WHERE name = $1", [.text(name)])
    return try understood {
      try rows.first.map { row in
        try ScheduleRecord(
          begun: StoreTime(microseconds: row.integer(0, of: .schedule, "'\(name)'")).date,
          latest: row.integer(1).map { StoreTime(microseconds: $0).date },
          count: Int(row.integer(2, of: .schedule, "'\(name)'")))
      }
    }
  }

  public func now() async throws -> Date? {
    // Where the environment's clock counts, nobody asks the server.
    guard try time == nil else { return nil }
    return try await query("SELECT \(schema).taskkit_clock()").first?.integer(0)
      .map { StoreTime(microseconds: $0).date }
  }

  public func pauses() async throws -> [JobPause] {
    let rows = try await query("SELECT subject::bigint, name, by, since FROM \(schema).taskkit_pause")
    return try understood {
      try rows.map { row in
        let name = row.text(1) ?? "NULL"
        return try JobPause(
          subject: PauseSubject(
            sort: Int(row.integer(0, of: .pause, "'\(name)'")), name: row.text(1, of: .pause, "'\(name)'")),
          by: row.text(2, of: .pause, "'\(name)'"),
          since: StoreTime(microseconds: row.integer(3, of: .pause, "'\(name)'")).date)
      }
    }.sorted { $0.subject.order < $1.subject.order }
  }

  public func rates() async throws -> [JobRate] {
    let rows = try await query("SELECT * FROM \(schema).taskkit_rates($1)", [.integer(try time)])
    return try understood {
      try rows.map { row in
        let name = row.text(1) ?? "NULL"
        return try JobRate(
          subject: row.flag(0) ? .key(name) : .queue(name),
          limit: RateLimit(
            Int(row.integer(2, of: .rate, "'\(name)'")), per: .microseconds(row.integer(3, of: .rate, "'\(name)'"))),
          free: Int(row.integer(4) ?? 0), wait: row.integer(5).map { .microseconds($0) })
      }
    }
  }
}

extension JobSnapshot {
  private struct Failure: Decodable {
    let attempt: Int
    let date: Int64
    let cause: String
    let text: String
  }

  /// - Parameter row: what `taskkit_jobs` gives, and who runs the job.
  fileprivate init(_ row: PostgresRow) throws {
    func number(_ column: Int) -> Int { Int(row.integer(column) ?? 0) }
    func duration(_ column: Int) -> Duration? { row.integer(column).map { .microseconds($0) } }
    func date(_ column: Int) -> Date? { row.integer(column).map { StoreTime(microseconds: $0).date } }
    let id = JobID(rawValue: row.integer(0) ?? 0)
    let state = try JobState(stored: number(3), of: "job \(id)")
    let failures = try row.decoded(27, [Failure].self, "the errors of job \(id)") ?? []
    let parents = try row.decoded(28, [Int64].self, "the parents of job \(id)") ?? []
    self.init(
      id: id, kind: row.text(1) ?? "", queue: row.text(2) ?? "", state: state,
      priority: JobPriority(major: -1 - number(4), minor: -1 - number(5)),
      payload: JobPayload(version: number(6), bytes: row.data(7) ?? Data()), attempts: number(8),
      maximumAttempts: row.integer(9).map(Int.init), crashes: number(10),
      deadline: row.integer(11).map { .microseconds($0) }, created: date(12) ?? Date(timeIntervalSince1970: 0),
      due: state == .delayed ? date(13) : nil, started: date(14), ended: date(15),
      constraints: try row.strings(16, "the constraints of job \(id)"),
      constraintsUntil: date(17), uniqueKey: row.text(18),
      limit: row.text(19).map { KeyLimit($0, count: number(20)) }, parents: parents.map(JobID.init),
      hold: try row.decoded(21, HoldReason.self, "what holds job \(id)"),
      tags: try row.strings(22, "the tags of job \(id)"),
      progress: row.integer(23).map { JobProgress(completed: $0, of: row.integer(24)) }, checkpoint: row.data(25),
      result: row.data(26),
      errors: failures.map { failure in
        AttemptFailure(
          attempt: failure.attempt, date: StoreTime(microseconds: failure.date).date,
          cause: AttemptFailure.Cause(rawValue: failure.cause) ?? .error, text: failure.text)
      }, owner: row.text(37), maximumCrashes: number(29),
      exhaustion: try Exhaustion(stored: number(30), of: "job \(id)"),
      parentFailure: try ParentFailure(stored: number(31), of: "job \(id)"),
      retention: JobRetention(finished: duration(32), failed: duration(33)), uniquePeriod: duration(34),
      occurrence: row.text(35).map { JobOccurrence(schedule: $0, date: date(36) ?? Date(timeIntervalSince1970: 0)) })
  }
}
#endif
