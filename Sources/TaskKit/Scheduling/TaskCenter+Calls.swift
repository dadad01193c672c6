public import Foundation
import Synchronization

extension TaskCenter {
  /// Calls something later: for what has no name, and needs no report.
  ///
  /// ```swift
  /// let call = center.after(.seconds(30)) { cache.removeAll() }
  /// call.cancel()
  /// ```
  ///
  /// Calls are made in the order of their times, those of the same time in the order in which they were asked for, one
  /// after the other, never before their time, off the main actor and in no task of the caller. A slow one holds up the
  /// calls after it, though no task, and nothing that jobs of TaskKitDurable wait for: let it start a task of its own, or send an
  /// event.
  ///
  /// A call is asked for as it is needed, so it comes without ``start()``. The center does not live for the sake of
  /// calls: those that are pending when it goes are dropped. A body that holds the center keeps it until it has run. A center
  /// that has shut down drops them as well, and makes none from then on.
  ///
  /// All pending calls and schedules of a center share one timer, and on Linux those of all centers one thread that sleeps
  /// in between; see ``TaskCenter``. To add one takes a quarter of the time that a sleeping task takes, or less, and some 50
  /// bytes beside what the body holds.
  ///
  /// - Parameters:
  ///   - delay: on the continuous clock of the center, which counts while the machine sleeps; what is not more than zero is
  ///     due at once. A schedule with `every:`, `count: 1` and `clock: .suspending` does not count that.
  ///   - tolerance: how much later it may come, so that it can share a wake-up with others.
  ///   - body: what to do; short and without waiting.
  @discardableResult
  public func after(
    _ delay: Duration, tolerance: Duration = .zero, _ body: @escaping @Sendable () -> Void
  ) -> ScheduledCall {
    var due = now.later(by: delay.nanoseconds)
    if tolerance > .zero { due = due.coalesced(within: tolerance.nanoseconds) }
    return add(body, to: calls, due: due)
  }

  /// The same for a companion: it waits for no call of a user.
  @discardableResult
  package func callCompanion(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCall {
    add(body, to: companionCalls, due: now.later(by: delay.nanoseconds))
  }

  @inline(__always)
  private func add(_ body: @escaping @Sendable () -> Void, to calls: ScheduledCalls, due: Int64) -> ScheduledCall {
    let (token, mustSetAlarm) = calls.table.withLock { $0.add(ScheduledCallTable.Body(run: body), due: due) }
    if mustSetAlarm, calls.keeps(token) { setContinuousAlarm() }
    return ScheduledCall(calls: calls, token: token)
  }

  /// Calls something at a date: see ``after(_:tolerance:_:)``.
  ///
  /// It follows the calendar's clock of the center, also when that is set meanwhile: noticed at ``clockDidChange()``, or
  /// else within the time for which the ``TimeSource`` trusts it. A date that is past is due at once.
  @discardableResult
  public func at(_ date: Date, _ body: @escaping @Sendable () -> Void) -> ScheduledCall {
    add(body, to: calls, date: date)
  }

  /// The same for a companion: it waits for no call of a user.
  @discardableResult
  package func callCompanion(at date: Date, _ body: @escaping @Sendable () -> Void) -> ScheduledCall {
    add(body, to: companionCalls, date: date)
  }

  private func add(_ body: @escaping @Sendable () -> Void, to calls: ScheduledCalls, date: Date) -> ScheduledCall {
    let (continuous, wall) = (now, time.wall().nanosecondsSince1970)
    // With a look at the clock, which may have been set back.
    let (token, mustSetAlarm) = calls.change {
      $0.add(
        ScheduledCallTable.Body(run: body), date: date.nanosecondsSince1970, continuous: continuous, wall: wall)
    }
    if mustSetAlarm, calls.keeps(token) { setContinuousAlarm() }
    return ScheduledCall(calls: calls, token: token)
  }

  /// Calls that follow the calendar are due at other times, if its clock was set.
  func callsFollowClock() {
    let (continuous, wall) = (now, time.wall().nanosecondsSince1970)
    for calls in [calls, companionCalls] { calls.change { $0.look(continuous: continuous, wall: wall) } }
    setContinuousAlarm()
  }

  /// Drops whatever is pending, and what comes from now on.
  func closeCalls() {
    calls.close()
    companionCalls.close()
  }

  /// Makes the calls of a table that are due, and those that become due meanwhile, unless somebody is at it.
  func fire(_ calls: ScheduledCalls, at time: Int64) {
    var now = time
    guard var hasDates = calls.table.withLock({ [now] in $0.beginFiring(at: now) }) else { return }
    // Bodies of users may take long: neither tasks nor companions wait for them.
    let isOtherPending =
      inspect { $0.earliestAlarm != nil }
      || (calls !== companionCalls && companionCalls.table.withLock { $0.earliest != nil })
    if isOtherPending { setContinuousAlarm() }
    while true {
      var wall = Int64.min
      if hasDates {
        wall = self.time.wall().nanosecondsSince1970
        calls.table.withLock { [now, wall] in $0.look(continuous: now, wall: wall) }
      }
      // One at a time, so that each can take back those after it.
      while let body = calls.table.withLock({ [now, wall] in $0.next(continuous: now, wall: wall) }) { body.run() }
      // What has become due by now does not wait for another ring.
      now = max(now, self.now)
      guard let more = calls.change({ $0.goOnFiring(at: now) }) else { break }
      hasDates = more
    }
  }
}
