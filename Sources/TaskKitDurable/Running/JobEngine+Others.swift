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
  func readQueues(failures: Int = 0) {
    guard queueLook.withLock({ $0.begin() }) else { return }
    // Ends when the store has answered.
    errand(readsQueues: true) {
      await self.readQueuesNow(failures: failures)
      guard self.queueLook.withLock({ $0.goOn() }) else { return }
      // Others may change the store for as long as they like: who waits for idle does not wait for them to rest.
      self.receive { $0.repeatedErrands += 1 }
      repeat {
        await self.readQueuesNow(failures: failures)
      } while self.queueLook.withLock { $0.goOn() }
      self.receive { $0.repeatedErrands -= 1 }
    }
  }

  private func readQueuesNow(failures: Int) async {
    let last = inspect { $0.namings }
    do {
      let counts = try await store.counts()
      let names = Set(counts.lazy.filter { !$0.state.isFinal }.map(\.queue))
      let known = names.union(kinds.all.map(\.queue))
      receive { machine in
        machine.keepQueues(known, namedUntil: last, workers: self.newQueue)
        machine.failedReads.remove(.queues)
        self.tellOrphans(among: counts, &machine)
      }
      if holdsKnown(counts) { releaseHeldLater() }
    } catch {
      note(.queues, error)
      // Nobody may change the store for long.
      let delay = JobMachine.storeDelay(after: failures + 1)
      tell(.storeFailed("\(error)", retryAfter: delay))
      call(after: spread(delay)) { $0.readQueues(failures: failures + 1) }
    }
  }

  /// Whether jobs of known kinds are held: those of others are for processes that run them.
  func holdsKnown(_ counts: [JobCount]) -> Bool { !heldKinds(counts).isEmpty }

  private func heldKinds(_ counts: [JobCount]) -> Set<String> {
    Set(counts.lazy.filter { $0.state == .held }.map(\.kind)).intersection(kinds.all.map(\.kind))
  }

  /// Lets those go on that are held until what holds now, and those that others could not read. What is wanted while it is looked for
  /// them is done after it, once.
  func releaseHeld(failures: Int = 0) {
    guard isOpen, heldLook.withLock({ $0.begin() }) else { return }
    // Ends when the store has answered.
    errand {
      repeat {
        do {
          try await self.releaseHeldNow()
          self.note(.held)
        } catch {
          self.note(.held, error)
          let delay = JobMachine.storeDelay(after: failures + 1)
          self.tell(.storeFailed("\(error)", retryAfter: delay))
          self.call(after: self.spread(delay)) { $0.releaseHeld(failures: failures + 1) }
        }
      } while self.heldLook.withLock { $0.goOn() }
    }
  }

  private var isOpen: Bool { inspect { $0.opening == .done && $0.phase != .closing && $0.phase != .closed } }

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
    var ids: [JobID] = []
    var next: Duration?
    try await forEachPart(of: selection) { part in
      guard let now = center?.continuousTime else { return }
      let readable = part.compactMap { job -> (id: JobID, kind: String, type: ObjectIdentifier)? in
        guard let kind = self.kinds[job.kind]?.registration, kind.versionProblem(job.payload.version) == nil else {
          return nil
        }
        return (job.id, job.kind, kind.type)
      }
      let (some, wait) = receive { $0.noteReleases(of: readable, now: now) }
      ids += some
      next = [next, wait].compactMap(\.self).min()
    }
    if let next { releaseHeldLater(after: next) }
    guard !ids.isEmpty else { return }
    selection.ids = ids
    _ = try await change(selection, .release)
  }
}

/// Whether somebody looks at something in the store, and whether that has to be done once more.
enum Look {
  case resting
  case looking
  case lookingAgain

  /// - Returns: whether who wants it has to look; otherwise the one does once more who is at it.
  mutating func begin() -> Bool {
    defer { self = self == .resting ? .looking : .lookingAgain }
    return self == .resting
  }

  /// - Returns: whether somebody has wanted it meanwhile.
  mutating func goOn() -> Bool {
    defer { self = self == .lookingAgain ? .looking : .resting }
    return self == .lookingAgain
  }
}
