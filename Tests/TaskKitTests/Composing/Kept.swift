import Synchronization

/// One thing that is put away for later, as a callback API keeps its callback.
final class Kept<Value: Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)

  var value: Value? { storage.withLock { $0 } }

  func put(_ value: Value) { storage.withLock { $0 = value } }

  /// Hands the thing out and lets go of it.
  func take() -> Value? { storage.withLock { $0.take() } }
}
