#if Postgres
/// A transaction of yours on the server that a ``PostgresStore`` is on, by whatever client: all that TaskKit asks of it is to do
/// a statement.
///
/// ```swift
/// extension Connection {
///   var jobs: ServerTransaction { ServerTransaction { sql in try await query(sql).first?.first } }
/// }
/// ```
public struct ServerTransaction {
  let query: (_ sql: String) async throws -> String?

  /// - Parameter query: does a statement that gets nothing and gives one row of one text, in the transaction, and returns that
  ///   text. What it throws is thrown on: the transaction has failed.
  public init(_ query: @escaping (_ sql: String) async throws -> String?) { self.query = query }
}
#endif
