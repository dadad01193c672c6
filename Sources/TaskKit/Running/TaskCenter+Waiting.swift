/// How somebody waits for something of a center: there is one way for all.
extension TaskCenter {
  /// Notes that the caller is about to wait, and lends its slot.
  ///
  /// - Returns: by which chain it would wait for itself; then nothing was noted.
  func beginWait(for waited: Waited, by caller: Caller?) -> String? {
    guard let caller else { return nil }
    return receive(at: now) { $0.beginWait(for: waited, by: caller, now: $1) }
  }

  /// Waits for what was noted; the caller has its slot again when this returns. Where a job calls it is a wait of that, too,
  /// in the initialiser of a module as well.
  func waiting<Value: Sendable>(
    for waited: Waited, by caller: Caller?, _ body: () async -> Value
  ) async -> Value {
    let wait = beginCompanionWait(for: waited)
    let value = await body()
    endCompanionWait(wait)
    await endAwaiting(waited, by: caller)
    return value
  }

  /// What the caller awaited is over; it gets a slot again before it goes on.
  func endAwaiting(_ waited: Waited, by caller: Caller?) async {
    guard let caller else { return }
    receive { $0.endAwaiting(waited, by: caller.frame) }
    await reclaimSlot(of: caller)
  }

  func reclaimSlot(of caller: Caller) async {
    guard configuration.maximumConcurrency != .max else { return }
    await withCheckedContinuation { continuation in
      if receive({ $0.reclaimSlot(of: caller, continuation) }) { continuation.resume() }
    }
  }
}
