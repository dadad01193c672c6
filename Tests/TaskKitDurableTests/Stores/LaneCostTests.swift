#if Durable && !os(Windows)
import Faults
import Foundation
import GRDB
import TaskKitDurable
import Testing

/// What a claim looks at in a file where jobs of one limit lie in front of those of very many others.
@Suite(.serialized) struct LaneCostTests {
  private static func job(_ key: String) -> NewJob {
    var job = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    job.limit = KeyLimit(key, count: 1)
    return job
  }

  /// - Returns: how many steps SQLite makes to find four jobs, where so many of a limit that is used up lie in front of so many
  ///   others, each with a limit of its own.
  private static func steps(blocked: Int, limits: Int) async throws -> Int {
    let fixture = try SQLiteFixture(isFast: true)
    let database = try DatabasePool(path: fixture.file.path)
    let store = SQLiteStore(sharing: database)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    _ = try await store.enqueue(Array(repeating: job("busy"), count: blocked + 1))
    let free = try await store.enqueue((0..<limits).map { job("account \($0)") }).map(\.id)
    func claim(_ limit: Int) async throws -> [JobID] {
      let claim = JobExchange.Claim(queue: "default", limit: limit, kinds: [.init("Upload", limit: limit)])
      return try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id)
    }
    func stepsSoFar() async throws -> Int {
      try await database.writeWithoutTransaction { db in
        PreparedStatement.all(of: db.sqliteConnection!).map(\.steps).reduce(0, +)
      }
    }
    // The one of that limit that may run. The second claim compiles what the third one only uses.
    #expect(try await claim(1).count == 1)
    #expect(try await claim(4) == Array(free.prefix(4)))
    let before = try await stepsSoFar()
    #expect(try await claim(4) == Array(free[4..<8]))
    let steps = try await stepsSoFar() - before
    await store.close()
    try database.close()
    return steps
  }

  @Test func `a claim looks at no more where very many limits lie behind many jobs of one that is used up`()
    async throws
  {
    let few = try await Self.steps(blocked: 4_000, limits: 3_000)
    let many = try await Self.steps(blocked: 4_000, limits: 12_000)
    // Those in front are looked at.
    #expect(few > 4_000)
    #expect(many <= few + few / 8, "\(many) steps instead of \(few)")
  }

  @Test func `a claim looks at no more where very many jobs of a limit that is used up lie before many limits`()
    async throws
  {
    let few = try await Self.steps(blocked: 4_000, limits: 600)
    let many = try await Self.steps(blocked: 12_000, limits: 600)
    #expect(many <= few + few / 8, "\(many) steps instead of \(few)")
    // They cost less than to walk past all of them, as where there are as many limits as jobs.
    let walked = try await Self.steps(blocked: 12_000, limits: 12_000)
    #expect(many < walked / 2, "\(many) steps instead of \(walked)")
  }
}
#endif
