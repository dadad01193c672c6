#if Durable && !os(Windows)
import Faults
import Foundation
import GRDB
import ProcessTesting
import TaskKit
@testable import TaskKitDurable
import Testing

/// A file of an older format becomes one of the newest when it is opened. The formats that come after this build's are
/// these tests' own.
@Suite(.serialized) struct MigrationTests {
  /// What steps do: they add to a table, fill one from another, and rebuild one. Each leaves a trace.
  private static let later = [
    """
    ALTER TABLE taskkit_shelf ADD COLUMN region TEXT NOT NULL DEFAULT 'here';
    CREATE TABLE taskkit_trace (step INTEGER NOT NULL);
    INSERT INTO taskkit_trace VALUES (1);
    """,
    """
    CREATE TABLE taskkit_size (id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
    INSERT INTO taskkit_size SELECT id, length(payload) FROM taskkit_job;
    CREATE TABLE taskkit_rebuilt (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
    INSERT INTO taskkit_rebuilt SELECT id, data FROM taskkit_checkpoint;
    DROP TABLE taskkit_checkpoint;
    ALTER TABLE taskkit_rebuilt RENAME TO taskkit_checkpoint;
    INSERT INTO taskkit_trace VALUES (2);
    """,
  ]
  private static let steps = SQLiteSchema.migrations + later

  /// What a file says of itself.
  private struct Content: Equatable {
    var version: Int
    var identity: String
    var trace: [Int]
    var jobs: [JobSnapshot]

    init(_ db: Database) throws {
      let row = try Row.fetchOne(db, sql: "SELECT version, identity FROM taskkit_format")!
      version = row["version"]
      identity = row["identity"]
      trace =
        try db.tableExists("taskkit_trace")
        ? Int.fetchAll(db, sql: "SELECT step FROM taskkit_trace ORDER BY step") : []
      jobs = try SQLiteTransaction.jobs(db, .all, after: nil, limit: .max)
    }

    /// The same in the format after so many of the later steps.
    func migrated(_ count: Int) -> Content {
      var content = self
      content.version = SQLiteSchema.version + count
      content.trace = Array(1..<count + 1)
      return content
    }
  }

  private static func read(_ file: URL) throws -> Content {
    let database = try DatabaseQueue(path: file.path)
    let content = try database.read(Content.init)
    try database.close()
    return content
  }

  /// Opens a file as a store does whose build has these steps.
  private static func migrate(_ file: URL, _ steps: [String]) throws {
    let database = try DatabasePool(path: file.path, configuration: .patient)
    _ = try migrate(database, file, steps)
    try database.close()
  }

  private static func migrate(_ database: any DatabaseWriter, _ file: URL, _ steps: [String]) throws -> UUID {
    var identity: UUID?
    try database.writeWithoutTransaction { db in
      try SQLiteWriter.setDurability(db, isRelaxed: false)
      try db.inTransaction(.immediate) {
        identity = try SQLiteSchema.migrate(db, store: file.path, steps: steps)
        return .commit
      }
    }
    return identity!
  }

