#if Durable
import Faults
import Synchronization

/// Counts what is read from a file. SQLite reads each page once.
final class Reads: FileObserver {
  private let bytes = Atomic(0)

  var count: Int { bytes.load(ordering: .sequentiallyConsistent) }

  func will(_ operation: FileOperation, _ path: String) -> FileVerdict { .go }
  func did(_ operation: FileOperation, _ path: String) {}

  func didRead(_ count: Int, _ path: String) {
    if path.hasSuffix(".sqlite") { bytes.wrappingAdd(count, ordering: .sequentiallyConsistent) }
  }
}
#endif
