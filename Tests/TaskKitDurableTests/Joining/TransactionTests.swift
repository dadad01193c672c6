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

  @Test func `a step in a transaction of the program is done exactly once, with what it has written`() async throws {
    let shared = try await Shared()
    let (center, probe, pool) = (shared.bench.center, shared.bench.probe, shared.pool)
    probe.on("a") { context in
      // Rolled back: neither the row nor the step.
      try? await pool.write { db in
        try context.once("save", in: db) { try db.execute(sql: "INSERT INTO photo VALUES ('rolled back')") }
        throw Failure()
      }
      let count = try await pool.write { db in
        try context.once("save", in: db) {
          try db.execute(sql: "INSERT INTO photo VALUES ('a')")
          probe.note("saved \(context.attempt)")
          return 7
        }
      }
      probe.note("\(count)")
      if context.attempt == 1 { throw Failure() }
    }
    probe.on("late") { context in
      try await center.jobs.cancel(context.id)
      do {
        // In a task that is not cancelled with the attempt.
        try await _Concurrency.Task.detached {
          try await pool.write { db in
            try context.once("save", in: db) { try db.execute(sql: "INSERT INTO photo VALUES ('late')") }
          }
        }.value
      } catch { probe.note("\((error as? DurableError)?.code.rawValue ?? "\(error)")") }
    }
    try await center.enqueue(Work("a"))
    await shared.bench.run()
    #expect(probe.notes == ["a", "saved 1", "7", "a", "7"])
    #expect(try await shared.photos() == 1)
    try await center.enqueue(Work("late"))
    await center.jobs.idle()
    #expect(probe.notes.last == "staleAttempt")
    #expect(try await shared.photos() == 1)
    await center.terminate()
    let memory = try JobBench(Work.self)
    memory.probe.on("b") { context in
      do { try await pool.write { try context.once("x", in: $0) {} } } catch {
        memory.probe.note("\((error as? DurableError)?.code.rawValue ?? "")")
      }
    }
    try await memory.center.enqueue(Work("b"))
    await memory.run()
    #expect(memory.probe.notes == ["b", "sharesNoDatabase"])
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
}
