import Synchronization
import TaskKit

/// What is known of the next time at which ended jobs and keys are deleted that were kept long enough.
struct Sweeping {
  var pass = Pass.resting
  var call: ScheduledCall?
  /// When that is, on the center's continuous clock.
  var due = Duration.zero
  /// When it was looked last, on the same clock.
  var latest = Duration.zero
  /// The shortest time for which a job that this process has written down, or its key, is kept after it ended.
  var shortest: Duration?
  var failures = 0
  var isOver = false
}

extension JobEngine {
  /// How often it is looked at least while jobs end.
  private static let interval = Duration.seconds(3600)

  /// Some jobs have ended: in the shortest time for which any is kept there may be something to delete.
  func jobsEnded() {
    guard let now = center?.continuousTime else { return }
    // For how long others keep what they have written down, or its key, is known to nobody else.
    if sweeping.withLock({ $0.latest + Self.interval <= now }) { sweep() }
    let shortest = [kinds.shortestRetention, sweeping.withLock(\.shortest)].compactMap(\.self).min()
    guard let shortest else { return }
    sweep(after: max(shortest, .seconds(1)), now: now)
  }

  /// Remembers for how long jobs, or their keys, are kept after they ended.
  func noteRetention(of jobs: [NewJob]) {
    let times = jobs.flatMap { [$0.retention.finished, $0.retention.failed, $0.unique?.period] }
    guard let shortest = times.compactMap(\.self).filter({ $0 > .zero }).min() else { return }
    sweeping.withLock { $0.shortest = min($0.shortest ?? shortest, shortest) }
  }

  /// Deletes what was kept long enough, and comes again when more is. One does that at a time.
  func sweep() {
    let now = center?.continuousTime ?? .zero
    let begins = sweeping.withLock { sweeping in
      guard !sweeping.isOver else { return false }
      sweeping.latest = now
      return sweeping.pass.begin()
    }
    guard begins else { return }
    // Ends when the store has nothing to delete, or does not answer.
    _Concurrency.Task.detached {
      repeat {
        await self.sweepNow()
      } while self.sweeping.withLock { sweeping in
        if sweeping.isOver { sweeping.pass = .resting }
        return sweeping.pass.goOn()
      }
      self.center?.companionBecameQuiet()
    }
  }

  func endSweeping() {
    sweeping.withLock { sweeping in
      sweeping.isOver = true
      return sweeping.call
    }?.cancel()
  }

  /// What fails here fails in exchanges too, which tell; it is only tried again.
  private func sweepNow() async {
    do {
      let next = try await store.sweep(limit: 1000)
      sweeping.withLock { $0.failures = 0 }
      // Who looks on sees only what is another than before.
      receive { $0.emit(.changed) }
      guard let next else { return }
      guard next > .zero else { return sweeping.withLock { $0.pass = .goingAgain } }
      guard let now = center?.continuousTime else { return }
      sweep(after: max(next, .seconds(1)), now: now)
    } catch {
      let failures = sweeping.withLock { sweeping in
        sweeping.failures += 1
        return sweeping.failures
      }
      guard let now = center?.continuousTime else { return }
      sweep(after: spread(JobMachine.storeDelay(after: failures)), now: now)
    }
  }

  /// Looks at the latest after that time.
  private func sweep(after delay: Duration, now: Duration) {
    let isWanted = sweeping.withLock { sweeping in
      guard !sweeping.isOver else { return false }
      if sweeping.call?.isPending == true, sweeping.due <= now + delay { return false }
      return true
    }
    guard isWanted, let call = call(after: delay, { $0.sweep() }) else { return }
    let old = sweeping.withLock { sweeping -> ScheduledCall? in
      guard !sweeping.isOver else { return call }
      defer { (sweeping.call, sweeping.due) = (call, now + delay) }
      return sweeping.call
    }
    old?.cancel()
  }
}
