#if Postgres
import CPostgres
import Foundation

/// Where a server is, and how it is connected to.
struct PostgresAddress: Sendable {
  /// One of the servers of a list, or whatever the address names.
  struct Target: Sendable {
    /// What it is called in errors; nil where there is only one.
    fileprivate(set) var name: String?
    fileprivate var parameters: [(name: String, value: String)] = []
    /// How long it may say nothing before it is given up; nil for any time.
    fileprivate(set) var patience: Duration?
  }

  /// What is said of an address that means nothing, without a part of it.
  static let mistake = """
    the address is neither a URL such as 'postgresql://user@host/database' nor a list such as \
    'host=db.example.org dbname=app'
    """

  private let text: String
  private let defaults: [(name: String, value: String)]
  /// What is tried, one after the other.
  let targets: [Target]

  /// - Throws: ``PostgresFailure/server(code:message:)`` for an address that means nothing. What the library says about one
  ///   is not told: it repeats parts of it, and there may be a password among those.
  init(_ text: String) throws {
    guard let options = Self.options(of: text) else {
      throw PostgresFailure.server(
        code: "TK002", message: Self.mistake)
    }
    self.text = text
    let environment = ProcessInfo.processInfo.environment
    let seconds = (options["connect_timeout"] ?? environment["PGCONNECT_TIMEOUT"]).map { Int($0) ?? 0 } ?? 10
    targets = Self.targets(options, port: environment["PGPORT"], patience: seconds > 0 ? .seconds(seconds) : nil)
    // By itself the system takes hours to notice that the other side is gone, and its lease is gone in half a minute.
    let silence = seconds > 0 ? seconds : 10
    defaults = [
      ("keepalives_idle", "5"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "\(silence * 1000)"), ("fallback_application_name", "taskkit"),
    ]
  }

  /// The library goes on to the next server of a list only where one says no, not where one says nothing. So each is tried by
  /// itself, but where it is the library that chooses among them, or that says what is wrong with the list.
  private static func targets(_ options: [String: String], port: String?, patience: Duration?) -> [Target] {
    func list(_ text: String?) -> [String] {
      text.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    }
    let (hosts, addresses, ports) = (list(options["host"]), list(options["hostaddr"]), list(options["port"] ?? port))
    let count = max(hosts.count, addresses.count, 1)
    guard count > 1, !(hosts + addresses).contains(""),
      [hosts, addresses].allSatisfy({ [0, count].contains($0.count) }),
      [0, 1, count].contains(ports.count), options["load_balance_hosts"] ?? "disable" == "disable",
      options["target_session_attrs"] != "prefer-standby"
    else { return [Target(patience: patience.map { $0 * count })] }
    return (0..<count).map { place in
      var target = Target(patience: patience)
      if !addresses.isEmpty { target.parameters.append(("hostaddr", addresses[place])) }
      if !hosts.isEmpty { target.parameters.append(("host", hosts[place])) }
      target.name = target.parameters.last?.value
      let port = ports.count == count ? ports[place] : ports.first ?? ""
      // What the library takes for one that is left out.
      target.parameters.append(("port", port.isEmpty ? "5432" : port))
      return target
    }
  }

  /// Begins to connect.
  func begin(_ target: Target) -> OpaquePointer? {
    // What comes later counts, and only what is sent here must not be said otherwise: the texts of jobs.
    let parameters = defaults + [("dbname", text), ("client_encoding", "UTF8")] + target.parameters
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
