#if Durable

extension NewJob {
  /// Whether nothing has to be done for it but to write it down: it is ready, and nothing depends on what else there is.
  var isPlain: Bool {
    guard case .now = start else { return false }
    return unique == nil && occurrence == nil && limit == nil && constraintsUntil == nil && parents.isEmpty
      && constraints.isEmpty && tags.isEmpty
  }
}

/// What plain jobs have in common that are written down one after the other: the statement has it already, and need not be
/// given it again.
struct PlainJob {
  /// Places in the statement ``SQLiteTransaction/Step/insertJob``.
  static let placeBeforeTimes: Int32 = 7
  static let placeBeforePayload: Int32 = 27

  private let kind: String
  private let queue: String
  private let priority: JobPriority
  private let maximumAttempts: Int?
  private let maximumCrashes: Int
  private let deadline: Duration?
  private let parentFailure: ParentFailure
  private let exhaustion: Exhaustion
  private let retention: JobRetention
  private let version: Int
  /// As what they are counted.
  let counted: SQLiteTransaction.CountKey

  init(_ job: NewJob, counted: SQLiteTransaction.CountKey) {
    kind = job.kind
    queue = job.queue
    priority = job.priority
    maximumAttempts = job.maximumAttempts
    maximumCrashes = job.maximumCrashes
    deadline = job.deadline
    parentFailure = job.parentFailure
    exhaustion = job.exhaustion
    retention = job.retention
    version = job.payload.version
    self.counted = counted
  }

  /// Whether a plain job differs from them in nothing but its id, its times and its bytes.
  func isLike(_ job: borrowing NewJob) -> Bool {
    job.kind == kind && job.queue == queue && job.priority == priority && job.maximumAttempts == maximumAttempts
      && job.maximumCrashes == maximumCrashes && job.deadline == deadline && job.parentFailure == parentFailure
      && job.exhaustion == exhaustion && job.retention == retention && job.payload.version == version
  }
}
#endif
