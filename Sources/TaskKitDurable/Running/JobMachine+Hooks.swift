import TaskKit

/// What kinds do because jobs have given up, and who waits for that.
extension JobMachine {
  /// What a kind does as a job of it has given up.
  struct Hook: Sendable {
    let job: JobID
    let kind: String
    /// Nil where the kind is not known here: then it does nothing.
    let location: TaskLocation?
    /// On the center's continuous clock.
    let began: Duration
  }

  /// Somebody who waits until some hooks have returned.
  struct HookWaiter {
    let continuation: CheckedContinuation<[Hook], Never>
    var awaited: Set<UInt64>
    /// The task of the center that waits, if one does.
    let body: CallingBody?
  }

  /// - Returns: its number.
  mutating func beginHook(of job: JobID, _ kind: String, at location: TaskLocation?, now: Duration) -> UInt64 {
    defer { nextHook += 1 }
    hooks[nextHook] = Hook(job: job, kind: kind, location: location, began: now)
    return nextHook
  }

  /// Waits for the hooks that have begun by now.
  ///
  /// - Parameters:
  ///   - number: that of the stop with whose time this wait ends.
  ///   - own: those that are not waited for: the one that waits, or that wait for the task that does.
  ///   - body: the task of the center that waits, if one does.
  /// - Returns: those that have not returned, where there is nothing to wait for; nil if that is said later.
  mutating func awaitHooks(
    _ number: UInt64, _ waiter: CheckedContinuation<[Hook], Never>, besides own: Set<UInt64>, in body: CallingBody?
  ) -> [Hook]? {
    let awaited = Set(hooks.keys).subtracting(own)
    guard !awaited.isEmpty, !expiredWaiters.contains(number), !isOver else { return unreturned(awaited) }
    hookWaiters[number] = HookWaiter(continuation: waiter, awaited: awaited, body: body)
    return nil
  }

  /// The time for that is over.
  mutating func giveUpHooks(_ number: UInt64) {
    if let waiter = hookWaiters.removeValue(forKey: number) { tellHooks(waiter) }
  }

  /// The tasks of the center that wait for hooks, by the numbers of their waits.
  var bodiesAwaitingHooks: [(number: UInt64, body: CallingBody)] {
    hookWaiters.compactMap { number, waiter in waiter.body.map { (number: number, body: $0) } }
  }

  /// Those go on whose hooks have returned.
  mutating func answerHookWaiters() {
    for (number, waiter) in hookWaiters where waiter.awaited.allSatisfy({ hooks[$0] == nil }) {
      tellHooks(waiter)
      hookWaiters[number] = nil
    }
  }

  private mutating func tellHooks(_ waiter: HookWaiter) {
    emit(.tellHooks(waiter.continuation, unreturned(waiter.awaited)))
  }

  private func unreturned(_ awaited: Set<UInt64>) -> [Hook] { awaited.sorted().compactMap { hooks[$0] } }
}
