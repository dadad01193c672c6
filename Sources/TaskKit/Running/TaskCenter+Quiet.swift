import Synchronization

extension TaskCenter {
  /// Returns when no body is running and nothing is due at the time that the clocks show: for tests that move a clock.
  package func quiet() async { await settle(.bodies) }

  /// Returns when nothing is due at the time that the clocks show, whatever runs: what that has made due has begun.
  package func caughtUp() async { await settle(.nothingDue) }

  /// Returns when nothing is due, and the shutdown waits for tasks that do nothing by themselves: for those of its event, or for
  /// bodies that have timed out and not returned. While something is being stopped it waits for no tasks.
  ///
  /// - Parameter awaitsBodies: whether bodies of others than the tasks of its event may not run either. Where somebody sleeps,
  ///   that may be the one for which those wait.
  /// - Returns: false where the calling task was cancelled before.
  package func shutdownRests(awaitsBodies: Bool) async -> Bool {
    await withTaskCancellationHandler {
      await settle(.shutdown(awaitsBodies: awaitsBodies))
    } onCancel: {
      receive { $0.wakeSettleWaiters() }
    }
    return !_Concurrency.Task.isCancelled
  }

  /// The number of the run that comes next; those that have been sent have lower ones.
  var nextRun: UInt64 { inspect { $0.nextRunID } }

  /// The occurrences of the event of the shutdown that are going or wait their turn.
  var runsOfShutdown: Set<UInt64> {
    inspect { machine in
      guard let number = machine.eventNumbers[LifecycleEvent<Void, Void>.willTerminate.name] else { return [] }
      let waiting = machine.queued.values.filter { $0.event == number }.map(\.id)
      return Set(waiting + [machine.events[number].active?.id].compactMap { $0 })
    }
  }

  /// How long until something is over for which the shutdown waits, or could have gone on; nil if there is nothing.
  package var timeUntilShutdownGoesOn: Duration? {
    lifetime.withLock { $0.earliestWait }.map { .nanoseconds($0.earlier(by: now)) }
  }

  /// Whether something was due just now, and whom that cancels may not have been told.
  package var isRinging: Bool { rings.load(ordering: .acquiring) > 0 }

  private func settle(_ rest: CenterMachine.Rest) async {
    while !rest.isGivenUp {
      let instants = instants
      // Not by what the machine tells, which hears nothing of a call that is taken back when it is due.
      for calls in [calls, companionCalls] { await calls.caughtUp(at: instants.continuous) }
      let isOver = inspect {
        $0.isQuiet(at: instants, rest) && areCallsQuiet(at: instants) && (rest == .nothingDue || areCompanionsQuiet)
      }
      if isOver { return }
      await withCheckedContinuation { continuation in
        let mustWait = receive { machine in
          // What is due of them is waited for above.
          guard areCallsQuiet(at: instants), !rest.isGivenUp else { return false }
          if machine.isQuiet(at: instants, rest), rest == .nothingDue || areCompanionsQuiet { return false }
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
  /// What has to rest beside the clocks.
  fileprivate enum Rest: Equatable {
    case nothingDue
    case bodies
    case shutdown(awaitsBodies: Bool)

    /// Whether the calling task does not wait for it any more: a shutdown may come to its end without a rest.
    var isGivenUp: Bool {
      if case .shutdown = self { _Concurrency.Task.isCancelled } else { false }
    }
  }

  fileprivate func isQuiet(at instants: Instants, _ rest: Rest) -> Bool {
    isAtRest(rest)
      && schedules.pendingPlans == 0 && earliestAlarm.map { $0 > instants.continuous } ?? true
      && schedules.suspending.earliest.map { $0 > instants.suspending } ?? true
  }

  private func isAtRest(_ rest: Rest) -> Bool {
    switch rest {
    case .nothingDue: true
    case .bodies: areBodiesQuiet
    case .shutdown(let awaitsBodies): shutdownAwaitsRest(ofOthers: awaitsBodies)
    }
  }

  /// Whether the shutdown waits for tasks that rest.
  private func shutdownAwaitsRest(ofOthers: Bool) -> Bool {
    if isClosed { return awaitsReturns && areBodiesQuiet }
    guard let number = eventNumbers[LifecycleEvent<Void, Void>.willTerminate.name],
      let active = events[number].active, let run = runs[active.slot], !run.isConcluded, run.state.unended > 0
    else { return false }
    if ofOthers { return areBodiesQuiet }
    // What is ready waits for a slot, or is about to begin.
    return run.state.running == 0 && (!run.state.hasReady || (isLimited && used >= limit))
  }

  private var areBodiesQuiet: Bool {
    // An occurrence that waits for its next attempt, or for a lane that is held, goes on by itself or by the test.
    runs.allSatisfy { $0.map { $0.isConcluded || ($0.state.running == 0 && !$0.state.hasReady) } ?? true }
      && walkedEvent < 0
  }
}
