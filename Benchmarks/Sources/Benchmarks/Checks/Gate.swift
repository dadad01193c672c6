import Synchronization

/// Something that is waited for until it opens.
final class Gate: Sendable {
  private let waiters = Mutex<[CheckedContinuation<Void, Never>]?>([])

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiters.withLock { waiters in
        waiters?.append(continuation)
        return waiters == nil
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = waiters.withLock { waiters in
      defer { waiters = nil }
      return waiters ?? []
    }
    for waiter in waiting { waiter.resume() }
  }
}
