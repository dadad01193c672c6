#if Postgres
import CPostgres
import Foundation

/// Where a server is, and how it is connected to.
struct PostgresAddress: Sendable {
  /// One of the servers of a list or of the addresses of one, or whatever the address names.
  struct Target: Sendable {
    /// What it is called in errors; nil where there is only one.
    fileprivate(set) var name: String?
    fileprivate var parameters: [(name: String, value: String)] = []
    /// How long it may say nothing before it is given up; nil for any time.
    fileprivate(set) var patience: Duration?
    /// The host that has to be looked up; nil where that has been done, or the library does it.
    fileprivate var host: String?
  }

  /// What is said of an address that means nothing, without a part of it.
  static let mistake = """
    the address is neither a URL such as 'postgresql://user@host/database' nor a list such as \
    'host=db.example.org dbname=app'
    """

  private let text: String
  private let defaults: [(name: String, value: String)]
  private let lookUp: @Sendable (String) -> [String]
  /// What is tried, one after the other.
  let targets: [Target]

  /// - Parameters:
  ///   - environment: what holds where the address says nothing, by the names of an address.
  ///   - lookUp: gives the addresses of a host, none where it has none. It may hold the thread.
  /// - Throws: ``PostgresFailure/server(code:message:)`` for an address that means nothing. What the library says about one
  ///   is not told: it repeats parts of it, and there may be a password among those.
  init(
    _ text: String, environment: [String: String] = Self.environment,
    lookUp: @escaping @Sendable (String) -> [String] = { Self.addresses(of: $0) }
  ) throws {
    guard let options = Self.options(of: text) else {
      throw PostgresFailure.server(
        code: "TK002", message: Self.mistake)
    }
    self.text = text
    self.lookUp = lookUp
    let time = options["connect_timeout"] ?? environment["connect_timeout"]
    // No longer than a number of the library has room for in milliseconds.
    let seconds = min(time.map { Int($0) ?? 0 } ?? 10, 2_000_000)
    let patience = seconds > 0 ? Duration.seconds(seconds) : nil
    // What a service of the address says goes before the environment, and only the library reads it.
    targets =
      options["service"] == nil
      ? Self.targets(environment.merging(options) { $1 }, patience: patience) : [Target(patience: patience)]
    // By itself the system takes hours to notice that the other side is gone, and its lease is gone in half a minute.
    let silence = seconds > 0 ? seconds : 10
    defaults = [
      ("keepalives_idle", "5"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "\(silence * 1000)"), ("fallback_application_name", "taskkit"),
    ]
  }

  /// The library goes on to the next server of a list only where one says no, not where one says nothing. So each is tried by
  /// itself, but where it is the library that chooses among them, or that says what is wrong with the list.
  private static func targets(_ options: [String: String], patience: Duration?) -> [Target] {
    func list(_ text: String?) -> [String] {
      text.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    }
    let (hosts, addresses, ports) = (list(options["host"]), list(options["hostaddr"]), list(options["port"]))
    let count = max(hosts.count, addresses.count)
    guard count > 0, !(hosts + addresses).contains(""),
      [hosts, addresses].allSatisfy({ [0, count].contains($0.count) }),
      [0, 1, count].contains(ports.count), options["load_balance_hosts"] ?? "disable" == "disable",
      options["target_session_attrs"] != "prefer-standby"
    else { return [Target(patience: patience.map { $0 * max(count, 1) })] }
    return (0..<count).map { place in
      var target = Target(patience: patience)
      target.host = addresses.isEmpty ? hosts[place] : nil
      if !addresses.isEmpty { target.parameters.append(("hostaddr", addresses[place])) }
      if !hosts.isEmpty { target.parameters.append(("host", hosts[place])) }
      if count > 1 { target.name = target.parameters.last?.value }
      let port = ports.count == count ? ports[place] : ports.first ?? ""
      // What the library takes for one that is left out.
      target.parameters.append(("port", port.isEmpty ? "5432" : port))
      return target
    }
  }

  /// The same for each address of its host, where it has several: among those, too, the library goes on only where one says no.
  /// This may hold the thread.
  func parts(of target: Target) -> [Target] {
    // A path is no name of a host.
    guard let host = target.host, !host.hasPrefix("/"), !host.hasPrefix("@") else { return [target] }
    let addresses = lookUp(host)
    // What is wrong with a name that has none the library says.
    guard addresses.count > 1 else { return [target] }
    return addresses.map { address in
      var part = target
      part.host = nil
      part.name = "\(host) (\(address))"
      // Beside the name, which a certificate is for.
      part.parameters.append(("hostaddr", address))
      return part
    }
  }

  /// The addresses of a host, in the order in which the system has them tried.
  static func addresses(of host: String) -> [String] {
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, nil, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next?.pointee {
      let address = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text -> String? in
        let outcome = getnameinfo(
          entry.ai_addr, entry.ai_addrlen, text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        return outcome == 0 ? String(cString: text.baseAddress!) : nil
      }
      // The system names each once for each sort of socket.
      if let address, !addresses.contains(address) { addresses.append(address) }
      next = entry.ai_next
    }
    return addresses
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
    return values(of: options)
  }

  /// What the environment says, and a service file that it names, by the names of an address; and what the library takes where
  /// nobody says anything. This may hold the thread.
  static var environment: [String: String] {
    guard let options = PQconndefaults() else { return [:] }
    return values(of: options)
  }

  private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
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
