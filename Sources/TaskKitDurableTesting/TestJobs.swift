public import TaskKit
public import TaskKitDurable
public import TaskKitTesting

/// The jobs of a program in a test: kept in memory, in a time that stands still, and run only when the test says so.
///
/// ```swift
/// let jobs = try TestJobs(Upload.self, Digest.self)
/// jobs.center[Server.Key.self] = FakeServer()
/// try await album.save(in: jobs.center)                                    // enqueues
/// #expect(try await jobs.enqueued(Upload.self) { $0.file == photo }.count == 1)
/// #expect(try await jobs.performNext(Upload.self)?.end == .failed("offline", retryAfter: .seconds(10)))
/// try await jobs.drain(within: .seconds(3600))                             // retries, delayed ones, schedules
/// #expect(try await jobs.enqueued(Upload.self).isEmpty)
/// ```
///
/// It needs no test framework. Jobs of one `TestJobs` are run by one caller at a time.
public final class TestJobs: Sendable {
  /// The center whose jobs these are. It was started; its own schedules and events work as ever.
  public let center: TaskCenter
  /// The time in which they live: it stands still until the test moves it.
  public let time: VirtualTime
  /// What holds that jobs require. What is set is what the next jobs find that are run here.
  public let constraints: ManualConstraints
  private static let first = "memory"
  private let stores: [String]
  private let ends: EndReader
  private let states: ConstraintReader

  /// - Parameters:
  ///   - kinds: those that are not in the registry.
  ///   - registry: the program's.
  ///   - constraints: how they stand at first; one that is not named does not hold.
  ///   - jobs: queues and workers; its monitors are replaced by ``constraints``.
  ///   - time: the clocks.
  ///   - chance: what jitter is drawn from, from 0 to 1.
  public init(
    _ kinds: any DurableTask.Type..., registry: TaskRegistry = TaskRegistry(),
    constraints: [Constraint: ConstraintState] = [:], jobs: JobConfiguration = JobConfiguration(monitors: []),
    time: VirtualTime = VirtualTime(), chance: Double = 0
  ) throws {
    let registry = kinds.reduce(registry) { $0.adding($1) }
    let required = registry.kinds.flatMap(\.requires).map { ($0, ConstraintState.unsatisfied) }
    let manual = ManualConstraints(constraints.merging(required) { given, _ in given })
    var jobs = jobs
    jobs.monitors = [manual]
    // One for each store that a kind names, behind the one of those that name none.
    let named = Set(registry.kinds.compactMap(\.store)).sorted()
    stores = [Self.first] + named.filter { $0 != Self.first }
    center = try TaskCenter(
      registry: registry, configuration: TaskCenter.Configuration(chance: { chance }), time: time.source,
      stores: stores.map { .memory($0) }, jobs: jobs)
    self.time = time
    self.constraints = manual
    ends = EndReader(center.jobs.events(buffering: .max))
    states = ConstraintReader(center.jobs.events(buffering: .max))
    center.jobs.allow(0)
    center.start()
  }

  /// The jobs of a kind that have not ended, in the order in which they were enqueued.
  ///
  /// - Parameters:
  ///   - kind: the type whose values are meant.
  ///   - isMeant: of those, the ones for which that is true.
  /// - Throws: what decoding throws, and what `isMeant` does.
  public func enqueued<Job: DurableTask>(
    _ kind: Job.Type, where isMeant: (Job) throws -> Bool = { _ in true }
  ) async throws -> [EnqueuedValue<Job>] {
    let registration = kind.registration
    let states = Set(JobState.allCases.filter { !$0.isFinal })
    return try await center.jobs.all(where: JobSelection(kinds: [registration.kind], states: states)).compactMap {
      snapshot in
      guard let job = try registration.load(snapshot.payload) as? Job, try isMeant(job) else { return nil }
      return EnqueuedValue(job: job, snapshot: snapshot)
    }
  }

  /// Runs one attempt: that of the job which is next by the law, and returns when it has ended, that is written down, and
  /// its kind has been told where it gave up.
  ///
  /// - Parameters:
  ///   - kind: of that kind; of any if omitted.
  ///   - queue: of that queue; if omitted, of any, one queue after the other, and one store after the other.
  /// - Returns: what became of it; nil if none could run now.
  @discardableResult
  public func performNext(
    _ kind: (any DurableTask.Type)? = nil, in queue: String? = nil
  ) async throws -> PerformedJob? {
    for store in stores {
      if let ended = try await run(1, of: [center.jobs(in: store)], kind: kind, in: queue, {}).first { return ended }
    }
    return nil
  }

