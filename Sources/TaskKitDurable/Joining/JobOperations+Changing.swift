import TaskKit

/// What is done to a selection of jobs is one transaction in each store: of very many jobs that takes its time, in which others
/// wait for the store, and may be told that it is locked.
extension JobOperations {
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
  /// All jobs of the selection are read, in parts, and the ids are kept of those that are meant. One that changes meanwhile
  /// is cancelled all the same, as long as the selection still means it.
  @discardableResult
  public func cancel(
    where selection: JobSelection = .all, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .cancel, isMeant) }

  /// Ends a job and leaves no trace of it.
  @discardableResult
  public func delete(_ id: JobID) async throws -> Bool { try await change(id, .delete) }

  /// - Returns: how many were deleted.
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

  /// - Returns: how many have another priority now.
  @discardableResult
  public func prioritise(where selection: JobSelection, _ priority: JobPriority) async throws -> Int {
    try await change(selection, .prioritise(priority))
  }

  /// Gives another priority to the jobs for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func prioritise(
    where selection: JobSelection = .all, _ priority: JobPriority, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .prioritise(priority), isMeant) }

  /// Changes what an unfinished job asks for: its attempts, its deadline, or what it requires (Z33).
  ///
  /// One that runs keeps it for its next attempt: the attempt that is going ends as it would have, and where it was the last one
  /// the job gives up with it. Where it was not, and has fewer attempts now, it is tried once more.
  ///
  /// ```swift
  /// try await center.jobs.change(id, .attempts(.unlimited))
  /// try await center.jobs.change(where: JobSelection(kinds: ["upload"]), .requires([.network]))
  /// ```
  ///
  /// - Returns: whether there was an unfinished one.
  /// - Throws: ``DurableError`` for less than one attempt, for a deadline of no time, or for a name that stores cannot keep.
  @discardableResult
  public func change(_ id: JobID, _ term: JobTerm) async throws -> Bool {
    try term.check()
    return try await change(id, .change(term))
  }

  /// - Returns: how many ask for something else now.
  @discardableResult
  public func change(where selection: JobSelection, _ term: JobTerm) async throws -> Int {
    try term.check()
    return try await change(selection, .change(term))
  }

  /// Changes what those jobs ask for of which something is true; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func change(
    where selection: JobSelection = .all, _ term: JobTerm, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int {
    try term.check()
    return try await change(selection, .change(term), isMeant)
  }

  /// Parks jobs that do not run, until they are released; restarts do not release them (Zw12).
  ///
  /// With constraints they are parked until all of these hold in a process that runs their kind, or somebody releases them.
  /// Where they hold already the jobs go on within some seconds.
  ///
  /// - Returns: whether there was one that did not run.
  /// - Throws: ``DurableError`` for a name that stores cannot keep.
  @discardableResult
  public func hold(_ id: JobID, because reason: String, until constraints: [Constraint] = []) async throws -> Bool {
    try await change(id, .hold(JobText.kept(reason), until: JobText.names(of: constraints)))
  }

  /// - Returns: how many were parked.
  @discardableResult
  public func hold(
    where selection: JobSelection, because reason: String, until constraints: [Constraint] = []
  ) async throws -> Int {
    try await change(selection, .hold(JobText.kept(reason), until: JobText.names(of: constraints)))
  }

  /// Parks the jobs for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func hold(
    where selection: JobSelection = .all, because reason: String, until constraints: [Constraint] = [],
    _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int {
    try await change(selection, .hold(JobText.kept(reason), until: JobText.names(of: constraints)), isMeant)
  }

  /// Lets held jobs run, with no attempt used (Z25, Z35); those that could not be read have used as many as before.
  @discardableResult
  public func release(_ id: JobID) async throws -> Bool { try await change(id, .release) }

  /// The same for all of a selection that are held, whatever for: `.all` lets those out, too, in which the process died too
  /// often, and those that could not be read, and `JobSelection(heldFor: [.asked])` does not.
  ///
  /// - Returns: how many were released.
  @discardableResult
  public func release(where selection: JobSelection) async throws -> Int {
    try await change(selection, .release)
  }

  /// Releases the held jobs for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func release(
    where selection: JobSelection = .all, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .release, isMeant) }

  /// Lets dead and cancelled jobs run again, with no attempt used: after a fix.
  ///
  /// What waited for a job that is retried waits for it again, and gets what it returns: a chain that broke is retried as a
  /// whole, `jobs.retry(where: JobSelection(states: [.dead, .cancelled]))`, or its parents first.
  ///
  /// What becomes of a child whose parent stays dead or cancelled is decided by its kind's `parentFailure`, as when it was
  /// enqueued: with ``ParentFailure/cancel`` it stays as it is, and is not counted; with ``ParentFailure/hold`` it is held;
  /// with ``ParentFailure/run`` it runs without the result. A parent that is deleted is not waited for.
  ///
  /// - Returns: whether it runs again, or is held. Not so for one whose unique key another unfinished job has.
  @discardableResult
  public func retry(_ id: JobID) async throws -> Bool { try await change(id, .retry) }

  /// - Returns: how many run again; one whose key another unfinished job has is not among them.
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

  /// - Returns: how many are due at another time now.
  @discardableResult
  public func reschedule(where selection: JobSelection, _ start: NewJob.Start) async throws -> Int {
    try await change(selection, .reschedule(start))
  }

  /// Makes the jobs due at another time for which something is true of their stored state; see ``cancel(where:_:)->Int``.
  @discardableResult
  public func reschedule(
    where selection: JobSelection = .all, _ start: NewJob.Start, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int { try await change(selection, .reschedule(start), isMeant) }

  private func change(_ id: JobID, _ change: JobChange) async throws -> Bool {
    try await only().change(JobSelection(ids: [id]), change) > 0
  }

  private func change(_ selection: JobSelection, _ change: JobChange) async throws -> Int {
    try await sum(selection) { try await $0.change(selection, change) }
  }

  private func change(
    _ selection: JobSelection, _ change: JobChange, _ isMeant: @Sendable (JobSnapshot) throws -> Bool
  ) async throws -> Int {
    try await sum(selection) { try await $0.change(selection, change, isMeant) }
  }

  private func sum(_ selection: JobSelection, _ count: (JobEngine) async throws -> Int) async throws -> Int {
    var sum = 0
    for engine in try joined(for: selection) { sum += try await count(engine) }
    return sum
  }
}

