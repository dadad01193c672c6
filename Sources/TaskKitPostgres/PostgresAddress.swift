#if Postgres
import CPostgres
import Foundation

/// Where a server is, and how it is connected to.
struct PostgresAddress: Sendable {
  private let text: String
  private let defaults: [(name: String, value: String)]
  /// How long a server may say nothing before it is given up; nil for any time.
  let patience: Duration?

  /// - Throws: ``PostgresFailure/server(code:message:)`` for an address that means nothing. What the library says about one
  ///   is not told: it repeats parts of it, and there may be a password among those.
  init(_ text: String) throws {
    guard let options = Self.options(of: text) else {
      throw PostgresFailure.server(
        code: "TK002",
        message: """
          the address is neither a URL such as 'postgresql://user@host/database' nor a list such as \
          'host=db.example.org dbname=app'
          """)
    }
    self.text = text
    let given = options["connect_timeout"] ?? ProcessInfo.processInfo.environment["PGCONNECT_TIMEOUT"]
    let seconds = given.map { Int($0) ?? 0 } ?? 10
    patience = seconds > 0 ? .seconds(seconds) * max(1, options["host"]?.split(separator: ",").count ?? 1) : nil
    // By itself the system takes hours to notice that the other side is gone, and its lease is gone in half a minute.
    let silence = seconds > 0 ? seconds : 10
    defaults = [
      ("keepalives_idle", "5"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "\(silence * 1000)"), ("fallback_application_name", "taskkit"),
    ]
  }

  /// Begins to connect.
  func begin() -> OpaquePointer? {
    // What comes later counts, and only what is sent here must not be said otherwise: the texts of jobs.
    let parameters = defaults + [("dbname", text), ("client_encoding", "UTF8")]
    let names = parameters.map { strdup($0.name) }
    let values = parameters.map { strdup($0.value) }
    defer { for text in names + values { free(text) } }
    return PQconnectStartParams(names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
  }

  /// What an address says, by its names; nil for one that means nothing.
  static func options(of address: String) -> [String: String]? {
    guard let options = PQconninfoParse(address, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return values
  }
}
#endif