  /// Runs jobs until none is left that could run now, those that are enqueued meanwhile too.
  ///
  /// - Parameter duration: how much time passes meanwhile, in the steps in which something is due: delayed jobs, retries
  ///   and schedules.
  /// - Returns: the attempts, in the order in which they ended.
  @discardableResult
  public func drain(within duration: Duration = .zero) async throws -> [PerformedJob] {
    let all = try stores.map { try center.jobs(in: $0) }
    return try await run(.max, of: all, kind: nil, in: nil) { [time, center] in
      if duration > .zero { await time.advance(by: duration, driving: center) }
    }
  }

  /// - Parameters:
  ///   - count: how many of each store.
  ///   - stores: the jobs of each store that run.
  private func run(
    _ count: Int, of stores: [JobOperations], kind: (any DurableTask.Type)?, in queue: String?,
    _ meanwhile: () async -> Void
  ) async throws -> [PerformedJob] {
    let jobs = center.jobs
    try await jobs.open()
    await states.wait(for: constraints.told)
    for store in stores { store.allow(count, ofKind: kind?.registration.kind, inQueue: queue) }
    await jobs.idle(awaitsHooks: true)
    await meanwhile()
    await jobs.idle(awaitsHooks: true)
    let begun = stores.reduce(0) { $0 + (count - ($1.allowed ?? count)) }
    jobs.allow(0)
    return await ends.next(begun)
  }
}

/// A job that has not ended, with its value.
public struct EnqueuedValue<Job: DurableTask>: Sendable {
  /// Its value, decoded.
  public let job: Job
  /// What the store knows about it.
  public let snapshot: JobSnapshot

  /// The job's.
  public var id: JobID { snapshot.id }
}

/// An attempt that a test has run.
public struct PerformedJob: Sendable, Hashable {
  /// What an attempt came to.
  public enum End: Sendable, Hashable {
    /// Its body returned.
    case succeeded
    /// It threw, and is tried again; the text is the error.
    case failed(String, retryAfter: Duration)
    /// It threw or was too late for the last time; the text is the error.
    case gaveUp(String)
    /// It was stopped, or a constraint was lost: no attempt was used.
    case interrupted
    /// It asked for another time.
    case snoozed(NewJob.Start)
    /// It has led to a hold.
    case held(HoldReason)
    /// It has ended the job for good.
    case cancelled
    /// The job was cancelled, deleted or replaced meanwhile.
    case discarded
  }

  /// The job's.
  public let id: JobID
  /// Its kind.
  public let kind: String
  /// What it came to.
  public let end: End

  init?(_ event: JobEvent.Kind) {
    switch event {
    case .succeeded(let id, let kind, _): (self.id, self.kind, end) = (id, kind, .succeeded)
    case .failed(let id, let kind, _, let text, let delay):
      (self.id, self.kind, end) = (id, kind, .failed(text, retryAfter: delay))
    case .gaveUp(let id, let kind, _, let text): (self.id, self.kind, end) = (id, kind, .gaveUp(text))
    case .interrupted(let id, let kind, _): (self.id, self.kind, end) = (id, kind, .interrupted)
    case .snoozed(let id, let kind, let start): (self.id, self.kind, end) = (id, kind, .snoozed(start))
    case .held(let id, let kind, let reason): (self.id, self.kind, end) = (id, kind, .held(reason))
    case .cancelled(let id, let kind): (self.id, self.kind, end) = (id, kind, .cancelled)
    case .discarded(let id, let kind, _), .refused(let id, let kind, _):
      (self.id, self.kind, end) = (id, kind, .discarded)
    default: return nil
    }
  }
}

/// Reads how attempts have ended.
private actor EndReader {
  private var events: AsyncStream<JobEvent>.Iterator
  /// How many attempts have begun and not ended, by job and store: what was given back before it began ends, too.
  private var going: [String: Int] = [:]

  init(_ events: AsyncStream<JobEvent>) { self.events = events.makeAsyncIterator() }

  /// The next ones: each attempt that has begun has one.
  func next(_ count: Int) async -> [PerformedJob] {
    var ends: [PerformedJob] = []
    var iterator = events
    while ends.count < count, let event = await iterator.next(isolation: self) {
      if case .started(let id, _, _) = event.kind { going["\(id) \(event.store ?? "")", default: 0] += 1 }
      guard let end = PerformedJob(event.kind) else { continue }
      let job = "\(end.id) \(event.store ?? "")"
      guard let count = going[job] else { continue }
      going[job] = count > 1 ? count - 1 : nil
      ends.append(end)
    }
    events = iterator
    return ends
  }
}

/// Knows how much the workers have heard of constraints.
private actor ConstraintReader {
  private var events: AsyncStream<JobEvent>.Iterator
  private var heard = 0

  init(_ events: AsyncStream<JobEvent>) { self.events = events.makeAsyncIterator() }

  /// Returns when they have heard so many words: how all stand may be what it was before, and have been something else.
  func wait(for words: Int) async {
    var iterator = events
    while heard < words, let event = await iterator.next(isolation: self) {
      if case .constraint = event.kind { heard += 1 }
    }
    events = iterator
  }
}
