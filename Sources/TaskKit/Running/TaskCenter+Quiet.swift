import Synchronization

extension TaskCenter {
  /// Returns when no body is running and nothing is due at the time that the clocks show: for tests that move a clock.
  package func quiet() async {
    while true {
      let instants = instants
      if inspect({ $0.isQuiet(at: instants) && areCallsQuiet(at: instants) && areCompanionsQuiet }) { return }
      await withCheckedContinuation { continuation in
        let isQuiet = receive { machine in
          if machine.isQuiet(at: instants), areCallsQuiet(at: instants), areCompanionsQuiet { return true }
          machine.settleWaiters.append(continuation)
          return false
        }
        if isQuiet { continuation.resume() }
      }
    }
  }

  private func areCallsQuiet(at instants: Instants) -> Bool {
    [calls, companionCalls].allSatisfy { calls in
      calls.table.withLock { !$0.isFiring && $0.earliest.map { $0 > instants.continuous } ?? true }
    }
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
  func isQuiet(at instants: Instants) -> Bool {
    // An occurrence that waits for its next attempt, or for a lane that is held, goes on by itself or by the test.
    runs.allSatisfy { $0.map { $0.isConcluded || ($0.state.running == 0 && !$0.state.hasReady) } ?? true }
      && walkedEvent < 0 && schedules.pendingPlans == 0 && earliestAlarm.map { $0 > instants.continuous } ?? true
      && schedules.suspending.earliest.map { $0 > instants.suspending } ?? true
  }
}
