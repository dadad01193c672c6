#if Durable && !os(Windows)

/// Something to do in a transaction of a writer, for somebody who waits until it is on the disk and keeps it until then.
// Whoever asks gives it away to the writer's thread, which alone touches it until that resumes them: once.
class WriterOperation: @unchecked Sendable {
  /// Whether a power cut may undo it.
  let isRelaxed: Bool
  fileprivate var waiter: UnsafeContinuation<Void, any Error>?

  init(isRelaxed: Bool) { self.isRelaxed = isRelaxed }

  /// Does it. May be called again when the transaction did not come about.
  func run(_ transaction: SQLiteTransaction) throws {}

  /// What of it has to be said again where it has happened and nobody has heard that.
  var unheard: UnheardAnswers { UnheardAnswers(toCancel: []) }

  /// To be called before the writer gets it.
  final func setWaiter(_ waiter: UnsafeContinuation<Void, any Error>) { self.waiter = waiter }

  /// Who is to be resumed, by whoever has asked for it.
  final func takeWaiter() -> UnsafeContinuation<Void, any Error> { waiter.take()! }

  final func fail(_ error: any Error) { takeWaiter().resume(throwing: error) }
}

/// Anything.
// As above.
final class AskedOperation<Value: Sendable>: WriterOperation, @unchecked Sendable {
  private let body: @Sendable (SQLiteTransaction) throws -> Value
  private let cancelled: @Sendable (Value) -> [AttemptToken]
  /// What it came to, for who has asked.
  private(set) var value: Value?

  /// - Parameter cancelled: the attempts of this owner that it has cancelled, which only who has asked for it is told.
  init(
    isRelaxed: Bool, cancelled: @escaping @Sendable (Value) -> [AttemptToken],
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
  ) {
    self.body = body
    self.cancelled = cancelled
    super.init(isRelaxed: isRelaxed)
  }

  override var unheard: UnheardAnswers { UnheardAnswers(toCancel: value.map(cancelled) ?? []) }

  override func run(_ transaction: SQLiteTransaction) throws { value = try body(transaction) }
}

/// An exchange.
// As above.
final class ExchangeOperation: WriterOperation, @unchecked Sendable {
  private let exchange: JobExchange
  private let body: @Sendable (SQLiteTransaction) throws -> JobExchange.Answer
  /// What it came to, for who has asked.
  private(set) var answer = JobExchange.Answer()

  init(
    _ exchange: JobExchange, isRelaxed: Bool,
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> JobExchange.Answer
  ) {
    self.exchange = exchange
    self.body = body
    super.init(isRelaxed: isRelaxed)
  }

  override var unheard: UnheardAnswers { UnheardAnswers(exchange, answer) }

  override func run(_ transaction: SQLiteTransaction) throws { answer = try body(transaction) }
}

/// Jobs that are written down.
// As above.
final class EnqueueOperation: WriterOperation, @unchecked Sendable {
  private let jobs: [NewJob]
  private let store: String
  private let arePlain: Bool
  private var first: Int64 = 0
  private var enqueued: [EnqueuedJob] = []

  init(_ jobs: [NewJob], store: String) {
    self.jobs = jobs
    self.store = store
    arePlain = jobs.allSatisfy(\.isPlain)
    super.init(isRelaxed: !jobs.isEmpty && jobs.allSatisfy { $0.durability == .relaxed })
  }

  override var unheard: UnheardAnswers { UnheardAnswers(toCancel: enqueued.flatMap(\.cancelled)) }

  override func run(_ transaction: SQLiteTransaction) throws {
    if arePlain {
      first = try transaction.enqueuePlainly(jobs)
    } else {
      enqueued = try transaction.enqueue(jobs, store: store)
    }
  }

  /// What it came to, for who has asked.
  var result: [EnqueuedJob] {
    guard arePlain else { return enqueued }
    return jobs.indices.map { EnqueuedJob(id: JobID(rawValue: first + Int64($0)), outcome: .added) }
  }
}
#endif
