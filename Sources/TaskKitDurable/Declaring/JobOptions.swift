import TaskKit

/// What the declaration of a kind decides about its jobs. Options that ZLTaskManager had, too, have its defaults (Z3), but
/// for ``backoff``: there was no delay after a failure.
public struct JobOptions<Job: DurableTask>: Sendable {
  /// The queue in which its jobs wait, if the call names no other.
  public var queue: String
  /// How early its jobs run among those of their queue.
  public var priority: JobPriority
  /// What has to hold for its jobs to run.
  public var requires: [Constraint]
  /// After how long of waiting ``requires`` no longer holds a job up; nil: it always does.
  public var requiresFor: Duration?
  /// Whether a running attempt is cancelled when a constraint is lost. That is no attempt, unless the body hangs until its deadline has
  /// passed; the job waits for it again. None begins without what it requires, whatever this says.
  public var cancelsWhenLost: Bool
  /// How often a job is tried in all.
  public var attempts: JobAttempts
  /// How long to wait before the next attempt.
  public var backoff: JobBackoff
  /// How long one attempt may take, on the continuous clock of the center.
  ///
  /// Then it is cancelled, and its worker is free for another job. Cancellation is a request: as long as the body has not
  /// returned, its job is running, is not tried again, and counts for ``limit`` and ``keyLimit``, and a stop waits for it. Where the
  /// process ends before, the attempt has failed, and the next one is made after the ``backoff``; so it has where the body was
  /// stopped before, and hangs still when the workers run again.
  public var deadline: Duration?
  /// Whether jobs exclude each other; nil: any number of equal ones.
  public var unique: UniqueRule<Job>?
  /// How many of the kind run at a time in this process, of each store: where the kind was kept in another one before, its jobs
  /// of both run beside each other.
  public var limit: Int?
  /// How many of one key run at a time, in all processes.
  public var keyLimit: KeyLimitRule<Job>?
  /// How often the process may die in a job, one time after the other, before it is held.
  public var crashes: Int
  /// What becomes of a job whose attempts are used up.
  public var exhaustion: Exhaustion
  /// What becomes of a job whose parent died or was cancelled.
  public var parentFailure: ParentFailure
  /// What a job survives once it was acknowledged.
  public var durability: JobDurability
  /// How long its jobs stay visible when they have ended.
  public var retention: JobRetention
  /// The name of the store that keeps its jobs; nil for the center's first.
  public var store: String?

  public init(
    queue: String = "default", priority: JobPriority = .default, requires: [Constraint] = [],
    requiresFor: Duration? = nil, cancelsWhenLost: Bool = false, attempts: JobAttempts = 3,
    backoff: JobBackoff = .default, deadline: Duration? = nil, unique: UniqueRule<Job>? = nil, limit: Int? = nil,
    keyLimit: KeyLimitRule<Job>? = nil, crashes: Int = 3, exhaustion: Exhaustion = .keep,
    parentFailure: ParentFailure = .cancel, durability: JobDurability = .full, retention: JobRetention = .default,
    store: String? = nil
  ) {
    self.queue = queue
    self.priority = priority
    self.requires = requires
    self.requiresFor = requiresFor
    self.cancelsWhenLost = cancelsWhenLost
    self.attempts = attempts
    self.backoff = backoff
    self.deadline = deadline
    self.unique = unique
    self.limit = limit
    self.keyLimit = keyLimit
    self.crashes = crashes
    self.exhaustion = exhaustion
    self.parentFailure = parentFailure
    self.durability = durability
    self.retention = retention
    self.store = store
  }

  /// What makes no sense about it, with where it was declared.
  func problems(of kind: String, at location: TaskLocation) -> [DurableError] {
    var problems: [DurableError] = []
    func note(_ value: Any, _ what: String, _ advice: String) {
      problems.append(.unusableValue(value, for: "the \(what) of kind '\(kind)', declared at \(location),", advice))
    }
    if let count = attempts.count, count < 1 { note(count, "number of attempts", Advice.attempts) }
    if let deadline, deadline <= .zero { note(deadline, "deadline", Advice.deadline) }
    if let limit, limit < 1 { note(limit, "limit", Advice.limit) }
    if let keyLimit, keyLimit.count < 1 { note(keyLimit.count, "limit of a key", Advice.limit) }
    for (time, what) in [(retention.finished, "finished"), (retention.failed, "failed")] {
      if let time, time < .zero { note(time, "retention of \(what) jobs", Advice.retention) }
    }
    if crashes < 1 { note(crashes, "number of crashes", Advice.crashes) }
    var place: String { "the declaration of kind '\(kind)' at \(location):" }
    if queue.utf8.contains(0) { problems.append(.unusableName(queue, of: "\(place) queue")) }
    if JobText.isInPieces(queue) { problems.append(.nameInPieces(queue, of: "\(place) queue")) }
    for constraint in requires where constraint.name.utf8.contains(0) {
      problems.append(.unusableName(constraint.name, of: "\(place) constraint"))
    }
    return problems
  }

