package import Foundation
import Synchronization

/// A step that an attempt does in a transaction of the program's own: what there is to know about the attempt, for the store
/// whose transaction it is.
package struct TransactionStep: Sendable {
  package let name: String
  /// Who does it.
  package let key: AttemptKey
  package let store: any JobStore
  package let storeIdentity: UUID
  private let attempt: RunningAttempt

  init(_ name: String, of attempt: RunningAttempt) throws {
    try JobText.check(name, of: "step")
    self.name = name
    self.attempt = attempt
    (key, store, storeIdentity) = (attempt.key, attempt.engine.store, attempt.storeIdentity)
  }

  /// Before its body, or what an earlier attempt has left of it.
  ///
  /// - Parameter isDone: whether the transaction sees a result of it.
  /// - Throws: ``DurableError`` where this attempt has done it itself, or has used it up.
  package func check(isDone: Bool) throws {
    let isUsed = change { step in
      // One that was tried and is not there was rolled back.
      if !isDone { step.isUsedInTransaction = true }
      return step.isUsed || isDone && step.isUsedInTransaction
    }
    if isUsed { throw DurableError.stepUsedTwice(name, by: attempt.job.kind) }
  }

  /// Where it is the step of an earlier attempt, and the transaction that has got it is committed: who asks again uses the name
  /// for another step. As long as it is not, it may be the same one, in a transaction that is tried once more.
  package func useUp() { change { $0.isUsedInTransaction = true } }

  /// The transaction in which this attempt has got what an earlier one had left, as a store on a server calls it, which is not told
  /// of its end.
  package var transaction: String? {
    get { attempt.steps.withLock { $0[name]?.transaction } }
    nonmutating set { change { $0.transaction = newValue } }
  }

  private func change<Result: Sendable>(_ change: (inout RunningAttempt.Step) -> Result) -> Result {
    attempt.steps.withLock { change(&$0[name, default: RunningAttempt.Step()]) }
  }

  /// What to throw where the attempt no longer holds its job.
  package var refusal: DurableError { .staleAttempt(key.job) }

  package static func encode(_ value: some Encodable) throws -> Data { try JobCoding.encode(value) }

  package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JobCoding.decode(type, from: data)
  }
}

extension DurableContext {
  /// Begins a step in a transaction of the program's own.
  ///
  /// - Throws: ``DurableError`` for a name that no store can keep.
  package func transactionStep(_ name: String) throws -> TransactionStep {
    try TransactionStep(name, of: attemptState)
  }
}
