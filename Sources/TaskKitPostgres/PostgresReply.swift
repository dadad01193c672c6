#if Postgres
/// What the statements of a transaction have said, one after the other.
struct PostgresReply {
  let parts: [[PostgresRow]]
  /// Where it was found when the connection had broken; nil where the server itself has said it.
  var source: String?

  /// Reads some of it, and says with what cannot be read where that is.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch PostgresFailure.unreadable(let text) {
      throw PostgresFailure.unreadable(source.map { "\($0): \(text)" } ?? text)
    }
  }
}
#endif
