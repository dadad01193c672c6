import Synchronization

extension EventSource {
  /// Sends ``LifecycleEvent/idle`` when nothing has run for a time: no task of the center, of whatever occasion. Once, and
  /// then again only after something else has run since than the tasks of that event, and what was put into a lane meanwhile.
  ///
  /// What is due within that time keeps the center from being idle by running. Nothing is polled: while something runs,
  /// the source waits for its end; while nothing does, it sleeps once on the center's continuous clock, which every task
  /// then costs a reading of.
  ///
  /// - Precondition: `time` is positive.
  public nonisolated static func idle(after time: Duration) -> EventSource {
    precondition(time > .zero, "a center is idle after a while, not after \(time)")
    return EventSource("idle") { sink in
      let center = sink.center
      // The end of an occurrence has to have a time.
      center.usesTimers.store(true, ordering: .relaxed)
      center.receive { $0.quiet.passesOverIdle = true }
      let began = center.now
      return { try await center.tellWhenIdle(after: time.nanoseconds, since: began, to: sink) }
    }
  }
}

extension TaskCenter {
  @concurrent
  fileprivate func tellWhenIdle(after time: Int64, since began: Int64, to sink: EventSink) async throws {
    while true {
      await untilQuiet()
      try _Concurrency.Task.checkCancellation()
      let (isGoing, latest, count) = receive { ($0.goingCount > 0, max($0.latestEnd, began), $0.occurrenceCount) }
      if isGoing { continue }
      let due = latest.later(by: time)
      if now < due {
        try await self.time.continuous.sleep(due)
        continue
      }
      await sink.send(.idle)
      // If something has begun meanwhile, the time counts from its end.
      await untilActivity(after: count)
      try _Concurrency.Task.checkCancellation()
    }
  }
}
