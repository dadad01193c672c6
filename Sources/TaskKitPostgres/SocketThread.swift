#if Postgres && os(Linux)
import CTaskKit
import Synchronization

/// The thread of the process that sleeps until one of the sockets is ready that somebody waits for.
///
/// A source of Dispatch is registered by one thread and heard by two others, for each wait. Here whoever waits tells the
/// kernel himself, by one call, and the thread that the kernel wakes lets him go on.
///
/// A wait is known by a number that is used once, and what the kernel says of one that is over concerns nobody. So a socket may
/// be closed at any time, also by the library that has it, and another one may get its place.
///
/// It is blocked in the kernel and in nobody's way: it is none of those that tasks run on, and a process ends without waiting
/// for it. It ends with the process. A child of `fork` that goes on without `exec` does not have it.
final class SocketThread: Sendable {
  /// Made for the first wait. Nil where the system had no thread to give.
  static let shared = SocketThread()

  private struct State {
    var last: UInt64 = 0
    var waits: [UInt64: @Sendable (_ isReady: Bool) -> Void] = [:]
  }

  private static let most = 16

  private let state = Mutex(State())
  private let watch: Int32

  private init?() {
    watch = taskkit_socket_watch()
    guard watch >= 0 else { return nil }
    let context = Unmanaged.passRetained(self)
    let answer = taskkit_start_named_thread(
      "TaskKit sockets",
      { context in
        guard let context else { return }
        Unmanaged<SocketThread>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard answer == 0 else {
      context.release()
      return nil
    }
  }

  deinit { taskkit_end_socket_watch(watch) }

  /// Waits for a socket.
  ///
  /// - Parameter tell: is told once whether it is ready: the wait may be ended before.
  /// - Returns: what ends the wait, where it is not over.
  func begin(
    _ socket: Int32, _ wish: SocketWait.Wish, tell: @escaping @Sendable (_ isReady: Bool) -> Void
  ) -> @Sendable () -> Void {
    let number = state.withLock { state in
      state.last += 1
      state.waits[state.last] = tell
      return state.last
    }
    let answer = taskkit_watch_socket(watch, socket, wish != .writing, wish != .reading, number)
    // Nobody would tell.
    if answer != 0 { end(number, isReady: false) }
    return { self.end(number, isReady: false) }
  }

  private func end(_ number: UInt64, isReady: Bool) {
    let tell = state.withLock { $0.waits.removeValue(forKey: number) }
    tell?(isReady)
  }

  private func run() {
    var numbers = [UInt64](repeating: 0, count: Self.most)
    while true {
      let count = taskkit_ready_sockets(watch, &numbers, Int32(Self.most))
      guard count >= 0 else {
        preconditionFailure("somebody has closed a file of TaskKit's: the one by which all connections wait")
      }
      for number in numbers.prefix(Int(count)) { end(number, isReady: true) }
    }
  }
}
#endif
