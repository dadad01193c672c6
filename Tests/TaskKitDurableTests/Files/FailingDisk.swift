#if Durable && !os(Windows)
import Faults
import Foundation
import Synchronization

/// A disk that fails at one of the operations on the files of a folder, and at all that follow until it is repaired.
final class FailingDisk: FileObserver {
  struct Fault: Sendable {
    /// What SQLite gets.
    var code: Int32
    /// Which operations count and fail: writes, or flushes.
    var isFlush = false
    /// At which of them it begins, counted from 1.
    var place: Int
  }

  private struct State {
    var fault: Fault?
    var count = 0
    var hasFailed = false
  }

  private let state = Mutex(State())

  init(_ folder: URL) { FaultyFiles.observe(folder, self) }

  deinit { FaultyFiles.forget(self) }

  /// Fails from some operation on, counted from now.
  func fail(_ fault: Fault) { state.withLock { $0 = State(fault: fault) } }

  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// - Returns: whether anything has failed.
  @discardableResult
  func repair() -> Bool {
    state.withLock { state in
      defer { state = State() }
      return state.hasFailed
    }
  }

  func will(_ operation: FileOperation, _ path: String) -> FileVerdict {
    let isFlush: Bool
    switch operation {
    case .write, .create: isFlush = false
    case .sync: isFlush = true
    case .truncate, .delete: return .go
    }
    return state.withLock { state in
      guard let fault = state.fault, fault.isFlush == isFlush else { return .go }
      state.count += 1
      guard state.count >= fault.place else { return .go }
      state.hasFailed = true
      return .fail(fault.code)
    }
  }

  func did(_ operation: FileOperation, _ path: String) {}
}
#endif
