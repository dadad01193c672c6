#if Durable && !os(Windows)
import Faults
import Foundation
import GRDB
import Synchronization
@testable import TaskKitDurable
import Testing

/// What an exchange costs does not grow with the starts that a rate counts.
@Suite(.serialized) struct RateCostTests {
  private static let start = Date(timeIntervalSince1970: 1_767_225_600)
  private static let day = Duration.seconds(86_400)

  private static func job() -> NewJob {
    NewJob(kind: "Upload", payload: JobPayload(bytes: Data()), limit: KeyLimit("key", count: 1_000_000))
  }

  private static func claim(_ limit: Int) -> JobExchange {
    JobExchange(claims: [
      JobExchange.Claim(queue: "default", limit: limit, kinds: [.init("Upload", limit: limit)])
    ])
  }

  /// - Parameters:
  ///   - starts: how many have started, each at a time of its own, and more may not.
  ///   - allowed: how many may in that time now.
  /// - Returns: how many steps SQLite makes when nothing may start, and when one may again.
  private static func steps(starts: Int, allowed: Int? = nil, isKey: Bool) async throws -> Int {
    let fixture = try SQLiteFixture(isFast: true)
    let database = try DatabasePool(path: fixture.file.path)
    let store = SQLiteStore(sharing: database)
    let date = Mutex(start)
    _ = try await store.open(StoreEnvironment(now: { date.withLock { $0 } }, owner: "test"))
    func setRate(_ count: Int) async throws {
      let rate = RateLimit(count, per: day)
      if isKey {
        try await store.setRate(rate, ofKey: "key")
      } else {
        try await store.setRate(rate, ofQueue: "default")
      }
    }
    func exchange(_ exchange: JobExchange, _ count: Int) async throws {
      let answer = try await store.exchange(exchange)
      #expect(answer.claimed.count == count)
      #expect(answer.nextDue != nil)
    }
    func stepsSoFar() async throws -> Int {
      try await database.writeWithoutTransaction { db in
        PreparedStatement.all(of: db.sqliteConnection!).map(\.steps).reduce(0, +)
      }
    }
    try await setRate(starts)
    _ = try await store.enqueue(Array(repeating: job(), count: starts + 3))
    for _ in 0..<starts {
      date.withLock { $0 += 1 }
      _ = try await store.exchange(claim(1))
    }
    try await setRate(allowed ?? starts)
    var steps = 0
    // The first round compiles what the second one only uses.
    for _ in 0..<2 {
      let before = try await stepsSoFar()
      try await exchange(claim(9), 0)
      try await exchange(JobExchange(), 0)
      if allowed == nil {
        // The first one leaves.
        date.withLock { $0 = start + 86_400 + Double(steps == 0 ? 1 : 2) }
        try await exchange(claim(9), 1)
      }
      steps = try await stepsSoFar() - before
    }
    await store.close()
    try database.close()
    return steps
  }

  @Test(arguments: [false, true])
  func `an exchange looks at no more where very many starts count for a rate`(isKey: Bool) async throws {
    let few = try await Self.steps(starts: 20, isKey: isKey)
    let many = try await Self.steps(starts: 1_000, isKey: isKey)
    #expect(few > 0)
    #expect(many <= few + few / 8, "\(many) steps instead of \(few)")
  }

  @Test func `an exchange looks at no more where very many more have started than a rate lets start now`() async throws
  {
    let few = try await Self.steps(starts: 100, allowed: 5, isKey: false)
    let many = try await Self.steps(starts: 1_000, allowed: 5, isKey: false)
    #expect(many <= few + few / 8, "\(many) steps instead of \(few)")
  }
}
#endif
