#if Postgres
import Dispatch
import Synchronization

/// Waits for a socket, one wait at a time, without a thread.
final class SocketWait: Sendable {
  enum Wish {
    case reading
    case writing
    /// Whichever comes first.
    case both
  }

  private struct State {
    var hasEnded = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// - Returns: false if there is nothing to wait for any more, or the time has passed.
  func ready(_ socket: Int32, _ wish: Wish, within time: Duration? = nil) async -> Bool {
    guard socket >= 0 else { return false }
    let isReady = Mutex(false)
    return await withCheckedContinuation { continuation in
      var sources: [any DispatchSourceProtocol] = []
      if wish != .writing { sources.append(DispatchSource.makeReadSource(fileDescriptor: socket, queue: Self.queue)) }
      if wish != .reading { sources.append(DispatchSource.makeWriteSource(fileDescriptor: socket, queue: Self.queue)) }
      // Dispatch lets sources be used from any thread.
      nonisolated(unsafe) let shared = sources
      let open = Mutex(sources.count)
      for source in sources {
        source.setEventHandler {
          isReady.withLock { $0 = true }
          for source in shared { source.cancel() }
        }
        source.setCancelHandler {
          let isLast = open.withLock { open in
            open -= 1
            return open == 0
          }
          guard isLast else { return }
          self.state.withLock { $0.cancel = nil }
          continuation.resume(returning: isReady.withLock { $0 })
        }
      }
      let hasEnded = state.withLock { state in
        state.cancel = { for source in shared { source.cancel() } }
        return state.hasEnded
      }
      for source in sources { source.activate() }
      if hasEnded { for source in sources { source.cancel() } }
      if let time {
        Self.queue.asyncAfter(deadline: .now() + time / .seconds(1)) { for source in shared { source.cancel() } }
      }
    }
  }

  /// Ends the wait, and every later one.
  func end() {
    let cancel = state.withLock { state in
      state.hasEnded = true
      return state.cancel
    }
    cancel?()
  }

  private static let queue = DispatchQueue(label: "org.taskkit.postgres")
}
#endif
