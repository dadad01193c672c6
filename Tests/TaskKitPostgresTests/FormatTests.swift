import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// A schema of an older format becomes one of the newest when a store opens it, while stores of the older build are going. The
/// formats that come after this build's are these tests' own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FormatTests {
  private let new = NewJob(
    kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)),
    retention: JobRetention(finished: nil, failed: nil), tags: ["spring"])
  private let claim = JobExchange(
    claims: [.init(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])])

  // MARK: Later builds

  /// What steps do: they add to a table, fill one from another, and rename one that functions name.
  private static let later = [
    """
    ALTER TABLE taskkit_shelf ADD COLUMN region text NOT NULL DEFAULT 'here';
    ALTER TABLE taskkit_owner ADD COLUMN region text;
    CREATE TABLE taskkit_trace (step integer NOT NULL);
    INSERT INTO taskkit_trace VALUES (1);
    """,
    """
    CREATE TABLE taskkit_size (id bigint PRIMARY KEY, bytes bigint NOT NULL);
    INSERT INTO taskkit_size SELECT id, octet_length(payload) FROM taskkit_job;
    ALTER TABLE taskkit_checkpoint RENAME TO taskkit_memory;
    INSERT INTO taskkit_trace VALUES (2);
    """,
  ]

  /// The build that comes so many steps after this one.
  private static func build(_ count: Int, ending more: [String] = []) -> PostgresSchema.Build {
    var build = PostgresSchema.Build.current
    build.steps += later.prefix(count) + more
    // Beside one with other parameters that was left, a function could not be called any more.
    if count > 0 {
      build.functions.replace("p_claims jsonb\n", with: "p_claims jsonb, p_more bigint = NULL\n")
    }
    if count > 1 { build.functions.replace("taskkit_checkpoint", with: "taskkit_memory") }
    return build
  }

  private func migrate(
    _ fixture: PostgresFixture, _ build: PostgresSchema.Build, patience: Duration = .seconds(5)
  ) async throws {
    let connection = try await PostgresConnection.open(fixture.address)
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(
        try await PostgresSchema.migrate(
          connection, schema: fixture.schema, store: "test", build: build, patience: patience))
    } catch { outcome = .failure(error) }
    await connection.end()
    try outcome.get()
  }

  private func open(
    _ fixture: PostgresFixture, _ build: PostgresSchema.Build = .current
  ) async throws -> (store: PostgresStore, identity: UUID) {
    let store = PostgresStore(testing: fixture.address, schema: fixture.schema, build: build)
    return (store, try await store.open(StoreEnvironment(owner: "format \(build.version)")).identity)
  }

  // MARK: What there is

  private func key(_ job: ClaimedJob) -> AttemptKey { AttemptKey(job: job.id, token: job.token) }

  /// Leaves jobs in every state, with all that jobs may have.
  ///
  /// - Returns: the one that runs.
  private func fill(_ store: PostgresStore) async throws -> ClaimedJob {
    var new = new
    new.limit = KeyLimit("account", count: 9)
    _ = try await store.enqueue([new, new, new, new])
    let held = try await store.exchange(claim).claimed
    let notes: [(AttemptKey, JobExchange.Note)] = [
      (key(held[1]), .checkpoint(Data("a".utf8))), (key(held[3]), .checkpoint(Data("half".utf8))),
      (key(held[3]), .step("book", Data("7".utf8))),
    ]
    let ends: [(AttemptKey, JobExchange.End)] = [
      (key(held[0]), .succeeded(result: Data([1]))),
      (key(held[1]), .failed(.error, "no", retryAfter: .seconds(1_000_000))), (key(held[2]), .gaveUp(.error, "never")),
    ]
    _ = try await store.exchange(JobExchange(notes: notes, ends: ends))
    new.limit = nil
    var keyed = new
    keyed.unique = UniqueKey("key")
    var child = new
    child.parents = [.inBatch(0)]
    let ids = try await store.enqueue([keyed, child, new, new]).map(\.id)
    _ = try await store.change(JobSelection(ids: [ids[2]]), .hold("later"))
    _ = try await store.change(JobSelection(ids: [ids[3]]), .cancel)
    _ = try await store.schedule("nightly", beginning: Date(timeIntervalSince1970: 1_000))
    try await store.setRate(RateLimit(99, per: .seconds(60)), ofQueue: "default")
    return held[3]
  }

  /// What a schema says of itself, read past all stores.
  private struct Content: Equatable {
    var version: Int64?
    var identity: String?
    var trace: [Int64?]
    /// The rows of each table.
    var tables: [String: [String]]
    var functions: [String]

    init(_ fixture: PostgresFixture, _ build: PostgresSchema.Build) async throws {
      let schema = fixture.quoted
      let format = try await fixture.query("SELECT version::bigint, identity::text FROM \(schema).taskkit_format").first
      (version, identity) = (format?.integer(0), format?.text(1))
      let hasTrace = build.version > PostgresSchema.version
      trace =
        hasTrace
        ? try await fixture.query("SELECT step::bigint FROM \(schema).taskkit_trace ORDER BY step").map {
          $0.integer(0)
        }
        : []
      tables = [:]
      for table in ["job", "state", "edge", "key", "permit", "schedule", "rate", "error", "step", "count"] {
        tables[table] = try await fixture.query("SELECT t::text FROM \(schema).taskkit_\(table) t ORDER BY 1")
          .map { $0.text(0) ?? "" }
      }
      functions = try await fixture.query(
        """
        SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = $1 ORDER BY 1
        """, [.text(fixture.schema)]
      ).map { $0.text(0) ?? "" }
    }
  }

  /// Holds the counters against the jobs.
  private func checkCounts(_ store: PostgresStore) async throws {
    let jobs = try await store.jobs(.all, after: nil, limit: .max)
    let counts = try await store.counts()
    #expect(counts.count == Set(jobs.map(\.state)).count)
    for count in counts { #expect(count.count == jobs.count { $0.state == count.state }) }
  }

  // MARK: Tests

  @Test(arguments: [false, true])
  func `an older schema becomes the newest one step after the other or all at once, with its identity and its jobs`(
    isStepByStep: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let (older, identity) = try await open(fixture)
      let running = try await fill(older)
      let owner = try #require(await older.owner)
      let jobs = try await older.jobs(.all, after: nil, limit: .max)
      #expect(Set(jobs.map(\.state)) == Set(JobState.allCases))
      await older.die()
      // Whoever else keeps something in the schema keeps it.
      try await fixture.query(
        """
        CREATE FUNCTION \(fixture.quoted).taskkit_mine() RETURNS bigint LANGUAGE sql
        AS 'SELECT count(*) FROM \(fixture.quoted).taskkit_job'
        """)
      let before = try await Content(fixture, .current)
      for count in isStepByStep ? [1, 2, 2] : [2, 2] {
        let build = Self.build(count)
        try await migrate(fixture, build)
        let after = try await Content(fixture, build)
        #expect(after.version == Int64(PostgresSchema.version + count))
        #expect(after.identity == before.identity)
        #expect(after.trace == Array(1...Int64(count)))
        #expect(after.tables == before.tables)
        // Each is there once, in its new form.
        let changed = after.functions.filter { $0.contains("taskkit_exchange(") }
        #expect(changed.count == 1)
        #expect(after.functions.count == before.functions.count)
        #expect(after.functions.contains { $0.hasSuffix("taskkit_mine()") })
      }
      let newer = try await open(fixture, Self.build(2))
      #expect(newer.identity == identity)
      let store = newer.store
      #expect(try await store.jobs(.all, after: nil, limit: .max) == jobs)
      let sizes = try await fixture.query("SELECT bytes FROM \(fixture.quoted).taskkit_size").map { $0.integer(0) }
      #expect(sizes == Array(repeating: 7, count: jobs.count))
      // What ran goes on where it was, as do all others.
      try await fixture.expireLease(of: owner)
      let answer = try await store.exchange(claim)
      #expect(answer.rescued.map(\.id) == [running.id])
      let again = try #require(answer.claimed.first { $0.id == running.id })
      #expect(again.checkpoint == Data("half".utf8))
      #expect(again.attempt == 2)
      #expect(again.token > running.token)
      #expect(try await store.step("book", of: running.id) == Data("7".utf8))
      #expect(answer.claimed.count == 2)
      let ends = answer.claimed.map { (key($0), JobExchange.End.succeeded(result: nil)) }
      #expect(try await store.exchange(JobExchange(ends: ends)).ends == [true, true])
      #expect(try await store.exchange(claim).claimed.count == 1)
      try await checkCounts(store)
      await store.close()
    }
  }

  @Test func `of the first format the second one counts the starts of rates, and mends the names of jobs`() async throws
  {
    try await PostgresFixture.with { fixture in
      var first = PostgresSchema.Build.current
      (first.steps, first.functions) = ([first.steps[0]], "")
      try await migrate(fixture, first)
      try await fixture.withTransactions(1) { transactions in
        try await transactions[0].run(
          """
          INSERT INTO taskkit_rate VALUES (false, 'default', 5, 3600000000), (true, 'k', 2, 3600000000);
          INSERT INTO taskkit_start
          SELECT is_key, name, (extract(epoch FROM now()) * 1000000)::bigint - n, n FROM taskkit_rate, generate_series(1, 2) n
          WHERE NOT is_key OR n = 1;
          INSERT INTO taskkit_shelf (queue, kind, needs, is_limited)
          VALUES ('default', 'Upload', '{network}', false), ('default', 'Upload', '{network,NULL}', false);
          INSERT INTO taskkit_job
          SELECT n, 'default', 'Upload', 0, 3, 3, NULL, needs, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, tags, NULL, NULL, 1, ''
          FROM (VALUES (1, '{network}'::text[], '{a,NULL}'::text[]), (2, '{network,NULL}', NULL), (3, '{network}', '{NULL}'))
            v (n, needs, tags);
          INSERT INTO taskkit_state (id, shelf, state, flags, major, minor, attempts, crashes, due, since)
          SELECT n, 2 - n % 2, 2, 0, -11, -11, 0, 0, 0, 0 FROM generate_series(1, 3) n;
          INSERT INTO taskkit_count VALUES ('default', 'Upload', 2, 0, 3, 3);
          SELECT setval('taskkit_job_id', 3);
          COMMIT
          """)
      }
      let (store, _) = try await open(fixture)
      #expect(try await store.rates().map(\.free) == [2, 1])
      let jobs = try await store.jobs(.all, after: nil, limit: 9)
      #expect(jobs.map(\.tags) == [["a"], [], []])
      #expect(jobs.map(\.constraints) == [["network"], ["network"], ["network"]])
      let claimed = try await store.exchange(
        JobExchange(claims: [
          .init(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)], satisfied: ["network"])
        ])
      ).claimed
      #expect(claimed.map(\.id.rawValue) == [1, 2])
      #expect(try await store.rates().map(\.free) == [0, 1])
      try await checkCounts(store)
      await store.close()
    }
  }

  @Test func `of the second format the third one parts jobs by the versions of their payloads as somebody meets them`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      var second = PostgresSchema.Build.current
      (second.steps, second.functions) = (Array(second.steps.prefix(2)), "")
      try await migrate(fixture, second)
      try await fixture.withTransactions(1) { transactions in
        // The fourth no longer waits for what it requires, and the fifth is delayed.
        try await transactions[0].run(
          """
          INSERT INTO taskkit_shelf (queue, kind, needs, is_limited)
          VALUES ('default', 'Upload', '{}', false), ('default', 'Upload', '{network}', false);
          INSERT INTO taskkit_job
          SELECT n, 'default', 'Upload', 0, 3, 3, NULL, needs, until, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL,
            version, ''
          FROM (VALUES (1, NULL::text[], NULL::bigint, 1), (2, NULL, NULL, 2), (3, '{network}', NULL, 2),
            (4, '{network}', 0, 2), (5, NULL, NULL, 2), (6, '{network}', NULL, 1)) v (n, needs, until, version);
          INSERT INTO taskkit_state (id, shelf, state, flags, major, minor, attempts, crashes, due, since, relax_at)
          SELECT n, shelf, state, 0, -11, -11, 0, 0, 0, 0, relax_at
          FROM (VALUES (1, 1, 2, NULL::bigint), (2, 1, 2, NULL), (3, 2, 2, NULL), (4, 2, 2, 0), (5, 1, 1, NULL),
            (6, 2, 2, NULL)) v (n, shelf, state, relax_at);
          INSERT INTO taskkit_count VALUES ('default', 'Upload', 2, 0, 5, 5), ('default', 'Upload', 1, 0, 1, 1);
          SELECT setval('taskkit_job_id', 6);
          COMMIT
          """)
      }
      let (store, _) = try await open(fixture)
      func claim(_ unreadable: Set<Int>, _ satisfied: Set<String> = []) async throws -> [ClaimedJob] {
        let kinds = [JobExchange.Claim.Kind("Upload", limit: 9, unreadable: unreadable)]
        let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: kinds, satisfied: satisfied)
        return try await store.exchange(JobExchange(claims: [claim])).claimed
      }
      func given(_ unreadable: Set<Int>, _ satisfied: Set<String> = []) async throws -> [Int64] {
        let claimed = try await claim(unreadable, satisfied)
        let ends = claimed.map { (key($0), JobExchange.End.interrupted) }
        _ = try await store.exchange(JobExchange(ends: ends))
        return claimed.map(\.id.rawValue)
      }
      // Whoever is given them finds out, once.
      for version in [2, 1] { #expect(try await given([version], ["network"]) == [1, 2, 3, 4, 5, 6]) }
      let ends = try await claim([], ["network"]).map { job -> (AttemptKey, JobExchange.End) in
        (key(job), job.payload.version == 1 ? .interrupted : .held(.unreadable("of version 2")))
      }
      #expect(try await store.exchange(JobExchange(ends: ends)).ends == Array(repeating: true, count: 6))
      #expect(try await store.change(.all, .release).count == 4)
      #expect(try await given([2], ["network"]) == [1, 6])
      #expect(try await given([2]) == [1])
      #expect(try await given([]) == [1, 2, 4, 5])
      #expect(try await given([], ["network"]) == [1, 2, 3, 4, 5, 6])
      // New ones are parted from the beginning.
      var new = new
      new.payload.version = 2
      _ = try await store.enqueue([new])
      #expect(try await given([2], ["network"]) == [1, 6])
      try await checkCounts(store)
      await store.close()
    }
  }

  @Test func `of the sixth format the seventh one keeps since when owners are doubted`() async throws {
    try await PostgresFixture.with { fixture in
      var sixth = PostgresSchema.Build.current
      (sixth.steps, sixth.functions) = (Array(sixth.steps.prefix(6)), "")
      try await migrate(fixture, sixth)
      // The first has not come back since then, the second has, and nobody has doubted the third.
      try await fixture.query(
        """
        INSERT INTO \(fixture.quoted).taskkit_owner
        VALUES (101, 'dead', 600000000, 100, 0, 200, 0, NULL), (102, 'back', 600000000, 300, 0, 200, 0, NULL),
          (103, 'silent', 600000000, 300, 0, NULL, 0, NULL)
        """)
      let (store, _) = try await open(fixture)
      _ = try await store.exchange(JobExchange())
      let left = try await fixture.query("SELECT id FROM \(fixture.quoted).taskkit_owner WHERE id > 100 ORDER BY id")
      #expect(left.map { $0.integer(0) } == [102, 103])
      await store.close()
    }
  }

  @Test func `a process of the sixth format goes on giving signs of life when a newer one has opened the store`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      var sixth = PostgresSchema.Build.current
      (sixth.steps, sixth.functions) = (Array(sixth.steps.prefix(6)), "")
      try await migrate(fixture, sixth)
      try await fixture.query(
        "INSERT INTO \(fixture.quoted).taskkit_owner VALUES (101, 'old', 600000000, 100, 0, NULL, 0, NULL)")
      let (store, _) = try await open(fixture)
      // What its watch asks for, in one transaction.
      let connection = try await PostgresConnection.open(fixture.address)
      let deaths = try await connection.inTransaction {
        _ = try await connection.query("SELECT \(fixture.quoted).taskkit_beat($1)", [.integer(101)])
        return try await connection.query(
          "SELECT cardinality(\(fixture.quoted).taskkit_dead($1, false)) > 0", [.integer(101)])
      }
      #expect(deaths.first?.flag(0) == false)
      await connection.end()
      _ = try await store.exchange(JobExchange())
      let living = try await fixture.query(
        """
        SELECT 1 FROM \(fixture.quoted).taskkit_owner
        WHERE id = 101 AND lease_until > \(fixture.quoted).taskkit_clock()
        """)
      #expect(living.count == 1)
      await store.close()
    }
  }

  @Test func `stores of an older build that go on while a newer one opens are refused, and lose nothing`() async throws
  {
    try await PostgresFixture.with { fixture in
      let (older, identity) = try await open(fixture)
      let running = try await fill(older)
      let owner = try #require(await older.owner)
      // What it was told is there.
      let acknowledged = Mutex<Set<JobID>>(Set(try await older.jobs(.all, after: nil, limit: .max).map(\.id)))
      let jobs = [new]
      let working = OngoingCall {
        while true {
          do {
            let ids = try await older.enqueue(jobs).map(\.id)
            acknowledged.withLock { $0.formUnion(ids) }
          } catch let error as JobStoreError { return error }
        }
      }
      let count = acknowledged.withLock { $0.count }
      try await waitUntil { acknowledged.withLock { $0.count } > count + 20 }
      let newer = try await open(fixture, Self.build(2))
      #expect(newer.identity == identity)
      let reason = JobStoreError.Reason.newer(version: PostgresSchema.version + 2, known: PostgresSchema.version)
      let first = try await working.value
      #expect(first.reason == reason)
      #expect(first.description.contains("Update TaskKit in this program"))
      let (end, claim) = (key(running), claim)
      let errors = [
        await #expect(throws: JobStoreError.self) { try await older.exchange(claim) },
        await #expect(throws: JobStoreError.self) {
          try await older.exchange(JobExchange(ends: [(end, .succeeded(result: nil))]))
        },
        await #expect(throws: JobStoreError.self) { try await older.change(.all, .cancel) },
        await #expect(throws: JobStoreError.self) { try await older.jobs(.all, after: nil, limit: 1) },
        await #expect(throws: JobStoreError.self) { _ = try await older.step("book", of: running.id) },
      ]
      #expect(errors.allSatisfy { $0?.reason == reason })
      // Nothing of it has happened, and what it holds it goes on holding as long as it lives.
      let store = newer.store
      let left = try await store.jobs(.all, after: nil, limit: .max)
      #expect(Set(left.map(\.id)) == acknowledged.withLock { $0 })
      #expect(left.first { $0.id == running.id }?.state == .running)
      #expect(try await store.exchange(JobExchange()).rescued.isEmpty)
      await older.close()
      #expect(try await store.exchange(JobExchange()).rescued.isEmpty)
      try await fixture.expireLease(of: owner)
      #expect(try await store.exchange(JobExchange()).rescued.map(\.id) == [running.id])
      try await checkCounts(store)
      await store.close()
    }
  }

  @Test func `what an older build calls need not be there any more: it is told that the schema is newer`() async throws
  {
    try await PostgresFixture.with { fixture in
      let (older, _) = try await open(fixture)
      _ = try await older.enqueue([new])
      var build = Self.build(1)
      for name in ["check", "do", "exchange", "jobs"] {
        build.functions.replace("taskkit_\(name)(", with: "taskkit_\(name)_anew(")
      }
      try await migrate(fixture, build)
      let (jobs, claim) = ([new], claim)
      let errors = [
        await #expect(throws: JobStoreError.self) { try await older.enqueue(jobs) },
        await #expect(throws: JobStoreError.self) { try await older.exchange(claim) },
        await #expect(throws: JobStoreError.self) { try await older.jobs(.all, after: nil, limit: 1) },
      ]
      let reason = JobStoreError.Reason.newer(version: build.version, known: PostgresSchema.version)
      #expect(errors.allSatisfy { $0?.reason == reason })
      await older.close()
    }
  }

  @Test func `of many newer ones that open an older schema at once one takes each step, and all find the same store`()
    async throws
  {
    for _ in 0..<3 {
      try await PostgresFixture.with { fixture in
        let (older, identity) = try await open(fixture)
        _ = try await fill(older)
        await older.die()
        let before = try await Content(fixture, .current)
        // Half of them know fewer steps, and come before the others or are refused.
        let opened = try await withThrowingTaskGroup(of: UUID?.self) { group in
          for number in 0..<8 {
            group.addTask {
              let build = Self.build(2 - number % 2)
              do {
                let (store, identity) = try await open(fixture, build)
                await store.die()
                return identity
              } catch let error as JobStoreError {
                #expect(error.reason == .newer(version: PostgresSchema.version + 2, known: build.version))
                return nil
              }
            }
          }
          return try await group.reduce(into: [UUID?]()) { $0.append($1) }
        }
        #expect(Set(opened.compactMap(\.self)) == [identity])
        #expect(opened.count { $0 != nil } >= 4)
        let after = try await Content(fixture, Self.build(2))
        #expect(after.trace == [1, 2])
        #expect(after.tables == before.tables)
      }
    }
  }

  enum Fault: CaseIterable { case firstStep, secondStep, functions, somebodyElse }

  @Test(arguments: Fault.allCases)
  func `a newer build that fails leaves the older format as it is, and its stores go on`(fault: Fault) async throws {
    try await PostgresFixture.with { fixture in
      let (older, _) = try await open(fixture)
      let running = try await fill(older)
      let failing = "CREATE TABLE taskkit_half (id bigint); INSERT INTO taskkit_none VALUES (1);"
      var builds: [Fault: PostgresSchema.Build] = [
        .firstStep: Self.build(0, ending: [failing]), .secondStep: Self.build(1, ending: [failing]),
        .functions: Self.build(2), .somebodyElse: Self.build(2),
      ]
      builds[.functions]?.functions +=
        "\nCREATE FUNCTION taskkit_half() RETURNS bigint LANGUAGE sql AS 'SELECT FROM WHERE';"
      if fault == .somebodyElse {
        // It would be removed without a word if the functions were removed with all that needs them.
        try await fixture.query(
          "CREATE VIEW \(fixture.quoted).mine AS SELECT \(fixture.quoted).taskkit_result(1, 'book') AS result")
      }
      let before = try await Content(fixture, .current)
      let build = try #require(builds[fault])
      let error = await #expect(throws: PostgresFailure.self) { try await migrate(fixture, build) }
      guard case .server(let code, let message) = error else {
        Issue.record("it failed otherwise: \(String(describing: error))")
        return
      }
      switch fault {
      case .firstStep, .secondStep: #expect(code == "42P01")
      case .functions: #expect(code == "42601")
      case .somebodyElse:
        #expect(code == "2BP01")
        #expect(message.contains("mine depends on function taskkit_result"))
      }
      #expect(try await Content(fixture, .current) == before)
      let isThere = try await fixture.query("SELECT 1 FROM pg_tables WHERE tablename = 'taskkit_half'")
      #expect(isThere.isEmpty)
      let end = JobExchange(ends: [(key(running), .succeeded(result: nil))], claims: claim.claims)
      let answer = try await older.exchange(end)
      #expect(answer.ends == [true])
      #expect(answer.claimed.count == 1)
      try await checkCounts(older)
      await older.close()
      // The next try goes through.
      if fault == .somebodyElse { try await fixture.query("DROP VIEW \(fixture.quoted).mine") }
      try await migrate(fixture, Self.build(2))
      #expect(try await Content(fixture, Self.build(2)).trace == [1, 2])
    }
  }

  @Test func `a build that knows fewer steps refuses the schema, and leaves it as it is`() async throws {
    try await PostgresFixture.with { fixture in
      let (newer, _) = try await open(fixture, Self.build(2))
      _ = try await fill(newer)
      await newer.die()
      let before = try await Content(fixture, Self.build(2))
      for count in 0...1 {
        let error = await #expect(throws: JobStoreError.self) { try await open(fixture, Self.build(count)) }
        #expect(
          error?.reason == .newer(version: PostgresSchema.version + 2, known: PostgresSchema.version + count))
      }
      #expect(try await Content(fixture, Self.build(2)) == before)
    }
  }

  @Test func `a step sees what transactions in SQL have written, and waits for none of them for long`() async throws {
    try await PostgresFixture.with { fixture in
      let (older, _) = try await open(fixture)
      _ = try await older.enqueue([new])
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_enqueue('Upload', '{}')")
        let error = await #expect(throws: JobStoreError.self) {
          try await migrate(fixture, Self.build(2), patience: .milliseconds(100))
        }
        #expect(error?.reason == .locked)
        #expect(error?.isTransient == true)
        #expect(
          error?.detail
            == "a transaction that goes on, or a VACUUM, keeps the older format of schema \(fixture.schema) from being changed"
        )
        #expect(try await Content(fixture, .current).version == Int64(PostgresSchema.version))
        _ = try await older.enqueue([new])
        let migrating = OngoingCall { try await migrate(fixture, Self.build(2), patience: .seconds(600)) }
        try await waitUntil { try await !fixture.waitingLocks().isEmpty }
        try await transactions[0].run("COMMIT")
        try await migrating.value
      }
      let sizes = try await fixture.query("SELECT bytes FROM \(fixture.quoted).taskkit_size ORDER BY bytes")
      #expect(sizes.map { $0.integer(0) } == [2, 7, 7])
      await older.close()
    }
  }

  /// At the second one a transaction sees the tables as they were when it began, whatever it has waited for.
  private static let levels = ["READ COMMITTED", "REPEATABLE READ"]

  @Test(arguments: ["taskkit_enqueue('Upload', '{}')", "taskkit_once(1, 1, 'book')"], levels)
  func `a call in SQL that has met a change of the schema begins again`(call: String, level: String) async throws {
    try await PostgresFixture.with { fixture in
      let (older, _) = try await open(fixture)
      let running = try await fill(older)
      let statement =
        "SELECT "
        + call.replacingOccurrences(of: "1, 1", with: "\(running.id), \(running.token.rawValue)")
      try await fixture.withTransactions(2) { transactions in
        try await PostgresSchema.migrateHere(
          transactions[0], schema: fixture.schema, store: "test", build: Self.build(2))
        let caller = transactions[1]
        try await caller.run("SET TRANSACTION ISOLATION LEVEL \(level)")
        let calling = OngoingCall { try await caller.query(statement) }
        try await waitUntil { try await !fixture.waitingLocks().isEmpty }
        try await transactions[0].run("COMMIT")
        let error = await #expect(throws: PostgresFailure.self) { try await calling.value }
        guard case .server("40001", _) = error else {
          Issue.record("it was refused otherwise: \(String(describing: error))")
          return
        }
        try await caller.run(
          "ROLLBACK; BEGIN ISOLATION LEVEL \(level); SET LOCAL search_path = \(fixture.quoted), pg_temp")
        #expect(try await caller.query(statement).count == 1)
        try await caller.run("COMMIT")
      }
      await older.close()
    }
  }

  @Test(
    arguments: [
      "taskkit_look(FORMAT, 'STORE', 1, 1, 'book')",
      "taskkit_enqueue_all(FORMAT, 'STORE', '[{\"kind\": \"Upload\"}]', ARRAY['{}']::bytea[])",
    ], levels)
  func `a program of an older build is refused in a transaction that has begun before the schema was changed`(
    call: String, level: String
  ) async throws {
    try await PostgresFixture.with { fixture in
      let (older, identity) = try await open(fixture)
      _ = try await fill(older)
      let statement =
        "SELECT "
        + call.replacingOccurrences(of: "FORMAT", with: "\(PostgresSchema.version)")
        .replacingOccurrences(of: "STORE", with: identity.uuidString)
      try await fixture.withTransactions(1) { transactions in
        let program = transactions[0]
        try await program.run("SET TRANSACTION ISOLATION LEVEL \(level)")
        // From here on it may see everything as it is now.
        _ = try await program.query("SELECT 1")
        try await migrate(fixture, Self.build(2))
        let error = await #expect(throws: PostgresFailure.self) { try await program.query(statement) }
        guard case .server("TK004", let message) = error else {
          Issue.record("it was refused otherwise: \(String(describing: error))")
          return
        }
        // What is told of it is the format that the schema has, which stands first.
        #expect(message.contains("has format \(PostgresSchema.version + 2) by now"))
      }
      await older.close()
    }
  }

  private let shelf = PostgresValue.json("[{\"kind\": \"Upload\", \"queue\": \"new\"}]")

  @Test func `a shelf that is made for a transaction in SQL waits for nobody who waits for it to change the schema`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let (older, _) = try await open(fixture)
      try await fixture.withTransactions(2) { transactions in
        // As the connections for reading do it: they ask for the format first.
        _ = try await transactions[0].query("SELECT taskkit_check($1)", [.integer(Int64(PostgresSchema.version))])
        let migrating = OngoingCall { [changer = transactions[1]] in
          try await PostgresSchema.migrateHere(
            changer, schema: fixture.schema, store: "test", build: Self.build(2), patience: .seconds(600))
        }
        try await waitUntil { try await !fixture.waitingLocks().isEmpty }
        #expect(try await transactions[0].query("SELECT taskkit_shelve(NULL, $1)", [shelf]).count == 1)
        #expect(!migrating.hasEnded)
        try await transactions[0].run("COMMIT")
        try await migrating.value
      }
      await older.close()
    }
  }

  @Test func `an owner that makes a shelf waits as long as a change of the schema takes`() async throws {
    try await PostgresFixture.with { fixture in
      let (older, _) = try await open(fixture)
      let owner = try #require(await older.owner)
      try await fixture.withTransactions(2) { transactions in
        try await PostgresSchema.migrateHere(
          transactions[0], schema: fixture.schema, store: "test", build: Self.build(2))
        let shelving = OngoingCall { [maker = transactions[1], shelf = shelf] in
          try await maker.query("SELECT taskkit_shelve($1, $2)", [.integer(owner), shelf])
        }
        try await waitUntil { try await !fixture.waitingLocks().isEmpty }
        // Longer than it waits for a shelf that somebody else makes.
        try await fixture.query("SELECT pg_sleep(2.2)")
        try await transactions[0].run("COMMIT")
        #expect(try await shelving.value.count == 1)
      }
      await older.close()
    }
  }

  @Test func `a schema that was restored without comments is left as it is, with what to do`() async throws {
    try await PostgresFixture.with { fixture in
      let (older, _) = try await open(fixture)
      let running = try await fill(older)
      try await fixture.forEachFunction("COMMENT ON FUNCTION %s IS NULL")
      let before = try await Content(fixture, .current)
      let error = await #expect(throws: JobStoreError.self) { try await open(fixture, Self.build(2)) }
      #expect(error?.description.contains("as after a restore without comments") == true)
      #expect(error?.description.contains("Drop the functions there whose names begin with taskkit_") == true)
      #expect(try await Content(fixture, .current) == before)
      #expect(
        try await older.exchange(JobExchange(ends: [(key(running), .succeeded(result: nil))])).ends == [true])
      await older.die()
      let jobs = try await Content(fixture, .current).tables["job"]
      // What it says helps.
      try await fixture.forEachFunction("DROP FUNCTION %s CASCADE")
      let (newer, _) = try await open(fixture, Self.build(2))
      let after = try await Content(fixture, Self.build(2))
      #expect(after.identity == before.identity)
      #expect(after.tables["job"] == jobs)
      #expect(after.functions.count == before.functions.count)
      #expect(try await newer.exchange(claim).claimed.count == 1)
      try await checkCounts(newer)
      await newer.close()
    }
  }
}

extension PostgresFixture {
  /// Does something with each function of the schema whose name is like TaskKit's.
  ///
  /// - Parameter statement: a format of the server's, which gets the function.
  fileprivate func forEachFunction(_ statement: String) async throws {
    let functions = try await query(
      """
      SELECT format('\(statement)', p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname = $1 AND p.proname LIKE 'taskkit\\_%'
      """, [.text(schema)])
    for row in functions { try await query(row.text(0) ?? "") }
  }

  /// The sessions of the server that wait for a lock on one of the schema's tables.
  fileprivate func waitingLocks() async throws -> [PostgresRow] {
    try await query(
      """
      SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE NOT l.granted AND n.nspname = $1
      """, [.text(schema)])
  }
}
