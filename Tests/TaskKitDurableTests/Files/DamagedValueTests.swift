#if Durable && !os(Windows)
import Foundation
import GRDB
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// Values that mean nothing, on sound pages: SQLite keeps no sums of what it writes, and gives what is there.
@Suite struct DamagedValueTests {
  /// Opens a file with three jobs, the first two of them held, that was damaged while nobody had it open.
  private func open(_ fixture: SQLiteFixture, after damage: String) async throws -> SQLiteStore {
    let before = SQLiteStore(at: fixture.file)
    _ = try await before.open(StoreEnvironment(owner: "before"))
    var new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    new.tags = ["red"]
    let ids = try await before.enqueue([new, new, new]).map(\.id)
    try #require(ids.map(\.rawValue) == [1, 2, 3])
    _ = try await before.change(JobSelection(ids: [ids[0], ids[1]]), .hold("later"))
    await before.close()
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { try $0.execute(sql: damage) }
    try database.close()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    return store
  }

  @Test(
    arguments: [
      ("UPDATE taskkit_job SET tags = 'x' WHERE id = 1", JobSelection(tags: ["red"], states: [.held])),
      ("UPDATE taskkit_state SET hold = 'x' WHERE id = 1", JobSelection(heldFor: [.asked])),
    ] as [(String, JobSelection)])
  func `a job whose tags or reason are damaged does not keep others from being selected by theirs`(
    damage: String, selection: JobSelection
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let store = try await open(fixture, after: damage)
    #expect(try await store.jobs(selection, after: nil, limit: 9).map(\.id.rawValue) == [2])
    #expect(try await store.change(selection, .cancel).count == 1)
    await store.close()
  }

