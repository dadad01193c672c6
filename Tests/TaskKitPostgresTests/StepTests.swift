import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Steps of attempts in transactions of the program's own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StepTests {
  struct Failure: Error {}

  /// What a job does, and what it has to say.
  final class Script: Sendable {
    enum Key: SharedKey {
      typealias Value = Script
    }

    typealias Body = @Sendable (Script, DurableContext) async throws -> Void

    let notes = Mutex<[String]>([])
    private let body: Body

    init(_ body: @escaping Body) { self.body = body }

    func note(_ text: String) { notes.withLock { $0.append(text) } }
    func run(_ context: DurableContext) async throws { try await body(self, context) }
  }

  struct Book: DurableTask {
    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "book", type: Self.self, collected: (), at: ("Tests/Book.swift", 1, 1),
        options: JobOptions(backoff: JobBackoff.none),
        run: { _, context in try await context.center[Script.Key.self]?.run(context) })
    }
  }

  /// A table of the program's beside those of a store.
  private struct Hall: Sendable {
    let fixture: PostgresFixture

    init(_ fixture: PostgresFixture) async throws {
      self.fixture = fixture
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      await store.close()
      try await fixture.query("CREATE TABLE \(table) (seat bigint)")
    }

    var table: String { "\(fixture.quoted).booking" }

    func center(_ store: any JobStore, _ script: Script) throws -> TaskCenter {
      let center = try TaskCenter(
        registry: TaskRegistry().adding(Book.self), stores: [DurableStore("jobs", store)],
        jobs: JobConfiguration(monitors: []))
      center[Script.Key.self] = script
      return center
    }

    /// Runs a job, and looks what is left of it.
    func run(_ script: Script, leaving states: [JobState] = []) async throws {
      let center = try center(PostgresStore(at: fixture.address, schema: fixture.schema), script)
      try await center.enqueue(Book())
      center.start()
      await center.jobs.idle()
      #expect(try await center.jobs.all().map(\.state) == states)
      #expect(try await fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_step").isEmpty)
      await center.terminate()
    }

    func write<Value: Sendable>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
      let connection = try await PostgresConnection.open(fixture.address)
      try await connection.run("BEGIN")
      do {
        let value = try await body(connection)
        try await connection.run("COMMIT")
        return value
      } catch {
        try await connection.run("ROLLBACK")
        throw error
      }
    }

    func book(_ seat: Int64, by connection: PostgresConnection) async throws {
      _ = try await connection.query("INSERT INTO \(table) VALUES ($1)", [.integer(seat)])
    }

    func seats() async throws -> [Int64] {
      try await fixture.query("SELECT seat FROM \(table) ORDER BY 1").compactMap { $0.integer(0) }
    }
  }

  @Test func `a step in a transaction at the server is committed with what it did, and is done once for all attempts`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let hall = try await Hall(fixture)
      let script = Script { script, context in
        let seat = try await hall.write { connection in
          try await context.once("it's \"booked\"", in: connection.jobs) {
            script.note("booked in \(context.attempt)")
            try await hall.book(7, by: connection)
            return [7, 8]
          }
        }
        script.note("\(seat)")
        try await hall.write { connection in
          try await context.once("move", in: connection.jobs) {
            _ = try await connection.query("UPDATE \(hall.table) SET seat = seat + 1")
          }
        }
        if context.attempt < 3 { throw Failure() }
      }
      try await hall.run(script)
      #expect(script.notes.withLock { $0 } == ["booked in 1", "[7, 8]", "[7, 8]", "[7, 8]"])
      #expect(try await hall.seats() == [8])
    }
  }

  @Test func `a process that dies between the commit of a step and the end of its job leaves the step done`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let hall = try await Hall(fixture)
      let (events, tell) = AsyncStream<String>.makeStream()
      let (wishes, wish) = AsyncStream<Void>.makeStream()
      let script = Script { script, context in
        @Sendable func book() async throws -> Int64 {
          try await hall.write { connection in
            try await context.once("book", in: connection.jobs) {
              script.note("booked in \(context.attempt)")
              try await hall.book(7, by: connection)
              return Int64(context.attempt)
            }
          }
        }
        let result = (try? await book()).map { "\($0)" } ?? "nothing"
        tell.yield("\(result) in \(context.attempt)")
        guard context.attempt == 1 else { return }
        for await _ in wishes { break }
        // It goes on without knowing that its process counts as dead.
        let error = await #expect(throws: DurableError.self) {
          try await hall.write { connection in
            try await context.once("late", in: connection.jobs) { try await hall.book(8, by: connection) }
          }
        }
        tell.yield("\(error?.code.rawValue ?? "nothing")")
      }
      let first = PostgresStore(at: fixture.address, schema: fixture.schema)
      let dying = try hall.center(first, script)
      try await dying.enqueue(Book())
      dying.start()
      var event = events.makeAsyncIterator()
      #expect(await event.next() == "1 in 1")
      let owner = try #require(await first.owner)
      await first.die()
      try await fixture.expireLease(of: owner)
      let center = try hall.center(PostgresStore(at: fixture.address, schema: fixture.schema), script)
      center.start()
      #expect(await event.next() == "1 in 2")
      await center.jobs.idle()
      #expect(try await center.jobs.count() == 0)
      wish.finish()
      #expect(await event.next() == "staleAttempt")
      #expect(script.notes.withLock { $0 } == ["booked in 1"])
      #expect(try await hall.seats() == [7])
      await center.terminate()
    }
  }

  @Test func `an attempt that no longer holds its job does no step at the server, and its transaction is rolled back`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let hall = try await Hall(fixture)
      let script = Script { script, context in
        for _ in 0..<2 {
          do {
            // In a task that is not cancelled: a client may refuse to work for one that is.
            try await Task.detached {
              try await hall.write { connection in
                try await context.once("book", in: connection.jobs) {
                  try await hall.book(7, by: connection)
                  _ = try await context.center.jobs.cancel(context.id)
                }
              }
            }.value
          } catch PostgresFailure.server(let code, _) {
            script.note(code)
          } catch let error as DurableError { script.note(error.code.rawValue) }
        }
      }
      try await hall.run(script, leaving: [.cancelled])
      #expect(script.notes.withLock { $0 } == ["TK005", "staleAttempt"])
      #expect(try await hall.seats() == [])
    }
  }

  @Test func `a step whose transaction or savepoint at the server is rolled back has not happened`() async throws {
    try await PostgresFixture.with { fixture in
      let hall = try await Hall(fixture)
      let script = Script { script, context in
        @Sendable func book(_ seat: Int64, _ connection: PostgresConnection) async throws {
          try await context.once("book", in: connection.jobs) { try await hall.book(seat, by: connection) }
        }
        try await hall.write { connection in
          try await connection.run("SAVEPOINT here")
          try await book(1, connection)
          try await connection.run("ROLLBACK TO here")
          try await hall.book(2, by: connection)
        }
        await #expect(throws: Failure.self) {
          try await hall.write { connection in
            try await book(3, connection)
            throw Failure()
          }
        }
        await #expect(throws: Failure.self) {
          try await hall.write { connection in
            try await context.once("book", in: connection.jobs) {
              try await hall.book(4, by: connection)
              throw Failure()
            }
          }
        }
        try await hall.write { try await book(5, $0) }
        let twice = await #expect(throws: DurableError.self) { try await hall.write { try await book(6, $0) } }
        #expect(twice?.code == .stepUsedTwice)
      }
      try await hall.run(script)
      #expect(try await hall.seats() == [2, 5])
    }
  }

  @Test func `a step of an earlier attempt is there again in a transaction at the server that is tried once more`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let hall = try await Hall(fixture)
      let script = Script { script, context in
        @Sendable func book(_ connection: PostgresConnection) async throws {
          let attempt = try await context.once("book", in: connection.jobs) {
            try await hall.book(7, by: connection)
            return context.attempt
          }
          script.note("booked in \(attempt)")
        }
        guard context.attempt > 1 else {
          try await hall.write { try await book($0) }
          throw Failure()
        }
        await #expect(throws: Failure.self) {
          try await hall.write { connection in
            try await book(connection)
            throw Failure()
          }
        }
        try await hall.write { connection in
          try await connection.run("SAVEPOINT here")
          try await book(connection)
          try await connection.run("ROLLBACK TO here")
          try await book(connection)
        }
        // That was committed, so this is another step of the same name.
        let twice = await #expect(throws: DurableError.self) { try await hall.write { try await book($0) } }
        #expect(twice?.code == .stepUsedTwice)
      }
      try await hall.run(script)
      #expect(script.notes.withLock { $0 } == Array(repeating: "booked in 1", count: 4))
      #expect(try await hall.seats() == [7])
    }
  }

  @Test func `a step that is in no transaction, or in one of another database, is told`() async throws {
    try await PostgresFixture.with { fixture in
      let hall = try await Hall(fixture)
      let script = Script { script, context in
        let connection = try await PostgresConnection.open(fixture.address)
        do {
          try await context.once("book", in: connection.jobs) { try await hall.book(1, by: connection) }
        } catch PostgresFailure.server(let code, let text) { script.note("\(code) \(text)") }
        do {
          _ = try await connection.query(
            "SELECT \(fixture.quoted).taskkit_look(1, gen_random_uuid(), \(context.id), \(context.token.rawValue), 'book')"
          )
        } catch PostgresFailure.server(let code, let text) { script.note("\(code) \(text)") }
        let none = await #expect(throws: JobStoreError.self) {
          try await context.once("other", in: ServerTransaction { _ in nil }) {}
        }
        #expect(none?.reason == .invalid)
      }
      try await hall.run(script)
      let notes = script.notes.withLock { $0 }
      #expect(notes.count == 2)
      #expect(notes.first?.hasPrefix("TK002 step 'book' of job 1 has not been done in one transaction. Begin") == true)
      #expect(notes.last?.hasPrefix("TK002 the transaction is one of another database") == true)
      // Nor is one of a job that is kept elsewhere.
      let elsewhere = Script { script, context in
        let error = await #expect(throws: JobStoreError.self) {
          try await context.once("book", in: ServerTransaction { _ in nil }) {}
        }
        script.note("\(error?.reason == .invalid)")
      }
      let center = try hall.center(MemoryStore(), elsewhere)
      try await center.enqueue(Book())
      center.start()
      await center.jobs.idle()
      #expect(elsewhere.notes.withLock { $0 } == ["true"])
      await center.terminate()
    }
  }

  private let claim = JobExchange(claims: [.init(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])])

  @Test func `plain SQL does a step once for all attempts, in one statement with the work`() async throws {
    try await PostgresFixture.with { fixture in
      let hall = try await Hall(fixture)
      let stores = (0..<2).map { _ in PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600)) }
      for store in stores { _ = try await store.open(StoreEnvironment(owner: "test")) }
      _ = try await stores[0].enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))])
      let first = try #require(try await stores[0].exchange(claim).claimed.first)
      func book(_ seat: Int, by attempt: ClaimedJob, _ step: String = "book") -> String {
        """
        INSERT INTO \(hall.table) SELECT \(seat)
        WHERE \(fixture.quoted).taskkit_once(\(attempt.id), \(attempt.token.rawValue), '\(step)', '{"seat": \(seat)}')
        """
      }
      func result() async throws -> String? {
        try await fixture.query("SELECT \(fixture.quoted).taskkit_result(\(first.id), 'book')::text").first?.text(0)
      }
      let caller = try await PostgresConnection.open(fixture.address)
      try await caller.run("BEGIN; \(book(1, by: first)); ROLLBACK")
      #expect(try await hall.seats() == [])
      #expect(try await result() == nil)
      try await fixture.query(book(2, by: first))
      try await fixture.query(book(3, by: first))
      #expect(try await hall.seats() == [2])
      #expect(try await result() == "{\"seat\": 2}")
      #expect(try await stores[0].step("book", of: first.id) == Data("{\"seat\": 2}".utf8))
      try await fixture.expireLease(of: try #require(await stores[0].owner))
      let second = try #require(try await stores[1].exchange(claim).claimed.first)
      #expect(second.id == first.id)
      for step in ["book", "pay"] {
        do {
          try await fixture.query(book(4, by: first, step))
          Issue.record("it was taken")
        } catch PostgresFailure.server(let code, let text) {
          #expect(code == "TK005")
          #expect(text == "the attempt with the token \(first.token) no longer holds job \(first.id)")
        }
      }
      try await fixture.query(book(5, by: second))
      #expect(try await hall.seats() == [2])
      let ended = try await stores[1].exchange(
        JobExchange(ends: [(AttemptKey(job: second.id, token: second.token), .succeeded(result: nil))]))
      #expect(ended.ends == [true])
      #expect(try await fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_step").isEmpty)
      for store in stores { await store.close() }
    }
  }

  @Test func `while a step is being committed nobody else gets its job`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = (0..<2).map { _ in PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600)) }
      for store in stores { _ = try await store.open(StoreEnvironment(owner: "test")) }
      _ = try await stores[0].enqueue([NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))])
      let first = try #require(try await stores[0].exchange(claim).claimed.first)
      try await fixture.withTransactions(1) { transactions in
        let once = "SELECT taskkit_once(\(first.id), \(first.token.rawValue), 'book')"
        #expect(try await transactions[0].query(once).first?.flag(0) == true)
        try await fixture.expireLease(of: try #require(await stores[0].owner))
        let (store, exchange) = (stores[1], claim)
        let taking = OngoingCall { try await store.exchange(exchange) }
        try await waitUntil {
          if taking.hasEnded { return true }
          return try await fixture.waiting("taskkit_exchange") == 1
        }
        #expect(!taking.hasEnded)
        try await transactions[0].run("COMMIT")
        let second = try #require(try await taking.value.claimed.first)
        #expect(second.id == first.id)
      }
      #expect(try await stores[1].step("book", of: first.id) == Data())
      for store in stores { await store.close() }
    }
  }
}

extension PostgresConnection {
  /// How TaskKit does its statements in a transaction of this connection.
  fileprivate nonisolated var jobs: ServerTransaction {
    ServerTransaction { sql in try await self.query(sql).first?.text(0) }
  }
}
