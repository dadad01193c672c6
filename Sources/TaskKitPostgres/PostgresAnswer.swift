#if Postgres
import Foundation
import TaskKitDurable

/// What the server's functions say, but for the jobs that an exchange gives out.
struct PostgresAnswer: Decodable {
  struct Outcome: Decodable {
    var kept: Bool?
    var replaced: [Int64]?
    var cancelled: [Int64]?
  }

  struct Rescued: Decodable {
    struct GivenUp: Decodable {
      var attempts: Int
      var version: Int
    }

    var id: Int64
    var kind: String
    var state: Int?
    var gave_up: GivenUp?
  }

  var ids: [Int64]?
  /// By the place in the batch; of those that are not just added.
  var outcomes: [String: Outcome]?
  var count: Int?
  var cancelled: [Int64]?
  var next: Int64?
  /// Of a schedule.
  var begun: Int64?
  var latest: Int64?
  /// A digit for each.
  var notes: String?
  var ends: String?
  var cancel: [Int64]?
  var rescued: [Rescued]?
  var due: Int64?
  /// The queues in which others may find something new; '' is all of them.
  var news: [String]?

  init(_ row: PostgresRow?) throws {
    self =
      try row?.decoded(0, PostgresAnswer.self, "an answer") ?? JSONDecoder().decode(Self.self, from: Data("{}".utf8))
  }

  /// The attempts of this owner that have to be cancelled, whatever the call was.
  var allCancelled: [Int64] {
    (cancel ?? []) + (cancelled ?? []) + (outcomes ?? [:]).values.flatMap { $0.cancelled ?? [] }
  }

  var enqueued: [EnqueuedJob] {
    (ids ?? []).enumerated().map { place, id in
      let outcome = outcomes?["\(place)"]
      return EnqueuedJob(
        id: JobID(rawValue: id),
        outcome: outcome?.kept == true ? .kept : outcome?.replaced.map { .replaced($0.map(JobID.init)) } ?? .added,
        cancelled: (outcome?.cancelled ?? []).map(AttemptToken.init).sorted())
    }
  }
}

extension JobExchange.Answer {
  /// - Parameter rows: the lines that `taskkit_lines` makes.
  init(_ rows: [PostgresRow]) throws {
    let answer = try PostgresAnswer(rows.first)
    var payloads: [Int64: Data] = [:]
    // Neither given out nor of a parent.
    for row in rows.dropFirst() where row.integer(2) == nil && row.integer(15) == nil {
      if let id = row.integer(1) { payloads[id] = row.data(6) }
    }
    self.init(
      notes: (answer.notes ?? "").map { $0 == "1" }, ends: (answer.ends ?? "").map { $0 == "1" },
      nextDue: answer.due.map { .microseconds($0) }, toCancel: (answer.cancel ?? []).map(AttemptToken.init),
      rescued: try (answer.rescued ?? []).map { rescued in
        RescuedJob(
          id: JobID(rawValue: rescued.id), kind: rescued.kind,
          state: try rescued.state.map { try JobState(stored: $0, of: "job \(rescued.id)") },
          gaveUp: try rescued.gave_up.map { gaveUp in
            guard let bytes = payloads[rescued.id] else {
              throw PostgresFailure.unreadable("the payload of job \(rescued.id), which has given up, is not there")
            }
            return RescuedJob.GivenUp(
              attempts: gaveUp.attempts, payload: JobPayload(version: gaveUp.version, bytes: bytes))
          })
      })
    var places: [Int64: Int] = [:]
    for row in rows.dropFirst() {
      guard let id = row.integer(1) else { continue }
      if let token = row.integer(2) {
        places[id] = claimed.count
        claimed.append(try ClaimedJob(row, id: JobID(rawValue: id), token: AttemptToken(rawValue: token)))
      } else if let place = places[id], let parent = row.integer(15) {
        claimed[place].parentResults[JobID(rawValue: parent)] = row.data(16)
      }
    }
  }
}