  @Test(
    arguments: [
      ("UPDATE taskkit_state SET state = 99 WHERE id = 1", "the state of job 1 cannot be read: 99"),
      ("UPDATE taskkit_state SET hold = '{' WHERE id = 1", "what holds job 1 cannot be read: '{'"),
      ("UPDATE taskkit_job SET parent_failure = 9 WHERE id = 1", "what job 1 does without a parent cannot be read: 9"),
      (
        "UPDATE taskkit_job SET exhaustion = -1 WHERE id = 1",
        "what becomes of job 1 without attempts cannot be read: -1"
      ),
    ] as [(String, String)])
  func `a value of a job that means nothing is told with whose it is, and the others are done`(
    damage: String, words: String
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let store = try await open(fixture, after: damage)
    let damaged = JobSelection(ids: [JobID(rawValue: 1)])
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await store.jobs(.all, after: nil, limit: 9) },
      { _ = try await store.jobs(damaged, after: nil, limit: 9) },
      { _ = try await store.countAhead(of: JobID(rawValue: 1)) },
      { _ = try await store.change(.all, .cancel) },
      { _ = try await store.change(damaged, .release) },
    ]
    for (place, call) in calls.enumerated() {
      let error = await #expect(throws: JobStoreError.self, "call \(place)") { try await call() }
      #expect(error?.reason == .corrupt)
      #expect(error?.detail == words)
      #expect(error?.description.contains(fixture.file.path) == true)
    }
    let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    #expect(claimed.map(\.id.rawValue) == [3])
    let ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil)) }
    #expect(try await store.exchange(JobExchange(ends: ends)).ends == [true])
    #expect(try await store.change(JobSelection(ids: [JobID(rawValue: 2)]), .cancel).count == 1)
    await store.close()
  }

  /// Lets a value be missing in all rows of a table, which the table itself would refuse.
  ///
  /// - Parameter more: what is done beside it.
  private func damage(
    _ fixture: SQLiteFixture, _ table: String, lacking column: String, _ more: String = ""
  ) async throws {
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE damaged AS SELECT * FROM \(table); DROP TABLE \(table); ALTER TABLE damaged RENAME TO \(table);
          UPDATE \(table) SET \(column) = NULL; \(more)
          """)
    }
    try database.close()
  }

  /// Tables in which no row is about one job, with a value that each row has.
  enum Table: String, CaseIterable {
    case schedule = "begun"
    case pause = "since"
    case rate = "used"
    case start = "count"
  }

  @Test(arguments: Table.allCases)
  func `a row about no job that lacks a value is told with its table, and with what to do about it`(
    table: Table
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let before = SQLiteStore(at: fixture.file)
    _ = try await before.open(StoreEnvironment(owner: "before"))
    let date = Date(timeIntervalSince1970: 0)
    let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    _ = try await before.enqueue([new, new])
    _ = try await before.schedule("nightly", beginning: date)
    try await before.setPaused(true, .kind("Other"), by: "Ann")
    try await before.setRate(RateLimit(1, per: .seconds(3600)), ofQueue: "default")
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    #expect(try await before.exchange(JobExchange(claims: [claim])).claimed.count == 1)
    await before.close()
    try await damage(fixture, "taskkit_\(table)", lacking: table.rawValue)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let calls: [@Sendable () async throws -> Void] =
      switch table {
      case .schedule: [{ _ = try await store.schedule("nightly") }]
      case .pause: [{ _ = try await store.pauses() }]
      case .rate, .start:
        [{ _ = try await store.rates() }, { _ = try await store.exchange(JobExchange(claims: [claim])) }]
      }
    for call in calls {
      let error = await #expect(throws: JobStoreError.self) { try await call() }
      #expect(error?.reason == .corrupt)
      #expect(error?.detail.hasPrefix("row ") == true)
      #expect(error?.detail.contains(" of taskkit_\(table) cannot be read: a value is missing; ") == true)
    }
    await store.close()
  }

  @Test func `when a row about no job has been mended as it says, the store goes on as before`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let before = SQLiteStore(at: fixture.file)
    _ = try await before.open(StoreEnvironment(owner: "before"))
    _ = try await before.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))])
    try await before.setRate(RateLimit(9, per: .seconds(3600)), ofQueue: "default")
    await before.close()
    try await damage(fixture, "taskkit_rate", lacking: "used")
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    await #expect(throws: JobStoreError.self) { try await store.exchange(JobExchange(claims: [claim])) }
    try await store.setRate(nil, ofQueue: "default")
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    try #require(claimed.count == 1)
    let key = AttemptKey(job: claimed[0].id, token: claimed[0].token)
    #expect(try await store.exchange(JobExchange(ends: [(key, .succeeded(result: nil))])).ends == [true])
    // It is deleted with its end.
    #expect(try await store.jobs(.all, after: nil, limit: 9).isEmpty)
    await store.close()
  }

  @Test(arguments: [
    ("taskkit_shelf", "needs", "row 1 of taskkit_shelf", "UPDATE taskkit_shelf SET needs = ''"),
    ("taskkit_owner", "lock", "row 7 of taskkit_owner", "DELETE FROM taskkit_owner WHERE id = 7"),
  ])
  func `a file is not opened where a shelf or an owner lacks a value, and is when that is mended as it says`(
    table: String, column: String, row: String, mending: String
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let before = SQLiteStore(at: fixture.file)
    _ = try await before.open(StoreEnvironment(owner: "before"))
    let id = try await before.enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))])[0].id
    await before.close()
    let owner = table == "taskkit_owner" ? "INSERT INTO taskkit_owner VALUES (7, 'other', NULL)" : ""
    try await damage(fixture, table, lacking: column, owner)
    let damaged = SQLiteStore(at: fixture.file)
    let error = await #expect(throws: JobStoreError.self) { try await damaged.open(StoreEnvironment(owner: "test")) }
    #expect(error?.reason == .corrupt)
    #expect(error?.detail.hasPrefix("\(row) cannot be read: a value is missing; ") == true)
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { try $0.execute(sql: mending) }
    try database.close()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == [id])
    await store.close()
  }

  private let date = Date(timeIntervalSince1970: 1_767_225_600)

  /// Makes a file from which jobs were lost, and nothing else of them, as where what can be read of a damaged one was saved in a
  /// new one.
  ///
  /// - Parameters:
  ///   - change: what else was done by its store.
  ///   - more: the same by somebody else.
  private func make(
    _ fixture: SQLiteFixture, _ jobs: [NewJob], without lost: [Int], _ more: String = "",
    _ change: (SQLiteStore) async throws -> Void = { _ in }
  ) async throws {
    let before = SQLiteStore(at: fixture.file)
    _ = try await before.open(StoreEnvironment(now: { [date] in date }, owner: "before"))
    _ = try await before.enqueue(jobs)
    try await change(before)
    await before.close()
    let ids = lost.map(String.init).joined(separator: ", ")
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { try $0.execute(sql: "DELETE FROM taskkit_job WHERE id IN (\(ids)); \(more)") }
    try database.close()
  }

  /// Opens such a file a minute later.
  private func open(
    _ fixture: SQLiteFixture, _ jobs: [NewJob], without lost: [Int], _ more: String = "",
    _ change: (SQLiteStore) async throws -> Void = { _ in }
  ) async throws -> SQLiteStore {
    try await make(fixture, jobs, without: lost, more, change)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(now: { [date] in date + 60 }, owner: "test"))
    return store
  }

  private func new(_ change: (inout NewJob) -> Void = { _ in }) -> NewJob {
    var new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    change(&new)
    return new
  }

  private let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])

  @Test(arguments: [UniqueKey.Conflict.keep, .replace, .append])
  func `a key of a job that was lost with a part of the file is free`(conflict: UniqueKey.Conflict) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let store = try await open(fixture, [new { $0.unique = UniqueKey("key") }], without: [1])
    let enqueued = try await store.enqueue([new { $0.unique = UniqueKey("key", conflict) }])[0]
    #expect(enqueued.outcome == .added)
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == [enqueued.id])
    await store.close()
  }

  @Test func `a job that was lost with a part of the file uses up nothing of the limit of its key`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let limited = { (job: inout NewJob) in job.limit = KeyLimit("key", count: 2) }
    let store = try await open(fixture, Array(repeating: new(limited), count: 4), without: [1, 3])
    // What is left of a lost one is met together with the one behind it.
    for _ in 0..<3 {
      for job in try await store.exchange(JobExchange(claims: [claim])).claimed {
        let end = (AttemptKey(job: job.id, token: job.token), JobExchange.End.succeeded(result: nil))
        _ = try await store.exchange(JobExchange(ends: [end]))
      }
    }
    #expect(try await store.counts() == [])
    let jobs = try await store.enqueue([new(limited), new(limited)])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == jobs.map(\.id))
    await store.close()
  }

  @Test func `what comes due of jobs that were lost with a part of the file holds up no other`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    let delayed = new { $0.start = .after(.seconds(30)) }
    let store = try await open(
      fixture, [delayed, delayed], without: [1, 2],
      """
      INSERT INTO taskkit_state (id, state, shelf, major, minor, attempts, crashes, due, flags, expiry)
      VALUES (1, 5, 1, 0, 0, 1, 0, 0, 0, 1), (2, 5, 1, 0, 0, 1, 0, 0, 0, 1)
      """)
    #expect(try await store.exchange(JobExchange()).nextDue == nil)
    #expect(try await store.sweep(limit: 1) == .zero)
    #expect(try await store.sweep(limit: 1) == nil)
    await store.close()
  }

  @Test(arguments: [(.cancel, .cancelled), (.hold, .held), (.run, .waiting)] as [(ParentFailure, JobState)])
  func `for those who wait for a job that was lost with a part of the file it has died when that is opened`(
    policy: ParentFailure, state: JobState
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let child = new { job in
      job.parents = [.inBatch(0), .inBatch(1)]
      job.parentFailure = policy
    }
    let store = try await open(fixture, [new(), new(), child, new { $0.parents = [.inBatch(2)] }], without: [1])
    let jobs = try await store.jobs(JobSelection(ids: [3, 4].map { JobID(rawValue: $0) }), after: nil, limit: 9)
    // Who waits for one that is cancelled is cancelled as well.
    #expect(jobs.map(\.state) == [state, policy == .cancel ? .cancelled : .waiting])
    let hold: HoldReason? = policy == .hold ? .parentFailed(JobID(rawValue: 1)) : nil
    #expect(jobs[0].hold == hold)
    // The other one is there, and is waited for by whoever goes on.
    #expect(jobs[0].parents == [JobID(rawValue: 2)])
    _ = try await store.change(JobSelection(states: [.held]), .release)
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    #expect(claimed.map(\.id.rawValue) == [2])
    let ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil)) }
    _ = try await store.exchange(JobExchange(ends: ends))
    let next = try await store.exchange(JobExchange(claims: [claim])).claimed
    #expect(next.map(\.id.rawValue) == (policy == .cancel ? [] : [3]))
    await store.close()
  }

  @Test func `a job that is held when the file is opened is held for a parent that was lost when it is released`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    let child = new { job in
      job.parents = [.inBatch(0)]
      job.parentFailure = .hold
    }
    let store = try await open(fixture, [new(), child], without: [1]) { before in
      _ = try await before.change(JobSelection(states: [.waiting]), .hold("later"))
    }
    let held = JobSelection(states: [.held])
    #expect(try await store.jobs(held, after: nil, limit: 9).map(\.hold) == [.asked("later")])
    _ = try await store.change(held, .release)
    #expect(try await store.jobs(held, after: nil, limit: 9).map(\.hold) == [.parentFailed(JobID(rawValue: 1))])
    await store.close()
  }

  @Test(arguments: 1...3)
  func `jobs of one key run one after the other though some between them were lost with a part of the file`(
    lost: Int
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let appended = new { $0.unique = UniqueKey("key", .append) }
    // They lie beside each other, and so they are lost.
    let store = try await open(fixture, Array(repeating: appended, count: lost + 2), without: Array(2..<lost + 2))
    let all = try await store.jobs(.all, after: nil, limit: 9)
    #expect(all.map(\.state) == [.ready, .waiting])
    #expect(all.map(\.parents) == [[], [JobID(rawValue: 1)]])
    await store.close()
  }

  @Test(.timeLimit(.minutes(2)))
  func `that a job was lost for which others wait is told once, with what becomes of them`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    try await make(fixture, [new(), new { $0.parents = [.inBatch(0)] }], without: [1])
    let probe = Probe()
    let center = try TaskCenter(
      registry: TaskRegistry(), configuration: .reporting(to: probe), time: VirtualTime().source,
      stores: [.sqlite(at: fixture.file)], jobs: JobConfiguration(monitors: []))
    #expect(try await center.jobs.all().map(\.state) == [.cancelled])
    #expect(
      probe.notes == [
        """
        store 'jobs': job 1, which others waited for, cannot be found any more; those were cancelled, are held or run, as \
        their 'parentFailure' says
        """
      ])
    await center.terminate()
  }

  @Test func `a queue whose first jobs could not be written down is as new as before`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let replacing = new { $0.unique = UniqueKey("key", .replace) }
    let store = try await open(fixture, [replacing], without: [], "UPDATE taskkit_job SET state = 99")
    let first = new { $0.queue = "fresh" }
    await #expect(throws: JobStoreError.self) { try await store.enqueue([first, replacing]) }
    let id = try await store.enqueue([first])[0].id
    let claim = JobExchange.Claim(queue: "fresh", limit: 9, kinds: [.init("Upload", limit: 9)])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == [id])
    #expect(try await store.counts().map(\.queue).contains("fresh"))
    await store.close()
  }

  @Test func `a number of jobs in a state that means nothing is told, and jobs are done all the same`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    // That of the ready ones.
    let store = try await open(fixture, after: "UPDATE taskkit_count SET state = 99 WHERE state = 2")
    let error = await #expect(throws: JobStoreError.self) { try await store.counts() }
    #expect(error?.reason == .corrupt)
    #expect(error?.detail == "the state of a row of taskkit_count cannot be read: 99")
    let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id.rawValue) == [3])
    await store.close()
  }

  @Test func `nothing is left of jobs of the caller's transaction that meet a value which means nothing`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    let pool = try DatabasePool(path: fixture.file.path)
    let store = SQLiteStore(sharing: pool)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let plain = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    var new = plain
    new.unique = UniqueKey("key", .replace)
    let replacing = new
    _ = try await store.enqueue([replacing])
    try await pool.write { db in
      try db.execute(sql: "UPDATE taskkit_job SET state = 99")
      // It has enqueued the first one when it looks at the job that the second one replaces.
      let error = #expect(throws: JobStoreError.self) { try store.enqueue([plain, replacing], in: db) }
      #expect(error?.detail == "the state of job 1 cannot be read: 99")
    }
    #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_job") } == 1)
    await store.close()
    try pool.close()
  }
}
#endif
