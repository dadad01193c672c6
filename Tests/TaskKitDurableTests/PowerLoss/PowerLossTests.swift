#if Durable && !os(Windows)
import Foundation
import GRDB
import TaskKit
import TaskKitDurable
import Testing

/// The power fails at every moment of a piece of work, and the disk holds some of what was not flushed: the file is sound,
/// what was acknowledged is there, and nothing done runs again.
@Suite(.serialized) struct PowerLossTests {
  /// What the store had promised by then, in the order in which it did.
  enum Promise: Sendable {
    case job(JobID, isRelaxed: Bool)
    case attempt(JobID, AttemptToken, number: Int)
    case end(JobID, JobState)
    case checkpoint(JobID, Data)
  }

  /// A store with what it has promised.
  private final class Script {
    let disk: RecordedDisk
    private(set) var promises: [Promise] = []
    private var store: SQLiteStore
    private let make: () throws -> SQLiteStore

    init(_ disk: RecordedDisk, _ make: @escaping () throws -> SQLiteStore) async throws {
      self.disk = disk
      self.make = make
      store = try make()
      _ = try await store.open(StoreEnvironment(owner: "script"))
    }

    private func promise(_ promise: Promise) {
      promises.append(promise)
      disk.acknowledge()
    }

    @discardableResult
    func add(_ count: Int = 1, _ durability: JobDurability = .full, bytes: Int = 100) async throws -> [JobID] {
      let new = NewJob(
        kind: "Upload", payload: JobPayload(bytes: Data(repeating: 7, count: bytes)), maximumAttempts: nil,
        maximumCrashes: 9, durability: durability, retention: JobRetention(finished: nil, failed: nil))
      let ids = try await store.enqueue(Array(repeating: new, count: count)).map(\.id)
      for id in ids { promise(.job(id, isRelaxed: durability == .relaxed)) }
      return ids
    }

    func claim(_ count: Int, ending ends: [(ClaimedJob, JobExchange.End)] = []) async throws -> [ClaimedJob] {
      let claim = JobExchange.Claim(queue: "default", limit: count, kinds: [.init("Upload", limit: count)])
      let answer = try await store.exchange(
        JobExchange(
          ends: ends.map { (AttemptKey(job: $0.0.id, token: $0.0.token), $0.1) }, claims: count > 0 ? [claim] : []))
      for (job, end) in ends {
        switch end {
        case .succeeded: promise(.end(job.id, .finished))
        case .gaveUp: promise(.end(job.id, .dead))
        default: break
        }
      }
      for job in answer.claimed { promise(.attempt(job.id, job.token, number: job.attempt)) }
      return answer.claimed
    }

    func note(_ job: ClaimedJob, _ text: String) async throws {
      let key = AttemptKey(job: job.id, token: job.token)
      _ = try await store.exchange(JobExchange(notes: [(key, .checkpoint(Data(text.utf8)))]))
      promise(.checkpoint(job.id, Data(text.utf8)))
    }

    func progress(_ job: ClaimedJob) async throws {
      let key = AttemptKey(job: job.id, token: job.token)
      _ = try await store.exchange(JobExchange(notes: [(key, .progress(JobProgress(completed: 1)))]))
    }

    func cancel(_ id: JobID) async throws {
      _ = try await store.change(JobSelection(ids: [id]), .cancel)
      promise(.end(id, .cancelled))
    }

    /// Lets SQLite move what it has gathered into the file.
    func checkpoint(_ mode: String, _ file: URL) throws {
      let database = try DatabaseQueue(path: file.path)
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
      try database.close()
    }

    /// Ends the owner, in good order or as a crash would, and goes on with another one.
    func begin(afterCrash: Bool) async throws {
      if afterCrash { store.die() } else { await store.close() }
      store = try make()
      _ = try await store.open(StoreEnvironment(owner: "script"))
    }

    func close() async { await store.close() }
  }

  /// Everything that a store does with its file, and each kind of end.
  private static func run(_ disk: RecordedDisk, file: URL, _ make: @escaping () throws -> SQLiteStore) async throws
    -> [Promise]
  {
    let script = try await Script(disk, make)
    try await script.add(2)
    try await script.add(1, .relaxed)
    var held = try await script.claim(2)
    try await script.note(held[0], "half")
    try await script.add(3, bytes: 3_000)
    held = try await script.claim(2, ending: [(held[0], .succeeded(result: nil)), (held[1], .interrupted)])
    try await script.progress(held[0])
    try await script.add(1, .relaxed)
    try await script.add(1, .relaxed, bytes: 5_000)
    try script.checkpoint("PASSIVE", file)
    held = try await script.claim(
      2, ending: [(held[0], .failed(.error, "no", retryAfter: .zero)), (held[1], .gaveUp(.error, "never"))])
    let more = try await script.add(2)
    try await script.cancel(more[0])
    try script.checkpoint("RESTART", file)
    try await script.add(1)
    held = try await script.claim(1, ending: [(held[0], .succeeded(result: Data([1]))), (held[1], .snoozed(.now))])
    try await script.begin(afterCrash: false)
    try await script.add(1)
    held = try await script.claim(3)
    try await script.begin(afterCrash: true)
    try await script.add(1, .relaxed)
    held = try await script.claim(2)
    _ = try await script.claim(0, ending: held.map { ($0, .succeeded(result: nil)) })
    try script.checkpoint("TRUNCATE", file)
    try await script.add(1)
    await script.close()
    return script.promises
  }

