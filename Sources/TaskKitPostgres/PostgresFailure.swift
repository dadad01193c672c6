#if Postgres
/// Why a statement gave nothing.
package enum PostgresFailure: Error {
  /// The server said so; nothing of the statement's transaction has happened.
  case server(code: String, message: String)
  /// Another statement of the same transaction failed: nothing of this one has happened.
  case undone
  /// Nobody knows what has become of the statement.
  case lost(String)
  /// There is no connection, and nothing was sent.
  case refused(String)
  /// What the server keeps, or has said, cannot be read; the text says what.
  case unreadable(String)
}
#endif
