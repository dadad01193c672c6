import Synchronization
import TaskKit

/// What other processes do with the jobs of the store.
extension JobEngine {
  func storeChanged() {
    let mustTime = receive { machine in
      machine.wakeQueues()
      defer { machine.isLookTimed = true }
      return !machine.isLookTimed
    }
    changes.send(())
    // What is rare does not cost something at each change of a busy store.
    if mustTime { call(after: .milliseconds(100)) { $0.lookAtOthers() } }
  }

  /// Others may have cancelled what runs here, or made queues that nobody here knows.
  private func lookAtOthers() {
    receive { machine in
      machine.isLookTimed = false
      machine.mustListen = true
    }
    readQueues()
  }

  /// Another process, or somebody here, may have held jobs for what does not keep them. Nobody tells which, so all are looked
  /// at, not more often than every ten seconds: nor may two processes that see it otherwise give a job to each other all the
  /// time.
  func releaseHeldLater(after delay: Duration = UnreadJobs.shortestPause) {
    guard let now = center?.continuousTime else { return }
    let time = now + delay
    let mustTime = receive { machine in
      if let other = machine.releaseLook, other <= time { return false }
      machine.releaseLook = time
      return true
    }
    guard mustTime else { return }
    call(after: delay) { engine in
      let isNext = engine.receive { machine in
        // Another one is earlier.
        guard machine.releaseLook == time else { return false }
        machine.releaseLook = nil
        return true
      }
      if isNext { engine.releaseHeld() }
    }
  }

  /// Learns of queues that others have made, whose jobs would wait for ever, and forgets those without jobs. What comes
  /// while they are read is read after it, once.
  func readQueues() {
    guard begins(.queues) else { return }
    // Ends when the store has answered.
    errand(readsQueues: true) {
      await self.readQueuesNow()
      guard self.goesOn(.queues) else { return }
      // Others may change the store for as long as they like: who waits for idle does not wait for them to rest.
      self.receive { $0.repeatedErrands += 1 }
      repeat { await self.readQueuesNow() } while self.goesOn(.queues)
      self.receive { $0.repeatedErrands -= 1 }
    }
  }

  private func readQueuesNow() async {
    let last = inspect { $0.namings }
    await look(.queues, again: { $0.readQueues() }) {
      let counts = try await store.counts()
      let names = Set(counts.lazy.filter { !$0.state.isFinal }.map(\.queue))
      let known = names.union(kinds.all.map(\.queue))
      receive { machine in
        machine.keepQueues(known, namedUntil: last, workers: self.newQueue)
        self.tellOrphans(among: counts, &machine)
      }
      if holdsKnown(counts) { releaseHeldLater() }
    }
  }

  // MARK: - One look at a time

  /// - Returns: whether who wants it has to look; otherwise the one does once more who is at it.
  private func begins(_ read: JobMachine.Read) -> Bool { looks.withLock { $0[read, default: Look()].pass.begin() } }

  /// - Returns: whether somebody has wanted it meanwhile.
  private func goesOn(_ read: JobMachine.Read) -> Bool { looks.withLock { $0[read, default: Look()].pass.goOn() } }

  /// Reads something of the store. Where that fails it is told, and looked again after a while, as nobody may change the store for
  /// long: once, however many have looked in vain. Each retry waits twice as long as the last; a look in between that fails begins that
  /// wait anew, and does not double it.
  ///
  /// - Parameter again: wants another look.
  /// - Returns: what it has seen; nil where it has failed.
  @discardableResult
  func look<Value: Sendable>(
    _ read: JobMachine.Read, again: @escaping @Sendable (JobEngine) -> Void, _ body: () async throws -> Value
  ) async -> Value? {
    let isEarly = looks.withLock { $0[read, default: Look()].takeRetry() }?.cancel() ?? false
    do {
      let value = try await body()
      looks.withLock { $0[read, default: Look()].failures = 0 }
      note(read)
      return value
    } catch {
      note(read, error)
      let failures = looks.withLock { $0[read, default: Look()].fail(isEarly: isEarly) }
      let delay = JobMachine.storeDelay(after: failures)
      let retry = call(after: spread(delay), again)
      looks.withLock { $0[read, default: Look()].retry = retry }
      // Who hears of it may count on the retry.
      tell(.storeFailed("\(error)", retryAfter: delay))
      return nil
    }
  }

