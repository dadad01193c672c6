import Foundation
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Many owners on one queue, while something goes wrong.
@Suite(.serialized, .timeLimit(.minutes(15))) struct SharingTests {
  private func openStores(
    _ count: Int, _ fixture: PostgresFixture, address: String? = nil, skew: TimeInterval = 0,
    patience: Duration = .seconds(30)
  ) async throws -> [PostgresStore] {
    var stores: [PostgresStore] = []
    for place in 0..<count {
      let store = PostgresStore(
        at: address ?? fixture.address, schema: fixture.schema, lease: .seconds(600), patience: patience)
      let offset = skew * Double(place - count / 2)
      _ = try await store.open(StoreEnvironment(now: { Date() + offset }, owner: "owner \(place)"))
      stores.append(store)
    }
    return stores
  }

  private func close(_ stores: [PostgresStore]) async {
    for store in stores { await store.close() }
  }

  @Test func `four owners do every job of a queue once`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await openStores(4, fixture)
      let workload = Workload(total: 200)
      try await workload.run(stores)
      #expect(workload.problems() == [])
      #expect(workload.acknowledged == 800)
      #expect(workload.refusedEnds == 0)
      await close(stores)
    }
  }

  @Test func `when leases pass while their owners work, late ends are refused and nothing is done twice`() async throws
  {
    try await PostgresFixture.with { fixture in
      let stores = try await openStores(4, fixture)
      let workload = Workload(total: 200) { taken in
        if taken % 20 == 0, let owner = await stores[taken / 20 % 4].owner { try await fixture.expireLease(of: owner) }
      }
      try await workload.run(stores)
      #expect(workload.problems() == [])
      #expect(workload.refusedEnds > 0)
      await close(stores)
    }
  }

  @Test func `when the server ends connections, nothing is lost and nothing happens twice`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await openStores(4, fixture)
      let workload = Workload(total: 200) { taken in
        guard taken % 15 == 0 else { return }
        try await fixture.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE query LIKE $1 AND pid <> pg_backend_pid() ORDER BY random() LIMIT 3
          """, [.text("%\(fixture.schema)%")])
      }
      try await workload.run(stores)
      #expect(workload.problems() == [])
      #expect(workload.acknowledged == 800)
      await close(stores)
    }
  }

  /// Without patience a store throws where nobody knows, so that what was thrown for may have happened; but no job may be
  /// kept that nobody has: the workload ends only when none is left.
  @Test(arguments: [(1, 30), (2, 30), (3, 0)] as [(UInt64, Int)])
  func `calls that are lost on their way, there or back, or come late, happen once or not at all`(
    seed: UInt64, patience: Int
  ) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address, seed: seed, rate: 6)
      let stores = try await openStores(4, fixture, address: proxy.address, patience: .seconds(patience))
      let workload = Workload(total: 60, isForgiving: patience == 0)
      try await workload.run(stores)
      #expect(workload.problems() == [])
      for fault in FaultyProxy.Fault.allCases { #expect(proxy.faults(fault) > 0) }
      await close(stores)
      proxy.end()
    }
  }

  @Test func `when the server is killed and started again, nothing is lost and nothing happens twice`() async throws {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      let stores = try await openStores(4, fixture)
      let workload = Workload(total: 150) { taken in
        if taken % 120 == 0 { try await server.restart() }
      }
      try await workload.run(stores)
      #expect(workload.problems() == [])
      await close(stores)
    }
  }

  @Test func `owners whose clocks differ by days agree on what is due`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await openStores(3, fixture, skew: 86_400)
      let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Count", limit: 9)])
      for store in stores {
        var later = NewJob(kind: "Count", payload: JobPayload(bytes: Data()))
        later.start = .after(.seconds(3600))
        let ids = try await store.enqueue([NewJob(kind: "Count", payload: JobPayload(bytes: Data())), later]).map(\.id)
        let created = try #require(try await store.jobs(JobSelection(ids: ids), after: nil, limit: 1).first?.created)
        #expect(abs(created.timeIntervalSinceNow) < 600)
        for (place, other) in stores.enumerated() {
          let answer = try await other.exchange(JobExchange(claims: [claim]))
          #expect(answer.rescued.isEmpty)
          #expect(answer.claimed.map(\.id) == (place == 0 ? [ids[0]] : []))
          #expect(try #require(answer.nextDue) > .seconds(3000))
        }
      }
      await close(stores)
    }
  }

  @Test func `owners that claim at once start no more jobs of keys than the rates of those let`() async throws {
    try await PostgresFixture.with { fixture in
      let stores = try await openStores(4, fixture)
      for key in ["x", "y"] { try await stores[0].setRate(RateLimit(10, per: .seconds(3600)), ofKey: key) }
      // What each queue begins with, the other one ends with.
      for (queue, keys) in [("left", ["x", "y"]), ("right", ["y", "x"])] {
        for key in keys {
          _ = try await stores[0].enqueue(
            (0..<20).map { _ in
              var job = NewJob(kind: "Count", payload: JobPayload(bytes: Data()))
              (job.queue, job.limit) = (queue, KeyLimit(key, count: 100))
              return job
            })
        }
      }
      let started = try await withThrowingTaskGroup(of: Int.self) { group in
        for (place, store) in stores.enumerated() {
          let queues = place % 2 == 0 ? ["left", "right"] : ["right", "left"]
          let claims = queues.map { JobExchange.Claim(queue: $0, limit: 30, kinds: [.init("Count", limit: 30)]) }
          group.addTask {
            var count = 0
            for _ in 0..<3 { count += try await store.exchange(JobExchange(claims: claims)).claimed.count }
            return count
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(started == 20)
      #expect(try await stores[1].rates().map(\.free) == [0, 0])
      await close(stores)
    }
  }

  @Test func `stores of one database do not meet, whatever keys their jobs have`() async throws {
    try await PostgresFixture.with { other in
      try await PostgresFixture.with { fixture in
        await close(try await openStores(1, other))
        let holder = try await PostgresConnection.open(other.address)
        try await holder.run("BEGIN; SET LOCAL search_path = \(other.quoted)")
        // Many more keys than there are locks that these share.
        _ = try await holder.query(
          """
          SELECT taskkit_lock_keys(array_agg('k' || n)), count(taskkit_admit(n::text, 1)) FROM generate_series(1, 10000) n
          """)
        // Who waits for them is told.
        let store = PostgresStore(
          at: fixture.address + " options='-c lock_timeout=10s'", schema: fixture.schema, notifies: false)
        _ = try await store.open(StoreEnvironment(owner: "test"))
        var job = NewJob(kind: "Count", payload: JobPayload(bytes: Data()))
        (job.unique, job.limit) = (UniqueKey("x", .keep), KeyLimit("x"))
        _ = try await store.enqueue([job])
        let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: [.init("Count", limit: 9)])
        let answer = try await store.exchange(JobExchange(claims: [claim]))
        #expect(answer.claimed.count == 1)
        #expect(answer.nextDue == nil)
        await store.close()
        await holder.end()
      }
    }
  }

  @Test func `a schedule begins once for owners that hear of it at once, and counts the occurrences of all`()
    async throws
  {
    try await PostgresFixture.with { fixture in
      let stores = try await openStores(4, fixture)
      let begun = Date(timeIntervalSince1970: 1_767_225_600)
      let records = try await withThrowingTaskGroup(of: ScheduleRecord.self) { group in
        for (place, store) in stores.enumerated() {
          group.addTask {
            let record = try await store.schedule("digest", beginning: begun + Double(place))
            for hour in 0..<10 {
              var job = NewJob(kind: "Count", payload: JobPayload(bytes: Data()))
              job.occurrence = JobOccurrence(schedule: "digest", date: begun + Double(hour) * 3600)
              _ = try await store.enqueue([job])
            }
            return record
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(records.map(\.begun)).count == 1)
      let last = try await stores[0].schedule("digest", beginning: begun + 99)
      #expect(last == ScheduleRecord(begun: records[0].begun, latest: begun + 9 * 3600, count: 10))
      #expect(try await stores[0].counts().map(\.count) == [10])
      await close(stores)
    }
  }

  @Test func `a store with one connection for reading serves many readers`() async throws {
    try await PostgresFixture.with { fixture in
      let address = fixture.address + " application_name=\(fixture.schema)"
      let store = PostgresStore(at: address, schema: fixture.schema, connections: 1)
      _ = try await store.open(StoreEnvironment(owner: "owner"))
      _ = try await store.enqueue([NewJob(kind: "Count", payload: JobPayload(bytes: Data()))])
      let found = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<200 { group.addTask { (try? await store.counts().first?.count) ?? 0 } }
        return await group.reduce(0, +)
      }
      #expect(found == 200)
      let rows = try await fixture.query(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1", [.text(String(fixture.schema.prefix(63)))])
      #expect(try #require(rows.first?.integer(0)) <= 3)
      await store.close()
    }
  }

  @Test func `a server that has no connections left is told, and is no lasting harm`() async throws {
    let server = try await PrivateServer.start()
    try await PostgresFixture.with(address: server.address) { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      var others: [PostgresConnection] = []
      while let other = try? await PostgresConnection.open(fixture.address) { others.append(other) }
      #expect(others.count > 40)
      let error = await #expect(throws: JobStoreError.self) { try await store.open(StoreEnvironment(owner: "owner")) }
      #expect(error?.reason == .unreachable)
      for other in others { await other.end() }
      others = []
      _ = try await store.open(StoreEnvironment(owner: "owner"))
      await store.close()
    }
  }
}
