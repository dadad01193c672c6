#if Durable && !os(Windows)
import Foundation
public import GRDB

extension DurableContext {
  /// Does something once for all attempts of this job, exactly: in a transaction of the database that the store shares, so
  /// that what the body writes there and that it has happened are committed together, or not at all.
  ///
  /// ```swift
  /// try await pool.write { db in
  ///   try context.once("book", in: db) { try booking.insert(db) }
  /// }
  /// ```
  ///
  /// Later attempts get what the body returned without running it. It is that for what is written through `db`; what else
  /// the body does may happen again, as with ``once(_:_:)->_``. A body that throws leaves nothing in the transaction, which
  /// itself goes on. Where that or a savepoint around is rolled back the step has not happened, and may be done again under
  /// the same name; one that an earlier attempt has done may be asked for again there, until a transaction that has done so is
  /// committed. It is as durable as the commit is: both are there after a power cut, or neither.
  ///
  /// - Parameters:
  ///   - step: its name, one that no other step of the kind has.
  ///   - db: a connection of that database, inside a transaction.
  ///   - body: writes to `db`.
  /// - Returns: what the body returned, in this attempt or an earlier one.
  /// - Throws: ``DurableError`` where the store shares no database, this attempt no longer holds its job, or has used the
  ///   name already; ``JobStoreError`` where `db` is of another database, or in no transaction; what the body throws.
  public func once<Value: Codable>(_ step: String, in db: Database, _ body: () throws -> Value) throws -> Value {
    try attemptState.step(step, in: db) { known in
      if let known { return (try JobCoding.decode(Value.self, from: known), nil) }
      let value = try body()
      return (value, try JobCoding.encode(value))
    }
  }

  /// The same for a body that returns nothing.
  public func once(_ step: String, in db: Database, _ body: () throws -> Void) throws {
    try attemptState.step(step, in: db) { known in
      if known != nil { return ((), nil) }
      try body()
      return ((), Data())
    }
  }
}

extension RunningAttempt {
  /// - Parameter body: gets what an earlier attempt has left; returns what it came to, and what to write down of it.
  fileprivate func step<Value>(
    _ step: String, in db: Database, _ body: (Data?) throws -> (Value, Data?)
  ) throws -> Value {
    guard let store = engine.store as? SQLiteStore, store.sharesDatabase else {
      throw DurableError.sharesNoDatabase(engine.name)
    }
    let trial = try TransactionStep(step, of: self)
    var (value, isKnown): (Value?, Bool) = (nil, false)
    try store.step(step, by: key, in: db) { known in
      try trial.check(isDone: known != nil)
      isKnown = known != nil
      let (new, data) = try body(known)
      value = new
      return data
    }
    if isKnown { db.afterNextTransaction { _ in trial.useUp() } }
    return value!
  }
}
#endif
