import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct ConnectionTests {
  private func text(_ count: Int) -> PostgresValue {
    .text(String(decoding: [UInt8](repeating: UInt8(ascii: "x"), count: count), as: UTF8.self))
  }

  /// What became of statements, in a word each.
  private func words(_ outcomes: [Result<[PostgresRow], PostgresFailure>]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .success: "done"
      case .failure(.server(let code, _)): code
      case .failure(.undone): "undone"
      case .failure: "lost"
      }
    }
  }

  @Test func `statements of one transaction take one round trip`() async throws {
    let proxy = try FaultyProxy(to: TestServer.shared())
    let connection = try await PostgresConnection.open(proxy.address)
    _ = proxy.takeRoundTrips()
    for number in 0..<3 as Range<Int64> { _ = try await connection.query("SELECT $1", [.integer(number)]) }
    #expect(proxy.takeRoundTrips() == 3)
    let outcomes = try await connection.pipeline(
      (0..<50 as Range<Int64>).map { PostgresStatement("SELECT $1, pg_current_xact_id()::text", [.integer($0)]) })
    #expect(proxy.takeRoundTrips() == 1)
    let rows = try outcomes.map { try #require(try $0.get().first) }
    #expect(rows.map { $0.integer(0) } == (0..<50 as Range<Int64>).map { $0 })
    #expect(Set(rows.map { $0.text(1) }).count == 1)
    await connection.end()
    proxy.end()
  }

  @Test func `where one statement fails all are taken back, and each says what has become of it`() async throws {
    try await PostgresFixture.with { fixture in
      let connection = try await PostgresConnection.open(fixture.address)
      try await connection.run("CREATE SCHEMA \(fixture.quoted); CREATE TABLE \(fixture.quoted).t (n bigint)")
      let insert = PostgresStatement("INSERT INTO \(fixture.quoted).t VALUES (1)")
      func add(_ statements: PostgresStatement...) async throws -> [String] {
        words(try await connection.pipeline(statements))
      }
      #expect(
        try await add(insert, insert, PostgresStatement("SELECT 1 / 0"), insert) == [
          "undone", "undone", "22012", "undone",
        ])
      #expect(try await add(insert, PostgresStatement("nonsense"), insert) == ["undone", "42601", "undone"])
      // What is asked for at the commit fails there, after every statement has been done.
      try await connection.run(
        """
        CREATE TABLE \(fixture.quoted).u (n bigint UNIQUE DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO \(fixture.quoted).u VALUES (7)
        """)
      let twin = PostgresStatement("INSERT INTO \(fixture.quoted).u VALUES (7)")
      #expect(try await add(insert, twin, insert) == ["23505", "23505", "23505"])
      #expect(try await connection.query("SELECT count(*) FROM \(fixture.quoted).t").first?.integer(0) == 0)
      #expect(try await add(insert, insert) == ["done", "done"])
      #expect(try await connection.query("SELECT count(*) FROM \(fixture.quoted).t").first?.integer(0) == 2)
      await connection.end()
    }
  }

  @Test func `statements and answers that are larger than any buffer pass each other`() async throws {
    let connection = try await PostgresConnection.open(try TestServer.shared())
    let size = 4_000_000
    let outcomes = try await connection.pipeline((0..<6).map { _ in PostgresStatement("SELECT $1", [text(size)]) })
    #expect(try outcomes.map { try $0.get().first?.data(0)?.count } == Array(repeating: size, count: 6))
    await connection.end()
  }

  @Test func `a statement that is larger than the server takes is refused before anything is sent`() async throws {
    let proxy = try FaultyProxy(to: TestServer.shared())
    let connection = try await PostgresConnection.open(proxy.address, largestStatement: 1000)
    _ = proxy.takeRoundTrips()
    let statements = [
      PostgresStatement("SELECT 1"), PostgresStatement("SELECT $1", [.blobs([Data(count: 600), Data(count: 600)])]),
    ]
    let error = await #expect(throws: PostgresFailure.self) { try await connection.pipeline(statements) }
    guard case .server("54000", let text) = error else {
      Issue.record("it was not refused: \(String(describing: error))")
      return
    }
    #expect(text.contains("takes 1000 at most"))
    #expect(proxy.takeRoundTrips() == 0)
    // The connection goes on.
    let rows = try await connection.query(
      "SELECT octet_length(b)::bigint FROM unnest($1) b", [.blobs([Data(count: 600)])])
    #expect(rows.first?.integer(0) == 600)
    await connection.end()
    proxy.end()
  }

  @Test func `a value says how many bytes it has`() {
    let values: [PostgresValue] = [
      .integer(nil), .integer(7), .flag(true), .text(nil), .text("ü"), .json(nil), .json("[]"), .integers([]),
      .integers([1, nil]), .texts(["ü", nil]), .blobs([]), .blobs([Data(count: 9), nil, Data()]),
    ]
    for value in values { #expect(value.size == (value.bytes?.count ?? 0)) }
  }

  @Test func `a broken connection is told, and asked for nothing more`() async throws {
    let proxy = try FaultyProxy(to: TestServer.shared())
    let connection = try await PostgresConnection.open(proxy.address)
    proxy.breakNext(.middle)
    // What the proxy takes for a call.
    let call = PostgresStatement("SELECT 1 /* taskkit_do( */")
    await #expect(throws: PostgresFailure.self) { try await connection.pipeline([call, call]) }
    #expect(await connection.isBroken)
    do {
      _ = try await connection.query("SELECT 1")
      Issue.record("it was asked")
    } catch PostgresFailure.refused {}
    proxy.end()
  }

  @Test func `a backend that is ended says so while it is waited for`() async throws {
    let address = try TestServer.shared()
    let (first, second) = (try await PostgresConnection.open(address), try await PostgresConnection.open(address))
    let pid = try #require(try await first.query("SELECT pg_backend_pid()::bigint").first?.integer(0))
    async let waiting = first.pipeline([PostgresStatement("SELECT 1"), PostgresStatement("SELECT pg_sleep(600)")])
    while try await second.query(
      "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'", [.integer(pid)]
    ).isEmpty {}
    _ = try await second.query("SELECT pg_terminate_backend($1::integer)", [.integer(pid)])
    do {
      _ = try await waiting
      Issue.record("it has answered")
    } catch PostgresFailure.lost(let text) { #expect(text.contains("terminating connection")) }
    #expect(await first.isBroken)
    await second.end()
  }

  @Test func `each of many connections learns that its backend was ended while it was waited for`() async throws {
    let address = try TestServer.shared()
    let other = try await PostgresConnection.open(address)
    let connections = try await withThrowingTaskGroup { group in
      for _ in 0..<16 { group.addTask { try await PostgresConnection.open(address) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let name = "each of many \(UUID())"
    let waiting = connections.map { connection in
      OngoingCall { try await connection.query("SELECT pg_sleep(600) /* \(name) */") }
    }
    let isAsleep = "wait_event = 'PgSleep' AND query LIKE $1"
    try await waitUntil {
      try await other.query("SELECT 1 FROM pg_stat_activity WHERE \(isAsleep)", [.text("%\(name)%")]).count == 16
    }
    _ = try await other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(isAsleep)", [.text("%\(name)%")])
    for call in waiting { await #expect(throws: PostgresFailure.self) { try await call.value } }
    for connection in connections { #expect(await connection.isBroken) }
    // The numbers of their sockets are others' by now.
    for _ in 0..<16 {
      let next = try await PostgresConnection.open(address)
      #expect(try await next.query("SELECT 7::bigint").first?.integer(0) == 7)
      await next.end()
    }
    await other.end()
  }

  @Test func `whoever waits for a server goes on when the connection is ended`() async throws {
    let address = try TestServer.shared()
    let (first, second) = (try await PostgresConnection.open(address), try await PostgresConnection.open(address))
    let pid = try #require(try await first.query("SELECT pg_backend_pid()::bigint").first?.integer(0))
    let waiting = Task { try await first.query("SELECT pg_sleep(600)") }
    while try await second.query(
      "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'", [.integer(pid)]
    ).isEmpty {}
    await first.end()
    await #expect(throws: PostgresFailure.self) { try await waiting.value }
    _ = try await second.query("SELECT pg_terminate_backend($1::integer)", [.integer(pid)])
    await second.end()
  }

  @Test func `a server that says nothing is given up after the time of the address`() async throws {
    let server = try SilentServer()
    let start = ContinuousClock.now
    do {
      _ = try await PostgresConnection.open("host=\(server.folder.path) user=me dbname=jobs connect_timeout=1")
      Issue.record("it has answered")
    } catch PostgresFailure.refused(let text) { #expect(text == "it said nothing for 1.0 seconds") }
    #expect(ContinuousClock.now - start >= .seconds(1))
    server.end()
  }

  @Test func `behind a server that says nothing the next one of the list is found`() async throws {
    let server = try SilentServer()
    let words = try TestServer.shared().split(separator: " ")
    let host = try #require(words.first { $0.hasPrefix("host=") }).dropFirst(5)
    let rest = words.filter { !$0.hasPrefix("host=") }.joined(separator: " ")
    for hosts in ["\(server.folder.path),\(host)", "/tmp/nobody-is-here,\(server.folder.path),\(host)"] {
      let connection = try await PostgresConnection.open("host=\(hosts) \(rest) connect_timeout=1")
      #expect(try await connection.query("SELECT 7::bigint").first?.integer(0) == 7)
      await connection.end()
    }
    do {
      _ = try await PostgresConnection.open("host=\(server.folder.path),/tmp/nobody-is-here \(rest) connect_timeout=1")
      Issue.record("there is one")
    } catch PostgresFailure.refused(let text) {
      #expect(text.hasPrefix("\(server.folder.path): it said nothing for 1.0 seconds; /tmp/nobody-is-here: "))
    }
    server.end()
  }

  @Test func `behind a server that says no the next one of the list is found`() async throws {
    let words = try TestServer.shared().split(separator: " ")
    let host = try #require(words.first { $0.hasPrefix("host=") }).dropFirst(5)
    let rest = words.filter { !$0.hasPrefix("host=") }.joined(separator: " ")
    let server = try await PrivateServer.start()
    let connection = try await PostgresConnection.open(server.address)
    let other = try #require(server.address.split(separator: " ").first).dropFirst(5)
    // It exists nowhere else.
    try await connection.run("CREATE DATABASE fenced")
    await connection.end()
    let open = rest.split(separator: " ").filter { !$0.hasPrefix("dbname=") }.joined(separator: " ")
    let found = try await PostgresConnection.open("host=\(host),\(other) \(open) dbname=fenced")
    #expect(try await found.query("SELECT 7::bigint").first?.integer(0) == 7)
    await found.end()
    // Where none lets it in, it is told what the first one said; where one could not be asked, that may change.
    for (hosts, isNo) in [("\(host),\(other)", true), ("\(host),/tmp/nobody-is-here", false)] {
      do {
        _ = try await PostgresConnection.open("host=\(hosts) \(open) dbname=nowhere")
        Issue.record("there is one")
      } catch PostgresFailure.server(_, let message) {
        #expect(isNo)
        #expect(message.contains("database \"nowhere\" does not exist"))
      } catch PostgresFailure.refused(let text) {
        #expect(!isNo)
        #expect(text.contains("database \"nowhere\" does not exist"))
        #expect(text.contains("; /tmp/nobody-is-here: "))
      }
    }
  }

  @Test func `behind a server that says nothing the next one of a list that the environment names is found`()
    async throws
  {
    let server = try SilentServer()
    let words = try TestServer.shared().split(separator: " ")
    let host = try #require(words.first { $0.hasPrefix("host=") }).dropFirst(5)
    let rest = words.filter { !$0.hasPrefix("host=") }.joined(separator: " ")
    let address = try PostgresAddress(
      rest, environment: ["host": "\(server.folder.path),\(host)", "port": "5432", "connect_timeout": "1"])
    let connection = try await PostgresConnection.open(address)
    #expect(try await connection.query("SELECT 7::bigint").first?.integer(0) == 7)
    await connection.end()
    server.end()
  }

  @Test func `each address of a host is tried, whatever becomes of the ones before it`() async throws {
    let port = SilentPort()
    let address = try PostgresAddress(
      "host=db.example.org port=\(port.number) user=me dbname=jobs connect_timeout=1", environment: [:],
      lookUp: { $0 == "db.example.org" ? ["127.0.0.1", "127.0.0.2"] : [] })
    do {
      _ = try await PostgresConnection.open(address)
      Issue.record("somebody has answered")
    } catch PostgresFailure.refused(let text) {
      #expect(
        text.hasPrefix("db.example.org (127.0.0.1): it said nothing for 1.0 seconds; db.example.org (127.0.0.2): "))
    }
    port.end()
  }

  @Test func `the system is asked for the addresses of a host, and a path is none`() throws {
    #expect(PostgresAddress.addresses(of: "127.0.0.1") == ["127.0.0.1"])
    let address = try PostgresAddress(
      "host=/tmp,@jobs,one,two", environment: [:], lookUp: { host in ["\(host)/1", "\(host)/2"] })
    #expect(
      address.targets.flatMap { address.parts(of: $0) }.map(\.name) == [
        "/tmp", "@jobs", "one (one/1)", "one (one/2)", "two (two/1)", "two (two/2)",
      ])
  }

  @Test(arguments: ["2147484", "10000000000000000"])
  func `a time that is too long for the system is as long as it can be`(seconds: String) async throws {
    // Nobody is there by then.
    let port = SilentPort()
    port.end()
    do {
      _ = try await PostgresConnection.open(
        "host=127.0.0.1 port=\(port.number) user=me dbname=jobs connect_timeout=\(seconds)")
      Issue.record("somebody has answered")
    } catch PostgresFailure.refused(let text) { #expect(!text.contains("tcp_user_timeout")) }
  }

  @Test(arguments: [
    "postgresql://me:secret@[::1/jobs", "host=x password=my secret", "postgresql://me:secret@host/jobs?nonsense=1",
  ])
  func `an address that means nothing is refused, and not repeated`(address: String) async throws {
    let store = PostgresStore(at: address)
    let error = await #expect(throws: JobStoreError.self) { try await store.open(StoreEnvironment(owner: "test")) }
    #expect(error?.reason == .invalid)
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("postgresql://user@host/database") == true)
  }

  /// Why a server lets nobody in, in the order of what is asked for.
  private static let refusals: [(address: String, reason: JobStoreError.Reason, text: String)] = [
    ("user=locked password=wrong dbname=postgres", .invalid, "password authentication failed"),
    ("user=locked dbname=postgres passfile=/dev/null", .invalid, "no password supplied"),
    ("user=nobody dbname=postgres", .invalid, "role \"nobody\" does not exist"),
    ("user=taskkit dbname=nowhere", .missing, "database \"nowhere\" does not exist"),
    ("user=guest dbname=private", .invalid, "permission denied for database \"private\""),
    ("user=guest dbname=shut", .invalid, "database \"shut\" is not currently accepting connections"),
    (
      "user=guest dbname=postgres options='-c nonsense=1'", .invalid,
      "unrecognized configuration parameter \"nonsense\""
    ),
  ]

  @Test func `whom a server does not let in is told why, and not that it cannot be reached`() async throws {
    let server = try await PrivateServer.start()
    let connection = try await PostgresConnection.open(server.address)
    let file = try #require(try await connection.query("SHOW hba_file").first?.text(0))
    try await connection.run(
      """
      CREATE ROLE locked LOGIN PASSWORD 'right';
      COPY (VALUES ('local all locked scram-sha-256'), ('local all all trust')) TO '\(file)';
      CREATE ROLE guest LOGIN;
      SELECT pg_reload_conf()
      """)
    for statement in [
      "CREATE DATABASE private", "REVOKE CONNECT ON DATABASE private FROM PUBLIC",
      "CREATE DATABASE shut ALLOW_CONNECTIONS false",
    ] { try await connection.run(statement) }
    await connection.end()
    let host = try #require(server.address.split(separator: " ").first)
    // The server reads the file when it gets round to it.
    while let open = try? await PostgresConnection.open("\(host) user=locked dbname=postgres passfile=/dev/null") {
      await open.end()
    }
    for refusal in Self.refusals {
      let store = PostgresStore(at: "\(host) \(refusal.address)")
      let error = await #expect(throws: JobStoreError.self) { try await store.open(StoreEnvironment(owner: "test")) }
      #expect(error?.reason == refusal.reason)
      #expect(error?.detail.contains(refusal.text) == true)
      #expect(error?.detail.contains("LOCATION") == false)
    }
    try await PostgresConnection.open("\(host) user=locked password=right dbname=postgres").end()
    // One that is not there is another matter.
    try await server.stop()
    let store = PostgresStore(at: server.address)
    let error = await #expect(throws: JobStoreError.self) { try await store.open(StoreEnvironment(owner: "test")) }
    #expect(error?.reason == .unreachable)
    try await server.start()
  }

  @Test func `a list that is damaged is told with whose it is`() throws {
    let row = PostgresRow([Data("[\"a\", \"b\"]".utf8), nil, Data("[\"a\", ".utf8), Data("{}".utf8)])
    #expect(try row.strings(0, "the tags of job 7") == ["a", "b"])
    #expect(try row.strings(1, "the tags of job 7") == [])
    for column in 2...3 {
      do {
        _ = try row.strings(column, "the tags of job 7")
        Issue.record("it was read")
      } catch PostgresFailure.unreadable(let text) { #expect(text.hasPrefix("the tags of job 7 cannot be read: '")) }
    }
  }

  /// Tables in which no row is about one job, with a value that each row has.
  enum Table: String, CaseIterable {
    case schedule = "begun"
    case pause = "since"
    case rate = "period"
  }

  @Test(arguments: Table.allCases)
  func `a row about no job that lacks a value is told with its table, and with what to do about it`(
    table: Table
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let date = Date(timeIntervalSince1970: 0)
      _ = try await store.schedule("nightly", beginning: date)
      try await store.setPaused(true, .kind("Upload"), by: "Ann")
      try await store.setRate(RateLimit(1, per: .seconds(60)), ofQueue: "default")
      let name = "\(fixture.quoted).taskkit_\(table)"
      // As a hand at the database may do.
      try await fixture.query("ALTER TABLE \(name) ALTER COLUMN \(table.rawValue) DROP NOT NULL")
      try await fixture.query("UPDATE \(name) SET \(table.rawValue) = NULL")
      let calls: [@Sendable () async throws -> Void] =
        switch table {
        case .schedule:
          [{ _ = try await store.schedule("nightly") }, { _ = try await store.schedule("nightly", beginning: date) }]
        case .pause: [{ _ = try await store.pauses() }]
        case .rate: [{ _ = try await store.rates() }]
        }
      for call in calls {
        let error = await #expect(throws: JobStoreError.self) { try await call() }
        #expect(error?.reason == .corrupt)
        #expect(error?.detail.hasPrefix("row '") == true)
        #expect(error?.detail.contains("' of taskkit_\(table) cannot be read: a value is missing; ") == true)
      }
      await store.close()
    }
  }

  @Test func `a state that means nothing is told with whose it is`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let id = try await store.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))])[0].id
      try await fixture.query("UPDATE \(fixture.quoted).taskkit_state SET state = 9")
      let error = await #expect(throws: JobStoreError.self) { try await store.jobs(.all, after: nil, limit: 9) }
      #expect(error?.reason == .corrupt)
      #expect(error?.detail == "the state of job \(id) cannot be read: 9")
      #expect(await #expect(throws: JobStoreError.self) { try await store.counts() }?.reason == .corrupt)
      await store.close()
    }
  }

  @Test func `texts are sent as UTF-8, whatever the environment says of letters`() async throws {
    let connection = try await PostgresConnection.open(try TestServer.shared() + " client_encoding=LATIN1")
    let rows = try await connection.query("SELECT $1, octet_length($1)::bigint", [.text("Grüße, 世界")])
    #expect(rows.first?.text(0) == "Grüße, 世界")
    #expect(rows.first?.integer(1) == 15)
    await connection.end()
  }
}