extension JobEngine {
  /// Does it to those of which something is true. They are read in parts, and only their ids are kept.
  @discardableResult
  func change(
    _ selection: JobSelection, _ change: JobChange, _ isMeant: (JobSnapshot) throws -> Bool
  ) async throws -> Int {
    var ids: [JobID] = []
    try await forEachPart(of: selection) { part in ids += try part.filter(isMeant).map(\.id) }
    guard !ids.isEmpty else { return 0 }
    var meant = selection
    meant.ids = ids
    return try await self.change(meant, change)
  }

  func change(_ selection: JobSelection, _ change: JobChange) async throws -> Int {
    try await open()
    let answer = try await store.change(selection, change)
    guard answer.count > 0 else { return 0 }
    if change == .cancel || change == .delete { jobsEnded() }
    receive { machine in
      machine.tell(.changed(selection, change, count: answer.count))
      for token in answer.cancelled { machine.cancel(token) }
      machine.stirQueues()
      machine.emit(.changed)
    }
    // What had ended may be in queues that were forgotten since.
    if change == .retry { readQueues() }
    if case .hold(_, until: let constraints) = change, !constraints.isEmpty { releaseHeldLater() }
    return answer.count
  }

  func noteChange() {
    receive { machine in
      machine.stirQueues()
      machine.emit(.changed)
    }
  }
}
