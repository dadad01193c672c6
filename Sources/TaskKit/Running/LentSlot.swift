/// The slot of a body that waits for what its center knows nothing of, as for the jobs of a sister module.
package struct LentSlot: Sendable {
  fileprivate let center: TaskCenter
  fileprivate let caller: Caller

  /// Returns when the body has a slot again: before anything new starts, but not before one is free.
  package func reclaim() async { await center.reclaimSlot(of: caller) }
}

extension TaskCenter {
  /// A body of this center is about to wait: it lends its slot meanwhile. What it waits for may need one.
  ///
  /// - Returns: what gets it back; nil for whoever is no such body, and where any number of them may run.
  package func lendSlot() -> LentSlot? {
    guard configuration.maximumConcurrency != .max, let caller = WorkerBox.caller(in: self) else { return nil }
    let now = self.now
    receive(at: now) { $0.lendSlot(of: caller, now: $1) }
    return LentSlot(center: self, caller: caller)
  }
}
