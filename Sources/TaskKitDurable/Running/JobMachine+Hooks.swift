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
    /// How many stop workers in it, of whatever stores.
    var stops = 0
  }

  /// Somebody who waits until some hooks have returned.
  struct HookWaiter {
    let continuation: CheckedContinuation<[Hook], Never>
    let awaited: Set<UInt64>
    /// The stop of which it is a part; nil for the end of the shutdown.
    let wait: ObjectIdentifier?
    /// Whether that waits in a job, or in a hook: then for none of those in which somebody stops workers, as they would wait for
    /// each other.
    var isInside: Bool
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
  ///   - wait: that stop, of all its stores.
  ///   - isInside: whether it is known to wait in a job, or in a hook.
  ///   - isShutdown: whether it is that of the shutdown.
  mutating func awaitHooks(
    _ number: UInt64, _ waiter: CheckedContinuation<[Hook], Never>, of wait: ObjectIdentifier, isInside: Bool,
    isShutdown: Bool
  ) {
    hookWaiters[number] = HookWaiter(
      continuation: waiter, awaited: Set(hooks.keys), wait: wait, isInside: isInside)
    if isShutdown { awaitedHooks = nextHook }
    if expiredWaiters.contains(number) || phase.isOver { giveUpHooks(number) }
  }

  /// Waits for those that nobody has waited for in the shutdown: they have begun since, with what was written down last.
  mutating func awaitLastHooks(_ waiter: CheckedContinuation<[Hook], Never>) {
    let last = Set(hooks.keys.filter { $0 >= awaitedHooks })
    hookWaiters[waiterNumber()] = HookWaiter(continuation: waiter, awaited: last, wait: nil, isInside: false)
  }

  /// Those of them that have not returned.
  var lastHooks: [Hook] { hooks.keys.filter { $0 >= awaitedHooks }.sorted().compactMap { hooks[$0] } }

  /// A stop waits in a job, or in a hook.
  mutating func noteInside(_ wait: ObjectIdentifier) {
    for (number, waiter) in hookWaiters where waiter.wait == wait { hookWaiters[number]!.isInside = true }
  }

  /// Somebody stops workers in a hook, or does no more.
  mutating func countStops(_ difference: Int, in hook: UInt64) { hooks[hook]?.stops += difference }

  /// The time for that is over.
  mutating func giveUpHooks(_ number: UInt64) {
    guard let waiter = hookWaiters[number] else { return }
    emit(.tellHooks(waiter.continuation, unreturned(for: waiter)))
    hookWaiters[number] = nil
  }

  /// Those go on whose hooks have returned.
  mutating func answerHookWaiters() {
    for (number, waiter) in hookWaiters where unreturned(for: waiter).isEmpty {
      emit(.tellHooks(waiter.continuation, []))
      hookWaiters[number] = nil
    }
  }

  private func unreturned(for waiter: HookWaiter) -> [Hook] {
    waiter.awaited.sorted().compactMap { hooks[$0] }.filter { !waiter.isInside || $0.stops <= 0 }
  }
}
