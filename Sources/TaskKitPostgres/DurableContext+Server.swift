#if Postgres
import Foundation
public import TaskKitDurable

extension DurableContext {
  /// Does something once for all attempts of this job, exactly: in a transaction of yours on the server that the store is on,
  /// so that what the body writes there and that it has happened are committed together, or not at all.
  ///
  /// ```swift
  /// try await client.withTransaction { connection in
  ///   try await context.once("book", in: connection.jobs) { try await connection.query("INSERT INTO booking VALUES (7)") }
  /// }
  /// ```
  ///
  /// Later attempts get what the body returned without running it. It is that for what is written in the transaction; what
  /// else the body does may happen again. An attempt that no longer holds its job is refused before the body and after it, and
  /// the transaction with it: let the error end it. Where it is rolled back, to a savepoint or as a whole, the step has not
  /// happened, and may be done again under the same name; one that an earlier attempt has done may be asked for again then, until a
  /// transaction that has done so is committed. It is as durable as the commit is.
  ///
  /// It costs two statements, one before the body and one after it; the second one holds the job until the transaction ends.
  /// So commit soon afterwards, and wait for nothing there that TaskKit writes down, such as a checkpoint: that waits
  /// for the commit.
  ///
  /// - Parameters:
  ///   - step: its name, one that no other step of the kind has.
  ///   - transaction: the one in which the body writes, at any level of isolation.
  ///   - body: writes in the transaction.
  /// - Returns: what the body returned, in this attempt or an earlier one.
  /// - Throws: `DurableError` where this attempt no longer holds its job, or has used the name already; `JobStoreError` where
  ///   the job is not kept in a ``PostgresStore``; what the body throws, and what the transaction does: also where it
  ///   is one of another database, or none.
  public func once<Value: Codable>(
    _ step: String, in transaction: ServerTransaction, _ body: () async throws -> Value
  ) async throws -> Value {
    try await perform(step, in: transaction) { known in
      if let known { return (try TransactionStep.decode(Value.self, from: known), nil) }
      let value = try await body()
      return (value, try TransactionStep.encode(value))
    }
  }

  /// The same for a body that returns nothing.
  public func once(_ step: String, in transaction: ServerTransaction, _ body: () async throws -> Void) async throws {
    try await perform(step, in: transaction) { known in
      if known != nil { return ((), nil) }
      try await body()
      return ((), Data())
    }
  }

  /// - Parameter body: gets what an earlier attempt has left; returns what it came to, and what to write down of it.
  private func perform<Value>(
    _ name: String, in transaction: ServerTransaction, _ body: (Data?) async throws -> (Value, Data?)
  ) async throws -> Value {
    let step = try transactionStep(name)
    guard let store = step.store as? PostgresStore else {
      throw JobStoreError(
        .invalid, store: step.store.name,
        detail: "it is not on a PostgreSQL server, and a step in a transaction there needs that")
    }
    let statements = ServerStep(step, store)
    let found = try statements.found(try await transaction.query(statements.look))
    if case .stale = found { throw step.refusal }
    if case .result(_, let current) = found, let first = step.transaction, first != current,
      // Not over yet is one whose connection has gone, and the server has not noticed.
      !["aborted", "in progress"].contains(try await transaction.query(statements.fate(of: first)))
    {
      step.useUp()
    }
    try step.check(isDone: found.result != nil)
    if case .result(_, let current) = found { step.transaction = current }
    let (value, new) = try await body(found.result)
    if let new, case .nothing(let begun) = found {
      _ = try await transaction.query(statements.keep(new, begunIn: begun))
    }
    return value
  }
}

/// The statements of a step in a transaction of the program's. All that they say stands in their texts, as not every client
/// passes values in the same way; what comes from outside is in base64, so that it means the same whatever a server's settings.
private struct ServerStep {
  enum Found {
    /// The attempt no longer holds its job.
    case stale
    /// Nothing; and the number of the transaction that has seen so.
    case nothing(transaction: String)
    /// What an earlier attempt has left, and the same number.
    case result(Data, transaction: String)

    var result: Data? { if case .result(let data, _) = self { data } else { nil } }
  }

  private let step: TransactionStep
  private let schema: String
  private let format: Int

  init(_ step: TransactionStep, _ store: PostgresStore) {
    self.step = step
    (schema, format) = (store.schema, store.format)
  }

  private var name: String { "convert_from(decode('\(Data(step.name.utf8).base64EncodedString())', 'base64'), 'UTF8')" }
  private var attempt: String { "\(step.key.job.rawValue), \(step.key.token.rawValue), \(name)" }

  /// Looks whether the attempt holds its job, and what an earlier one has left.
  var look: String {
    """
    SELECT look || CASE WHEN look LIKE 'done %' THEN ' ' || pg_current_xact_id() ELSE '' END \
    FROM \(schema).taskkit_look(\(format), '\(step.storeIdentity.uuidString)', \(attempt)) AS look
    """
  }

  /// What has become of a transaction: aborted is also one that this server has never begun, as after another one has taken over.
  func fate(of transaction: String) -> String {
    """
    SELECT CASE WHEN '\(transaction)'::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) THEN 'aborted' \
    ELSE pg_xact_status('\(transaction)'::xid8) END
    """
  }

  /// Writes a result down.
  func keep(_ result: Data, begunIn transaction: String) -> String {
    "SELECT \(schema).taskkit_keep('\(transaction)', \(attempt), decode('\(result.base64EncodedString())', 'base64'))"
  }

  /// What ``look`` has said.
  func found(_ text: String?) throws -> Found {
    let words = (text ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch (words[0], words.count) {
    case ("stale", 1): return .stale
    case ("new", 2): return .nothing(transaction: words[1])
    case ("done", 3):
      // The server breaks it into lines.
      guard let data = Data(base64Encoded: words[1], options: .ignoreUnknownCharacters) else { break }
      return .result(data, transaction: words[2])
    default: break
    }
    throw JobStoreError(
      .invalid, store: step.store.name,
      detail: "the transaction did not give what the server said: '\(text ?? "nothing")' came back")
  }
}
#endif