extension ClaimedJob {
  fileprivate init(_ row: PostgresRow, id: JobID, token: AttemptToken) throws {
    // Such a list must not count as an empty one, nor take with it what else the answer says: the job alone is held.
    var damage: String?
    func list(_ column: Int, _ what: String) throws -> [String] {
      do { return try row.strings(column, "the \(what) of job \(id)") } catch PostgresFailure.unreadable(let text) {
        damage = damage ?? text
        return []
      }
    }
    let (constraints, tags) = (try list(10, "constraints"), try list(11, "tags"))
    self.init(
      id: id, token: token, kind: row.text(3) ?? "", queue: row.text(4) ?? "",
      payload: JobPayload(version: Int(row.integer(5) ?? 1), bytes: row.data(6) ?? Data()),
      attempt: Int(row.integer(7) ?? 1), maximumAttempts: row.integer(8).map(Int.init),
      deadline: row.integer(9).map { .microseconds($0) }, checkpoint: row.data(14),
      constraints: constraints, constraintsFor: row.integer(17).map { .microseconds($0) }, tags: tags,
      occurrence: row.text(12).map { schedule in
        JobOccurrence(schedule: schedule, date: StoreTime(microseconds: row.integer(13) ?? 0).date)
      }, damage: damage)
  }
}

extension PostgresRow {
  /// A number that is always there, of a row that is about no job.
  ///
  /// - Parameter row: which one it is.
  /// - Throws: ``PostgresFailure/unreadable(_:)``.
  func integer(_ column: Int, of table: CommonTable, _ row: @autoclosure () -> String) throws -> Int64 {
    guard let value = integer(column) else { throw PostgresFailure.unreadable(table.damage(row())) }
    return value
  }

  /// The same for a text.
  func text(_ column: Int, of table: CommonTable, _ row: @autoclosure () -> String) throws -> String {
    guard let value = text(column) else { throw PostgresFailure.unreadable(table.damage(row())) }
    return value
  }

  /// A list of texts, which is written as JSON.
  ///
  /// - Parameter subject: what it is called where it cannot be read.
  func strings(_ column: Int, _ subject: @autoclosure () -> String) throws -> [String] {
    try decoded(column, [String]?.self, subject()).flatMap { $0 } ?? []
  }

  /// What is written as JSON; nil for NULL.
  ///
  /// - Parameter subject: what it is called where it cannot be read.
  /// - Throws: ``PostgresFailure/unreadable(_:)``.
  func decoded<Value: Decodable>(
    _ column: Int, _ type: Value.Type, _ subject: @autoclosure () -> String
  ) throws -> Value? {
    guard let data = data(column) else { return nil }
    do { return try JSONDecoder().decode(type, from: data) } catch {
      throw PostgresFailure.unreadable(
        "\(subject()) cannot be read: '\(String(decoding: data.prefix(100), as: UTF8.self))'")
    }
  }
}

// The places in these lists are what the tables hold: never changed, only added to.
extension JobState {
  private static let stored: [JobState] = [.waiting, .delayed, .ready, .running, .held, .finished, .dead, .cancelled]
  var storedNumber: Int { Self.stored.firstIndex(of: self)! }

  /// - Throws: ``PostgresFailure/unreadable(_:)`` for a number that means nothing.
  init(stored number: Int, of subject: @autoclosure () -> String) throws {
    guard Self.stored.indices.contains(number) else {
      throw PostgresFailure.unreadable("the state of \(subject()) cannot be read: \(number)")
    }
    self = Self.stored[number]
  }
}

extension ParentFailure {
  private static let stored: [ParentFailure] = [.cancel, .hold, .run]
  var storedNumber: Int { Self.stored.firstIndex(of: self)! }

  /// - Throws: ``PostgresFailure/unreadable(_:)`` for a number that means nothing.
  init(stored number: Int, of subject: @autoclosure () -> String) throws {
    guard Self.stored.indices.contains(number) else {
      throw PostgresFailure.unreadable("what \(subject()) does without a parent cannot be read: \(number)")
    }
    self = Self.stored[number]
  }
}

extension Exhaustion {
  private static let stored: [Exhaustion] = [.keep, .hold, .discard]
  var storedNumber: Int { Self.stored.firstIndex(of: self)! }

  /// - Throws: ``PostgresFailure/unreadable(_:)`` for a number that means nothing.
  init(stored number: Int, of subject: @autoclosure () -> String) throws {
    guard Self.stored.indices.contains(number) else {
      throw PostgresFailure.unreadable("what becomes of \(subject()) without attempts cannot be read: \(number)")
    }
    self = Self.stored[number]
  }
}
#endif
