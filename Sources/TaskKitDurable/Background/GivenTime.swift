import Synchronization

/// Time that is given back once: when the work is done, or when it is over.
final class GivenTime: Sendable {
  /// Nil once it was given back: who is to hear of its end holds it, and it holds whoever that is.
  private let time: Mutex<(any BackgroundTime)?>

  init(_ time: any BackgroundTime) { self.time = Mutex(time) }

  func whenExpired(_ body: @escaping @Sendable () -> Void) { time.withLock { $0 }?.whenExpired(body) }

  func giveBack(success: Bool) { time.withLock { $0.take() }?.complete(success: success) }
}