  /// Jobs in each state that an older build may leave, one with a checkpoint, in a file that nobody uses any more.
  private static func fill(_ file: URL) async throws {
    let store = SQLiteStore(at: file)
    _ = try await store.open(StoreEnvironment(owner: "older"))
    var new = NewJob(
      kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)),
      retention: JobRetention(finished: nil, failed: nil),
      tags: ["spring"])
    let claim = JobExchange.Claim(queue: "default", limit: 3, kinds: [.init("Upload", limit: 3)])
    _ = try await store.enqueue([new, new, new])
    let held = try await store.exchange(JobExchange(claims: [claim])).claimed
    let keys = held.map { AttemptKey(job: $0.id, token: $0.token) }
    _ = try await store.exchange(
      JobExchange(
        notes: [(keys[1], .checkpoint(Data("half".utf8)))],
        ends: [
          (keys[0], .succeeded(result: Data([1]))), (keys[1], .failed(.error, "no", retryAfter: .seconds(1_000_000))),
          (keys[2], .gaveUp(.error, "never")),
        ]))
    new.unique = UniqueKey("key")
    var child = new
    (child.unique, child.parents) = (nil, [.inBatch(0)])
    var late = child
    (late.parents, late.start) = ([], .after(.seconds(1_000_000)))
    _ = try await store.enqueue([new, child, late])
    await store.close()
  }

  @Test
  func `an older file becomes the newest one step after the other or all at once, with its identity and its jobs`()
    async throws
  {
    for isStepByStep in [true, false] {
      let fixture = try SQLiteFixture(isFast: true)
      try await Self.fill(fixture.file)
      let before = try Self.read(fixture.file)
      #expect(before.version == SQLiteSchema.version)
      #expect(before.jobs.count == 6)
      for count in isStepByStep ? [1, 2, 2] : [2, 2] {
        try Self.migrate(fixture.file, Array(Self.steps.prefix(SQLiteSchema.version + count)))
        #expect(try Self.read(fixture.file) == before.migrated(count))
      }
      // What was derived from the older rows is there, and they go on as before.
      let database = try DatabaseQueue(path: fixture.file.path)
      try await database.writeWithoutTransaction { db in
        #expect(try Int.fetchAll(db, sql: "SELECT bytes FROM taskkit_size") == Array(repeating: 7, count: 6))
        try db.inTransaction(.immediate) {
          let transaction = try SQLiteTransaction(db, now: StoreTime(Date()), owner: 99, caches: SQLiteCaches())
          let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
          #expect(try transaction.exchange(JobExchange(claims: [claim])).claimed.map(\.id.rawValue) == [4])
          try transaction.finish()
          return .commit
        }
      }
      try database.close()
    }
  }

  @Test func `what has started counts for its rate also in a file that did not count with the rate`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    try Self.migrate(fixture.file, Array(Self.steps.prefix(1)))
    let database = try DatabaseQueue(path: fixture.file.path)
    try await database.write { db in
      let hour: Int64 = 3_600_000_000
      let now = StoreTime(Date()).microseconds
      for (isKey, name) in [(0, "default"), (0, "other"), (1, "default")] {
        try db.execute(
          sql: "INSERT INTO taskkit_rate (is_key, name, count, period) VALUES (?, ?, 9, ?)",
          arguments: [isKey, name, hour])
        guard name == "default" else { continue }
        for (age, count) in [(2 * hour, 4), (hour / 2, 3), (hour / 3, 2 + isKey)] {
          try db.execute(
            sql: "INSERT INTO taskkit_start VALUES (?, ?, ?, ?)", arguments: [isKey, name, now - age, count])
        }
      }
    }
    try database.close()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let rates = try await store.rates()
    #expect(rates.map(\.subject) == [.queue("default"), .queue("other"), .key("default")])
    #expect(rates.map(\.free) == [4, 9, 3])
    await store.close()
  }

  /// Makes a file of the second format, and lets somebody fill it.
  private static func makeSecond(_ fixture: SQLiteFixture, _ fill: @Sendable (Database) throws -> Void) throws {
    try migrate(fixture.file, Array(steps.prefix(2)))
    let database = try DatabaseQueue(path: fixture.file.path)
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO taskkit_name VALUES (1, 'default'), (2, 'Upload');
          INSERT INTO taskkit_shelf VALUES (1, 1, 2, '', 0), (2, 1, 2, '["network"]', 0);
          """)
      try fill(db)
    }
    try database.close()
  }

  /// A row of a job as the second format has it.
  private static func insert(
    _ id: Int, shelf: Int = 1, state: Int = 2, needs: String = "", until: Int? = nil, version: Int = 2,
    payload: String = "", _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO taskkit_job VALUES (?, 1, 2, ?, ?, 10, 10, 0, 0, 0, 3, 3, NULL, ?, ?, NULL, NULL, NULL, NULL, 0, 0, 0,
          NULL, NULL, NULL, NULL, ?, ?)
        """, arguments: [id, shelf, state, needs, until, version, Data(payload.utf8)])
    // One that no longer waits for what it requires.
    let shelf = until == nil ? shelf : 1
    if until != nil {
      try db.execute(
        sql: "INSERT INTO taskkit_state VALUES (?, 2, ?, 10, 10, 0, 0, 0, 0, NULL, NULL, NULL, NULL)",
        arguments: [id, shelf])
    }
    guard state == 2 else { return }
    try db.execute(
      sql: "INSERT INTO taskkit_ready VALUES (?, -11, -11, 0, ?, 0, NULL, NULL)", arguments: [shelf, id])
  }

  @Test func `of the second format the third one parts jobs by the versions of their payloads as somebody meets them`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    try Self.makeSecond(fixture) { db in
      try db.execute(
        sql: """
          INSERT INTO taskkit_count VALUES (1, 2, 2, 5), (1, 2, 1, 1);
          UPDATE taskkit_sequence SET next = 7 WHERE name = 'job';
          INSERT INTO taskkit_due VALUES (0, 5, 0);
          """)
      try Self.insert(1, version: 1, db)
      try Self.insert(2, db)
      try Self.insert(3, shelf: 2, needs: "[\"network\"]", db)
      try Self.insert(4, shelf: 2, needs: "[\"network\"]", until: 0, db)
      try Self.insert(5, state: 1, db)
      try Self.insert(6, shelf: 2, needs: "[\"network\"]", version: 1, db)
    }
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    func claim(_ unreadable: Set<Int>, _ satisfied: Set<String> = []) async throws -> [ClaimedJob] {
      let kinds = [JobExchange.Claim.Kind("Upload", limit: 9, unreadable: unreadable)]
      let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: kinds, satisfied: satisfied)
      return try await store.exchange(JobExchange(claims: [claim])).claimed
    }
    func given(_ unreadable: Set<Int>, _ satisfied: Set<String> = []) async throws -> [Int64] {
      let claimed = try await claim(unreadable, satisfied)
      let ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.interrupted) }
      _ = try await store.exchange(JobExchange(ends: ends))
      return claimed.map(\.id.rawValue)
    }
    // Whoever is given them finds out, once.
    for version in [2, 1] { #expect(try await given([version], ["network"]) == [1, 2, 3, 4, 5, 6]) }
    let ends = try await claim([], ["network"]).map { job -> (AttemptKey, JobExchange.End) in
      let end = job.payload.version == 1 ? JobExchange.End.interrupted : .held(.unreadable("of version 2"))
      return (AttemptKey(job: job.id, token: job.token), end)
    }
    #expect(try await store.exchange(JobExchange(ends: ends)).ends == Array(repeating: true, count: 6))
    #expect(try await store.change(.all, .release).count == 4)
    #expect(try await given([2], ["network"]) == [1, 6])
    #expect(try await given([2]) == [1])
    #expect(try await given([]) == [1, 2, 4, 5])
    #expect(try await given([], ["network"]) == [1, 2, 3, 4, 5, 6])
    // New ones are parted from the beginning.
    _ = try await store.enqueue([NewJob(kind: "Upload", payload: JobPayload(version: 2, bytes: Data()))])
    #expect(try await given([2], ["network"]) == [1, 6])
    let state = JobCount(queue: "default", kind: "Upload", state: .ready, count: 7)
    #expect(try await store.counts() == [state])
    await store.close()
  }

  @Test func `a file of the second format one of whose pages of jobs is damaged becomes one of the third, too`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    try Self.makeSecond(fixture) { db in
      try db.execute(
        sql: """
          INSERT INTO taskkit_count VALUES (1, 2, 2, 100);
          UPDATE taskkit_sequence SET next = 101 WHERE name = 'job';
          """)
      for id in 1...100 { try Self.insert(id, payload: DamagedFile.name(Int64(id)), db) }
    }
    let lost = try DamagedFile.damage(fixture.file, around: 40)
    try #require(lost.contains(40))
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let claim = JobExchange.Claim(queue: "default", limit: 100, kinds: [.init("Upload", limit: 100)])
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    #expect(claimed.map(\.id.rawValue) == (1...100).filter { !lost.contains($0) })
    await store.close()
  }

  @Test func `a database of the program's becomes one of the third format whatever else in it makes no sense`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    try Self.makeSecond(fixture) { db in
      try db.execute(
        sql: """
          INSERT INTO taskkit_count VALUES (1, 2, 2, 1);
          UPDATE taskkit_sequence SET next = 2 WHERE name = 'job';
          CREATE TABLE photo (name TEXT);
          CREATE VIEW album AS SELECT name, place FROM gone;
          CREATE TRIGGER taken AFTER INSERT ON photo BEGIN INSERT INTO gone VALUES (new.name); END;
          """)
      try Self.insert(1, db)
    }
    let pool = try DatabasePool(path: fixture.file.path)
    let store = SQLiteStore(sharing: pool)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Upload", limit: 9)])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id.rawValue) == [1])
    await store.close()
    try pool.close()
  }

  @Test func `a build that knows fewer steps refuses the file, and leaves it as it is`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    try await Self.fill(fixture.file)
    try Self.migrate(fixture.file, Self.steps)
    let before = try Self.read(fixture.file)
    let error = await #expect(throws: JobStoreError.self) {
      try await SQLiteStore(at: fixture.file).open(StoreEnvironment(owner: "older"))
    }
    #expect(error?.reason == .newer(version: Self.steps.count, known: SQLiteSchema.version))
    #expect(try Self.read(fixture.file) == before)
  }

  @Test(arguments: [false, true])
  func `a build that has the file open when a newer one migrates it does nothing more, and says so`(
    isShared: Bool
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let pool = isShared ? try DatabasePool(path: fixture.file.path) : nil
    let older = pool.map { SQLiteStore(sharing: $0) } ?? SQLiteStore(at: fixture.file)
    _ = try await older.open(StoreEnvironment(owner: "older"))
    let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)))
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    _ = try await older.enqueue([new, new])
    let held = try #require(try await older.exchange(JobExchange(claims: [claim])).claimed.first)
    try Self.migrate(fixture.file, Self.steps)
    let before = try Self.read(fixture.file)
    func expectNewer(_ what: String, _ body: () async throws -> Void) async {
      let error = await #expect(throws: JobStoreError.self, "\(what)") { try await body() }
      #expect(error?.reason == .newer(version: Self.steps.count, known: SQLiteSchema.version), "\(what)")
      #expect(error?.description.contains(fixture.file.path) == true, "\(what)")
    }
    let key = AttemptKey(job: held.id, token: held.token)
    // Also when it has heard of it, and has been refused before.
    for _ in 0..<2 {
      await expectNewer("enqueue") { _ = try await older.enqueue([new]) }
      await expectNewer("end") { _ = try await older.exchange(JobExchange(ends: [(key, .succeeded(result: nil))])) }
      await expectNewer("claim") { _ = try await older.exchange(JobExchange(claims: [claim])) }
      await expectNewer("change") { _ = try await older.change(.all, .delete) }
      await expectNewer("read") { _ = try await older.jobs(.all, after: nil, limit: 9) }
      await expectNewer("sweep") { _ = try await older.sweep(limit: 9) }
      if let pool {
        await expectNewer("a transaction") { _ = try await pool.write { try older.enqueue([new], in: $0) } }
      }
    }
    #expect(try Self.read(fixture.file) == before)
    let owners = try FileManager.default.contentsOfDirectory(atPath: fixture.file.path + "-owners")
    await older.close()
    #expect(try Self.read(fixture.file) == before)
    // What it held goes back to whoever opens the file next, and was no crash.
    let file = try #require(FileIdentity(at: fixture.file.path))
    let signs = owners.filter { $0.contains(".") }.map {
      OwnerLocks.sign(of: $0, in: OwnerLocks.folder(forDatabaseAt: fixture.file.path), file: file)
    }
    #expect(signs == [.left])
  }

  @Test(arguments: [0, 1])
  func `a step that fails takes those before it with it, and the file stays in use in its format`(after count: Int)
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    try await Self.fill(fixture.file)
    let before = try Self.read(fixture.file)
    let steps = Self.steps.prefix(SQLiteSchema.version + count)
    #expect(throws: DatabaseError.self) {
      try Self.migrate(fixture.file, steps + ["CREATE TABLE taskkit_half (id); INSERT INTO taskkit_none VALUES (1)"])
    }
    #expect(try Self.read(fixture.file) == before)
    let database = try DatabaseQueue(path: fixture.file.path)
    #expect(try await database.read { try $0.tableExists("taskkit_half") } == false)
    try database.close()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "older"))
    #expect(try await store.jobs(.all, after: nil, limit: .max) == before.jobs)
    await store.close()
    try Self.migrate(fixture.file, Self.steps)
    #expect(try Self.read(fixture.file) == before.migrated(2))
  }

  @Test func `a power cut or a kill at any moment of a migration leaves the old format or the new one, with all jobs`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    try await Self.fill(fixture.file)
    let before = try Self.read(fixture.file)
    let start = disk.count
    try Self.migrate(fixture.file, Self.steps)
    disk.acknowledge()
    var chance = SeededGenerator(seed: 1)
    var found: Set<Int> = []
    for place in start...disk.count {
      // What a kill leaves is what a power cut does that takes nothing.
      for survival in RecordedDisk.Survival.allCases {
        let files = disk.files(cutBefore: place, survival, &chance)
        let copy = try SQLiteFixture(isFast: true)
        for (name, content) in files { try content.write(to: copy.folder.appending(path: name)) }
        let name: Comment = "cut before \(place), \(survival)"
        let left = try Self.read(copy.file)
        #expect(left == before || left == before.migrated(2), name)
        if disk.acknowledged(before: place) > 0 { #expect(left == before.migrated(2), name) }
        found.insert(left.version)
        try Self.migrate(copy.file, Self.steps)
        #expect(try Self.read(copy.file) == before.migrated(2), name)
      }
    }
    #expect(found == [SQLiteSchema.version, Self.steps.count])
    #expect(disk.count - start > 10)
  }

  @Test(arguments: [false, true])
  func `a disk that fails at any operation of a migration leaves one format or the other, and the next opening goes on`(
    isFlush: Bool
  ) async throws {
    let original = try SQLiteFixture(isFast: true)
    try await Self.fill(original.file)
    let before = try Self.read(original.file)
    var place = 1
    while true {
      let fixture = try SQLiteFixture(isFast: true)
      try FileManager.default.copyItem(at: original.file, to: fixture.file)
      let disk = FailingDisk(fixture.folder)
      // SQLITE_FULL, and SQLITE_IOERR_FSYNC.
      disk.fail(.init(code: isFlush ? 10 | 4 << 8 : 13, isFlush: isFlush, place: place))
      var failure: (any Error)?
      do { try Self.migrate(fixture.file, Self.steps) } catch { failure = error }
      let hasFailed = disk.repair()
      let left = try Self.read(fixture.file)
      // Whoever was told of a failure knows nothing: what could not be flushed may be there all the same.
      #expect(left == before.migrated(2) || failure != nil && left == before, "place \(place): \(failure as Any)")
      try Self.migrate(fixture.file, Self.steps)
      #expect(try Self.read(fixture.file) == before.migrated(2), "place \(place)")
      FaultyFiles.forget(disk)
      guard hasFailed else { break }
      place += 1
    }
    #expect(place > (isFlush ? 1 : 10))
  }

  /// Opens a file that others may open at the same moment.
  ///
  /// - Returns: the store's identity; nil where the file's format is later.
  private static func open(_ file: URL, _ steps: [String]) throws -> (identity: String?, DatabaseQueue) {
    let database = try DatabaseQueue(path: file.path, configuration: .patient)
    do {
      return (try migrate(database, file, steps).uuidString, database)
    } catch let error as JobStoreError {
      #expect(error.reason == .newer(version: Self.steps.count, known: steps.count))
      return (nil, database)
    }
  }

  @Test func `of many who open an older file at once one takes each step, and all find the same store`() async throws {
    for _ in 0..<8 {
      let fixture = try SQLiteFixture(isFast: true)
      try await Self.fill(fixture.file)
      let before = try Self.read(fixture.file)
      let file = fixture.file
      // Half of them know fewer steps, and come before the others or are refused.
      let opened = try await withThrowingTaskGroup(of: (identity: String?, DatabaseQueue).self) { group in
        for number in 0..<8 {
          group.addTask {
            try await onThread { try Self.open(file, Array(Self.steps.dropLast(number % 2))) }
          }
        }
        return try await group.reduce(into: [(identity: String?, DatabaseQueue)]()) { $0.append($1) }
      }
      for (_, database) in opened { try database.close() }
      let outcomes = opened.map(\.identity)
      #expect(Set(outcomes.compactMap(\.self)) == [before.identity])
      #expect(outcomes.count { $0 != nil } >= 4)
      #expect(try Self.read(fixture.file) == before.migrated(2))
    }
  }

  @Test func `stores that open a new file at once are owners of one store`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let stores = (0..<8).map { _ in SQLiteStore(at: fixture.file) }
    let identities = try await withThrowingTaskGroup(of: UUID.self) { group in
      for store in stores {
        group.addTask { try await store.open(StoreEnvironment(owner: "test")).identity }
      }
      return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
    }
    #expect(identities.count == 1)
    let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    var ids: [Int64] = []
    for store in stores { ids += try await store.enqueue([new]).map(\.id.rawValue) }
    #expect(ids == Array(1...8))
    for store in stores { await store.close() }
  }
}
#endif
