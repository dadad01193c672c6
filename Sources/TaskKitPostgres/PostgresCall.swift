#if Postgres
import Foundation
import TaskKitDurable

/// Something to be done in a transaction: a function of the server, and what it gets beyond what all get.
struct PostgresCall: Sendable {
  /// What all calls of one transaction get.
  struct Setting {
    let owner: Int64
    /// The transaction's number.
    let operation: Int64
    /// What the calendar says; nil where that is the server's.
    let time: Int64?
    /// Whether a crash of the server may undo it.
    let isRelaxed: Bool
    /// The newest format of the schema that the caller knows.
    var format = PostgresSchema.version
  }

  let function: String
  /// Whether a crash of the server may undo it.
  var isRelaxed = false
  /// Whether it may be done again where nobody knows whether it has been done by an owner that is gone.
  var isRepeatable = true
  /// New jobs that are among the values.
  private(set) var jobs: PostgresValue?
  let values: [PostgresValue]

  init(_ what: String, _ arguments: some Encodable, payloads: [Data] = []) throws {
    function = "taskkit_do"
    values = [
      .text(what), .json(String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)), .blobs(payloads),
    ]
  }

  /// Whether it says what attempts come to, and gives out jobs.
  var isExchange: Bool { function == "taskkit_exchange" }

  /// Prolongs the owner's lease.
  static func beat() throws -> PostgresCall {
    var call = try PostgresCall("beat", [String: String]())
    // A beat that a crash of the server takes back does no harm.
    call.isRelaxed = true
    return call
  }

  init(_ jobs: [NewJob]) throws {
    try self.init("enqueue", jobs.map(StoredJob.init), payloads: jobs.map(\.payload.bytes))
    isRelaxed = !jobs.isEmpty && jobs.allSatisfy { $0.durability == .relaxed }
    isRepeatable = false
    self.jobs = values[1]
  }

  init(_ selection: JobSelection, _ change: JobChange) throws {
    try self.init("change", StoredChange(selection, change))
    isRepeatable = false
  }

  init(_ exchange: JobExchange) throws {
    let notes = exchange.notes.map { key, note in StoredNote(key, note) }
    let ends = try exchange.ends.map { key, end in try StoredEnd(key, end) }
    let claims = try JSONEncoder().encode(exchange.claims.map(StoredClaim.init))
    // What says only how far an attempt has come loses nothing but that.
    isRelaxed = exchange.isRelaxed
    function = "taskkit_exchange"
    values = [
      .integers(notes.map(\.key.job.rawValue)), .integers(notes.map(\.key.token.rawValue)),
      .integers(notes.map(\.what)), .integers(notes.map(\.completed)), .integers(notes.map(\.total)),
      .texts(notes.map(\.name)), .blobs(notes.map(\.data)),
      .integers(ends.map(\.key.job.rawValue)), .integers(ends.map(\.key.token.rawValue)),
      .integers(ends.map(\.what)), .integers(ends.map(\.number)), .texts(ends.map(\.cause)), .texts(ends.map(\.text)),
      .blobs(ends.map(\.data)), .json(String(decoding: claims, as: UTF8.self)),
    ]
  }

  /// The statement, in a schema.
  ///
  /// - Parameter place: which statement of its transaction it is.
  func statement(schema: String, _ setting: Setting, place: Int = 0) -> PostgresStatement {
    let all: [PostgresValue] = [
      .integer(Int64(setting.format)), .integer(setting.owner), .integer(setting.operation),
      .integer(Int64(place)), .integer(setting.time), .flag(setting.isRelaxed),
    ]
    let places = (1...values.count + all.count).map { "$\($0)" }.joined(separator: ", ")
    return PostgresStatement("SELECT * FROM \(schema).\(function)(\(places))", all + values)
  }
}

extension NewJob {
  /// Whether writing it down has to do with no other job, so that it waits for nobody.
  var isPlain: Bool { unique == nil && parents.isEmpty && occurrence == nil }
}

