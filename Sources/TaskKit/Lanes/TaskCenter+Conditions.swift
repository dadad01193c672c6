import Synchronization

/// Gates of lanes that open on a condition.
extension TaskCenter {
  /// Does not hold the center: the condition is given up with it.
  func awaitCondition(_ condition: Lane.Condition, of lane: Lane) {
    conditions.withLock { conditions in
      // Effects of two threads may arrive in any order: it may have been opened by now. A center that has shut down asks no more.
      guard machine.withLock({ !$0.isClosed && $0.lanes[lane]?.isOpen == false }) else { return }
      // Ended by its condition, or by the cancellation when the lane opens or the center goes. Detached: what uses a lane
      // for the first time may be the body of a task, and the condition is not asked inside of that.
      conditions[lane] = _Concurrency.Task.detached { [weak self] in
        guard await condition.holds(), !_Concurrency.Task.isCancelled else { return }
        self?.lane(lane).open()
      }
    }
  }

  func forgetCondition(of lane: Lane) {
    conditions.withLock { $0.removeValue(forKey: lane) }?.cancel()
  }
}
