#if Durable
import Faults
import Synchronization
import TaskKitDurable

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

extension SQLiteFixture {
  /// How many bytes of the file something reads, in a store that has just been opened.
  ///
  /// - Parameter earlier: what is done before that, and not counted.
  func bytesRead(
    after earlier: (any JobStore) async throws -> Void = { _ in }, by body: (any JobStore) async throws -> Void
  ) async throws -> Int {
    let reads = Reads()
    FaultyFiles.observe(folder, reads)
    defer { FaultyFiles.forget(reads) }
    let store = makeStore()
    _ = try await store.open(StoreEnvironment(owner: "after"))
    try await earlier(store)
    let opened = reads.count
    try await body(store)
    let count = reads.count - opened
    await store.close()
    return count
  }
}
#endif