  /// Puts together what the kind and the call say.
  func newJob(_ job: Job, kind: String, _ call: EnqueueOptions) throws -> NewJob {
    let queue = call.queue ?? queue
    try JobText.checkForm(queue, of: "queue")
    if let unique = call.unique { try JobText.checkForm(unique.key, of: "key") }
    return NewJob(
      kind: kind, queue: queue, priority: call.priority ?? priority,
      payload: JobPayload(version: Job.payloadVersion, bytes: try JobCoding.encode(job)), start: call.start,
      maximumAttempts: (call.attempts ?? attempts).count, maximumCrashes: crashes, deadline: call.deadline ?? deadline,
      constraints: (call.requires ?? requires).map(\.name),
      constraintsUntil: call.requiresUntil ?? requiresFor.map { .after($0) },
      unique: call.unique ?? unique.flatMap { $0.key(kind, job) }, limit: keyLimit.flatMap { $0.limit(kind, job) },
      parentFailure: call.parentFailure ?? parentFailure, exhaustion: exhaustion, durability: durability,
      retention: retention, tags: call.tags.map(JobText.composed))
  }
}

extension EnqueueOptions {
  /// What makes no sense about it.
  func problems(of kind: String) -> [DurableError] {
    var problems: [DurableError] = []
    func note(_ value: Any, _ what: String, _ advice: String) {
      problems.append(
        .unusableValue(value, for: "the \(what) in the options of a job of kind '\(kind)' that is enqueued", advice))
    }
    if let count = attempts?.count, count < 1 { note(count, "number of attempts", Advice.attempts) }
    if let deadline, deadline <= .zero { note(deadline, "deadline", Advice.deadline) }
    return problems
  }
}

extension JobTerm {
  /// - Throws: ``DurableError`` where it makes no sense.
  func check() throws {
    switch self {
    case .attempts(let attempts):
      guard let count = attempts.count, count < 1 else { return }
      throw DurableError.unusableValue(count, for: "the number of attempts that jobs are to have", Advice.attempts)
    case .deadline(let deadline):
      guard let deadline, deadline <= .zero else { return }
      throw DurableError.unusableValue(deadline, for: "the deadline that jobs are to have", Advice.deadline)
    case .requires(let constraints, until: _): _ = try JobText.names(of: constraints)
    }
  }
}

extension JobConfiguration {
  /// What makes no sense about its queues.
  var problems: [DurableError] {
    queues.keys.sorted().filter { JobText.isInPieces($0) }.map { DurableError.nameInPieces($0, of: "queue") }
      + queues.sorted { $0.key < $1.key }.flatMap { $1.problems(of: "queue '\($0)'") }
      + defaultQueue.problems(of: "queues that have no options of their own")
  }
}

extension QueueOptions {
  fileprivate func problems(of what: String) -> [DurableError] {
    var problems: [DurableError] = []
    if workers < 1 {
      problems.append(.unusableValue(workers, for: "the number of workers of \(what)", Advice.workers))
    }
    if let aging, aging <= .zero {
      problems.append(.unusableValue(aging, for: "the aging of \(what)", Advice.aging))
    }
    return problems
  }
}

extension RateLimit {
  /// - Throws: ``DurableError`` where it makes no sense.
  func check(of what: String) throws {
    if count < 1 { throw DurableError.unusableValue(count, for: "the count of the rate of \(what)", Advice.count) }
    if period <= .zero {
      throw DurableError.unusableValue(period, for: "the period of the rate of \(what)", Advice.period)
    }
  }
}

