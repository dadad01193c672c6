package import Foundation
import Synchronization
package import TaskKit

extension TaskCenter {
  /// What a batch writes down and where, for a store that does so in a transaction of the program's own; nil for an empty
  /// batch.
  ///
  /// - Throws: ``JobStoreError`` where the store has not been opened; what the encoding of a value throws.
  package func newJobs(
    of batch: JobBatch
  ) throws -> (jobs: [NewJob], store: any JobStore, identity: UUID)? {
    guard let (engine, jobs) = try prepare(batch) else { return nil }
    try engine.requireOpen()
    guard let identity = engine.identity.withLock({ $0 }) else { return nil }
    engine.noteRetention(of: jobs)
    return (jobs, engine.store, identity)
  }
}

extension JobEngine {
  /// A transaction of the program's cannot wait for the opening.
  func requireOpen() throws {
    guard inspect({ $0.opening == .done }) else {
      throw JobStoreError(
        .closed, store: store.name, detail: "it is not open yet; await 'center.jobs.open()' before the transaction")
    }
  }
}
