import Foundation
import TaskKit
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Jobs that a program enqueues in a transaction of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TransactionEnqueueTests {
  /// A kind of which nothing is as most are.
  struct Receipt: DurableTask {
    let order: Int

    static var registration: DurableRegistration {
      DurableRegistration(
        __kind: "receipt", type: Self.self, collected: (), at: ("Tests/Receipt.swift", 1, 1),
        options: JobOptions(
          queue: "mail", priority: JobPriority(major: 3, minor: 4), requires: [.network], requiresFor: .seconds(600),
          attempts: 7, deadline: .seconds(90), unique: .by({ $0.order }, .append),
          keyLimit: .by({ $0.order }, count: 2), crashes: 5,
          exhaustion: .hold, parentFailure: .run, retention: JobRetention(finished: .seconds(60), failed: .seconds(70))),
        run: { _, _ in })
    }
  }

  private func center(_ store: any JobStore) async throws -> TaskCenter {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Receipt.self), stores: [DurableStore("jobs", store)],
      jobs: JobConfiguration(monitors: []))
    try await center.jobs.open()
    return center
  }

  private func store(_ fixture: PostgresFixture) -> PostgresStore {
    PostgresStore(at: fixture.address, schema: fixture.schema)
  }

  /// What there is to see of a job, but for what tells it from any other.
  private func facts(_ snapshot: JobSnapshot) -> [String] {
    [
      snapshot.kind, snapshot.queue, "\(snapshot.state)", "\(snapshot.priority)", "\(snapshot.payload)",
      "\(snapshot.maximumAttempts ?? 0)", "\(snapshot.deadline ?? .zero)",
      "\(snapshot.due?.timeIntervalSince(snapshot.created) ?? -1)", "\(snapshot.constraints)",
      "\(snapshot.constraintsUntil?.timeIntervalSince(snapshot.created) ?? -1)", "\(snapshot.limit?.count ?? 0)",
      "\(snapshot.tags)",
    ]
  }

  @Test func `a job of a committed transaction has all that its kind and its options say`() async throws {
    try await PostgresFixture.with { fixture in
      let center = try await center(store(fixture))
      let options = EnqueueOptions(start: .after(.seconds(60)), tags: ["a", "b"])
      let usual = try await center.enqueue(Receipt(order: 1), options)
      try await fixture.withTransactions(1) { transactions in
        let id = try await center.enqueue(Receipt(order: 2), options, in: transactions[0].jobs)
        #expect(try await center.jobs.snapshot(of: id) == nil)
        try await transactions[0].run("COMMIT")
        let jobs = try await [center.jobs.snapshot(of: usual), center.jobs.snapshot(of: id)].compactMap(\.self)
        try #require(jobs.count == 2)
        #expect(
          facts(jobs[1]) == facts(jobs[0]).map { $0.replacingOccurrences(of: "\"order\":1", with: "\"order\":2") })
        #expect(jobs.map(\.uniqueKey) == ["receipt/1", "receipt/2"])
      }
      // What no snapshot shows.
      let rows = try await fixture.query(
        """
        SELECT DISTINCT concat_ws(' ', maximum_crashes, exhaustion, parent_failure, keep_finished, keep_failed)
        FROM \(fixture.quoted).taskkit_job
        """)
      #expect(rows.count == 1)
      await center.jobs.stop()
    }
  }

  @Test func `of a transaction that is rolled back there is nothing`() async throws {
    try await PostgresFixture.with { fixture in
      let center = try await center(store(fixture))
      try await fixture.withTransactions(1) { transactions in
        try await center.enqueue([Receipt(order: 1), Receipt(order: 2)], in: transactions[0].jobs)
        try await transactions[0].run("SAVEPOINT s")
        try await center.enqueue(Receipt(order: 3), in: transactions[0].jobs)
        try await transactions[0].run("ROLLBACK TO s; COMMIT")
      }
      #expect(try await center.jobs.all().map(\.uniqueKey) == ["receipt/1", "receipt/2"])
      try await fixture.withTransactions(1) { transactions in
        try await center.enqueue(Receipt(order: 4), in: transactions[0].jobs)
        try await transactions[0].run("ROLLBACK")
      }
      #expect(try await center.jobs.count() == 2)
      await center.jobs.stop()
    }
  }

  @Test func `a batch keeps its chain, and waits for jobs that are there`() async throws {
    try await PostgresFixture.with { fixture in
      let center = try await center(store(fixture))
      let parent = try await center.enqueue(Receipt(order: 1))
      try await fixture.withTransactions(1) { transactions in
        var batch = JobBatch()
        batch.add(chain: [Receipt(order: 2), Receipt(order: 3)])
        batch.add(Receipt(order: 4), .after(parent))
        let ids = try await center.enqueue(batch, in: transactions[0].jobs)
        try await transactions[0].run("COMMIT")
        let jobs = try await center.jobs.all()
        #expect(jobs.map(\.id) == [parent] + ids)
        #expect(jobs.map(\.parents) == [[], [], [ids[0]], [parent]])
      }
      await center.jobs.stop()
    }
  }

  @Test func `while a transaction goes on that has enqueued the first job of a sort, others enqueue, too`() async throws
  {
    try await PostgresFixture.with { fixture in
      let center = try await center(store(fixture))
      try await fixture.withTransactions(1) { transactions in
        try await center.enqueue(Receipt(order: 1), in: transactions[0].jobs)
        try await center.enqueue(Receipt(order: 2))
        #expect(try await center.jobs.count() == 1)
        try await transactions[0].run("COMMIT")
      }
      #expect(try await center.jobs.count() == 2)
      await center.jobs.stop()
    }
  }

  @Test func `who would wait for a transaction in SQL that has enqueued the first job of a sort is told so soon`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let store = store(fixture)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let job = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_enqueue('Upload', '{}')")
        let error = await #expect(throws: JobStoreError.self) { try await store.enqueue([job]) }
        #expect(error?.reason == .locked)
        #expect(error?.detail.hasPrefix("a transaction that is not committed has enqueued the first job") == true)
        try await transactions[0].run("COMMIT")
      }
      _ = try await store.enqueue([job])
      #expect(try await store.counts().map(\.count) == [2])
      await store.close()
    }
  }

  @Test(arguments: [false, true])
  func `a change that needs what a transaction in SQL makes waits two seconds for it, and then says what to do`(
    commits: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema)
      _ = try await store.open(StoreEnvironment(owner: "test"))
      let job = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))
      let selection = JobSelection(ids: try await store.enqueue([job]).map(\.id))
      try await fixture.withTransactions(1) { transactions in
        _ = try await transactions[0].query("SELECT taskkit_enqueue('Upload', '{}', needs => '{network}')")
        _ = proxy.takeCallTrips()
        let start = ContinuousClock.now
        let changing = OngoingCall { try await store.change(selection, .change(.requires(["network"]))).count }
        if commits {
          var tries = 0
          try await waitUntil {
            tries += proxy.takeCallTrips()
            return tries >= 10
          }
          try await transactions[0].run("COMMIT")
          #expect(try await changing.value == 1)
        } else {
          let error = await #expect(throws: JobStoreError.self) { try await changing.value }
          #expect(error?.reason == .locked)
          #expect(error?.detail.hasPrefix("a transaction that is not committed has enqueued the first job") == true)
          #expect(ContinuousClock.now - start >= .seconds(2))
        }
      }
      await store.close()
      proxy.end()
    }
  }

  @Test func `a transaction of another database, or of none of its stores, is refused`() async throws {
    try await PostgresFixture.with { fixture in
      try await PostgresFixture.with { other in
        let (center, another) = (try await center(store(fixture)), try await self.center(store(other)))
        try await fixture.withTransactions(1) { transactions in
          // Its schema is there as well, in the same database: the store's own name for it is said, not the session's.
          try await another.enqueue(Receipt(order: 1), in: transactions[0].jobs)
          try await transactions[0].run("COMMIT")
        }
        #expect(try await (center.jobs.count(), another.jobs.count()) == (0, 1))
        await another.jobs.stop()
        await center.jobs.stop()
      }
      let memory = try await center(MemoryStore())
      let error = await #expect(throws: JobStoreError.self) {
        try await memory.enqueue(Receipt(order: 1), in: ServerTransaction { _ in nil })
      }
      #expect(error?.reason == .invalid)
      await memory.jobs.stop()
      let silent = try await center(store(fixture))
      let mute = await #expect(throws: JobStoreError.self) {
        try await silent.enqueue(Receipt(order: 1), in: ServerTransaction { _ in "[1, 2]" })
      }
      #expect(mute?.detail == "the transaction did not give what the server said: '[1, 2]' came back")
      await silent.jobs.stop()
    }
  }
}

extension PostgresConnection {
  /// How TaskKit does its statements in a transaction of this connection.
  fileprivate nonisolated var jobs: ServerTransaction {
    ServerTransaction { sql in try await self.query(sql).first?.text(0) }
  }
}
