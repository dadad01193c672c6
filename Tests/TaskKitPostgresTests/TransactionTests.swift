import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// What goes together, and what becomes of it where something breaks.
@Suite(.serialized, .timeLimit(.minutes(15))) struct TransactionTests {
  private let environment = StoreEnvironment(owner: "test")
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))
  private let claim = JobExchange(
    claims: [.init(queue: "default", limit: 99, kinds: [.init("Upload", limit: 99)])])

  private typealias Call = @Sendable () async throws -> Void

  /// Does something while a first call is on its way, so that what it asks for gathers behind that.
  private func gather(
    _ proxy: FaultyProxy, _ store: PostgresStore, _ calls: [Call]
  ) async throws {
    proxy.hold()
    let first = OngoingCall { try await store.exchange(JobExchange()) }
    try await waitUntil { proxy.held > 0 }
    _ = proxy.takeCallTrips()
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Whatever becomes of the test, nobody waits for the proxy afterwards.
      defer { proxy.letGo() }
      for call in calls { group.addTask { try await call() } }
      try await waitUntil { await store.waiting >= calls.count }
      proxy.letGo()
      try await group.waitForAll()
    }
    _ = try await first.value
  }

  private func enqueue(_ store: PostgresStore) async throws {
    let enqueued = try await store.enqueue([new])
    #expect(enqueued.count == 1)
  }

  private func claim(_ count: Int, _ store: PostgresStore) async throws {
    let claimed = try await store.exchange(claim).claimed
    #expect(claimed.count == count)
  }

  private func enqueueRefused(_ store: PostgresStore) async {
    // Only the server knows that.
    var bad = new
    bad.parents = [.job(JobID(rawValue: 1_000_000))]
    let jobs = [bad]
    let error = await #expect(throws: JobStoreError.self) { try await store.enqueue(jobs) }
    #expect(error?.reason == .invalid)
  }

  @Test func `an exchange and what was enqueued meanwhile take one round trip, and one transaction`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      for _ in 0..<3 {
        _ = proxy.takeCallTrips()
        _ = try await store.enqueue([new])
        let claimed = try await store.exchange(claim).claimed
        #expect(claimed.count == 1)
        _ = try await store.exchange(
          JobExchange(ends: claimed.map { (AttemptKey(job: $0.id, token: $0.token), .succeeded(result: nil)) }))
        #expect(proxy.takeCallTrips() == 3)
      }
      // What has just come is given out.
      var calls: [Call] = [{ try await claim(50, store) }]
      for _ in 0..<50 { calls.append { try await enqueue(store) } }
      try await gather(proxy, store, calls)
      #expect(proxy.takeCallTrips() == 1)
      let rows = try await fixture.query(
        """
        SELECT count(DISTINCT j.xmin::text), count(DISTINCT s.xmin::text), count(*) FROM \(fixture.quoted).taskkit_job j
        JOIN \(fixture.quoted).taskkit_state s ON s.id = j.id AND s.xmin = j.xmin
        """)
      #expect((0..<3).map { rows.first?.integer($0) } == [1, 1, 50])
      await store.close()
      proxy.end()
    }
  }

  @Test func `new jobs of several callers go in as many transactions as their payloads are large`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(testing: proxy.address, schema: fixture.schema, mostBytes: 5000)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      let large = NewJob(kind: "Upload", payload: JobPayload(bytes: Data(count: 2000)))
      try await gather(proxy, store, [Call](repeating: { _ = try await store.enqueue([large]) }, count: 6))
      #expect(proxy.takeCallTrips() == 3)
      // The only job of a caller goes, however large it is.
      let largest = NewJob(kind: "Upload", payload: JobPayload(bytes: Data(count: 9000)))
      try await gather(proxy, store, [Call](repeating: { _ = try await store.enqueue([largest]) }, count: 2))
      #expect(proxy.takeCallTrips() == 2)
      #expect(try await store.counts().map(\.count) == [8])
      await store.close()
      proxy.end()
    }
  }

  @Test func `the first job of a kind takes two round trips more, which may break like any other`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      _ = proxy.takeCallTrips()
      _ = try await store.enqueue([new])
      #expect(proxy.takeCallTrips() == 3)
      _ = try await store.enqueue([new])
      #expect(proxy.takeCallTrips() == 1)
      for fault in FaultyProxy.Fault.allCases {
        // What breaks is the call that is only told what is missing.
        proxy.breakNext(fault)
        #expect(try await store.enqueue([NewJob(kind: "\(fault)", payload: new.payload)]).count == 1)
        #expect(proxy.faults(fault) == 1)
      }
      for _ in 0..<30 { _ = try await store.exchange(JobExchange()) }
      #expect(try await store.counts().map(\.count).sorted() == [1, 1, 1, 1, 2])
      await store.close()
      proxy.end()
    }
  }

  @Test(arguments: FaultyProxy.Fault.allCases)
  func `where the making of a shelf breaks, a call is done all the same, and nobody says that its outcome is not known`(
    fault: FaultyProxy.Fault
  ) async throws {
    for patience in [Duration.seconds(30), .zero] {
      try await PostgresFixture.with { fixture in
        let proxy = try FaultyProxy(to: fixture.address)
        let store = PostgresStore(
          at: proxy.address, schema: fixture.schema, lease: .seconds(600), patience: patience)
        _ = try await store.open(environment)
        let jobs = [new]
        // The first call is only told what is missing.
        proxy.breakSecond(fault)
        if patience > .zero {
          #expect(try await store.enqueue(jobs).count == 1)
        } else {
          let error = await #expect(throws: JobStoreError.self) { try await store.enqueue(jobs) }
          #expect(error?.reason == .unreachable)
          #expect(error?.detail.contains("is not known") == false)
          #expect(try await store.enqueue(jobs).count == 1)
        }
        #expect(proxy.faults(fault) == 1)
        #expect(try await store.counts().map(\.count) == [1])
        await store.close()
        proxy.end()
      }
    }
  }

  @Test func `nobody takes an owner for dead that makes a shelf and waits for somebody else`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      let (jobs, owner) = ([new], try #require(await store.owner))
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_enqueue('Upload', '{}')")
        let enqueueing = OngoingCall { try await store.enqueue(jobs) }
        try await waitUntil { try await fixture.waiting("taskkit_shelve") == 1 }
        let free = "SELECT 1 FROM \(fixture.quoted).taskkit_owner WHERE id = $1 FOR UPDATE SKIP LOCKED"
        #expect(try await fixture.query(free, [.integer(owner)]).isEmpty)
        try await transactions[0].run("COMMIT")
        #expect(try await enqueueing.value.count == 1)
      }
      await store.close()
    }
  }

  @Test(arguments: [false, true])
  func `who is refused for a shelf that somebody else makes takes nobody with it, and waits once`(
    exchanges: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      let refused = Mutex<[JobStoreError.Reason]>([])
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_enqueue('Mail', '{}')")
        let enqueueMail: Call = {
          var mail = new
          mail.kind = "Mail"
          let jobs = [new, mail]
          let error = await #expect(throws: JobStoreError.self) { try await store.enqueue(jobs) }
          refused.withLock { $0.append(error?.reason ?? .other) }
        }
        var calls: [Call] = [
          { try await enqueue(store) }, enqueueMail, { try await enqueue(store) }, enqueueMail,
          // The first one of its kind, too.
          {
            var other = new; other.kind = "Other"; _ = try await store.enqueue([other])
          },
        ]
        if exchanges { calls.append { _ = try await store.exchange(JobExchange()) } }
        try await gather(proxy, store, calls)
        #expect(refused.withLock { $0 } == [.locked, .locked])
        // All of them together, the shelves, and once more those that are not refused.
        #expect(proxy.takeCallTrips() == 3)
        try await transactions[0].run("COMMIT")
      }
      #expect(try await store.counts().map { "\($0.kind) \($0.count)" } == ["Mail 1", "Other 1", "Upload 2"])
      await store.close()
      proxy.end()
    }
  }

  @Test func `what is refused takes nothing with it that rode along`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      _ = try await store.enqueue([new])
      try await gather(
        proxy, store,
        [
          { await enqueueRefused(store) }, { try await enqueue(store) },
          { _ = try await store.exchange(JobExchange()) },
        ])
      try await claim(2, store)
      #expect(try await store.counts().map(\.count).reduce(0, +) == 2)
      await store.close()
      proxy.end()
    }
  }

  @Test func `who waits too long for a key takes nobody with it whose jobs have to do with no others`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address + " options='-c lock_timeout=300ms'")
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      var keyed = new
      keyed.unique = UniqueKey("key")
      let jobs = [keyed]
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_enqueue('Upload', '{}', unique_key => 'key')")
        let enqueueKeyed: Call = {
          let error = await #expect(throws: JobStoreError.self) { try await store.enqueue(jobs) }
          #expect(error?.reason == .locked)
        }
        try await gather(proxy, store, [{ try await enqueue(store) }, enqueueKeyed, { try await enqueue(store) }])
        // Those without a key together, and the other one.
        #expect(proxy.takeCallTrips() == 2)
        try await transactions[0].run("COMMIT")
      }
      #expect(try await store.counts().map(\.count) == [3])
      await store.close()
      proxy.end()
    }
  }

  @Test func `an exchange has its turn while callers go on enqueuing jobs that have to do with others`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      var keyed = new
      keyed.unique = UniqueKey("key")
      let jobs = [keyed]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { while !Task.isCancelled { _ = try await store.enqueue(jobs) } }
        }
        // Some are on their way, and others wait for them.
        try await waitUntil { await store.waiting > 0 }
        _ = try await store.exchange(JobExchange())
        group.cancelAll()
        try await group.waitForAll()
      }
      #expect(try await store.counts().map(\.count) == [1])
      await store.close()
    }
  }

  /// Every way to break a transaction of two statements.
  @Test(arguments: FaultyProxy.Fault.allCases)
  func `a transaction of two statements that breaks happens once, and each caller gets its answer`(
    fault: FaultyProxy.Fault
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      proxy.breakSecond(fault)
      var calls: [Call] = [{ try await claim(5, store) }]
      for _ in 0..<5 { calls.append { try await enqueue(store) } }
      try await gather(proxy, store, calls)
      #expect(proxy.faults(fault) == 1)
      // What comes late is refused.
      for _ in 0..<30 { _ = try await store.exchange(JobExchange()) }
      #expect(try await store.counts().map(\.count) == [5])
      await store.close()
      proxy.end()
    }
  }

  /// Loses the answer to an enqueue, and keeps whoever asks what has become of it waiting until the proxy lets go.
  ///
  /// - Returns: the call, when another store sees that it has happened.
  private func loseAnswer(
    _ proxy: FaultyProxy, _ store: PostgresStore, seenBy other: PostgresStore
  ) async throws -> Task<[EnqueuedJob], any Error> {
    let jobs = [new]
    proxy.breakNext(.after, thenHolds: true)
    let enqueueing = Task { try await store.enqueue(jobs) }
    try await waitUntil { proxy.held > 0 }
    try await waitUntil { try await !other.counts().isEmpty }
    return enqueueing
  }

  @Test
  func `when the lease passes before a lost call is found again, it is told that nobody knows, and not done twice`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      let other = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      _ = try await other.open(environment)
      try await fixture.makeShelf()
      let owner = try #require(await store.owner)
      let enqueueing = try await loseAnswer(proxy, store, seenBy: other)
      try await fixture.expireLease(of: owner)
      _ = try await other.exchange(JobExchange())
      proxy.letGo()
      let error = await #expect(throws: JobStoreError.self) { try await enqueueing.value }
      #expect(error?.reason == .unreachable)
      #expect(error?.detail.contains("is not known") == true)
      #expect(try await other.counts().map(\.count) == [1])
      // It goes on as another owner.
      #expect(try await store.enqueue([new]).count == 1)
      #expect(await store.owner != owner)
      #expect(try await store.exchange(claim).claimed.count == 2)
      await store.close()
      await other.close()
      proxy.end()
    }
  }

  @Test(arguments: [false, true])
  func `where a lost call is not found again, and becoming another owner fails, it is told that nobody knows`(
    isCut: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      let other = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      _ = try await other.open(environment)
      try await fixture.makeShelf()
      let owner = try #require(await store.owner)
      let enqueueing = try await loseAnswer(proxy, store, seenBy: other)
      try await fixture.expireLease(of: owner)
      _ = try await other.exchange(JobExchange())
      // The server refuses it, or goes away in the middle of it.
      let schema = fixture.quoted
      try await fixture.query("ALTER FUNCTION \(schema).taskkit_open RENAME TO taskkit_open_away")
      if isCut {
        try await fixture.query(
          """
          CREATE FUNCTION \(schema).taskkit_open(p_name text, p_lease bigint) RETURNS TABLE (owner bigint)
          LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END'
          """)
      }
      proxy.letGo()
      let error = await #expect(throws: JobStoreError.self) { try await enqueueing.value }
      #expect(error?.reason == .unreachable)
      #expect(error?.detail.contains(isCut ? "terminating connection" : "does not exist") == true)
      #expect(error?.detail.contains("is not known") == true)
      #expect(try await other.counts().map(\.count) == [1])
      if isCut { try await fixture.query("DROP FUNCTION \(schema).taskkit_open") }
      try await fixture.query("ALTER FUNCTION \(schema).taskkit_open_away RENAME TO taskkit_open")
      // It goes on as another owner.
      #expect(try await store.enqueue([new]).count == 1)
      #expect(await store.owner != owner)
      #expect(try await store.exchange(claim).claimed.count == 2)
      await store.close()
      await other.close()
      proxy.end()
    }
  }

  @Test func `where nobody can ask what has become of a transaction, each caller is told so, and none is done alone`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      let schema = fixture.quoted
      try await fixture.query("ALTER FUNCTION \(schema).taskkit_recover RENAME TO taskkit_recover_away")
      try await fixture.query(
        """
        CREATE FUNCTION \(schema).taskkit_recover(p_owner bigint, p_op bigint, p_patience bigint)
        RETURNS TABLE (answer text) LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken' USING ERRCODE = 'XX000'; END $$
        """)
      proxy.breakSecond(.after)
      let jobs = [new]
      let call: Call = {
        let error = await #expect(throws: JobStoreError.self) { try await store.enqueue(jobs) }
        #expect(error?.detail.contains("is not known") == true)
      }
      try await gather(proxy, store, [call, call])
      #expect(proxy.faults(.after) == 1)
      try await waitFor(2, in: .ready, fixture)
      try await fixture.query("DROP FUNCTION \(schema).taskkit_recover")
      try await fixture.query("ALTER FUNCTION \(schema).taskkit_recover_away RENAME TO taskkit_recover")
      try await claim(2, store)
      await store.close()
      proxy.end()
    }
  }

  @Test func `an answer that is found again and cannot be read is told with whose it is, and not done twice`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      let other = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      _ = try await other.open(environment)
      try await fixture.makeShelf()
      let owner = try #require(await store.owner)
      let enqueueing = try await loseAnswer(proxy, store, seenBy: other)
      try await fixture.query("UPDATE \(fixture.quoted).taskkit_owner SET answers = '[{\"ids\": \"seven\"}]'")
      proxy.letGo()
      let error = await #expect(throws: JobStoreError.self) { try await enqueueing.value }
      #expect(error?.reason == .corrupt)
      #expect(error?.detail.contains("of owner \(owner) has said, which taskkit_owner keeps") == true)
      #expect(try await other.counts().map(\.count) == [1])
      await other.close()
      await store.close()
      proxy.end()
    }
  }

  @Test func `an exchange whose answer cannot be read is told so, and whoever has enqueued beside it is told its jobs`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      // Somebody has died, and what becomes of its jobs is told in words that mean nothing.
      try await fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_open('dead', 1)")
      try await fixture.query(fixture.expiry(of: "name = 'dead'"))
      try await fixture.query(
        """
        CREATE OR REPLACE FUNCTION \(fixture.quoted).taskkit_release(p_owner bigint, p_is_crash boolean, p_now bigint)
        RETURNS jsonb LANGUAGE sql AS $$
          DELETE FROM \(fixture.quoted).taskkit_owner WHERE id = p_owner;
          SELECT '[{"id": 1, "kind": "Upload", "state": 77}]'::jsonb
        $$
        """)
      let (jobs, owner) = ([new], try #require(await store.owner))
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT 1 FROM taskkit_owner WHERE id = $1 FOR UPDATE", [.integer(owner)])
        let first = OngoingCall { try await store.setPaused(true, .kind("Other"), by: "Ann") }
        try await waitUntil { try await fixture.waiting("taskkit_do") == 1 }
        let enqueueing = (0..<2).map { _ in OngoingCall { try await store.enqueue(jobs) } }
        let exchanging = OngoingCall { try await store.exchange(JobExchange()) }
        try await waitUntil { await store.waiting == 3 }
        try await transactions[0].run("COMMIT")
        try await first.value
        for call in enqueueing { #expect(try await call.value.count == 1) }
        let error = await #expect(throws: JobStoreError.self) { try await exchanging.value }
        #expect(error?.reason == .corrupt)
      }
      #expect(try await store.counts().map(\.count) == [2])
      // It goes on as another owner.
      _ = try await store.exchange(JobExchange())
      #expect(await store.owner != owner)
      await store.close()
    }
  }

  @Test func `an exchange whose answer is found again and cannot be read takes no new jobs with it`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      let (jobs, owner) = ([new], try #require(await store.owner))
      try await fixture.withTransactions(1) { transactions in
        // Whatever becomes of the test, nobody waits for the proxy afterwards.
        defer { proxy.letGo() }
        _ = try await transactions[0].query("SELECT 1 FROM taskkit_owner WHERE id = $1 FOR UPDATE", [.integer(owner)])
        let first = OngoingCall { try await store.setPaused(true, .kind("Other"), by: "Ann") }
        try await waitUntil { try await fixture.waiting("taskkit_do") == 1 }
        let enqueueing = OngoingCall { try await store.enqueue(jobs) }
        let exchanging = OngoingCall { try await store.exchange(JobExchange()) }
        try await waitUntil { await store.waiting == 2 }
        proxy.breakNext(.after, thenHolds: true)
        try await transactions[0].run("COMMIT")
        try await first.value
        let both = "id = $1 AND jsonb_array_length(answers) = 2"
        try await waitUntil {
          try await !fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_owner WHERE \(both)", [.integer(owner)])
            .isEmpty
        }
        try await fixture.query(
          """
          UPDATE \(fixture.quoted).taskkit_owner SET answers = jsonb_set(answers, '{1,rescued}', '"nobody"') WHERE \(both)
          """, [.integer(owner)])
        proxy.letGo()
        #expect(try await enqueueing.value.count == 1)
        let error = await #expect(throws: JobStoreError.self) { try await exchanging.value }
        #expect(error?.reason == .corrupt)
        #expect(error?.detail.contains("of owner \(owner) has said, which taskkit_owner keeps") == true)
      }
      #expect(proxy.faults(.after) == 1)
      #expect(try await store.counts().map(\.count) == [1])
      await store.close()
      proxy.end()
    }
  }

  @Test func `what a lost answer gave out is found again where that cannot be read`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, patience: .zero)
      _ = try await store.open(environment)
      let id = try await store.enqueue([new])[0].id
      let owner = try #require(await store.owner)
      proxy.breakNext(.after)
      let (claim, schema) = (claim, fixture.quoted)
      let lost = await #expect(throws: JobStoreError.self) { try await store.exchange(claim) }
      #expect(lost?.detail.contains("is not known") == true)
      // The server may still be about to do it.
      try await waitUntil {
        try await !fixture.query("SELECT 1 FROM \(schema).taskkit_state WHERE state = 3").isEmpty
      }
      try await fixture.query("UPDATE \(schema).taskkit_owner SET answers = '[{\"claimed\": [], \"cancel\": 7}]'")
      let error = await #expect(throws: JobStoreError.self) { try await store.exchange(JobExchange()) }
      #expect(error?.reason == .corrupt)
      #expect(error?.detail.contains("owner \(owner)") == true)
      // It goes on as another owner, and what the first one held is found as that of a dead one.
      _ = try await store.exchange(JobExchange())
      #expect(await store.owner != owner)
      try await fixture.expireLease(of: owner)
      #expect(try await store.exchange(JobExchange()).rescued.map(\.id) == [id])
      await store.close()
      proxy.end()
    }
  }

  private func key(_ job: ClaimedJob) -> AttemptKey { AttemptKey(job: job.id, token: job.token) }

  /// Waits until as many jobs are in a state as the server says: it may still be about to do what was given up.
  private func waitFor(_ count: Int, in state: JobState, _ fixture: PostgresFixture) async throws {
    let sql = "SELECT 1 FROM \(fixture.quoted).taskkit_state WHERE state = \(state.storedNumber)"
    try await waitUntil { try await fixture.query(sql).count == count }
  }

  @Test(arguments: [false, true])
  func `attempts that a call has cancelled whose answer was lost are told with the next exchange`(
    replaces: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, lease: .seconds(600), patience: .zero)
      _ = try await store.open(environment)
      var new = new
      new.unique = UniqueKey("key", .replace)
      new.retention = JobRetention(finished: .seconds(60), failed: .seconds(60))
      let jobs = [new]
      _ = try await store.enqueue(jobs)
      let held = try await store.exchange(claim).claimed
      proxy.breakNext(.after)
      let error = await #expect(throws: JobStoreError.self) {
        if replaces { _ = try await store.enqueue(jobs) } else { _ = try await store.change(.all, .cancel) }
      }
      #expect(error?.detail.contains("is not known") == true)
      try await waitFor(1, in: .cancelled, fixture)
      // Whoever works is told that there is something to ask for.
      var changes = store.changes().makeAsyncIterator()
      _ = try await store.sweep(limit: 1)
      _ = await changes.next()
      #expect(try await store.exchange(JobExchange()).toCancel == held.map(\.token))
      #expect(try await store.exchange(JobExchange()).toCancel.isEmpty)
      await store.close()
      proxy.end()
    }
  }

  @Test func `what is found out while lost jobs are given back is told with the next exchange`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, lease: .seconds(600), patience: .zero)
      let other = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      let dying = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      for store in [store, other, dying] { _ = try await store.open(environment) }
      _ = try await dying.enqueue([new])
      let left = try await dying.exchange(claim).claimed
      _ = try await store.enqueue([new])
      let held = try await store.exchange(claim).claimed
      _ = try await store.enqueue([new])
      proxy.breakNext(.after)
      let exchange = claim
      await #expect(throws: JobStoreError.self) { try await store.exchange(exchange) }
      try await waitFor(3, in: .running, fixture)
      // While nobody knows what it has been given, it has to cancel something, and somebody dies.
      _ = try await other.change(JobSelection(ids: held.map(\.id)), .cancel)
      let owner = try #require(await dying.owner)
      await dying.die()
      try await fixture.expireLease(of: owner)
      _ = try await store.enqueue([new])
      let answer = try await store.exchange(claim)
      #expect(answer.toCancel == held.map(\.token))
      #expect(answer.rescued.map(\.id) == left.map(\.id))
      #expect(answer.claimed.count == 3)
      await store.close()
      await other.close()
      proxy.end()
    }
  }

  @Test(arguments: [false, true])
  func `where nobody can read what was said when lost jobs were given back, only the next exchange is told that`(
    isLost: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, lease: .seconds(600), patience: .zero)
      _ = try await store.open(environment)
      _ = try await store.enqueue([new])
      let held = try await store.exchange(claim).claimed
      _ = try await store.enqueue([new])
      let (first, exchange) = (try #require(await store.owner), claim)
      proxy.breakNext(.after)
      await #expect(throws: JobStoreError.self) { try await store.exchange(exchange) }
      try await waitFor(2, in: .running, fixture)
      // Somebody has died, and what becomes of its jobs is told with the next answer, in words that mean nothing.
      try await fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_open('dead', 1)")
      try await fixture.query(fixture.expiry(of: "name = 'dead'"))
      try await fixture.query(
        """
        CREATE OR REPLACE FUNCTION \(fixture.quoted).taskkit_release(p_owner bigint, p_is_crash boolean, p_now bigint)
        RETURNS jsonb LANGUAGE sql AS $$
          DELETE FROM \(fixture.quoted).taskkit_owner WHERE id = p_owner;
          SELECT '[{"id": 1, "kind": "Upload", "state": 77}]'::jsonb
        $$
        """)
      if isLost {
        proxy.breakNext(.after)
        let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([new]) }
        // What was lost is not that.
        #expect(error?.detail.contains("is not known") == false)
        try await waitFor(1, in: .ready, fixture)
      }
      #expect(try await store.enqueue([new]).count == 1)
      #expect(await store.owner != first)
      let error = await #expect(throws: JobStoreError.self) { try await store.exchange(JobExchange()) }
      #expect(error?.reason == .corrupt)
      #expect(error?.detail.contains("the state of job 1 cannot be read: 77") == true)
      let answer = try await store.exchange(JobExchange())
      #expect(answer.toCancel == held.map(\.token))
      #expect(answer.rescued.isEmpty)
      try await waitFor(2, in: .ready, fixture)
      await store.close()
      proxy.end()
    }
  }

  @Test func `whoever asks what has become of something waits no longer than its patience for who is still at it`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(
        at: proxy.address, schema: fixture.schema, lease: .seconds(600), patience: .milliseconds(500))
      _ = try await store.open(environment)
      _ = try await store.enqueue([new])
      let job = try #require(try await store.exchange(claim).claimed.first)
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_once(\(job.id), \(job.token.rawValue), 'book')")
        let end = JobExchange(ends: [(key(job), .succeeded(result: nil))])
        let ended = OngoingCall { try await store.exchange(end).ends }
        // The server goes on waiting for the step when nobody is there any more who hears of it.
        try await waitUntil {
          try await !fixture.query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
            [.text("%\(fixture.schema)%taskkit_exchange%")]
          ).isEmpty
        }
        proxy.breakOngoing()
        let error = await #expect(throws: JobStoreError.self) { try await ended.value }
        #expect(error?.reason == .unreachable)
        #expect(error?.detail.contains("is not known") == true)
        try await transactions[0].run("COMMIT")
      }
      _ = try await store.exchange(JobExchange())
      #expect(try await store.counts().isEmpty)
      await store.close()
      proxy.end()
    }
  }

  @Test func `the patience begins when the connection breaks, however long the server has been at a call by then`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(
        at: fixture.address, schema: fixture.schema, lease: .seconds(600), patience: .milliseconds(100))
      _ = try await store.open(environment)
      _ = try await store.enqueue([new])
      let job = try #require(try await store.exchange(claim).claimed.first)
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_once(\(job.id), \(job.token.rawValue), 'book')")
        let end = JobExchange(ends: [(key(job), .succeeded(result: nil))])
        let ended = OngoingCall { try await store.exchange(end).ends }
        // When it has waited for longer than that, its connection is ended.
        try await waitUntil {
          try await !fixture.query(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1
            AND query_start < clock_timestamp() - interval '150ms'
            """, [.text("%\(fixture.schema)%taskkit_exchange%")]
          ).isEmpty
        }
        try await transactions[0].run("COMMIT")
        #expect(try await ended.value == [true])
      }
      #expect(try await store.counts().isEmpty)
      await store.close()
    }
  }

  @Test func `when a later build changes the schema, those of an older one write nothing more`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      let (new, exchange) = (new, claim)
      _ = try await store.enqueue([new])
      try await fixture.query("UPDATE \(fixture.quoted).taskkit_format SET version = 99")
      let errors = [
        await #expect(throws: JobStoreError.self) { try await store.enqueue([new]) },
        await #expect(throws: JobStoreError.self) { try await store.exchange(exchange) },
        await #expect(throws: JobStoreError.self) { try await store.change(.all, .cancel) },
        // Of the tables of a later build this one knows nothing.
        await #expect(throws: JobStoreError.self) { _ = try await store.counts() },
      ]
      #expect(
        errors.map { $0?.reason } == Array(repeating: .newer(version: 99, known: PostgresSchema.version), count: 4))
      try await fixture.query(
        "UPDATE \(fixture.quoted).taskkit_format SET version = $1", [.integer(Int64(PostgresSchema.version))])
      try await claim(1, store)
      await store.close()
    }
  }

  @Test func `a caller that is cancelled concerns no other, and learns what has become of its call`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      let new = new
      proxy.breakNext(.after)
      let task = Task { try await store.enqueue([new]) }
      task.cancel()
      #expect(try await task.value.count == 1)
      #expect(try await store.counts().map(\.count) == [1])
      await store.close()
      proxy.end()
    }
  }

  @Test func `a server whose transactions are of a higher level is refused, with what to do`() async throws {
    try await PostgresFixture.with { fixture in
      let address = fixture.address + " options='-c default_transaction_isolation=serializable'"
      let store = PostgresStore(at: address, schema: fixture.schema)
      let error = await #expect(throws: JobStoreError.self) { try await store.open(environment) }
      #expect(error?.reason == .invalid)
      #expect(error?.description.contains("ALTER ROLE taskkit SET default_transaction_isolation") == true)
    }
  }

  @Test func `a store that is closed while it is opened holds nothing afterwards`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      proxy.hold()
      let environment = environment
      let opening = Task { try await store.open(environment) }
      try await waitUntil { proxy.held > 0 }
      await store.close()
      proxy.letGo()
      let error = await #expect(throws: JobStoreError.self) { try await opening.value }
      #expect(error?.reason == .closed)
      #expect(try await fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_owner").isEmpty)
      proxy.end()
    }
  }
}
