public import TaskKit

extension TaskCenter {
  /// What can be done with the jobs of this center, and asked about them.
  ///
  /// A center that was made without stores has none: what needs a store throws a ``DurableError`` that says how to add
  /// one, nothing ever happens to jobs, and they are idle.
  public var jobs: JobOperations {
    let runtime = companion(as: JobRuntime.self) ?? JobRuntime(without: self)
    return JobOperations(runtime: runtime, engines: runtime.engines)
  }

  /// The same for the jobs of one store.
  ///
  /// - Throws: ``DurableError`` if there is none of that name.
  public func jobs(in store: String) throws -> JobOperations {
    let runtime = try runtime()
    return JobOperations(runtime: runtime, engines: [try runtime.engine(named: store)])
  }
}

/// What can be done with the jobs of a center, and asked about them: `center.jobs`.
///
/// Where a center has several stores, selections are those of all of them. An id is a number of one store, and another job in
/// another: what takes one throws ``DurableError`` then, and is asked of `jobs(in:)`.
public struct JobOperations: Sendable {
  let runtime: JobRuntime
  let engines: [JobEngine]

  /// How the stores stand in this process: for a health check. Costs nothing, and asks none of them.
  ///
  /// A store with a problem is tried again on the center's clock, from a tenth of a second up to half a minute later each
  /// time. ``JobEvent/Kind/storeFailed(_:retryAfter:)`` and ``JobEvent/Kind/storeRecovered`` tell when that begins and ends.
  public var stores: [JobStoreStatus] {
    engines.map { engine in
      engine.inspect { machine in
        JobStoreStatus(name: engine.name, isOpen: machine.opening == .done, problem: machine.problem.map { "\($0)" })
      }
    }
  }

  /// - Throws: ``DurableError`` where there is none.
  func joined() throws -> [JobEngine] {
    guard !engines.isEmpty else { throw DurableError.noStores }
    return engines
  }

  /// The only store, since an id is a number of one.
  ///
  /// - Throws: ``DurableError`` where there are several, or none.
  func only() throws -> JobEngine {
    let engines = try joined()
    guard engines.count == 1 else { throw DurableError.idOfSeveralStores(engines.map(\.name)) }
    return engines[0]
  }

  /// The stores that a selection is about.
  func joined(for selection: JobSelection) throws -> [JobEngine] {
    selection.ids == nil ? try joined() : [try only()]
  }

  /// Opens the stores now, and not when they are first needed: to see early that one cannot be, and before jobs are
  /// enqueued in transactions of a database.
  ///
  /// - Throws: what the first store throws that cannot be opened. The next call tries again.
  public func open() async throws {
    for engine in try joined() { try await engine.open() }
  }

  // MARK: - Changing jobs

  /// Ends a job, also while it runs (Z32).
  ///
  /// - Returns: whether there was an unfinished one.
  @discardableResult
  public func cancel(_ id: JobID) async throws -> Bool { try await change(id, .cancel) }

  /// - Returns: how many were cancelled.
  @discardableResult
  public func cancel(where selection: JobSelection) async throws -> Int { try await change(selection, .cancel) }