  /// What of the promises a file does not keep.
  private static func broken(_ promises: some Collection<Promise>, in file: URL) async throws -> [String] {
    var broken: [String] = []
    let database = try DatabaseQueue(path: file.path)
    let integrity = try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    if integrity != ["ok"] { broken.append("the file is damaged: \(integrity)") }
    try database.close()
    let store = SQLiteStore(at: file)
    _ = try await store.open(StoreEnvironment(owner: "judge"))
    let jobs = Dictionary(
      uniqueKeysWithValues: try await store.jobs(.all, after: nil, limit: .max).map { ($0.id, $0) })
    let claim = JobExchange.Claim(queue: "default", limit: 100, kinds: [.init("Upload", limit: 100)])
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    let again = Set(claimed.map(\.id))
    let lowest = claimed.map(\.token).min()
    var checkpoints: [JobID: Data] = [:]
    for promise in promises {
      switch promise {
      case .job(let id, let isRelaxed):
        if jobs[id] == nil, !isRelaxed { broken.append("job \(id) is lost") }
      case .attempt(let id, let token, let number):
        if let lowest, lowest <= token { broken.append("token \(token) of job \(id) is given out again") }
        if let job = jobs[id], job.attempts + (job.state == .ready ? 1 : 0) < number {
          broken.append("attempt \(number) of \(id) is forgotten")
        }
      case .end(let id, let state):
        if jobs[id]?.state != state { broken.append("job \(id) is no longer \(state)") }
        if again.contains(id) { broken.append("job \(id) runs again") }
      case .checkpoint(let id, let data): checkpoints[id] = data
      }
    }
    for (id, data) in checkpoints where jobs[id]?.state != .finished && jobs[id]?.checkpoint != data {
      broken.append("the checkpoint of \(id) is lost")
    }
    await store.close()
    return broken
  }

  /// Cuts the power at every place.
  ///
  /// - Returns: what was broken, and how many different disks were looked at.
  private static func cut(
    _ disk: RecordedDisk, _ promises: [Promise], seed: UInt64, name: String
  ) async throws -> (broken: [String], disks: Int, boundaries: Int) {
    var chance = SeededGenerator(seed: seed)
    var seen: Set<[String: Data]> = []
    var (broken, boundaries): ([String], Int) = ([], 0)
    for place in 0...disk.count {
      let isBoundary = disk.isBoundary(place)
      if isBoundary { boundaries += 1 }
      // Between two flushes, one kind of disk at each place; at each flush, all of them.
      let kinds = RecordedDisk.Survival.allCases
      for survival in isBoundary ? kinds : [kinds[place % kinds.count]] {
        let files = disk.files(cutBefore: place, survival, &chance)
        let count = disk.acknowledged(before: place)
        guard seen.insert(files.merging(["promises": Data("\(count)".utf8)]) { $1 }).inserted else { continue }
        let fixture = try SQLiteFixture(isFast: true)
        for (name, content) in files { try content.write(to: fixture.folder.appending(path: name)) }
        for text in try await Self.broken(promises.prefix(count), in: fixture.folder.appending(path: name)) {
          broken.append("cut before \(place), \(survival): \(text)")
        }
      }
    }
    return (broken, seen.count, boundaries)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a power cut at any moment loses nothing that was acknowledged as durable`(seed: UInt64) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    let promises = try await Self.run(disk, file: fixture.file) { SQLiteStore(at: fixture.file) }
    let result = try await Self.cut(disk, promises, seed: seed, name: fixture.file.lastPathComponent)
    #expect(result.broken.isEmpty, "\(result.broken.prefix(20).joined(separator: "\n"))")
    #expect(result.boundaries >= 60)
    #expect(result.disks >= 200)
  }

  @Test func `what commits without a flush would lose is found`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    // A pool of GRDB commits with NORMAL, and the store leaves that to its owner.
    let promises = try await Self.run(disk, file: fixture.file) {
      SQLiteStore(sharing: try DatabasePool(path: fixture.file.path))
    }
    let result = try await Self.cut(disk, promises, seed: 1, name: fixture.file.lastPathComponent)
    #expect(result.broken.contains { $0.hasSuffix("is lost") })
    #expect(result.broken.contains { $0.hasSuffix("runs again") })
    #expect(!result.broken.contains { $0.contains("damaged") })
  }
}
#endif
