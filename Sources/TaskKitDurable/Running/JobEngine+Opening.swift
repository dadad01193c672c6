import Foundation
import Synchronization
import TaskKit

/// The store is opened when it is first needed, and closed when everything is written down.
extension JobEngine {
  /// Opens the store, if that has not been done; everything waits for that.
  ///
  /// - Throws: what the store throws. The next call tries again.
  func open() async throws {
    let (isClosed, isOpen) = inspect { ($0.phase == .closed, $0.isOpen) }
    if isClosed { throw JobStoreError(.closed, store: store.name, detail: "the center was shut down") }
    if isOpen { return }
    _ = try await beginOpening().value
  }

  @discardableResult
  private func beginOpening() -> _Concurrency.Task<StoreOpening, any Error> {
    opener.withLock { opener in
      if let opener { return opener }
      machine.withLock { $0.setOpening(.underWay) }
      // Ends when the store has answered; everybody who needs it awaits it.
      let task = _Concurrency.Task.detached {
        do {
          guard StoreClaims.claim(self.store, for: self) else {
            throw JobStoreError(
              .invalid, store: self.store.name,
              detail: "a store belongs to one center, and another one has this; make a second one, of the same file")
          }
          let opening = try await self.store.open(self.environment)
          await self.opened(opening)
          return opening
        } catch {
          // Together, so that nobody sees one without the other and begins another opening in between.
          self.opener.withLock { opener in
            opener = nil
            self.machine.withLock { $0.setOpening(.not) }
          }
          self.receive { machine in
            machine.problem = error
            // The center has gone meanwhile, and waits for that.
            if machine.phase == .closed { machine.emit(.close) }
          }
          throw error
        }
      }
      opener = task
      return task
    }
  }

  private func opened(_ opening: StoreOpening) async {
    let changes = store.changes()
    // Ends when the store is closed, or with the engine.
    let task = _Concurrency.Task.detached { [weak self] in
      for await _ in changes { self?.storeChanged() }
    }
    listening.withLock { $0 = task }
    // Where that fails, it is read again below, until it can be.
    let counts = try? await store.counts()
    let now = center?.continuousTime ?? .zero
    receive { machine in
      machine.opening = .done(opening.identity)
      if machine.problem != nil { machine.emit(.tell(.storeRecovered)) }
      machine.problem = nil
      machine.wake(Set((counts ?? []).map(\.queue)), workers: self.newQueue)
      machine.wakeQueues()
      for rescued in opening.rescued { machine.noteRescue(rescued, now: now) }
      machine.mustTellOrphans = true
      if counts == nil { machine.failedReads.insert(.queues) }
      if let counts { self.tellOrphans(among: counts, &machine) }
      machine.emit(.changed)
      if let counts, self.holdsKnown(counts) { machine.releaseHeld() }
      if machine.phase == .closed { machine.emit(.close) }
    }
    if !opening.lostParents.isEmpty {
      report(
        """
        store '\(name)': \(opening.lostParents.inWords), which others waited for, cannot be found any more; those were cancelled, are \
        held or run, as their 'parentFailure' says
        """)
    }
    if counts == nil { readQueues() }
    lookAtSchedules()
    sweep()
  }

  /// Tells once after an opening which jobs wait for a kind that is not registered.
  func tellOrphans(among counts: [JobCount], _ machine: inout JobMachine) {
    guard machine.mustTellOrphans else { return }
    machine.mustTellOrphans = false
    for (kind, count) in orphans(among: counts) { machine.tell(.orphaned(kind: kind, count: count)) }
  }

  func orphans(among counts: [JobCount]) -> [(kind: String, count: Int)] {
    let orphans = counts.filter { !$0.state.isFinal && kinds[$0.kind] == nil }
    return Dictionary(grouping: orphans, by: \.kind).map { ($0.key, $0.value.reduce(0) { $0 + $1.count }) }
      .sorted { $0.kind < $1.kind }
  }

  /// Starts the workers; a store that cannot be opened yet is tried again on the center's clock.
  func start() {
    receive { $0.start() }
    openInBackground()
    lookAtSchedules()
  }

  func openInBackground() {
    let begins = receive { machine in
      guard !machine.isOpen, machine.phase != .closed, !machine.opensByItself else { return false }
      machine.opensByItself = true
      return true
    }
    if begins { goOnOpening(failures: 0) }
  }

  /// Joins an opening that somebody else has begun: that may fail.
  private func goOnOpening(failures: Int) {
    guard inspect({ $0.phase != .closed }) else { return }
    let opening = beginOpening()
    // Ends when the store is open, or has failed to.
    _Concurrency.Task.detached {
      do {
        _ = try await opening.value
        self.receive { $0.opensByItself = false }
      } catch {
        let delay = JobMachine.storeDelay(after: failures + 1)
        self.call(after: self.spread(delay)) { $0.goOnOpening(failures: failures + 1) }
        self.tell(.storeFailed("\(error)", retryAfter: delay))
        guard failures == 0 else { return }
        // What was given does not change by itself; where that is on a server it may, so it is tried all the same.
        let outlook =
          (error as? JobStoreError)?.reason == .invalid
          ? "" : ". It is tried again until it can be, at least every half minute"
        self.report("store '\(self.name)' cannot be opened, and its jobs wait: \(error)\(outlook)")
      }
    }
  }

  /// What is to be written down is written down, then the store is closed. Nothing may be asked of it afterwards.
  func close() {
    let overdue = inspect { machine in
      machine.attempts.filter { $0.value.hasHadItsTime }.map { ($0.key, $0.value.job) }
    }
    // Kinds are asked without the lock, and get what a body throws that heeds the end of its time.
    var delays: [AttemptToken: Duration] = [:]
    for (token, job) in overdue {
      delays[token] = kinds[job.kind].map { delay(of: $0.registration, after: job.attempt, CancellationError()) }
    }
    receive { [delays] in $0.close(delays) }
  }

  func closeStore() async {
    endSchedules()
    listening.withLock { $0 }?.cancel()
    endSweeping()
    dueCall.withLock { $0 }?.cancel()
    // One that was never to be opened here may be another engine's.
    if StoreClaims.isHeld(store, by: self) {
      await store.close()
      StoreClaims.release(store, by: self)
    }
    closed.open()
    changes.finish()
  }
}
