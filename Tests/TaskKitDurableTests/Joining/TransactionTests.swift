import Foundation
import GRDB
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

@Suite struct TransactionTests {
  /// A database of a program, with a table of its own, that jobs share.
  private struct Shared {
    let fixture = try! SQLiteFixture()
    let pool: DatabasePool
    let bench: JobBench

    init() async throws {
      let pool = try DatabasePool(path: fixture.file.path)
      try await pool.write { try $0.execute(sql: "CREATE TABLE photo (name TEXT)") }
      self.pool = pool
      bench = try JobBench(Work.self, Chore.self, wrapping: { _ in SQLiteStore(sharing: pool) })
    }

    func photos() async throws -> Int {
      try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM photo")! }
    }
  }

  @Test func `a job that is enqueued in a transaction runs when that is committed`() async throws {
    let shared = try await Shared()
    let (center, probe) = (shared.bench.center, shared.bench.probe)
    await shared.bench.run()
    let id = try await shared.pool.write { db in
      try db.execute(sql: "INSERT INTO photo VALUES ('a')")
      let id = try center.enqueue(Work("a"), EnqueueOptions(queue: "a new one"), in: db)
      #expect(probe.notes == [])
      return id
    }
    await probe.notes(1)
    #expect(probe.notes == ["a"])
    #expect(id == JobID(rawValue: 1))
    #expect(try await shared.photos() == 1)
    await center.terminate()
  }

