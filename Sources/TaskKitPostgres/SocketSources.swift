#if Postgres
import Dispatch
import Synchronization

/// A wait for a socket by sources of Dispatch, where the system has nothing better.
enum SocketSources {
  /// Waits for a socket, which must not be closed before that has been told.
  ///
  /// - Parameter tell: is told once whether it is ready: the wait may be ended before.
  /// - Returns: what ends the wait, where it is not over.
  static func begin(
    _ socket: Int32, _ wish: SocketWait.Wish, tell: @escaping @Sendable (_ isReady: Bool) -> Void
  ) -> @Sendable () -> Void {
    var sources: [any DispatchSourceProtocol] = []
    if wish != .writing { sources.append(DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)) }
    if wish != .reading { sources.append(DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)) }
    // Dispatch lets sources be used from any thread.
    nonisolated(unsafe) let shared = sources
    let isReady = Mutex(false)
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
        if isLast { tell(isReady.withLock { $0 }) }
      }
    }
    for source in sources { source.activate() }
    return { for source in shared { source.cancel() } }
  }

  private static let queue = DispatchQueue(label: "org.taskkit.postgres")
}
#endif
