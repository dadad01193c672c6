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

  /// Whether something takes less than so many times as long as something else, in one of three tries: others use the
  /// machine, too.
  private func takes(
    lessThan factor: Int, _ base: () async throws -> Duration, _ body: () async throws -> Duration
  ) async throws -> Bool {
    for _ in 0..<3 { if try await base() * factor > body() { return true } }
    return false
  }

  /// How long something takes.
  private func duration(_ body: () async throws -> Void) async throws -> Duration {
    let start = ContinuousClock.now
    try await body()
    return ContinuousClock.now - start
  }

  @Test func `a batch of jobs with keys costs no more for each because their payloads are large`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      try await fixture.makeShelf()
      var written = 0
      /// How long it takes to enqueue so many that each have a key and so large a payload.
      func enqueue(_ count: Int, _ bytes: Int) async throws -> Duration {
        let jobs = (0..<count).map { place in
          var job = new(bytes)
          job.unique = UniqueKey("\(written) \(place)")
          return job
        }
        written += count
        return try await duration {
          let enqueued = try await store.enqueue(jobs)
          #expect(enqueued.count == count)
        }
      }
      // To copy all payloads for each of the jobs would take some forty times as long.
      let isNoDearer = try await takes(lessThan: 5) {
        try await enqueue(2000, 10)
      } _: {
        try await enqueue(2000, 20_000)
      }
      #expect(isNoDearer)
      #expect(try await store.counts().map(\.count) == [written])
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
      let connection = try await PostgresConnection.open(fixture.address)
      let opened = try await connection.query("SELECT owner FROM \(fixture.quoted).taskkit_open('by hand', 60000000)")
      let setting = PostgresCall.Setting(
        owner: try #require(opened.first?.integer(0)), operation: 1, time: nil, isRelaxed: false)
      try await connection.run("BEGIN")
      let statement = try PostgresCall(jobs(conflict)).statement(schema: fixture.quoted, setting)
      _ = try await connection.query(statement.sql, statement.values)
      let changes = try await connection.query(
        """
        SELECT n_tup_ins + n_tup_upd FROM pg_stat_xact_user_tables
        WHERE schemaname = $1 AND relname = 'taskkit_count'
        """, [.text(fixture.schema)])
      try await connection.run("COMMIT")
      await connection.end()
      let written = try #require(changes.first?.integer(0))
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
      let connection = try await PostgresConnection.open(fixture.address)
      let opened = try await connection.query("SELECT owner FROM \(fixture.quoted).taskkit_open('by hand', 60000000)")
      let setting = PostgresCall.Setting(
        owner: try #require(opened.first?.integer(0)), operation: 1, time: nil, isRelaxed: false)
      try await connection.run("BEGIN")
      let statement = try PostgresCall(jobs).statement(schema: fixture.quoted, setting)
      _ = try await connection.query(statement.sql, statement.values)
      let changes = try await connection.query(
        """
        SELECT n_tup_ins + n_tup_upd FROM pg_stat_xact_user_tables
        WHERE schemaname = $1 AND relname = 'taskkit_schedule'
        """, [.text(fixture.schema)])
      try await connection.run("COMMIT")
      await connection.end()
      let written = try #require(changes.first?.integer(0))
      #expect(written == 2)
      #expect(try await store.schedule("0") == ScheduleRecord(begun: begun, latest: begun + 199, count: 200))
      #expect(try await store.schedule("1") == ScheduleRecord(begun: begun, latest: begun + 59, count: 60))
      #expect(try await store.counts().map(\.count) == [260])
      await store.close()
    }
  }

  @Test func `twenty times as many parents take about twenty times as long, and not far more`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      let others = try await store.enqueue(Array(repeating: new(1), count: 40_000)).map(\.id)
      /// How long it takes to enqueue a job that waits for so many.
      func enqueue(_ parents: Int) async throws -> Duration {
        var job = new(1)
        job.parents = others.prefix(parents).map { .job($0) }
        let jobs = [job]
        return try await duration {
          let enqueued = try await store.enqueue(jobs)
          #expect(enqueued.count == 1)
        }
      }
      // To look for each of them among all before it would take some seventy times as long.
      let isLinear = try await takes(lessThan: 40) {
        try await enqueue(2000)
      } _: {
        try await enqueue(40_000)
      }
      #expect(isLinear)
      await store.close()
    }
  }

  @Test func `a change of many jobs costs no more for each because they lie in as many queues`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema, lease: .seconds(600))
      _ = try await store.open(environment)
      var written = 0
      /// How long it takes to change jobs that lie in so many queues.
      func change(_ queues: Int) async throws -> Duration {
        let jobs = (0..<1000).map { place in
          var job = new(1)
          job.queue = "\(place % queues)"
          return job
        }
        written += try await store.enqueue(jobs).count
        return try await duration {
          for change in [JobChange.hold(""), .release, .cancel] {
            let changed = try await store.change(.all, change)
            #expect(changed.count == 1000)
          }
        }
      }
      // To look for each of the jobs through what has been counted of the others would take some forty times as long.
      let isNoDearer = try await takes(lessThan: 10) {
        try await change(1)
      } _: {
        try await change(1000)
      }
      #expect(isNoDearer)
      #expect(try await store.counts().map(\.count).reduce(0, +) == written)
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