  /// How often in a row it could not be looked at something; see ``Look/failures``.
  func failures(ofLookAt read: JobMachine.Read) -> Int { looks.withLock { $0[read]?.failures ?? 0 } }

  /// Nobody looks at something any more.
  func forgetLook(at read: JobMachine.Read) {
    let look = looks.withLock { $0.removeValue(forKey: read) }
    look?.retry?.cancel()
    note(read)
  }

  // MARK: - What is held

  /// Whether jobs of known kinds are held: those of others are for processes that run them.
  func holdsKnown(_ counts: [JobCount]) -> Bool { !heldKinds(counts).isEmpty }

  private func heldKinds(_ counts: [JobCount]) -> Set<String> {
    Set(counts.lazy.filter { $0.state == .held }.map(\.kind)).intersection(kinds.all.map(\.kind))
  }

  /// Lets those go on that are held until what holds now, and those that others could not read. What is wanted while it is looked for
  /// them is done after it, once.
  func releaseHeld() {
    guard isOpen, begins(.held) else { return }
    // Ends when the store has answered.
    errand {
      repeat {
        await self.look(.held, again: { $0.releaseHeld() }) { try await self.releaseHeldNow() }
      } while self.goesOn(.held)
    }
  }

  private var isOpen: Bool { inspect { $0.isOpen && !$0.phase.isOver } }

  private func releaseHeldNow() async throws {
    guard isOpen else { return }
    // Mostly there is none.
    let kinds = heldKinds(try await store.counts()).sorted()
    guard !kinds.isEmpty else { return }
    let satisfied = inspect { $0.satisfied }
    if !satisfied.isEmpty {
      try await change(JobSelection(kinds: kinds, heldFor: [.until]), .release) { job in
        job.hold.map { JobExchange.End.held($0).isReleased(by: satisfied) } ?? false
      }
    }
    try await releaseReadable(kinds)
  }

  /// Lets jobs go on that another process could not read, an older build for one, where this one runs jobs and reads payloads of that
  /// version. Whether it reads them is found by the attempt alone: what it dies in there is counted.
  private func releaseReadable(_ kinds: [String]) async throws {
    guard inspect({ $0.phase == .running }) else { return }
    var selection = JobSelection(kinds: kinds, heldFor: [.unreadable])
    var released: [JobMachine.ReadableJob] = []
    var next: Duration?
    try await forEachPart(of: selection) { part in
      guard let now = center?.continuousTime else { return }
      let readable = part.compactMap { job -> JobMachine.ReadableJob? in
        guard let kind = self.kinds[job.kind]?.registration, kind.versionProblem(job.payload.version) == nil else {
          return nil
        }
        return (job.id, job.kind, kind.type)
      }
      let (some, wait) = receive { $0.releasable(of: readable, now: now) }
      released += some
      next = [next, wait].compactMap(\.self).min()
    }
    if let next { releaseHeldLater(after: next) }
    guard !released.isEmpty else { return }
    selection.ids = released.map(\.id)
    _ = try await change(selection, .release)
    // What a store that fails has not released is not kept waiting as if it had.
    guard let now = center?.continuousTime else { return }
    receive { [released] in $0.noteReleases(of: released, now: now) }
  }
}

/// How it stands with what is looked at in the store.
struct Look {
  var pass = Pass.resting
  /// How often in a row it has failed, but for what somebody has wanted before the retry.
  var failures = 0
  /// The next look, where the last one has failed.
  var retry: ScheduledCall?

  /// Somebody looks before that.
  mutating func takeRetry() -> ScheduledCall? { retry.take() }

  /// - Parameter isEarly: whether somebody has wanted it before the retry.
  /// - Returns: after how many failures it is looked again.
  mutating func fail(isEarly: Bool) -> Int {
    if !isEarly || failures == 0 { failures += 1 }
    return failures
  }
}