private enum Advice {
  static let attempts = "a job is tried at least once; '.unlimited' is for ever"
  static let limit = "let at least one run at a time, or leave the limit out"
  static let workers = "a queue has at least one; to stop it, pause it"
  static let aging = "it needs some time; nil is never"
  static let deadline = "it needs some time, or leave the deadline out"
  static let retention = "they are kept for some time, for none, or for ever, which is nil"
  static let crashes = "it needs at least one"
  static let count = "let at least one start; to stop it, pause it, and nil is no limit"
  static let period = "it needs some time"
}

/// How often a job is tried in all, the first attempt included (Z22). Shut down, cancelled, snoozed or held is no attempt.
public struct JobAttempts: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// Nil for no limit.
  public let count: Int?

  /// Until it succeeds (Z23).
  public static let unlimited = JobAttempts(count: nil)

  /// - Parameter count: at least one; ``DurableError`` says where it is not, when the kind is registered or the job is enqueued.
  public init(_ count: Int) { self.count = count }

  public init(integerLiteral count: Int) { self.init(count) }

  private init(count: Int?) { self.count = count }
}

/// At most one unfinished job of a key that is taken from the value, or several that run one after the other.
///
/// ```swift
/// @DurableTask(kind: "scan", unique: .by(\.file))  // the first one stays
/// struct Scan: Codable, Sendable { var file: URL; func run() async throws { … } }
///
/// @DurableTask(kind: "refresh", unique: .by(\.account, .replace))  // the last one
/// struct Refresh: Codable, Sendable { var account: String; func run() async throws { … } }
///
/// @DurableTask(kind: "backup", unique: .one(.append))  // of the whole kind, one after the other
/// struct Backup: Codable, Sendable { func run() async throws { … } }
/// ```
///
/// What a key may be made of says ``JobKey``. Where it is nil, the job has none: it is the same as no other.
///
/// In the store the key begins with the kind: `upload/photo.jpg`. A slash or a percent sign in the name of a kind is
/// written as `%2F` and `%25` there, so that no other kind has the same keys.
public struct UniqueRule<Job: DurableTask>: Sendable {
  let key: @Sendable (_ kind: String, Job) -> UniqueKey?

  /// One job of a key that is taken from the value.
  ///
  /// - Parameters:
  ///   - key: takes it; of a ``JobKey``.
  ///   - conflict: what becomes of a second one.
  ///   - period: for how long the key stays taken, whatever becomes of the job.
  public static func by<Key: JobKey>(
    _ key: @escaping @Sendable (Job) -> Key, _ conflict: UniqueKey.Conflict = .keep, period: Duration? = nil
  ) -> UniqueRule {
    UniqueRule { kind, job in
      key(job).jobKey.map { UniqueKey(storedKey(of: kind, $0), conflict, period: period) }
    }
  }

  /// One job of the kind, whatever its value.
  public static func one(_ conflict: UniqueKey.Conflict = .keep, period: Duration? = nil) -> UniqueRule {
    UniqueRule { kind, _ in UniqueKey(storedKey(of: kind, ""), conflict, period: period) }
  }
}

/// How many jobs of a key run at a time in all processes, the key being taken from the value.
///
/// What a key may be made of says ``JobKey``. Where it is nil, the job has none, and no such limit.
public struct KeyLimitRule<Job: DurableTask>: Sendable {
  let count: Int
  let limit: @Sendable (_ kind: String, Job) -> KeyLimit?

  /// In the store the key begins with the kind: `upload/accountName`.
  public static func by<Key: JobKey>(_ key: @escaping @Sendable (Job) -> Key, count: Int = 1) -> KeyLimitRule {
    KeyLimitRule(count: count) { kind, job in key(job).jobKey.map { KeyLimit(storedKey(of: kind, $0), count: count) } }
  }

  /// Shared with other kinds that name the same key.
  public static func shared<Key: JobKey>(_ key: @escaping @Sendable (Job) -> Key, count: Int = 1) -> KeyLimitRule {
    KeyLimitRule(count: count) { key($1).jobKey.map { KeyLimit(JobText.composed($0), count: count) } }
  }
}

/// A key of a kind: no other kind has the same, and neither has another text, which stores compare byte by byte.
private func storedKey(of kind: String, _ key: String) -> String {
  JobText.composed(kind.replacing("%", with: "%25").replacing("/", with: "%2F") + "/" + key)
}