extension JobExchange {
  fileprivate var isRelaxed: Bool {
    ends.isEmpty && claims.isEmpty && !notes.isEmpty
      && notes.allSatisfy { if case .progress = $0.1 { true } else { false } }
  }
}

extension String {
  /// PostgreSQL keeps no texts with the character 0; what people read may do without it.
  var withoutNull: String { replacingOccurrences(of: "\0", with: "\u{FFFD}") }
}

extension HoldReason {
  /// The same as the server can keep it.
  fileprivate var withoutNull: HoldReason {
    switch self {
    case .gaveUp, .crashed, .parentFailed: self
    case .unreadable(let text): .unreadable(text.withoutNull)
    case .until(let constraints, let text): .until(constraints.map(\.withoutNull), text.withoutNull)
    case .asked(let text): .asked(text.withoutNull)
    }
  }
}

/// A new job as `taskkit_read` takes it: what most have is left out.
private struct StoredJob: Encodable {
  let kind: String
  let queue: String
  let version: Int?
  let major: Int?
  let minor: Int?
  let attempts: Int?
  let crashes: Int
  let deadline: Int64?
  let needs: [String]?
  let relaxed_at: Int64?
  let relaxed_after: Int64?
  let key: String?
  let conflict: String?
  let period: Int64?
  let limit_key: String?
  let limit_count: Int?
  let parents: [Int64]?
  let failure: Int?
  let exhaustion: Int?
  let kept: Int64?
  let kept_failed: Int64?
  let tags: [String]?
  let schedule: String?
  let occurrence: Int64?
  let occurrences: Int?
  let at: Int64?
  let after: Int64?

  init(_ job: NewJob) {
    kind = job.kind
    queue = job.queue
    version = job.payload.version == 1 ? nil : job.payload.version
    major = job.priority.major == 10 ? nil : job.priority.major
    minor = job.priority.minor == 10 ? nil : job.priority.minor
    attempts = job.maximumAttempts
    crashes = job.maximumCrashes
    deadline = job.deadline?.microseconds
    needs = job.constraints.isEmpty ? nil : job.constraints.map(JobText.composed)
    (relaxed_at, relaxed_after) = job.constraintsUntil?.stored ?? (nil, nil)
    key = job.unique?.key
    conflict = job.unique?.conflict.rawValue
    period = job.unique?.period?.microseconds
    limit_key = job.limit?.key
    limit_count = job.limit?.count
    parents =
      job.parents.isEmpty
      ? nil
      : job.parents.map { parent in
        switch parent {
        case .job(let id): id.rawValue
        case .inBatch(let place): -Int64(place) - 1
        }
      }
    failure = job.parentFailure == .cancel ? nil : job.parentFailure.storedNumber
    exhaustion = job.exhaustion == .keep ? nil : job.exhaustion.storedNumber
    kept = job.retention.finished.map { $0 <= .zero ? nil : $0.microseconds } ?? -1
    kept_failed = job.retention.failed.map { max(0, $0.microseconds) }
    tags = job.tags.isEmpty ? nil : job.tags
    schedule = job.occurrence?.schedule
    occurrence = job.occurrence.map { StoreTime($0.date).microseconds }
    occurrences = job.occurrence == nil ? nil : job.occurrenceLimit
    (at, after) = job.start.stored
  }
}

extension NewJob.Start {
  /// A moment, or a time from now on.
  fileprivate var stored: (at: Int64?, after: Int64?) {
    switch self {
    case .now: (nil, 0)
    case .after(let delay): (nil, delay.microseconds)
    case .at(let date): (StoreTime(date).microseconds, nil)
    }
  }
}

/// A selection as `taskkit_from` and `taskkit_where` take it.
struct StoredSelection: Encodable {
  let ids: [Int64]?
  let kinds: [String]?
  let queues: [String]?
  let keys: [String]?
  let tags: [String]?
  let states: [Int]?
  let holds: [String]?

