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
  /// The jobs at these places of the list were not enqueued, and neither were the others: somebody makes their shelves in a
  /// transaction that goes on.
  case unshelved([Int])
  /// What the server keeps, or has said, cannot be read; the text says what.
  case unreadable(String)

  /// Whether the server says that to a session for as long as it lasts, whatever is changed meanwhile: it takes no changes, or
  /// begins transactions of another level, and both are settled when a session begins.
  static func lastsAsLongAsSession(_ code: String) -> Bool { ["25006", "TK007"].contains(code) }

  /// - Parameter rows: what `taskkit_shelve` says.
  /// - Throws: ``unshelved(_:)`` where it could not make all shelves.
  static func check(shelved rows: [PostgresRow]) throws {
    let places = try rows.first?.decoded(0, [Int].self, "which shelves are missing") ?? []
    guard places.isEmpty else { throw unshelved(places) }
  }
}
#endif
