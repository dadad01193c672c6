import Foundation
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// What processes hear of each other.
@Suite(.serialized, .timeLimit(.minutes(15))) struct NewsTests {
  private let environment = StoreEnvironment(owner: "test")
  private let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data("{}".utf8)))

  /// Counts what a store tells, until it is closed.
  private final class Ear: Sendable {
    private let count = Mutex(0)
    private let (told, continuation) = AsyncStream.makeStream(of: Void.self)

    init(_ store: PostgresStore) {
      let changes = store.changes()
      // Ends when the store is closed.
      Task {
        for await _ in changes {
          count.withLock { $0 += 1 }
          continuation.yield()
        }
        continuation.finish()
      }
    }

    /// Waits until it is told the next time; that may have been before.
    func next() async { for await _ in told { return } }

    /// - Returns: how often it was told, when the store has been closed.
    func end() async -> Int {
      for await _ in told {}
      return count.withLock { $0 }
    }
  }

  private func claim(_ queue: String) -> JobExchange {
    JobExchange(claims: [.init(queue: queue, limit: 9, kinds: [.init("Upload", limit: 9)])])
  }

  @Test(arguments: [true, false]) func `each change of another process is told once`(notifies: Bool) async throws {
    try await PostgresFixture.with { fixture in
      let proxy = try FaultyProxy(to: fixture.address)
      let left = PostgresStore(
        at: proxy.address, schema: fixture.schema, notifies: notifies, pollInterval: .milliseconds(10))
      let right = PostgresStore(at: fixture.address, schema: fixture.schema, notifies: notifies)
      _ = try await right.open(environment)
      _ = try await right.enqueue([new])
      // What was there before is no news, and neither is what it does itself.
      _ = try await left.open(environment)
      let ear = Ear(left)
      _ = try await left.exchange(claim("default"))
      _ = try await left.enqueue([new, new])
      for _ in 0..<30 {
        _ = try await right.enqueue([new])
        await ear.next()
      }
      // It looks a few times more.
      var looks = 0
      _ = proxy.takeRoundTrips()
      try await waitUntil {
        looks += proxy.takeRoundTrips()
        return looks >= 5
      }
      await left.close()
      #expect(await ear.end() == 30)
      await right.close()
      proxy.end()
    }
  }

  @Test(arguments: [true, false])
  func `a process is not woken by what happens in queues that it does not work for`(notifies: Bool) async throws {
    try await PostgresFixture.with { fixture in
      let (left, right) = (
        PostgresStore(at: fixture.address, schema: fixture.schema, notifies: notifies, pollInterval: .seconds(600)),
        PostgresStore(at: fixture.address, schema: fixture.schema, notifies: notifies)
      )
      _ = try await left.open(environment)
      _ = try await right.open(environment)
      let ear = Ear(left)
      _ = try await left.exchange(claim("mail"))
      for _ in 0..<20 {
        _ = try await right.enqueue([new])
        _ = try await right.exchange(claim("default"))
      }
      var mail = new
      mail.queue = "mail"
      _ = try await right.enqueue([mail])
      await ear.next()
      #expect(try await left.exchange(claim("mail")).claimed.count == 1)
      // What concerns every queue.
      try await right.setPaused(true, .kind("Upload"), by: "Ann")
      await ear.next()
      await left.close()
      #expect(await ear.end() == 2)
      await right.close()
    }
  }

  @Test func `who looks at the whole store hears of other queues, too, though not at once`() async throws {
    try await PostgresFixture.with { fixture in
      let (left, right) = (
        PostgresStore(at: fixture.address, schema: fixture.schema, pollInterval: .milliseconds(10)),
        PostgresStore(at: fixture.address, schema: fixture.schema)
      )
      _ = try await left.open(environment)
      _ = try await right.open(environment)
      let ear = Ear(left)
      _ = try await left.exchange(claim("mail"))
      _ = try await right.enqueue([new])
      await ear.next()
      await left.close()
      #expect(await ear.end() == 1)
      await right.close()
    }
  }

  @Test(
    arguments: [
      .prioritise(JobPriority(major: 50)), .reschedule(.after(.seconds(9000))), .reschedule(.after(.seconds(3000))),
    ] as [JobChange])
  func `what leaves jobs in their state is told, too, without notifications`(change: JobChange) async throws {
    try await PostgresFixture.with { fixture in
      let (left, right) = (
        PostgresStore(at: fixture.address, schema: fixture.schema, notifies: false),
        PostgresStore(at: fixture.address, schema: fixture.schema, notifies: false)
      )
      var later = new
      later.start = .after(.seconds(6000))
      _ = try await right.open(environment)
      _ = try await right.enqueue([later])
      _ = try await left.open(environment)
      let ear = Ear(left)
      #expect(try await right.change(.all, change).count == 1)
      await ear.next()
      await left.close()
      #expect(await ear.end() == 1)
      await right.close()
    }
  }

  @Test func `a process that has nothing to do is told that another one has died`() async throws {
    try await PostgresFixture.with { fixture in
      let (left, right) = (
        PostgresStore(at: fixture.address, schema: fixture.schema, pollInterval: .milliseconds(100)),
        PostgresStore(at: fixture.address, schema: fixture.schema)
      )
      _ = try await right.open(environment)
      let id = try await right.enqueue([new])[0].id
      _ = try await right.exchange(claim("default"))
      _ = try await left.open(environment)
      let ear = Ear(left)
      let owner = try #require(await right.owner)
      await right.die()
      try await fixture.expireLease(of: owner)
      await ear.next()
      #expect(try await left.exchange(JobExchange()).rescued.map(\.id) == [id])
      await left.close()
    }
  }

  @Test func `of very many queues that are asked for one after the other the latest are watched`() async throws {
    try await PostgresFixture.with { fixture in
      let store = PostgresStore(at: fixture.address, schema: fixture.schema)
      _ = try await store.open(environment)
      for hundred in 0..<40 {
        let claims = (0..<100).flatMap { claim("user-\(hundred * 100 + $0)").claims }
        _ = try await store.exchange(JobExchange(claims: claims))
      }
      let watched = await store.watchedQueues
      #expect(watched >= 1000)
      #expect(watched <= 2100)
      await store.close()
    }
  }

  @Test func `what a process gives back when it ends is told at once`() async throws {
    try await PostgresFixture.with { fixture in
      let (left, right) = (
        PostgresStore(at: fixture.address, schema: fixture.schema, pollInterval: .seconds(600)),
        PostgresStore(at: fixture.address, schema: fixture.schema)
      )
      _ = try await right.open(environment)
      _ = try await right.enqueue([new])
      #expect(try await right.exchange(claim("default")).claimed.count == 1)
      _ = try await left.open(environment)
      let ear = Ear(left)
      await right.close()
      await ear.next()
      #expect(try await left.exchange(claim("default")).claimed.map(\.attempt) == [1])
      await left.close()
    }
  }
}