  init(_ selection: JobSelection) {
    let selection = selection.asStored
    ids = selection.ids?.map(\.rawValue)
    kinds = selection.kinds
    queues = selection.queues
    keys = selection.uniqueKeys
    tags = selection.tags
    states = selection.states?.map(\.storedNumber)
    holds = selection.heldFor?.map(\.rawValue)
  }
}

private struct StoredChange: Encodable {
  let selection: StoredSelection
  let what: String
  var major: Int?
  var minor: Int?
  var reason: HoldReason?
  var at: Int64?
  var after: Int64?
  var attempts: Int?
  var deadline: Int64?
  var needs: [String]?

  init(_ selection: JobSelection, _ change: JobChange) {
    self.selection = StoredSelection(selection)
    switch change {
    case .cancel: what = "cancel"
    case .delete: what = "delete"
    case .prioritise(let priority):
      what = "prioritise"
      (major, minor) = (priority.major, priority.minor)
    case .change(.attempts(let attempts)):
      what = "attempts"
      self.attempts = attempts.count
    case .change(.deadline(let deadline)):
      what = "deadline"
      self.deadline = deadline?.microseconds
    case .change(.requires(let constraints, let until)):
      what = "requires"
      needs = constraints.map { JobText.composed($0.name) }
      (at, after) = until?.stored ?? (nil, nil)
    case .hold(let text, let constraints):
      what = "hold"
      reason = HoldReason(asked: text.withoutNull, until: constraints.map(\.withoutNull))
    case .release: what = "release"
    case .retry: what = "retry"
    case .reschedule(let start):
      what = "reschedule"
      (at, after) = start.stored
    }
  }
}

private struct StoredNote {
  let key: AttemptKey
  let what: Int64
  var completed: Int64?
  var total: Int64?
  var name: String?
  var data: Data?

  init(_ key: AttemptKey, _ note: JobExchange.Note) {
    self.key = key
    switch note {
    case .progress(let progress):
      what = 0
      (completed, total) = (progress.completed, progress.total)
    case .checkpoint(let data?):
      what = 1
      self.data = data
    case .checkpoint(nil): what = 2
    case .step(let name, let result):
      what = 3
      (self.name, data) = (name, result)
    }
  }
}

private struct StoredEnd {
  let key: AttemptKey
  let what: Int64
  var number: Int64?
  var cause: String?
  var text: String?
  var data: Data?

  init(_ key: AttemptKey, _ end: JobExchange.End) throws {
    self.key = key
    switch end {
    case .succeeded(let result):
      what = 0
      data = result
    case .failed(let cause, let text, let delay):
      what = 1
      (self.cause, self.text, number) = (cause.rawValue, text.withoutNull, delay.microseconds)
    case .gaveUp(let cause, let text):
      what = 2
      (self.cause, self.text) = (cause.rawValue, text.withoutNull)
    case .interrupted: what = 3
    case .snoozed(let start):
      let (at, after) = start.stored
      what = at == nil ? 4 : 7
      number = at ?? after
    case .held(let reason):
      what = 5
      text = String(decoding: try JSONEncoder().encode(reason.withoutNull), as: UTF8.self)
    case .cancelled: what = 6
    }
  }
}

private struct StoredClaim: Encodable {
  let queue: String
  let limit: Int
  let kinds: [String: Int]
  let satisfied: [String]
  /// The versions of payloads that are left to others, by kind.
  let unreadable: [String: Set<Int>]?
  let aging: Int64?

  init(_ claim: JobExchange.Claim) {
    queue = claim.queue
    limit = claim.limit
    kinds = claim.kinds.reduce(into: [:]) { $0[$1.name] = $1.limit(added: $0[$1.name]) }
    // The server compares bytes.
    satisfied = claim.satisfied.sorted().flatMap(JobText.spellings)
    let left = claim.kinds.filter { !$0.unreadable.isEmpty }
    unreadable = left.isEmpty ? nil : Dictionary(left.map { ($0.name, $0.unreadable) }) { $0.union($1) }
    aging = claim.aging.flatMap { $0 > .zero ? $0.microseconds : nil }
  }
}
#endif
