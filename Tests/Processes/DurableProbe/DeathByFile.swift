#if Durable && !os(Windows)
import Faults
import Synchronization

/// Kills the process before one of its operations on files, or in the middle of one of its writes.
final class DeathByFile: FileObserver {
  private let place: Int
  private let isInWrites: Bool
  private let count = Atomic(0)
  private let isHalfDone = Atomic(false)

  init(at place: Int, inWrites: Bool) {
    self.place = place
    isInWrites = inWrites
  }

  func will(_ operation: FileOperation, _ path: String) -> FileVerdict {
    guard isInWrites else {
      if count.add(1, ordering: .relaxed).newValue == place { die() }
      return .go
    }
    guard case .write(_, let bytes) = operation, count.add(1, ordering: .relaxed).newValue == place else { return .go }
    isHalfDone.store(true, ordering: .relaxed)
    return .part(bytes.count / 2)
  }

  func did(_ operation: FileOperation, _ path: String) {
    if isHalfDone.load(ordering: .relaxed) { die() }
  }
}
#endif
