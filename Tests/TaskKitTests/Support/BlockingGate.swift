import Dispatch

/// A door at which a body waits without leaving its thread.
final class BlockingGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func pass() {
    semaphore.wait()
    semaphore.signal()
  }
}
