#if Durable && !os(Windows)
import Foundation

/// Turns of the processes that write one file.
///
/// SQLite lets whoever asks at the right moment write next, so one busy process can keep others away for seconds. Here
/// who has had a turn must pass the lock `next`, where the others wait already. It is a courtesy, and nothing is wrong
/// without it: whoever has waited too long, because somebody was stopped during its turn, goes on and leaves the rest
/// to SQLite's own lock.
struct WriterTurn: ~Copyable, Sendable {
  private let next: FileLock
  private let turn: FileLock

  init(in folder: String) throws(FileLockError) {
    let next = try FileLock(at: folder + "/next")
    let turn = try FileLock(at: folder + "/turn")
    self.next = next
    self.turn = turn
  }

  /// Waits for a turn, runs the body, and gives the turn on. Blocks its thread.
  borrowing func take<Value>(_ body: () throws -> Value) rethrows -> Value {
    if Self.wait(for: next) {
      _ = Self.wait(for: turn)
      next.unlock()
    }
    defer { turn.unlock() }
    return try body()
  }

  /// Locks have no deadline of their own; looked at in rising steps, as SQLite does with its own lock.
  private static func wait(for lock: borrowing FileLock) -> Bool {
    var pause: UInt32 = 50
    var waited: UInt32 = 0
    while !lock.tryLock() {
      guard waited < 2_000_000 else { return false }
      usleep(pause)
      waited += pause
      pause = min(pause * 2, 2_000)
    }
    return true
  }
}
#endif