  @Test func `a transaction that is rolled back has enqueued nothing`() async throws {
    let shared = try await Shared()
    let center = shared.bench.center
    await shared.bench.run()
    await #expect(throws: Failure.self) {
      try await shared.pool.write { db in
        try db.execute(sql: "INSERT INTO photo VALUES ('a')")
        try center.enqueue([Work("a"), Chore("b")], in: db)
        throw Failure()
      }
    }
    try await shared.pool.write { db in
      try db.inSavepoint {
        try center.enqueue(Work("c"), in: db)
        return .rollback
      }
    }
    await center.jobs.idle()
    #expect(shared.bench.probe.notes == [])
    #expect(try await center.jobs.count() == 0)
    #expect(try await shared.photos() == 0)
    await center.terminate()
  }

  @Test func `a transaction that only reads is told to be one, and not a file that may not be written`() async throws {
    let shared = try await Shared()
    let center = shared.bench.center
    await shared.bench.run()
    func expectRefused(_ body: () async throws -> Void) async {
      let error = await #expect(throws: JobStoreError.self) { try await body() }
      #expect(error?.reason == .invalid)
      #expect(error?.detail == "the transaction only reads; do this in one that writes, as 'write' begins it")
    }
    await expectRefused { try await shared.pool.read { db in _ = try center.enqueue(Work("a"), in: db) } }
    await expectRefused {
      try await shared.pool.write { db in try db.readOnly { _ = try center.enqueue(Work("a"), in: db) } }
    }
    #expect(try await center.jobs.count() == 0)
    await center.terminate()
  }

  @Test func `a batch keeps its order in a transaction`() async throws {
    let shared = try await Shared()
    let (center, probe) = (shared.bench.center, shared.bench.probe)
    await shared.bench.run()
    var batch = JobBatch()
    batch.add(chain: [Work("first"), Chore("second"), Work("third")])
    let ids = try await shared.pool.write { [batch] db in try center.enqueue(batch, in: db) }
    #expect(await probe.notes(3) == ["first", "second", "third"])
    #expect(ids.map(\.rawValue) == [1, 2, 3])
    await center.terminate()
  }

  @Test(arguments: [false, true])
  func `what is replaced in a transaction goes on until the commit`(_ isCommitted: Bool) async throws {
    let shared = try await Shared()
    let (center, probe) = (shared.bench.center, shared.bench.probe)
    let gate = Gate()
    probe.on("old") { _ in
      do { try await gate.passUnlessCancelled() } catch { probe.note("cancelled") }
    }
    let options = EnqueueOptions(unique: UniqueKey("key", .replace))
    try await center.enqueue(Work("old"), options)
    center.start()
    await gate.arrivals(1)
    try await shared.pool.write { db in
      try db.inSavepoint {
        try center.enqueue(Work("new"), options, in: db)
        return isCommitted ? .commit : .rollback
      }
    }
    if isCommitted {
      #expect(Set(await probe.notes(3)) == ["old", "cancelled", "new"])
    } else {
      try await center.enqueue(Work("another"))
      #expect(await probe.notes(2) == ["old", "another"])
      gate.open()
      await center.jobs.idle()
      #expect(probe.notes == ["old", "another"])
      #expect(try await center.jobs.count() == 0)
    }
    await center.terminate()
  }

  @Test func `a store that is not open, or shares no database, says what to do`() async throws {
    let shared = try await Shared()
    let center = shared.bench.center
    let early = await #expect(throws: JobStoreError.self) {
      try await shared.pool.write { db in _ = try center.enqueue(Work("a"), in: db) }
    }
    #expect(early?.description.contains("await 'center.jobs.open()' before the transaction") == true)
    try await center.jobs.open()
    try await shared.pool.write { db in _ = try center.enqueue(Work("a"), in: db) }
    #expect(try await center.jobs.count() == 1)
    let other = try JobBench(Work.self).center
    let none = await #expect(throws: DurableError.self) {
      try await shared.pool.write { db in _ = try other.enqueue(Work("a"), in: db) }
    }
    #expect(none?.code == .sharesNoDatabase)
    await center.terminate()
  }

  @Test func `what is enqueued in a transaction of another database is refused, and leaves nothing there`()
    async throws
  {
    let (shared, other) = (try await Shared(), try await Shared())
    try await shared.bench.center.jobs.open()
    try await other.bench.center.jobs.open()
    // Its own store has handed out the same numbers.
    try await other.pool.write { db in _ = try other.bench.center.enqueue(Work("its own"), in: db) }
    let fixture = try SQLiteFixture()
    let plain = try DatabasePool(path: fixture.file.path)
    try await plain.write { try $0.execute(sql: "CREATE TABLE photo (name TEXT)") }
    for pool in [other.pool, plain] {
      try await pool.write { db in
        let error = #expect(throws: JobStoreError.self) {
          try shared.bench.center.enqueue(Work("astray"), EnqueueOptions(queue: "a new one"), in: db)
        }
        #expect(error?.reason == .invalid)
        // What else the program does there goes on.
        try db.execute(sql: "INSERT INTO photo VALUES ('a')")
      }
      #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM photo") } == 1)
    }
    #expect(try await other.bench.center.jobs.all().map(\.queue) == ["default"])
    #expect(try await other.pool.read { try String.fetchAll($0, sql: "SELECT text FROM taskkit_name") }.count == 2)
    #expect(try await plain.read { try !$0.tableExists("taskkit_job") })
    #expect(try await shared.bench.center.jobs.count() == 0)
    await shared.bench.center.terminate()
    await other.bench.center.terminate()
  }

  @Test func `a step in a transaction is committed with what it did, and is done once for all attempts`() async throws {
    let shared = try await Shared()
    let (center, probe) = (shared.bench.center, shared.bench.probe)
    probe.on("a") { context in
      let place = try await shared.pool.write { db in
        try context.once("insert", in: db) {
          probe.note("inserted in \(context.attempt)")
          try db.execute(sql: "INSERT INTO photo VALUES ('a')")
          return db.lastInsertedRowID
        }
      }
      probe.note("place \(place)")
      try await shared.pool.write { db in
        try context.once("rename", in: db) { try db.execute(sql: "UPDATE photo SET name = name || '!'") }
      }
      if context.attempt < 3 { throw Failure() }
    }
    try await center.enqueue(Work("a"))
    await shared.bench.run()
    #expect(probe.notes == ["a", "inserted in 1", "place 1", "a", "place 1", "a", "place 1"])
    #expect(try await shared.pool.read { try String.fetchAll($0, sql: "SELECT name FROM photo") } == ["a!"])
    #expect(try await shared.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM taskkit_step") } == 0)
    await center.terminate()
  }

  @Test func `a step whose transaction or savepoint is rolled back has not happened`() async throws {
    let shared = try await Shared()
    let (center, probe) = (shared.bench.center, shared.bench.probe)
    probe.on("a") { context in
      @Sendable func insert(_ name: String, _ db: Database) throws {
        try context.once("insert", in: db) { try db.execute(sql: "INSERT INTO photo VALUES (?)", arguments: [name]) }
      }
      try await shared.pool.write { db in
        try db.inSavepoint {
          try insert("of a savepoint", db)
          return .rollback
        }
        // What the body itself did goes with its error, and nothing else of the transaction.
        try db.execute(sql: "INSERT INTO photo VALUES ('beside')")
        #expect(throws: Failure.self) {
          try context.once("insert", in: db) {
            try db.execute(sql: "INSERT INTO photo VALUES ('of a body that throws')")
            throw Failure()
          }
        }
      }
      await #expect(throws: Failure.self) {
        try await shared.pool.write { db in
          try insert("of a transaction", db)
          throw Failure()
        }
      }
      try await shared.pool.write { try insert("at last", $0) }
      let twice = await #expect(throws: DurableError.self) {
        try await shared.pool.write { try insert("twice", $0) }
      }
      #expect(twice?.code == .stepUsedTwice)
    }
    try await center.enqueue(Work("a"))
    await shared.bench.run()
    #expect(
      try await shared.pool.read { try String.fetchAll($0, sql: "SELECT name FROM photo") } == ["beside", "at last"])
    #expect(try await center.jobs.count() == 0)
    await center.terminate()
  }

  @Test func `a step of an earlier attempt is there again in a transaction that is tried once more`() async throws {
    let shared = try await Shared()
    let (center, probe) = (shared.bench.center, shared.bench.probe)
    probe.on("a") { context in
      @Sendable func insert(_ db: Database) throws -> Int {
        try context.once("insert", in: db) {
          try db.execute(sql: "INSERT INTO photo VALUES ('a')")
          return context.attempt
        }
      }
      guard context.attempt > 1 else {
        _ = try await shared.pool.write { try insert($0) }
        throw Failure()
      }
      await #expect(throws: Failure.self) {
        try await shared.pool.write { db in
          probe.note("inserted in \(try insert(db))")
          throw Failure()
        }
      }
      try await shared.pool.write { db in
        try db.inSavepoint {
          probe.note("inserted in \(try insert(db))")
          return .rollback
        }
        probe.note("inserted in \(try insert(db))")
      }
      // That was committed, so this is another step of the same name.
      let twice = await #expect(throws: DurableError.self) {
        try await shared.pool.write { db in _ = try insert(db) }
      }
      #expect(twice?.code == .stepUsedTwice)
    }
    try await center.enqueue(Work("a"))
    await shared.bench.run()
    #expect(probe.notes == ["a", "a"] + Array(repeating: "inserted in 1", count: 3))
    #expect(try await shared.photos() == 1)
    #expect(try await center.jobs.count() == 0)
    await center.terminate()
  }

  @Test func `an attempt that no longer holds its job does no step in a transaction`() async throws {
    let shared = try await Shared()
    let (center, probe) = (shared.bench.center, shared.bench.probe)
    let gate = Gate()
    probe.on("a") { context in
      await gate.pass()
      // In a task that is not cancelled: GRDB writes nothing for one that is.
      let error = await #expect(throws: DurableError.self) {
        try await Task.detached {
          try await shared.pool.write { db in
            try context.once("insert", in: db) { try db.execute(sql: "INSERT INTO photo VALUES ('a')") }
          }
        }.value
      }
      #expect(error?.code == .staleAttempt)
      probe.note("refused")
    }
    let id = try await center.enqueue(Work("a"))
    center.start()
    await gate.arrivals(1)
    #expect(try await center.jobs.cancel(id))
    gate.open()
    await center.jobs.idle()
    #expect(probe.notes == ["a", "refused"])
    #expect(try await shared.photos() == 0)
    await center.terminate()
  }

  @Test func `a step in a transaction of a database that the store does not share says what to do`() async throws {
    let shared = try await Shared()
    let fixture = try SQLiteFixture()
    let alone = try JobBench(Work.self, wrapping: { _ in SQLiteStore(at: fixture.file) })
    let other = try await Shared()
    try await other.bench.center.jobs.open()
    for bench in [try JobBench(Work.self), alone] {
      bench.probe.on("a") { context in
        let error = await #expect(throws: DurableError.self) {
          try await shared.pool.write { db in try context.once("insert", in: db) { 1 } }
        }
        #expect(error?.code == .sharesNoDatabase)
      }
      try await bench.center.enqueue(Work("a"))
      await bench.run()
      #expect(try await bench.center.jobs.count() == 0)
      await bench.center.terminate()
    }
    shared.bench.probe.on("a") { context in
      let elsewhere = await #expect(throws: JobStoreError.self) {
        try await other.pool.write { db in try context.once("insert", in: db) { 1 } }
      }
      #expect(elsewhere?.reason == .invalid)
      let outside = await #expect(throws: JobStoreError.self) {
        try await shared.pool.writeWithoutTransaction { db in try context.once("insert", in: db) { 1 } }
      }
      #expect(outside?.reason == .invalid)
    }
    try await shared.bench.center.enqueue(Work("a"))
    await shared.bench.run()
    #expect(try await shared.bench.center.jobs.count() == 0)
    await shared.bench.center.terminate()
    await other.bench.center.terminate()
  }
}
