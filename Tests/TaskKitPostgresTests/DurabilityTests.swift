import Foundation
import TaskKit
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Which commits wait for the disk: those of kinds that say so, whatever the role of the store has.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DurabilityTests {
  struct Careful: DurableTask {
    static var registration: DurableRegistration { registered(.full) }
  }
  struct Quick: DurableTask {
    static var registration: DurableRegistration { registered(.relaxed) }
  }

  /// What the server says at the end of each transaction of an owner, in which it may be asked last.
  private func watch(_ fixture: PostgresFixture) async throws {
    let schema = fixture.quoted
    let connection = try await PostgresConnection.open(fixture.address)
    try await connection.run(
      """
      CREATE TABLE \(schema).seen (place serial, value text);
      CREATE FUNCTION \(schema).see() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO \(schema).seen (value) VALUES (current_setting('synchronous_commit'));
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER seen AFTER UPDATE ON \(schema).taskkit_owner DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (OLD.op <> NEW.op) EXECUTE FUNCTION \(schema).see();
      """)
    await connection.end()
  }

  /// What it has said since it was asked last.
  private func seen(_ fixture: PostgresFixture) async throws -> [String] {
    try await fixture.query(
      "WITH s AS (DELETE FROM \(fixture.quoted).seen RETURNING *) SELECT value FROM s ORDER BY place"
    ).map { $0.text(0) ?? "" }
  }

  /// A center that has opened its store, and does nothing more by itself.
  private func center(_ store: PostgresStore, _ fixture: PostgresFixture) async throws -> TaskCenter {
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Careful.self, Quick.self), stores: [DurableStore("jobs", store)],
      jobs: JobConfiguration(monitors: []))
    try await center.jobs.open()
    // The store's opening is its first transaction. The second one is a sweep, which begins when the center has opened it.
    let owner = try #require(await store.owner)
    let isSwept = "SELECT 1 FROM \(fixture.quoted).taskkit_owner WHERE id = $1 AND op >= 2"
    try await waitUntil { try await !fixture.query(isSwept, [.integer(owner)]).isEmpty }
    return center
  }

  /// What a role has, and what a commit that waits has then: what waits in another way does so still.
  @Test(arguments: ["on": "on", "off": "on", "local": "local"])
  func `a transaction of relaxed kinds alone waits for no disk, and each other one does`(
    role: String, waiting: String
  ) async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(
        at: fixture.address + " options='-c synchronous_commit=\(role)'", schema: fixture.schema, lease: .seconds(600))
      let center = try await center(store, fixture)
      // For which round trips of their own are made.
      for kind in [Careful.registration.kind, Quick.registration.kind] { try await fixture.makeShelf(of: kind) }
      try await watch(fixture)
      try await center.enqueue(Quick())
      #expect(try await seen(fixture) == ["off"])
      try await center.enqueue([Quick(), Quick()])
      #expect(try await seen(fixture) == ["off"])
      try await center.enqueue(Careful())
      #expect(try await seen(fixture) == [waiting])
      try await center.enqueue([Quick(), Careful()] as [any DurableTask])
      #expect(try await seen(fixture) == [waiting])
      // What is given out and how it ends is never relaxed, but how far it has come is.
      let kinds = [Careful.registration.kind, Quick.registration.kind].map { JobExchange.Claim.Kind($0, limit: 9) }
      let claims = [JobExchange.Claim(queue: "default", limit: 9, kinds: kinds)]
      let keys = try await store.exchange(JobExchange(claims: claims)).claimed
        .map { AttemptKey(job: $0.id, token: $0.token) }
      #expect(keys.count == 6)
      #expect(try await seen(fixture) == [waiting])
      let progress = JobExchange.Note.progress(JobProgress(completed: 1, of: 2))
      let notes: [(JobExchange.Note, String)] = [
        (progress, "off"), (.checkpoint(Data([1])), waiting), (progress, "off"),
      ]
      for (note, value) in notes {
        _ = try await store.exchange(JobExchange(notes: keys.map { ($0, note) }))
        #expect(try await seen(fixture) == [value])
      }
      _ = try await store.exchange(JobExchange(ends: keys.map { ($0, .succeeded(result: nil)) }))
      #expect(try await seen(fixture) == [waiting])
      await center.jobs.stop()
      await store.close()
    }
  }

  @Test(arguments: ["on": "on", "off": "on", "local": "local"])
  func `a relaxed transaction waits for the disk where jobs of others end in it or are given back`(
    role: String, waiting: String
  ) async throws {
    try await PostgresFixture.with { fixture in
      let address = fixture.address + " options='-c synchronous_commit=\(role)'"
      func open(_ owner: String) async throws -> PostgresStore {
        let store = PostgresStore(at: address, schema: fixture.schema, lease: .seconds(600))
        _ = try await store.open(StoreEnvironment(owner: owner))
        return store
      }
      let (store, dying) = (try await open("test"), try await open("dying"))
      let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("payload".utf8)))
      var (full, relaxed) = (new, new)
      full.unique = UniqueKey("key")
      relaxed.unique = UniqueKey("key", .replace)
      relaxed.durability = .relaxed
      let replaced = try await store.enqueue([full, new])[0].id
      try await watch(fixture)
      #expect(try await store.enqueue([relaxed])[0].outcome == .replaced([replaced]))
      #expect(try await seen(fixture) == [waiting])
      let one = JobExchange(claims: [.init(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])])
      let held = try await store.exchange(one).claimed
      let lost = try await dying.exchange(one).claimed.map(\.id)
      let note = JobExchange.Note.progress(JobProgress(completed: 1))
      let progress = JobExchange(notes: held.map { (AttemptKey(job: $0.id, token: $0.token), note) })
      let owner = try #require(await dying.owner)
      await dying.die()
      try await fixture.expireLease(of: owner)
      _ = try await seen(fixture)
      #expect(try await store.exchange(progress).rescued.map(\.id) == lost)
      #expect(try await store.exchange(progress).rescued.isEmpty)
      #expect(try await seen(fixture) == [waiting, "off"])
      await store.close()
    }
  }

  @Test func `what a relaxed kind enqueues together with an exchange waits for the disk as that does`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, lease: .seconds(600))
      let center = try await center(store, fixture)
      let kind = Quick.registration.kind
      try await fixture.makeShelf(of: kind)
      try await watch(fixture)
      proxy.hold()
      let first = OngoingCall { try await center.enqueue(Quick()) }
      try await waitUntil { proxy.held > 0 }
      let second = OngoingCall { try await center.enqueue(Quick()) }
      let claims = [JobExchange.Claim(queue: "default", limit: 9, kinds: [.init(kind, limit: 9)])]
      let exchanging = OngoingCall { try await store.exchange(JobExchange(claims: claims)) }
      try await waitUntil { await store.waiting == 2 }
      proxy.letGo()
      _ = try await (first.value, second.value)
      #expect(try await exchanging.value.claimed.count == 2)
      #expect(try await seen(fixture) == ["off", "on"])
      await center.jobs.stop()
      await store.close()
      proxy.end()
    }
  }

  @Test func `what relaxed kinds and others enqueue at the same time is committed apart`() async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let store = PostgresStore(at: proxy.address, schema: fixture.schema, lease: .seconds(600))
      let center = try await center(store, fixture)
      for kind in [Careful.registration.kind, Quick.registration.kind] { try await fixture.makeShelf(of: kind) }
      try await watch(fixture)
      proxy.hold()
      let first = OngoingCall { try await center.enqueue(Careful()) }
      try await waitUntil { proxy.held > 0 }
      let others = (0..<6).map { place in
        OngoingCall { try await place < 3 ? center.enqueue(Quick()) : center.enqueue(Careful()) }
      }
      try await waitUntil { await store.waiting == others.count }
      proxy.letGo()
      _ = try await first.value
      for other in others { _ = try await other.value }
      let seen = try await seen(fixture)
      #expect(seen.first == "on")
      #expect(Set(seen.dropFirst()) == ["on", "off"])
      // None rode with one of the other sort.
      let rows = try await fixture.query(
        "SELECT count(DISTINCT kind) FROM \(fixture.quoted).taskkit_job GROUP BY xmin::text")
      #expect(Set(rows.map { $0.integer(0) }) == [1])
      await center.jobs.stop()
      await store.close()
      proxy.end()
    }
  }
}

extension DurableTask {
  fileprivate static func registered(_ durability: JobDurability) -> DurableRegistration {
    DurableRegistration(
      __kind: "\(Self.self)", type: Self.self, collected: (), at: ("Tests/Durability.swift", 1, 1),
      options: JobOptions(durability: durability), run: { _, _ in })
  }
}
