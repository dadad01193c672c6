import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct PostgresStoreTests {
  private let environment = StoreEnvironment(owner: "test")
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))
  private let claim = JobExchange.Claim(
    queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)], satisfied: ["network"])

  @Test func `a server that is not there is told by name, without the password`() async throws {
    let store = PostgresStore(at: "postgresql://me:secret@localhost:1/jobs")
    let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
    #expect(error?.reason == .unreachable)
    #expect(error?.store == "postgresql://localhost:1/jobs")
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `a database that takes no changes is told`() async throws {
    try await PostgresFixture.with { fixture in
      let address = fixture.address + " options='-c default_transaction_read_only=on'"
      let store = PostgresStore(at: address, schema: fixture.schema)
      let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
      #expect(error?.reason == .readOnly)
      #expect(error?.isTransient == true)
    }
  }

  @Test(arguments: [
    ("default_transaction_read_only = on", JobStoreError.Reason.readOnly),
    ("default_transaction_isolation = 'repeatable read'", .invalid),
  ])
  func `what is refused because of the settings of a session is done when they have been changed, by the same store`(
    setting: String, reason: JobStoreError.Reason
  ) async throws {
    try await PostgresFixture.with { fixture in
      let role = "bound_\(UUID().uuidString.prefix(8).lowercased())"
      try await fixture.query("CREATE ROLE \(role) LOGIN")
      try await fixture.query("CREATE SCHEMA \(fixture.quoted) AUTHORIZATION \(role)")
      let address = fixture.address.replacingOccurrences(of: "user=taskkit", with: "user=\(role)")
      let store = PostgresStore(at: address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      let id = try await store.enqueue([new])[0].id
      /// Writes by a connection for reading, as is done to tell others.
      func write() async throws { _ = try await store.query("DELETE FROM \(fixture.quoted).taskkit_pause") }
      try await write()
      try await fixture.query("ALTER ROLE \(role) SET \(setting)")
      try await fixture.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [.text(role)])
      for _ in 0..<2 {
        let error = await #expect(throws: JobStoreError.self) {
          try await store.exchange(JobExchange(claims: [claim]))
        }
        #expect(error?.reason == reason)
      }
      if reason == .readOnly {
        let error = await #expect(throws: JobStoreError.self) { try await write() }
        #expect(error?.reason == reason)
      }
      try await fixture.query("ALTER ROLE \(role) RESET ALL")
      #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == [id])
      try await write()
      await store.close()
      await fixture.remove()
      try await fixture.query("DROP ROLE \(role)")
    }
  }

  @Test func `others are told of new jobs, once for many of them`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      let identity = try await store.open(environment).identity
      let owner = try #require(await store.owner)
      let listener = try await PostgresConnection.open(fixture.address)
      try await listener.run("LISTEN \"taskkit_\(identity.uuidString.lowercased())\"")
      // As long as nobody else is there, nobody is told.
      _ = try await store.enqueue([new])
      let other = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await other.open(environment)
      let start = ContinuousClock.now
      var mail = new
      mail.queue = "mail: a"
      for _ in 0..<50 { _ = try await store.enqueue([new, mail]) }
      var news: [String] = []
      while Set(news).count < 2 { news += try await listener.notifications(within: .seconds(10)) }
      #expect(Set(news) == ["\(owner):default", "\(owner):mail: a"])
      // No more than one of each in 50 ms, both at once.
      #expect(news.count <= 2 * (Int((ContinuousClock.now - start) / .milliseconds(50)) + 1))
      for (call, text) in [("taskkit_wake()", "0:"), ("taskkit_wake('x')", "0:x")] {
        try await fixture.query("SELECT \(fixture.quoted).\(call)")
        while try await !listener.notifications(within: .seconds(10)).contains(text) {}
      }
      await listener.end()
      await other.close()
      await store.close()
    }
  }

  @Test func `a schema of a later format is refused`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      await store.close()
      try await fixture.query("UPDATE \(fixture.quoted).taskkit_format SET version = 99")
      let next = PostgresStore(at: fixture.address, schema: fixture.schema)
      let error = await #expect(throws: JobStoreError.self) { try await next.open(environment) }
      #expect(error?.reason == .newer(version: 99, known: PostgresSchema.version))
    }
  }

  @Test func `the name of a schema that the server would cut off is refused`() async throws {
    // 32 letters of two bytes.
    let name = String(repeating: "ü", count: 32)
    let store = PostgresStore(at: try TestServer.shared(), schema: name)
    let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
    #expect(error?.reason == .invalid)
    #expect(error?.detail.contains("63 bytes") == true)
    let fixture = try PostgresFixture()
    #expect(try await fixture.query("SELECT FROM pg_namespace WHERE nspname LIKE 'ü%'").isEmpty)
  }

  @Test(arguments: [("", "the name of a schema is empty"), ("jobs\0", "the schema \"jobs\\0\" has the character NUL")])
  func `a schema whose name no server keeps is refused by that, before it is asked`(
    name: String, words: String
  ) async throws {
    let store = PostgresStore(at: "postgresql://host/database", schema: name)
    let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
    #expect(error?.reason == .invalid)
    #expect(error?.detail.hasPrefix(words) == true)
  }

  @Test func `the name of a schema means that one, whatever is in it`() async throws {
    let fixture = try PostgresFixture()
    // A quote with an accent is one character to Swift, and two to the server.
    let name = "\(fixture.schema)\"\u{301}@format@"
    let store = PostgresStore(at: fixture.address, schema: name)
    _ = try await store.open(environment)
    #expect(try await store.enqueue([new]).count == 1)
    await store.close()
    #expect(try await !fixture.query("SELECT FROM pg_namespace WHERE nspname = $1", [.text(name)]).isEmpty)
    try await fixture.query("DROP SCHEMA \"\(fixture.schema)\"\"\u{301}@format@\" CASCADE")
  }

  @Test func `options that make no sense are refused by name, with what would, all of them at once`() async throws {
    let store = PostgresStore(
      at: "postgresql://host/database", lease: .milliseconds(999), connections: 0, pollInterval: .zero,
      patience: .seconds(-1))
    let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
    #expect(error?.reason == .invalid)
    #expect(
      error?.description == """
        'lease' is 0.999 seconds; it has to be a second at least; 'connections' is 0; it has to be 1 at least; \
        'pollInterval' is 0.0 seconds; it has to be ten milliseconds at least; 'patience' is -1.0 seconds; it has to be no \
        time at least (postgresql://host/database)
        """)
  }

  @Test func `a lease that reaches further than the server can count is refused by name`() async throws {
    let store = PostgresStore(at: "postgresql://host/database", lease: .seconds(10_000_000_000_000))
    let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
    #expect(error?.reason == .invalid)
    #expect(error?.detail == "'lease' is 10000000000000.0 seconds; it has to be a hundred years at most")
  }

  @Test func `a center refuses options of its stores that make no sense, of all of them at once`() {
    let error = #expect(throws: DurableError.self) {
      try TaskCenter(stores: [
        .postgres(at: "postgresql://host/one", name: "one", connections: 0, patience: .seconds(-1)),
        .postgres(at: "postgresql://host/two", name: "two", lease: .zero), .memory("two"),
      ])
    }
    #expect(error?.code == .storeNamedTwice)
    for words in [
      "store 'one': 'connections' is 0; it has to be 1 at least; 'patience'", "store 'two': 'lease'", "two stores",
    ] {
      #expect(error?.description.contains(words) == true, "\(words)")
    }
  }

  @Test func `the store of a center has the options that are given with its address`() async throws {
    try await PostgresFixture.with { fixture in
      let center = try TaskCenter(stores: [
        .postgres(at: fixture.address, name: "server", schema: fixture.schema, lease: .seconds(9))
      ])
      try await center.jobs(in: "server").open()
      let owners = try await fixture.query("SELECT lease FROM \(fixture.quoted).taskkit_owner")
      #expect(owners.map { $0.integer(0) } == [9_000_000])
      await center.terminate()
    }
  }

  @Test func `many that open an empty schema at once share one store`() async throws {
    try await PostgresFixture.with { fixture in
      let environment = environment
      let identities = try await withThrowingTaskGroup(of: UUID.self) { group in
        for _ in 0..<6 {
          group.addTask {
            let store = PostgresStore(at: fixture.address, schema: fixture.schema)
            let opening = try await store.open(environment)
            await store.close()
            return opening.identity
          }
        }
        return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
      }
      #expect(identities.count == 1)
    }
  }

  @Test func `an owner whose lease has passed loses its jobs, is told, and goes on`() async throws {
    try await PostgresFixture.with { fixture in
      let (left, right) = (
        PostgresStore(at: fixture.address, schema: fixture.schema),
        PostgresStore(at: fixture.address, schema: fixture.schema)
      )
      _ = try await left.open(environment)
      _ = try await right.open(environment)
      _ = try await left.enqueue([new])
      let first = try #require(try await left.exchange(JobExchange(claims: [claim])).claimed.first)
      try await fixture.expireLease(of: try #require(await left.owner))
      let answer = try await right.exchange(JobExchange(claims: [claim]))
      #expect(answer.rescued == [RescuedJob(id: first.id, kind: "Upload", state: .ready)])
      let second = try #require(answer.claimed.first)
      #expect(second.attempt == 2)
      #expect(second.token > first.token)
      let late = try await left.exchange(
        JobExchange(ends: [(AttemptKey(job: first.id, token: first.token), .succeeded(result: nil))]))
      #expect(late.ends == [false])
      #expect(late.toCancel.isEmpty || late.toCancel == [first.token])
      _ = try await right.exchange(
        JobExchange(ends: [(AttemptKey(job: second.id, token: second.token), .failed(.error, "", retryAfter: .zero))]))
      let third = try #require(try await left.exchange(JobExchange(claims: [claim])).claimed.first)
      // The late end of one attempt beside that of a later one.
      let both = [first, third].map {
        (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil))
      }
      #expect(try await left.exchange(JobExchange(ends: both)).ends == [false, true])
      await left.close()
      await right.close()
    }
  }

  @Test func `an attempt that was cancelled is none of its owner's any more, whoever did that`() async throws {
    try await PostgresFixture.with { fixture in
      let (store, other) = (
        PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600)),
        PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      )
      _ = try await store.open(environment)
      _ = try await other.open(environment)
      var keyed = new
      keyed.unique = UniqueKey("key", .replace)
      _ = try await store.enqueue([new, new, keyed, new])
      let held = try await store.exchange(JobExchange(claims: [claim])).claimed
      #expect(await store.held == 4)
      #expect(try await store.change(JobSelection(ids: [held[0].id]), .cancel).cancelled == [held[0].token])
      #expect(await store.held == 3)
      #expect(try await other.change(JobSelection(ids: [held[1].id]), .delete).count == 1)
      #expect(try await store.exchange(JobExchange()).toCancel == [held[1].token])
      #expect(await store.held == 2)
      #expect(try await store.enqueue([keyed])[0].cancelled == [held[2].token])
      #expect(await store.held == 1)
      _ = try await store.exchange(
        JobExchange(ends: [(AttemptKey(job: held[3].id, token: held[3].token), .succeeded(result: nil))]))
      #expect(await store.held == 0)
      await store.close()
      await other.close()
    }
  }

  @Test func `after a broken connection the server says what has happened, and refuses what comes late`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      _ = try await store.enqueue([new])
      // An owner of its own, whose calls are made by hand.
      let schema = fixture.quoted
      let rows = try await fixture.query("SELECT owner FROM \(schema).taskkit_open('by hand', 60000000)")
      let owner = try #require(rows.first?.integer(0))
      func perform(_ call: PostgresCall, _ operation: Int64) async throws -> JobExchange.Answer {
        let setting = PostgresCall.Setting(owner: owner, operation: operation, time: nil, isRelaxed: false)
        let statement = call.statement(schema: schema, setting)
        return try JobExchange.Answer(try await fixture.query(statement.sql, statement.values))
      }
      func recover(_ operation: Int64) async throws -> [PostgresRow] {
        try await fixture.query(
          "SELECT * FROM \(schema).taskkit_recover($1, $2, 0)", [.integer(owner), .integer(operation)])
      }
      let first = try await perform(PostgresCall(JobExchange(claims: [claim])), 1).claimed
      let again = try JobExchange.Answer(try await recover(1)).claimed
      #expect(first.count == 1)
      #expect(again.map(\.token) == first.map(\.token))
      #expect(again.map(\.payload) == first.map(\.payload))
      #expect(try await recover(2).isEmpty)
      let end = JobExchange(ends: [(AttemptKey(job: first[0].id, token: first[0].token), .succeeded(result: nil))])
      let error = await #expect(throws: PostgresFailure.self) { try await perform(PostgresCall(end), 2) }
      guard case .server("TK003", _) = error else {
        Issue.record("the late operation was not refused: \(String(describing: error))")
        return
      }
      #expect(try await perform(PostgresCall(end), 3).ends == [true])
      await store.close()
    }
  }

  @Test func `a job that somebody else holds by now is not given out again with a lost answer`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      _ = try await store.enqueue([new])
      let schema = fixture.quoted
      let rows = try await fixture.query("SELECT owner FROM \(schema).taskkit_open('by hand', 60000000)")
      let owner = try #require(rows.first?.integer(0))
      let setting = PostgresCall.Setting(owner: owner, operation: 1, time: nil, isRelaxed: false)
      let statement = try PostgresCall(JobExchange(claims: [claim])).statement(schema: schema, setting)
      let lost = try JobExchange.Answer(try await fixture.query(statement.sql, statement.values)).claimed
      #expect(lost.count == 1)
      #expect(try await store.change(.all, .cancel).count == 1)
      #expect(try await store.change(.all, .retry).count == 1)
      let held = try await store.exchange(JobExchange(claims: [claim])).claimed
      #expect(held.map(\.id) == lost.map(\.id))
      let again = try await fixture.query(
        "SELECT * FROM \(schema).taskkit_recover($1, $2, 0)", [.integer(owner), .integer(1)])
      #expect(try JobExchange.Answer(again).claimed.isEmpty)
      await store.close()
    }
  }

  @Test func `a change of many jobs writes each count once`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      _ = try await store.enqueue(Array(repeating: new, count: 30))
      let schema = fixture.quoted
      try await fixture.query("CREATE TABLE \(schema).writes (state smallint)")
      try await fixture.query(
        """
        CREATE FUNCTION \(schema).written() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN INSERT INTO \(schema).writes VALUES (NEW.state); RETURN NULL; END $$
        """)
      try await fixture.query(
        """
        CREATE TRIGGER written AFTER INSERT OR UPDATE ON \(schema).taskkit_count
        FOR EACH ROW EXECUTE FUNCTION \(schema).written()
        """)
      for change in [JobChange.hold(""), .release, .cancel] {
        #expect(try await store.change(.all, change).count == 30)
        #expect(try await fixture.query("DELETE FROM \(schema).writes RETURNING state").count == 2)
      }
      #expect(try await store.counts().map(\.count) == [30])
      await store.close()
    }
  }

  @Test func `an owner that lives keeps its lease by itself`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let owner = try #require(await store.owner)
      var changes = store.changes().makeAsyncIterator()
      let enqueue = "SELECT \(fixture.quoted).taskkit_enqueue('Upload', '{}')"
      // Whoever tells of it is connected.
      try await fixture.query(enqueue)
      _ = await changes.next()
      // What is behind by a third is prolonged at once when the connection for that begins anew.
      try await fixture.query(
        "UPDATE \(fixture.quoted).taskkit_owner SET lease_until = lease_until - 20000000 WHERE id = $1",
        [.integer(owner)])
      try await fixture.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()",
        [.text("%\(fixture.schema)%")])
      var left: Int64 = 0
      while left < 15_000_000 {
        // Something to be told of, whether the beat comes before or after it.
        try await fixture.query(enqueue)
        _ = await changes.next()
        left =
          try await fixture.query(
            """
            SELECT lease_until - \(fixture.quoted).taskkit_clock() FROM \(fixture.quoted).taskkit_owner WHERE id = $1
            """, [.integer(owner)]
          ).first?.integer(0) ?? 0
      }
      await store.close()
    }
  }

  @Test(arguments: [true, false])
  func `what plain SQL enqueues is found, with and without notifications`(notifies: Bool) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(
        at: fixture.address, schema: fixture.schema, notifies: notifies, pollInterval: .milliseconds(100))
      _ = try await store.open(environment)
      var changes = store.changes().makeAsyncIterator()
      try await fixture.query("SELECT \(fixture.quoted).taskkit_enqueue('Upload', '{\"file\": 7}')")
      var claimed: [ClaimedJob] = []
      while claimed.isEmpty {
        _ = await changes.next()
        claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
      }
      #expect(claimed.map { String(decoding: $0.payload.bytes, as: UTF8.self) } == ["{\"file\": 7}"])
      #expect(claimed.map(\.maximumAttempts) == [3])
      await store.close()
    }
  }

  @Test func `a job of the caller's transaction is there if that is committed, and not otherwise`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let caller = try await PostgresConnection.open(fixture.address)
      let enqueue = "\(fixture.quoted).taskkit_enqueue"
      try await caller.run("BEGIN; CREATE TEMP TABLE orders (id bigint); INSERT INTO orders VALUES (1)")
      try await caller.run("SELECT \(enqueue)('Upload', '{}', unique_key => 'a')")
      #expect(try await store.counts().isEmpty)
      try await caller.run("ROLLBACK")
      #expect(try await store.counts().isEmpty)
      try await caller.run("BEGIN")
      let first = try await caller.query("SELECT \(enqueue)('Upload', '{}', unique_key => 'a', major => 50)")
      let second = try await caller.query("SELECT \(enqueue)('Upload', '{}', unique_key => 'a')")
      #expect(first.first?.integer(0) == second.first?.integer(0))
      let id = try #require(first.first?.integer(0))
      _ = try await caller.query(
        """
        SELECT \(enqueue)('Upload', '{}', 'other', parents => ARRAY[$1::bigint], needs => '{network}', tags => '{red}',
          limit_key => 'k', deadline => '1 minute', run_at => now() - interval '1 hour', attempts => NULL)
        """, [.integer(id)])
      try await caller.run("COMMIT")
      let jobs = try await store.jobs(.all, after: nil, limit: 9)
      #expect(jobs.map(\.state) == [.ready, .waiting])
      #expect(jobs.map(\.priority.major) == [50, 10])
      #expect(jobs.last?.parents == [JobID(rawValue: id)])
      #expect(jobs.last?.constraints == ["network"])
      #expect(jobs.last?.tags == ["red"])
      #expect(jobs.last?.limit == KeyLimit("k"))
      #expect(jobs.last?.deadline == .seconds(60))
      #expect(jobs.last?.maximumAttempts == nil)
      let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
      #expect(claimed.map(\.id.rawValue) == [id])
      await store.close()
    }
  }

  @Test(arguments: [
    ("''", "'{}'", "a job needs a kind"), ("'Upload'", "NULL", "a job needs a kind"),
    ("'Upload'", "'{}', attempts => 0", "at least one attempt"),
    ("'Upload'", "'{}', version => 0", "begin with 1"), ("'Upload'", "'{}', version => -1", "begin with 1"),
    ("'Upload'", "'{}', unique_key => 'a', conflict => 'merge'", "'merge' is no conflict"),
    ("'Upload'", "'{}', parents => '{99}'", "never there"), ("'Upload'", "'{}', parents => '{-1}'", "by its id"),
    ("'Upload'", "'{}', tags => ARRAY['a', NULL]", "have a name"),
    ("'Upload'", "'{}', needs => ARRAY[NULL, 'network']", "have a name"),
    ("'Upload'", "'{}', deadline => '0'", "some time until its deadline"),
    ("'Upload'", "'{}', deadline => '-1 minute'", "some time until its deadline"),
    ("'Upload'", "'{}', queue => U&'cafe\\0301'", "in one piece"),
    ("'Upload'", "'{}', unique_key => U&'Upload/cafe\\0301'", "in one piece"),
    ("'Upload'", "'{}', limit_key => U&'cafe\\0301'", "in one piece"),
  ])
  func `what makes no sense is refused in SQL, too`(kind: String, rest: String, text: String) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      await store.close()
      do {
        try await fixture.query("SELECT \(fixture.quoted).taskkit_enqueue(\(kind), \(rest))")
        Issue.record("it was taken")
      } catch PostgresFailure.server(let code, let message) {
        #expect(code == "TK002")
        #expect(message.contains(text))
      }
    }
  }

  @Test(arguments: ["tags", "needs"])
  func `a job whose lists cannot be read is told as damaged, and takes no other with it`(list: String) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let ids = try await store.enqueue([new, new]).map(\.id)
      try await fixture.query(
        "UPDATE \(fixture.quoted).taskkit_job SET \(list) = ARRAY['a', NULL] WHERE id = $1", [.integer(ids[0].rawValue)]
      )
      let owner = await store.owner
      let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
      try #require(claimed.map(\.id) == ids)
      #expect(claimed[0].damage?.contains("of job \(ids[0]) cannot be read: '[\"a\",null]'") == true)
      #expect(claimed[1].damage == nil)
      let keys = claimed.map { AttemptKey(job: $0.id, token: $0.token) }
      let answer = try await store.exchange(
        JobExchange(ends: [(keys[0], .held(.unreadable("its list"))), (keys[1], .succeeded(result: nil))]))
      #expect(answer.ends == [true, true])
      #expect(await store.owner == owner)
      #expect(try await store.counts().map(\.state) == [.held])
      await store.close()
    }
  }

  @Test func `a kept job that somebody holds is swept a while later, and others as long as there are any`() async throws
  {
    try await PostgresFixture.with { fixture in
      let date = Mutex(Date(timeIntervalSince1970: 1_767_225_600))
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(now: { date.withLock { $0 } }, owner: "test"))
      var kept = new
      kept.retention = JobRetention(finished: .seconds(60), failed: nil)
      _ = try await store.enqueue([kept, kept, kept, kept])
      let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
      let ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil)) }
      _ = try await store.exchange(JobExchange(ends: Array(ends.prefix(3))))
      date.withLock { $0 += 30 }
      _ = try await store.exchange(JobExchange(ends: Array(ends.suffix(1))))
      #expect(try await store.sweep(limit: 9) == .seconds(30))
      date.withLock { $0 += 31 }
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query(
          "SELECT taskkit_enqueue('Upload', '{}', parents => ARRAY[$1::bigint])", [.integer(claimed[0].id.rawValue)])
        #expect(try await store.sweep(limit: 1) == .zero)
        #expect(try await store.sweep(limit: 9) == .seconds(1))
        #expect(try await store.counts().map(\.count) == [2])
        try await transactions[0].run("ROLLBACK")
      }
      #expect(try await store.sweep(limit: 1) == .seconds(29))
      date.withLock { $0 += 30 }
      #expect(try await store.sweep(limit: 1) == nil)
      #expect(try await store.counts().isEmpty)
      await store.close()
    }
  }

  @Test(arguments: [false, true])
  func `queues in which nothing is are forgotten where there are many, and their next jobs are news`(
    sweeps: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let (left, right) = (
        PostgresStore(at: fixture.address, schema: fixture.schema, pollInterval: .milliseconds(10)),
        PostgresStore(at: fixture.address, schema: fixture.schema, pollInterval: .seconds(sweeps ? 600 : 1))
      )
      _ = try await right.open(environment)
      let jobs = (0..<300).map { place in
        var job = new
        job.queue = "user \(place)"
        return job
      }
      _ = try await right.enqueue([new])
      let ids = try await right.enqueue(jobs).map(\.id)
      func queues() async throws -> Int64? {
        try await fixture.query("SELECT count(DISTINCT queue) FROM \(fixture.quoted).taskkit_count").first?.integer(0)
      }
      // As long as something is there, all of them are known.
      _ = try await right.sweep(limit: 9)
      #expect(try await queues() == 301)
      #expect(try await right.change(JobSelection(ids: Array(ids.dropFirst())), .delete).count == 299)
      if sweeps { _ = try await right.sweep(limit: 9) } else { _ = try await left.open(environment) }
      // The queue that has no name says that all may have changed.
      try await waitUntil { try await queues() == 3 }
      #expect(try await right.counts().map(\.queue) == ["default", "user 0"])
      if sweeps { _ = try await left.open(environment) }
      var changes = left.changes().makeAsyncIterator()
      _ = try await right.enqueue([jobs[7]])
      var counts: [JobCount] = []
      while counts.count < 3 {
        _ = await changes.next()
        counts = try await left.counts()
      }
      #expect(counts.map(\.count) == [1, 1, 1])
      await left.close()
      await right.close()
    }
  }

  @Test func `keys are refused where a transaction sees an old state of them`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let caller = try await PostgresConnection.open(fixture.address)
      try await caller.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
      try await caller.run("SELECT \(fixture.quoted).taskkit_enqueue('Upload', '{}')")
      await #expect(throws: PostgresFailure.self) {
        try await caller.run("SELECT \(fixture.quoted).taskkit_enqueue('Upload', '{}', unique_key => 'a')")
      }
      await store.close()
    }
  }

  @Test
  func `texts that the server cannot keep are refused where they are keys, and made readable where people read them`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      var bad = new
      bad.unique = UniqueKey("a\0b")
      let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([bad]) }
      #expect(error?.reason == .invalid)
      let id = try await store.enqueue([new])[0].id
      let claimed = try #require(try await store.exchange(JobExchange(claims: [claim])).claimed.first)
      let key = AttemptKey(job: id, token: claimed.token)
      let answer = try await store.exchange(JobExchange(ends: [(key, .gaveUp(.error, "no\0thing"))]))
      #expect(answer.ends == [true])
      #expect(
        try await store.jobs(.all, after: nil, limit: 1).first?.errors.map(\.text) == ["no\u{FFFD}thing"])
      await store.close()
    }
  }

  @Test func `a job is held for a reason whatever that spells, and only the character 0 is made readable`() async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let reasons: [(given: HoldReason, kept: HoldReason)] = [
        (.asked(#"no \u0000, \\u0000"#), .asked(#"no \u0000, \\u0000"#)),
        (.unreadable("no\0thing"), .unreadable("no\u{FFFD}thing")),
        (.until(["a\0b", #"\u0000"#], "\0"), .until(["a\u{FFFD}b", #"\u0000"#], "\u{FFFD}")),
      ]
      for (given, kept) in reasons {
        let id = try await store.enqueue([new])[0].id
        let claimed = try #require(try await store.exchange(JobExchange(claims: [claim])).claimed.first)
        let end = (AttemptKey(job: id, token: claimed.token), JobExchange.End.held(given))
        #expect(try await store.exchange(JobExchange(ends: [end])).ends == [true])
        #expect(try await store.jobs(JobSelection(ids: [id]), after: nil, limit: 1).map(\.hold) == [kept])
      }
      await store.close()
    }
  }

  @Test func `many callers at once each get their own job, and one that is refused takes no other with it`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let new = new
      let ids = await withTaskGroup(of: [JobID]?.self) { group in
        for place in 0..<200 {
          group.addTask {
            var (first, second) = (new, new)
            if place % 10 == 0 { second.kind = "" }
            if place % 10 == 1 { second.parents = [.job(JobID(rawValue: 1_000_000))] }
            if place % 10 == 2 { second.parents = [.inBatch(0)] }
            first.tags = ["\(place)"]
            return try? await store.enqueue([first, second]).map(\.id)
          }
        }
        return await group.reduce(into: [[JobID]?]()) { $0.append($1) }
      }
      #expect(ids.count { $0 == nil } == 40)
      #expect(Set(ids.compactMap { $0 }.joined()).count == 320)
      let jobs = try await store.jobs(.all, after: nil, limit: 1000)
      #expect(jobs.count == 320)
      for job in jobs where job.state == .waiting {
        let pair = ids.compactMap { $0 }.first { $0[1] == job.id }
        #expect(job.parents == [pair?[0]])
      }
      await store.close()
    }
  }
}
