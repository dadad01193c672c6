import Synchronization
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
///
/// No time passes while a body runs. One that waits for some itself, or hangs until its `deadline:` ends it, needs a test that
/// begins the attempt with `async let`, learns from the body that it has begun, and moves ``time`` before it awaits the end.
public final class TestJobs: Sendable {
  /// The center whose jobs these are. It was started; its own schedules and events work as ever.
  public let center: TaskCenter
  /// The time in which they live: it stands still until the test moves it. What that makes due comes soon after; the next
  /// ``performNext(_:in:)`` and ``drain(within:)`` wait for it.
  public let time: VirtualTime
  /// What holds that jobs require. What is set is what the next jobs find that are run here.
  public let constraints: ManualConstraints
  private let stores: [String]
  private let notes = AttemptNotes()
  private let writer: Task<Void, Never>

  /// - Parameters:
  ///   - kinds: those that are not in the registry.
  ///   - registry: the program's.
  ///   - stores: the names of the program's stores in their order: kinds that name none have the first, and are in one store
  ///     with those that name it. At least one; stores that only kinds name are added behind them.
  ///   - constraints: how they stand at first; one that is not named does not hold.
  ///   - jobs: queues and workers; its monitors are replaced by ``constraints``.
  ///   - time: the clocks.
  ///   - chance: what jitter is drawn from, from 0 to 1.
  /// - Throws: `DurableError` where there is no store, and wherever the center of the program throws it.
  public init(
    _ kinds: any DurableTask.Type..., registry: TaskRegistry = TaskRegistry(), stores: [String] = ["memory"],
    constraints: [Constraint: ConstraintState] = [:], jobs: JobConfiguration = JobConfiguration(monitors: []),
    time: VirtualTime = VirtualTime(), chance: Double = 0
  ) throws {
    // Those that kinds name are no first ones: which store has the kinds that name none would be chance.
    guard !stores.isEmpty else { throw DurableError.noStoresToTest }
    let registry = kinds.reduce(registry) { $0.adding($1) }
    let required = registry.kinds.flatMap(\.requires).map { ($0, ConstraintState.unsatisfied) }
    let manual = ManualConstraints(constraints.merging(required) { given, _ in given })
    var jobs = jobs
    jobs.monitors = [manual]
    let named = Set(registry.kinds.compactMap(\.store)).subtracting(stores).sorted()
    self.stores = stores + named
    center = try TaskCenter(
      registry: registry, configuration: TaskCenter.Configuration(chance: { chance }), time: time.source,
      stores: self.stores.map { .memory($0) }, jobs: jobs)
    self.time = time
    self.constraints = manual
    // Subscribed here, so that nothing is missed.
    let events = center.jobs.events(buffering: .max)
    // Ended by the end of the jobs or of their center.
    writer = Task { [notes] in
      for await event in events { notes.add(event) }
      notes.end()
    }
    center.jobs.allow(0)
    center.start()
  }

  deinit { writer.cancel() }

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
  /// No time passes meanwhile, also where the attempt has a deadline: the test moves ``time`` beside this call.
  ///
  /// - Parameters:
  ///   - kind: of that kind; of any if omitted.
  ///   - queue: of that queue; if omitted, of any, one queue after the other, and one store after the other.
  /// - Returns: what became of it; nil if none could run now.
  /// - Throws: `CancellationError` when the calling task is cancelled. An attempt that has begun goes on; the next call waits
  ///   for its end, and does not count it.
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
  /// Time passes only while no body runs: for one that waits for some, or for its deadline, the test moves ``time`` beside
  /// this call.
  ///
  /// - Parameter duration: how much time passes meanwhile, in the steps in which something is due: delayed jobs, retries
  ///   and schedules.
  /// - Returns: the attempts, in the order in which they ended.
  /// - Throws: `CancellationError` when the calling task is cancelled, as ``performNext(_:in:)`` does; while time passes, when
  ///   all has run that was due.
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
    // What was due before is no attempt of this call, nor is what a cancelled one has left going.
    await center.caughtUp()
    try await settle()
    _ = notes.takeEnds()
    await notes.wait(forWords: constraints.told)
    do {
      defer { jobs.allow(0) }
      for store in stores { store.allow(count, ofKind: kind?.registration.kind, inQueue: queue) }
      try await settle()
      await meanwhile()
      try await settle()
    }
    // What a store was giving out at that moment has begun since.
    try await settle()
    return notes.takeEnds()
  }

  /// Returns when the workers are idle, and it is noted how each attempt has ended.
  private func settle() async throws {
    await center.jobs.idle(awaitsHooks: true)
    await notes.wait(forEnds: center.jobs.begun)
    try Task.checkCancellation()
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

/// What the workers tell of attempts and constraints. It is written down by somebody else than those who wait for it: these
/// may be cancelled, and nothing is missed.
private final class AttemptNotes: Sendable {
  private struct State {
    /// How many attempts have begun and not ended, by job and store: what was given back before it began ends, too.
    var going: [String: Int] = [:]
    /// How many have ended.
    var ended = 0
    /// How, as long as nobody has taken that.
    var ends: [PerformedJob] = []
    /// How many words of constraints the workers have heard.
    var heard = 0
    var isOver = false
    var watchers: [Watcher] = []

    func isMet(_ watcher: Watcher) -> Bool { isOver || ended >= watcher.ends && heard >= watcher.words }

    mutating func takeMetWatchers() -> [Watcher] {
      guard !watchers.isEmpty else { return [] }
      let (met, waiting) = (watchers.filter { isMet($0) }, watchers.filter { !isMet($0) })
      watchers = waiting
      return met
    }
  }

  /// Somebody who waits for so many of both.
  private struct Watcher {
    let ends: Int
    let words: Int
    /// Is finished when there are.
    let wait: AsyncStream<Void>.Continuation
  }

  private let state = Mutex(State())

  func add(_ event: JobEvent) {
    let met = state.withLock { state in
      if case .constraint = event.kind { state.heard += 1 }
      if case .started(let id, _, _) = event.kind { state.going["\(id) \(event.store ?? "")", default: 0] += 1 }
      if let end = PerformedJob(event.kind) {
        let job = "\(end.id) \(event.store ?? "")"
        if let count = state.going[job] {
          state.going[job] = count > 1 ? count - 1 : nil
          state.ended += 1
          state.ends.append(end)
        }
      }
      return state.takeMetWatchers()
    }
    for watcher in met { watcher.wait.finish() }
  }

  /// Nothing is told any more.
  func end() {
    let met = state.withLock { state in
      state.isOver = true
      return state.takeMetWatchers()
    }
    for watcher in met { watcher.wait.finish() }
  }

  /// How attempts have ended since this was asked the last time, in that order.
  func takeEnds() -> [PerformedJob] {
    state.withLock { state in
      defer { state.ends = [] }
      return state.ends
    }
  }

  /// Returns when so many attempts have ended and so many words of constraints were heard, both from the beginning on: how
  /// all stand may be what it was before, and have been something else. Also when the calling task is cancelled, and when
  /// nothing is told any more.
  func wait(forEnds ends: Int = 0, forWords words: Int = 0) async {
    let (waiting, wait) = AsyncStream.makeStream(of: Void.self)
    let watcher = Watcher(ends: ends, words: words, wait: wait)
    let isMet = state.withLock { state in
      if state.isMet(watcher) { return true }
      // One who is cancelled stays until there are so many: that costs nothing.
      state.watchers.append(watcher)
      return false
    }
    if isMet { return }
    for await _ in waiting {}
  }
}
