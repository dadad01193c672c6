import Synchronization

/// A door that opens once.
final class Latch: Sendable {
  private let waiters = Mutex<[CheckedContinuation<Void, Never>]?>([])

  func open() {
    let waiting = waiters.withLock { waiters in
      defer { waiters = nil }
      return waiters ?? []
    }
    for waiter in waiting { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = waiters.withLock { waiters in
        waiters?.append(waiter)
        return waiters == nil
      }
      if isOpen { waiter.resume() }
    }
  }
}
