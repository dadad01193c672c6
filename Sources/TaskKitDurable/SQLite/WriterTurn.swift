#if Durable && !os(Windows)
import Dispatch
import Synchronization

/// Turns of the processes that write one file.
///
/// SQLite lets whoever asks at the right moment write next, so one busy process can keep others away for seconds. Here
/// who has had a turn must pass the lock `next`, where the others wait already, in the kernel's queue. It is a courtesy,
/// and nothing is wrong without it: whoever has waited too long, because somebody was stopped during its turn, goes on
/// and leaves the rest to SQLite's own lock.
struct WriterTurn: Sendable {
  private let next: TurnLock
  private let turn: TurnLock

  init(in folder: String) throws(FileLockError) {
    next = try TurnLock(at: folder + "/next")
    turn = try TurnLock(at: folder + "/turn")
  }

  /// Waits for a turn, runs the body, and gives the turn on. Blocks its thread. Not to be called from within itself.
  func take<Value>(_ body: () throws -> Value) rethrows -> Value {
    if next.lock() {
      let isMine = turn.lock()
      next.unlock()
      defer { if isMine { turn.unlock() } }
      return try body()
    }
    return try body()
  }
}

/// A lock of a file for which one waits in the kernel's queue, but not for ever.
///
/// The kernel knows no deadline, so another thread waits there. When the deadline passes that one goes on waiting, and
/// gives back at once what it gets.
private final class TurnLock: Sendable {
  private enum Wait {
    case none, underWay, abandoned, granted
  }

  private static let patience = DispatchTimeInterval.seconds(2)

  private let file: FileLock
  private let wait = Mutex(Wait.none)
  private let thread = DispatchQueue(label: "org.taskkit.sqlite-turn")

  init(at path: String) throws(FileLockError) { file = try FileLock(at: path) }

  /// - Returns: whether it is ours now. Blocks its thread, which must be the same every time.
  func lock() -> Bool {
    // One that is still waited for must not be taken beside that.
    let isFree = wait.withLock { wait in
      if wait != .none { return false }
      wait = .underWay
      return true
    }
    guard isFree else { return false }
    if file.tryLock() {
      wait.withLock { $0 = .none }
      return true
    }
    let granted = DispatchSemaphore(value: 0)
    // Ends when it has the lock.
    thread.async { [self] in
      file.lock()
      wait.withLock { wait in
        if wait == .abandoned {
          file.unlock()
          wait = .none
        } else {
          wait = .granted
        }
      }
      granted.signal()
    }
    _ = granted.wait(timeout: .now() + Self.patience)
    return wait.withLock { wait in
      let isOurs = wait == .granted
      wait = isOurs ? .none : .abandoned
      return isOurs
    }
  }

  func unlock() { file.unlock() }
}
#endif
