import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// What a store does with much at once: what it costs, and how much may go together.
@Suite(.serialized, .timeLimit(.minutes(15))) struct SizeTests {
  private let environment = StoreEnvironment(owner: "test")

  private func new(_ bytes: Int) -> NewJob {
    NewJob(kind: "Upload", payload: JobPayload(bytes: Data(repeating: 7, count: bytes)))
  }

  /// How many rows of a table a call has written, which is kept.
  private func rowsWritten(by call: PostgresCall, to table: String, _ fixture: PostgresFixture) async throws -> Int64 {
    try await fixture.call(call, isKept: true) { connection, _ in
      let changes = try await connection.query(
        """
        SELECT n_tup_ins + n_tup_upd FROM pg_stat_xact_user_tables
        WHERE schemaname = $1 AND relname = $2
        """, [.text(fixture.schema), .text(table)])
      return try #require(changes.first?.integer(0))
    }
  }

  @Test func `of a batch of jobs with keys each has its own payload, however large they are`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      let jobs = (0..<200).map { place in
        var job = new(20_000)
        job.payload.bytes[0] = UInt8(place)
        job.unique = UniqueKey("\(place)")
        return job
      }
      let ids = try await store.enqueue(jobs).map(\.id)
      let written = try await store.jobs(JobSelection(ids: ids), after: nil, limit: 200)
      #expect(written.map(\.uniqueKey) == jobs.map { $0.unique?.key })
      #expect(written.map { Int($0.payload.bytes[0]) } == Array(0..<200))
      #expect(written.allSatisfy { $0.payload.bytes.count == 20_000 })
      await store.close()
    }
  }

  @Test func `as many jobs of a key as are there already are appended to them at once`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      var job = new(1)
      job.unique = UniqueKey("one", .append)
      // Each of them with each of the others would be more than the server keeps in one place.
      let jobs = Array(repeating: job, count: 8500)
      let first = try await store.enqueue(jobs).map(\.id)
      let second = try await store.enqueue(jobs).map(\.id)
      let ends = try await store.jobs(JobSelection(ids: [second[0], second[8499]]), after: nil, limit: 9)
      #expect(ends.map(\.parents) == [[first[8499]], [second[8498]]])
      await store.close()
    }
  }

  @Test(arguments: [UniqueKey.Conflict.keep, .replace])
  func `a batch of jobs with keys changes what is counted once, and not once for each of them`(
    conflict: UniqueKey.Conflict
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      func jobs(_ conflict: UniqueKey.Conflict) -> [NewJob] {
        (0..<200).map { place in
          var job = new(1)
          job.unique = UniqueKey("\(place)", conflict)
          return job
        }
      }
      // What is replaced is counted with what replaces it.
      if conflict == .replace { _ = try await store.enqueue(jobs(.keep)) } else { try await fixture.makeShelf() }
      let written = try await rowsWritten(by: PostgresCall(jobs(conflict)), to: "taskkit_count", fixture)
      #expect(written > 0)
      #expect(written < 10)
      #expect(try await store.counts().map(\.count) == [200])
      await store.close()
    }
  }

  @Test func `a batch of slots writes the row of each schedule once, and not once for each of them`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      let begun = Date(timeIntervalSince1970: 1_767_225_600)
      // Of one and the other in turn, and of the other more than it has.
      let jobs = (0..<400).map { place in
        var job = new(1)
        job.occurrence = JobOccurrence(schedule: "\(place % 2)", date: begun + Double(place / 2))
        if place % 2 == 1 { job.occurrenceLimit = 60 }
        return job
      }
      let written = try await rowsWritten(by: PostgresCall(jobs), to: "taskkit_schedule", fixture)
      #expect(written == 2)
      #expect(try await store.schedule("0") == ScheduleRecord(begun: begun, latest: begun + 199, count: 200))
      #expect(try await store.schedule("1") == ScheduleRecord(begun: begun, latest: begun + 59, count: 60))
      #expect(try await store.counts().map(\.count) == [260])
      await store.close()
    }
  }

  @Test func `a job that waits for very many others waits for each of them`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      let others = try await store.enqueue(Array(repeating: new(1), count: 40_000)).map(\.id)
      var job = new(1)
      job.parents = others.map { .job($0) }
      let ids = try await store.enqueue([job]).map(\.id)
      let found = try #require(try await store.jobs(JobSelection(ids: ids), after: nil, limit: 1).first)
      #expect(found.state == .waiting)
      #expect(found.parents.count == others.count)
      #expect(Set(found.parents).isSuperset(of: others))
      await store.close()
    }
  }

  @Test(arguments: [1, 1000])
  func `a change of many jobs writes what is counted of a queue once, and not once for each of them`(
    queues: Int
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      let jobs = (0..<1000).map { place in
        var job = new(1)
        job.queue = "\(place % queues)"
        return job
      }
      #expect(try await store.enqueue(jobs).count == 1000)
      let written = try await rowsWritten(by: PostgresCall(.all, .hold("")), to: "taskkit_count", fixture)
      #expect(written > 0)
      // Of each queue one of the state that they have left, and one of that in which they are.
      #expect(written < 2 * queues + 8)
      for change in [JobChange.release, .cancel] { #expect(try await store.change(.all, change).count == 1000) }
      let counts = try await store.counts()
      #expect(counts.map(\.count) == Array(repeating: 1000 / queues, count: queues))
      #expect(counts.allSatisfy { $0.state == .cancelled })
      await store.close()
    }
  }

  // MARK: Dead processes

  private func claim(_ count: Int) -> JobExchange {
    JobExchange(claims: [.init(queue: "default", limit: count, kinds: [.init("Upload", limit: count)])])
  }

  /// Jobs that get no second attempt, each with a payload of its own.
  private func last(_ exhaustions: [Exhaustion], _ bytes: Int) -> [NewJob] {
    exhaustions.enumerated().map { place, exhaustion in
      var job = new(bytes)
      job.payload.bytes[0] = UInt8(place)
      job.maximumAttempts = 1
      job.exhaustion = exhaustion
      return job
    }
  }

  @Test(arguments: [false, true])
  func `what has given up with a dead process is told with its payload, which the answer that is kept has no room for`(
    isLost: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let dead = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await dead.open(environment)
      _ = try await store.open(environment)
      let jobs = last([.keep, .discard, .hold], 50_000)
      let ids = try await dead.enqueue(jobs).map(\.id)
      #expect(try await dead.exchange(claim(9)).claimed.map(\.id) == ids)
      try await fixture.kill(dead)
      if isLost { proxy.breakNext(.after) }
      let rescued = try await store.exchange(JobExchange()).rescued
      #expect(proxy.faults(.after) == (isLost ? 1 : 0))
      #expect(rescued.map(\.id) == ids)
      let states: [JobState?] = [.dead, nil, .held]
      #expect(rescued.map(\.state) == states)
      #expect(rescued.compactMap(\.gaveUp) == jobs.map { RescuedJob.GivenUp(attempts: 1, payload: $0.payload) })
      // JSON takes no more than 256 MiB, and what a process holds may be more.
      let kept = try await fixture.query(
        "SELECT max(length(answers::text))::bigint FROM \(fixture.quoted).taskkit_owner"
      ).first?.integer(0)
      #expect(try #require(kept) < 1000)
      // What has been heard is kept no longer.
      #expect(try await store.exchange(JobExchange()).rescued.isEmpty)
      #expect(try await fixture.query("SELECT 1 FROM \(fixture.quoted).taskkit_step").isEmpty)
      await store.close()
      proxy.end()
    }
  }

  @Test func `of processes that died at once one is found after the other where their payloads are large`() async throws
  {
    try await PostgresFixture.with { fixture in
      var build = PostgresSchema.Build.current
      build.functions.replace("\(PostgresSchema.largestRescue)", with: "5000")
      let store = PostgresStore(testing: fixture.address, schema: fixture.schema, build: build)
      _ = try await store.open(environment)
      let jobs = last([.keep, .keep, .keep], 6000)
      let ids = try await store.enqueue(jobs).map(\.id)
      // Opening one would find the others.
      var dead: [PostgresStore] = []
      for _ in ids {
        dead.append(PostgresStore(testing: fixture.address, schema: fixture.schema, build: build))
        _ = try await dead.last?.open(environment)
      }
      for (store, id) in zip(dead, ids) { #expect(try await store.exchange(claim(1)).claimed.map(\.id) == [id]) }
      for store in dead { try await fixture.kill(store) }
      for (place, id) in ids.enumerated() {
        let answer = try await store.exchange(JobExchange())
        #expect(answer.rescued.map(\.id) == [id])
        #expect(answer.rescued.first?.gaveUp?.payload == jobs[place].payload)
        // Somebody comes back for the rest.
        let due: Duration? = place < 2 ? .milliseconds(20) : nil
        #expect(answer.nextDue == due)
      }
      await store.close()
    }
  }
}
