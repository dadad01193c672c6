import Synchronization

extension EventSource {
  /// Sends ``LifecycleEvent/idle`` when nothing has run for a time, no task of the center, of whatever occasion, and no job, and
  /// nothing is due for as long again; when jobs are due is not asked. Once, and then again only after something else has run
  /// since than the tasks of that event, and what was put into a lane meanwhile. A job counts whoever has enqueued it: a task of
  /// this event that enqueues one each time makes the center idle again each time the job has ended.
  ///
  /// A body whose task has timed out runs until it returns. What is due, a scheduled task that is not paused or a
  /// send that waits for the end of its burst, counts like what runs: the time counts from there, even if it is taken back
  /// before. So a schedule whose interval is no longer than twice the time and what a run takes keeps the center from ever
  /// being idle. Calls (``TaskCenter/after(_:tolerance:_:)``) are no tasks, neither when they are due nor when they are made.
  ///
  /// Nothing is polled: while something runs, the source waits for its end; while nothing does, it sleeps on the center's
  /// continuous clock until it might be idle, which every task then costs a reading of.
  ///
  /// - Precondition: `time` is positive.
  public nonisolated static func idle(after time: Duration) -> EventSource {
    precondition(time > .zero, "a center is idle after a while, not after \(time)")
    return EventSource("idle") { sink in
      let center = sink.center
      // The end of an occurrence has to have a time.
      center.needsTime.store(true, ordering: .relaxed)
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
      await untilReturned()
      await untilCompanionsRest()
      try _Concurrency.Task.checkCancellation()
      let now = self.now
      let end = now.later(by: time)
      let ahead = self.time.suspending.now().earlier(by: now)
      let activity = receive { $0.activity(before: end, suspendingIsAheadBy: ahead) }
      if activity.isGoing { continue }
      let quiet = max(activity.latestEnd, began).later(by: time)
      if now < quiet {
        try await self.time.continuous.sleep(quiet)
        continue
      }
      if let due = activity.due {
        try await self.time.continuous.sleep(max(due, now).later(by: time))
        continue
      }
      await sink.send(.idle)
      // If something has begun meanwhile, the time counts from its end.
      await untilActivity(after: activity.count)
      try _Concurrency.Task.checkCancellation()
    }
  }
}
