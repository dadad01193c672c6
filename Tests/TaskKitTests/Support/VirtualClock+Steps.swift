import TaskKit
import TaskKitTesting

extension VirtualClock {
  /// Waits until somebody sleeps until exactly that time, then moves the clock there.
  ///
  /// `waitForSleepers` alone may see the sleeper of a timer that is just being replaced.
  func step(to time: Duration) async {
    await waitForSleeper(until: time)
    advance(by: time - now.offset)
  }
}

extension VirtualClock {
  /// Moves the clock from sleeper to sleeper until a run has ended.
  func advance(whileRunning run: EventRun) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = await run.report }
      group.addTask {
        while !Task.isCancelled {
          // A body may have moved the clock past it meanwhile.
          if let next = self.nextDeadline { self.advance(by: max(.zero, next - self.now.offset)) }
          await Task.yield()
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
