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
    let identity = try engine.openIdentity()
    engine.noteRetention(of: jobs)
    return (jobs, engine.store, identity)
  }
}

extension JobEngine {
  /// The store's identity. A transaction of the program's cannot wait for the opening: ``JobStoreError`` before that.
  @discardableResult
  func openIdentity() throws -> UUID {
    guard let identity = inspect(\.identity) else {
      throw JobStoreError(
        .closed, store: store.name, detail: "it is not open yet; await 'center.jobs.open()' before the transaction")
    }
    return identity
  }
}
