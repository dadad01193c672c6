import Synchronization

extension TaskCenter {
  /// Returns when no body is running and nothing is due at the time that the clocks show: for tests that move a clock.
  package func quiet() async { await settle(awaitsBodies: true) }

  /// Returns when nothing is due at the time that the clocks show, whatever runs: what that has made due has begun.
  package func caughtUp() async { await settle(awaitsBodies: false) }

  private func settle(awaitsBodies: Bool) async {
    while true {
      let instants = instants
      // Not by what the machine tells, which hears nothing of a call that is taken back when it is due.
      for calls in [calls, companionCalls] { await calls.caughtUp(at: instants.continuous) }
      let isOver = inspect {
        $0.isQuiet(at: instants, awaitsBodies: awaitsBodies) && areCallsQuiet(at: instants)
          && (!awaitsBodies || areCompanionsQuiet)
      }
      if isOver { return }
      await withCheckedContinuation { continuation in
        let mustWait = receive { machine in
          // What is due of them is waited for above.
          guard areCallsQuiet(at: instants) else { return false }
          if machine.isQuiet(at: instants, awaitsBodies: awaitsBodies), !awaitsBodies || areCompanionsQuiet {
            return false
          }
          machine.settleWaiters.append(continuation)
          return true
        }
        if !mustWait { continuation.resume() }
      }
    }
  }

  private func areCallsQuiet(at instants: Instants) -> Bool {
    [calls, companionCalls].allSatisfy { $0.table.withLock { $0.hasCaughtUp(at: instants.continuous) } }
  }

  /// How long until a schedule, a call, a timeout or a delay is due, on the clock that is first; nil if nothing is
  /// pending.
  package var timeUntilDue: Duration? {
    let instants = instants
    let (continuous, suspending) = inspect { ($0.earliestAlarm, $0.schedules.suspending.earliest) }
    let left = [
      continuous.map { $0.earlier(by: instants.continuous) }, suspending.map { $0.earlier(by: instants.suspending) },
      calls.table.withLock { $0.earliest }.map { $0.earlier(by: instants.continuous) },
      companionCalls.table.withLock { $0.earliest }.map { $0.earlier(by: instants.continuous) },
    ]
    return left.compactMap { $0 }.min().map(Duration.nanoseconds)
  }
}

extension CenterMachine {
  fileprivate func isQuiet(at instants: Instants, awaitsBodies: Bool) -> Bool {
    (!awaitsBodies || areBodiesQuiet)
      && schedules.pendingPlans == 0 && earliestAlarm.map { $0 > instants.continuous } ?? true
      && schedules.suspending.earliest.map { $0 > instants.suspending } ?? true
  }

  private var areBodiesQuiet: Bool {
    // An occurrence that waits for its next attempt, or for a lane that is held, goes on by itself or by the test.
    runs.allSatisfy { $0.map { $0.isConcluded || ($0.state.running == 0 && !$0.state.hasReady) } ?? true }
      && walkedEvent < 0
  }
}