  /// Cancels the jobs for which something is true of their stored state: for what a selection cannot say.
  ///
  /// All jobs of the selection are read. One whose state changes meanwhile is cancelled all the same.
  @discardableResult
  public func cancel(
    where selection: JobSelection = .all, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .cancel, isMeant) }

  /// Ends a job and leaves no trace of it.
  @discardableResult
  public func delete(_ id: JobID) async throws -> Bool { try await change(id, .delete) }

  @discardableResult
  public func delete(where selection: JobSelection) async throws -> Int { try await change(selection, .delete) }

  /// Deletes the jobs for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func delete(
    where selection: JobSelection = .all, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .delete, isMeant) }

  /// Gives unfinished jobs another priority; those that run keep it for their next attempt (Z33, Zw10).
  @discardableResult
  public func prioritise(_ id: JobID, _ priority: JobPriority) async throws -> Bool {
    try await change(id, .prioritise(priority))
  }

  @discardableResult
  public func prioritise(where selection: JobSelection, _ priority: JobPriority) async throws -> Int {
    try await change(selection, .prioritise(priority))
  }

  /// Gives another priority to the jobs for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func prioritise(
    where selection: JobSelection = .all, _ priority: JobPriority, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .prioritise(priority), isMeant) }

  /// Parks jobs that do not run, until they are released; restarts do not release them (Zw12).
  @discardableResult
  public func hold(_ id: JobID, because reason: String) async throws -> Bool {
    try await change(id, .hold(JobText.kept(reason)))
  }

  @discardableResult
  public func hold(where selection: JobSelection, because reason: String) async throws -> Int {
    try await change(selection, .hold(JobText.kept(reason)))
  }

  /// Parks the jobs for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func hold(
    where selection: JobSelection = .all, because reason: String, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .hold(JobText.kept(reason)), isMeant) }

  /// Lets held jobs run, with no attempt used (Z25, Z35).
  @discardableResult
  public func release(_ id: JobID) async throws -> Bool { try await change(id, .release) }

  @discardableResult
  public func release(where selection: JobSelection = .all) async throws -> Int {
    try await change(selection, .release)
  }

  /// Releases the held jobs for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func release(
    where selection: JobSelection = .all, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .release, isMeant) }

  /// Lets dead and cancelled jobs run again, with no attempt used: after a fix.
  ///
  /// A child that was cancelled because its parent died no longer waits for that one: retry it when the parent has
  /// succeeded. The result that the parent has then is not given to it.
  @discardableResult
  public func retry(_ id: JobID) async throws -> Bool { try await change(id, .retry) }

  @discardableResult
  public func retry(where selection: JobSelection) async throws -> Int { try await change(selection, .retry) }

  /// Lets the ended jobs run again for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func retry(
    where selection: JobSelection = .all, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .retry, isMeant) }

  /// Makes jobs that are ready or delayed due at another time.
  @discardableResult
  public func reschedule(_ id: JobID, _ start: NewJob.Start) async throws -> Bool {
    try await change(id, .reschedule(start))
  }

  @discardableResult
  public func reschedule(where selection: JobSelection, _ start: NewJob.Start) async throws -> Int {
    try await change(selection, .reschedule(start))
  }

  private func change(_ id: JobID, _ change: JobChange) async throws -> Bool {
    try await only().change(JobSelection(ids: [id]), change) > 0
  }

  private func change(_ selection: JobSelection, _ change: JobChange) async throws -> Int {
    var count = 0
    for engine in try joined(for: selection) { count += try await engine.change(selection, change) }
    return count
  }

  private func change(
    _ selection: JobSelection, _ change: JobChange, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int {
    var count = 0
    for engine in try joined(for: selection) { count += try await engine.change(selection, change, isMeant) }
    return count
  }

  // MARK: - Queues and kinds

  /// Begins no further jobs of a queue, in all processes that share the store, also after restarts. What runs goes on.
  ///
  /// - Parameters:
  ///   - queue: its name; one that no job is in yet is paused as well.
  ///   - by: who asks, for those who wonder; this process if omitted.
  public func pause(queue: String, by: String? = nil) async throws { try await setPaused(true, .queue(queue), by) }

  public func resume(queue: String) async throws { try await setPaused(false, .queue(queue), nil) }

  /// The same for a kind (Z30).
  public func pause(kind: String, by: String? = nil) async throws { try await setPaused(true, .kind(kind), by) }

  public func resume(kind: String) async throws { try await setPaused(false, .kind(kind), nil) }

  private func setPaused(_ isPaused: Bool, _ subject: PauseSubject, _ by: String?) async throws {
    try JobText.check(subject.order.1, of: "what is paused,")
    for engine in try joined() {
      try await engine.open()
      try await engine.store.setPaused(isPaused, subject, by: JobText.kept(by ?? runtime.configuration.owner))
      engine.noteChange()
    }
  }

  /// Who has paused what, and when.
  public func pauses() async throws -> [JobPause] {
    var pauses: [JobPause] = []
    for engine in try joined() {
      try await engine.open()
      pauses += try await engine.store.pauses()
    }
    return pauses
  }

  /// Limits how often jobs whose key limit has that key start, in all processes and queues; nil for no limit.
  ///
  /// The key is that of the store: `upload/accountName` for one of ``KeyLimitRule/by(_:count:)``, and what it is for one
  /// that is shared.
  public func setRate(_ rate: RateLimit?, ofKey key: String) async throws {
    try JobText.check(key, of: "key")
    for engine in try joined() {
      try await engine.open()
      try await engine.store.setRate(rate, ofKey: key)
      engine.noteChange()
    }
  }

  /// The declared rates, and what is left of them.
  public func rates() async throws -> [JobRate] {
    var rates: [JobRate] = []
    for engine in try joined() {
      try await engine.open()
      rates += try await engine.store.rates()
    }
    return rates
  }

  /// Limits how often jobs of a queue start, in all processes; nil for no limit.
  public func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws {
    try JobText.check(queue, of: "queue")
    for engine in try joined() {
      try await engine.open()
      try await engine.store.setRate(rate, ofQueue: queue)
      engine.noteChange()
    }
  }

  /// Makes a kind known that the registry does not have; jobs that wait for it start (Z29, Zw2).
  ///
  /// - Throws: ``DurableError`` if another type has its name; the same type again changes nothing.
  public func register(_ kind: any DurableTask.Type) throws {
    _ = try joined()
    let registration = kind.registration
    _ = try runtime.engine(for: KnownKind(registration))
    guard try runtime.kinds.add(registration) else { return }
    for engine in runtime.engines { engine.register(registration) }
  }

  /// Forgets a kind: its jobs wait until it is registered again, those that run go on (Z30).
  ///
  /// - Returns: whether it was registered.
  @discardableResult
  public func unregister(_ kind: any DurableTask.Type) -> Bool {
    let name = kind.registration.kind
    // Another type may have the name.
    let known = runtime.kinds[name]?.registration
    guard known?.type == ObjectIdentifier(kind), runtime.kinds.remove(name) else { return false }
    for engine in runtime.engines { engine.unregister(name) }
    return true
  }

  /// The registered kinds, by name.
  public var kinds: [DurableRegistration] { runtime.kinds.all }

  /// Lets only so many attempts begin from now on; nil for any number.
  package func allow(_ count: Int?, ofKind kind: String? = nil, inQueue queue: String? = nil) {
    for engine in engines {
      engine.receive { machine in
        machine.allowance = count.map { JobMachine.Allowance(count: $0, kind: kind, queue: queue) }
        machine.wakeQueues()
      }
    }
  }

  /// How many attempts of ``allow(_:ofKind:inQueue:)`` have not begun.
  package var allowed: Int? { engines.first?.inspect { $0.allowance?.count } }

  // MARK: - Stopping

  /// Stops the workers (Z38, Z39): nothing begins any more, what runs is cancelled, its jobs are ready again with no
  /// attempt used, and what ended well is written down before this returns (Zw18).
  ///
  /// Jobs may be enqueued meanwhile (Z40). The shutdown of a center does this by itself.
  ///
  /// - Parameter deadline: how long to wait for bodies that ignore their cancellation; nil for as long as it takes.
  /// - Returns: the bodies that had not returned then. They still hold their jobs, until they return or the process ends.
  @discardableResult
  public func stop(deadline: Duration? = nil) async -> [UnfinishedTask] {
    await runtime.stop(engines, within: deadline)
  }

  /// Lets the workers run again; while they stop, as soon as that has ended (Z41).
  public func resume() { for engine in engines { engine.resume() } }

  /// Returns when nothing is left that could run now: everything else waits for a time, a constraint, a parent, a kind
  /// that is not registered, or for somebody (Z42, Zw14). Nothing is polled.
  ///
  /// - Returns: false if the deadline passed, the calling task was cancelled or the center was shut down before; after that
  ///   whether everything had been written down.
  @discardableResult
  public func idle(deadline: Duration? = nil) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      for engine in engines { group.addTask { await engine.idle(within: deadline) } }
      return await group.reduce(true) { $0 && $1 }
    }
  }
}

extension JobEngine {
  /// The same to those of which something is true. They are read in parts, and only their ids are kept.
  @discardableResult
  func change(
    _ selection: JobSelection, _ change: JobChange, _ isMeant: (JobSnapshot) throws -> Bool
  ) async throws -> Int {
    var ids: [JobID] = []
    try await forEachPart(of: selection) { part in ids += try part.filter(isMeant).map(\.id) }
    guard !ids.isEmpty else { return 0 }
    return try await self.change(JobSelection(ids: ids), change)
  }

  func change(_ selection: JobSelection, _ change: JobChange) async throws -> Int {
    try await open()
    let answer = try await store.change(selection, change)
    guard answer.count > 0 else { return 0 }
    if change == .cancel || change == .delete { jobsEnded() }
    receive { machine in
      for token in answer.cancelled { machine.cancel(token) }
      machine.wakeQueues()
      machine.emit(.changed)
    }
    return answer.count
  }

  func noteChange() {
    receive { machine in
      machine.wakeQueues()
      machine.emit(.changed)
    }
  }

  func resume() {
    receive { $0.resume() }
    openInBackground()
    lookAtSchedules()
  }
}
