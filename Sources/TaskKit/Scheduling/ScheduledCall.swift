import Synchronization

/// A call that a center makes later; see ``TaskCenter/after(_:tolerance:_:)`` and ``TaskCenter/at(_:_:)``.
///
/// A small value: to let it go changes nothing, and to keep it does not keep the center.
public struct ScheduledCall: Sendable {
  let calls: ScheduledCalls
  let token: ScheduledCallTable.Token

  /// Takes the call back: at once, also from inside another call, and its body is let go of before this returns.
  ///
  /// Costs less than 100 ns: the center's timer stays as it is and finds nothing to do.
  ///
  /// - Returns: true if the body never runs for it; false if it has begun, was taken back before, or went with its center.
  @discardableResult
  public func cancel() -> Bool {
    // What the body holds is a user's code when it ends: it is let go of here, with the lock released.
    calls.change { $0.remove(token) } != nil
  }

  /// Whether the body has neither begun nor been taken back.
  public var isPending: Bool { calls.table.withLock { $0.contains(token) } }
}
