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
    let awaited: Set<UInt64>
    /// The task of the center that waits, if one does.
    let body: CallingBody?
    /// Those of the awaited that are not waited for: the one that waits, or that wait for the task that does.
    var own: Set<UInt64>
  }

  /// - Returns: its number.
  mutating func beginHook(of job: JobID, _ kind: String, at location: TaskLocation?, now: Duration) -> UInt64 {
    defer { nextHook += 1 }
    hooks[nextHook] = Hook(job: job, kind: kind, location: location, began: now)
    return nextHook
  }

  /// Waits for the hooks that have begun by now. The answer follows this input, where it is known.
  ///
  /// - Parameters:
  ///   - number: that of the stop with whose time this wait ends.
  ///   - own: those that are not waited for: the one that waits, or that wait for the task that does.
  ///   - body: the task of the center that waits, if one does.
  mutating func awaitHooks(
    _ number: UInt64, _ waiter: CheckedContinuation<[Hook], Never>, besides own: Set<UInt64>, in body: CallingBody?
  ) {
    hookWaiters[number] = HookWaiter(continuation: waiter, awaited: Set(hooks.keys), body: body, own: own)
    if expiredWaiters.contains(number) || phase.isOver { giveUpHooks(number) }
  }

  /// Hooks wait for the task of the center that waits.
  mutating func noteHooks(_ own: Set<UInt64>, waitingFor number: UInt64) { hookWaiters[number]?.own.formUnion(own) }

  /// The time for that is over.
  mutating func giveUpHooks(_ number: UInt64) {
    guard let waiter = hookWaiters[number] else { return }
    emit(.tellHooks(waiter.continuation, unreturned(for: waiter, besides: waitingHooks)))
    hookWaiters[number] = nil
  }

  /// The tasks of the center that wait for hooks, by the numbers of their waits.
  var bodiesAwaitingHooks: [(number: UInt64, body: CallingBody)] {
    hookWaiters.compactMap { number, waiter in waiter.body.map { (number: number, body: $0) } }
  }

  /// Those go on whose hooks have returned.
  mutating func answerHookWaiters() {
    guard !hookWaiters.isEmpty else { return }
    let waiting = waitingHooks
    for (number, waiter) in hookWaiters where unreturned(for: waiter, besides: waiting).isEmpty {
      emit(.tellHooks(waiter.continuation, []))
      hookWaiters[number] = nil
    }
  }

  /// Those in which somebody waits for hooks.
  private var waitingHooks: Set<UInt64> { hookWaiters.values.reduce(into: []) { $0.formUnion($1.own) } }

  /// - Parameter waiting: the hooks that wait, its own among them. Who waits in one waits for none of them: they would wait for
  ///   each other.
  private func unreturned(for waiter: HookWaiter, besides waiting: Set<UInt64>) -> [Hook] {
    let awaited = waiter.own.isEmpty ? waiter.awaited : waiter.awaited.subtracting(waiting)
    return awaited.sorted().compactMap { hooks[$0] }
  }
}
