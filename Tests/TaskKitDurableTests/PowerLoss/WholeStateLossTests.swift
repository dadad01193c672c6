#if Durable && !os(Windows)
import Foundation
import GRDB
import Synchronization
import TaskKit
import TaskKitDurable
import Testing

/// The power fails at every boundary of a script with everything that jobs have beside their lives, and the file is what a
/// store in memory is after the same things: those that were acknowledged, and the one that was on its way as a whole or
/// not at all.
@Suite(.serialized) struct WholeStateLossTests {
  private static let start = Date(timeIntervalSince1970: 1_767_225_600)

  /// A store at some place of the script, which is the same for every store.
  private struct Scene {
    var store: any JobStore
    var ids: [String: JobID] = [:]
    /// What is held by attempts that go on.
    var held: [String: AttemptKey] = [:]
    let clock: Clock
    /// Another owner of the same jobs, after this one has ended as in a crash or in good order.
    let next: (_ store: any JobStore, _ afterCrash: Bool) async -> any JobStore
    /// Lets the log go into the file, where there is one.
    let checkpoint: () throws -> Void

    private static func new(_ name: String) -> NewJob {
      NewJob(
        kind: "Upload", payload: JobPayload(bytes: Data(name.utf8)), maximumCrashes: 9,
        retention: JobRetention(finished: nil, failed: nil))
    }

    mutating func enqueue(_ jobs: (name: String, change: (inout NewJob) -> Void)...) async throws {
      let news = jobs.map { job in
        var new = Self.new(job.name)
        job.change(&new)
        return new
      }
      for (job, answer) in zip(jobs, try await store.enqueue(news)) { ids[job.name] = answer.id }
    }

    mutating func exchange(
      notes: [(String, JobExchange.Note)] = [], ends: [(String, JobExchange.End)] = [], claiming limit: Int = 0
    ) async throws {
      let claims = limit > 0 ? [WholeStateLossTests.claim("default", limit)] : []
      let answer = try await store.exchange(
        JobExchange(
          notes: notes.map { (held[$0]!, $1) }, ends: ends.map { (held[$0]!, $1) }, claims: claims))
      #expect(answer.notes.allSatisfy { $0 } && answer.ends.allSatisfy { $0 })
      for (name, _) in ends { held[name] = nil }
      for job in answer.claimed {
        held[String(decoding: job.payload.bytes, as: UTF8.self)] = AttemptKey(job: job.id, token: job.token)
      }
    }

    func change(_ names: String..., by change: JobChange) async throws {
      let answer = try await store.change(JobSelection(ids: names.map { ids[$0]! }), change)
      #expect(answer.count == names.count)
    }

    mutating func begin(afterCrash: Bool) async throws {
      store = await next(store, afterCrash)
      held = [:]
      _ = try await store.open(clock.environment)
    }
  }

  /// Stands still within a step.
  private final class Clock: Sendable {
    private let date = Mutex(WholeStateLossTests.start)

    var environment: StoreEnvironment { StoreEnvironment(now: { self.date.withLock { $0 } }, owner: "script") }

    func set(_ seconds: Double) { date.withLock { $0 = WholeStateLossTests.start + seconds } }
  }

  private static func claim(_ queue: String, _ limit: Int) -> JobExchange.Claim {
    JobExchange.Claim(queue: queue, limit: limit, kinds: ["Sleepy", "Upload"].map { .init($0, limit: limit) })
  }

  /// One transaction each; each begins ten seconds after the one before.
  private static let script: [@Sendable (inout Scene) async throws -> Void] = [
    { try await $0.store.setRate(RateLimit(2, per: .seconds(100_000)), ofKey: "bob") },
    { try await $0.store.setPaused(true, .queue("paused"), by: "Ada") },
    {
      try await $0.enqueue(
        ("a1", { $0.limit = KeyLimit("ada") }), ("a2", { $0.limit = KeyLimit("ada") }),
        ("b1", { $0.limit = KeyLimit("bob", count: 9) }), ("b2", { $0.limit = KeyLimit("bob", count: 9) }),
        ("b3", { ($0.limit, $0.tags) = (KeyLimit("bob", count: 9), ["red"]) }),
        ("parent", { _ in }), ("child", { $0.parents = [.inBatch(5)] }), ("grandchild", { $0.parents = [.inBatch(6)] }),
        ("short", { $0.retention.finished = .seconds(60) }))
    },
    {
      try await $0.enqueue(
        ("late", { $0.start = .after(.seconds(5000)) }), ("later", { $0.start = .after(.seconds(1_000_000)) }))
    },
    { try await $0.enqueue(("asleep", { $0.queue = "paused" })) },
    { try await $0.enqueue(("u1", { $0.unique = UniqueKey("u") })) },
    // Is kept, with the first one's id.
    { try await $0.enqueue(("u2", { $0.unique = UniqueKey("u") })) },
    { try await $0.exchange(claiming: 20) },
    {
      try await $0.exchange(notes: [
        ("parent", .step("charge", Data([1]))), ("parent", .checkpoint(Data("half".utf8))),
        ("parent", .progress(JobProgress(completed: 1, of: 2))), ("a1", .step("charge", Data([2]))),
      ])
    },
    { try await $0.exchange(notes: [("parent", .step("mail", Data([3]))), ("b1", .checkpoint(Data([4])))]) },
    // Cancels a running one.
    { try await $0.enqueue(("u3", { $0.unique = UniqueKey("u", .replace) })) },
    {
      try await $0.exchange(
        ends: [("parent", .succeeded(result: Data([5]))), ("short", .succeeded(result: nil))], claiming: 1)
    },
    { try await $0.change("a2", by: .hold("not yet")) },
    { try await $0.enqueue(("u4", { $0.unique = UniqueKey("u", .append) })) },
    {
      try await $0.exchange(ends: [
        ("a1", .gaveUp(.error, "never")), ("b2", .failed(.deadline, "late", retryAfter: .seconds(90))),
      ])
    },
    { try await $0.change("a2", by: .release) },
    { try await $0.change("grandchild", by: .prioritise(JobPriority(major: 99))) },
    { try await $0.exchange(claiming: 3) },
    { try await $0.begin(afterCrash: true) },
    {
      try await $0.enqueue(
        (
          "slot",
          { $0.occurrence = JobOccurrence(schedule: "Minutely", date: WholeStateLossTests.start + 60) }
        ))
    },
    { try await $0.change("a1", by: .retry) },
    { try await $0.exchange(claiming: 4) },
    {
      let names = $0.held.keys.sorted()
      try await $0.exchange(ends: [
        (names[0], .held(.asked("wait"))), (names[1], .snoozed(.after(.seconds(20)))), (names[2], .interrupted),
      ])
    },
    { try await $0.store.setPaused(true, .kind("Sleepy"), by: "Bob") },
    { try await $0.enqueue(("sleepy", { $0.kind = "Sleepy" })) },
    { try await $0.store.setPaused(false, .queue("paused"), by: "Ada") },
    { try $0.checkpoint() },
    { scene in
      let answer = try await scene.store.change(JobSelection(tags: ["red"]), .cancel)
      #expect(answer.count == 1)
    },
    {
      try await $0.enqueue(
        ("q", { _ in }), ("waits", { ($0.parents, $0.parentFailure) = ([.inBatch(0)], .hold) }),
        ("goes on", { ($0.parents, $0.parentFailure) = ([.inBatch(0)], .run) }))
    },
    { try await $0.change("q", by: .cancel) },
    { try await $0.change("late", by: .reschedule(.now)) },
    { try await $0.store.setRate(RateLimit(1, per: .seconds(5)), ofQueue: "paused") },
    { _ = try await $0.store.sweep(limit: 10) },
    { try await $0.change("u3", by: .delete) },
    { try await $0.begin(afterCrash: false) },
    { try await $0.exchange(claiming: 2) },
  ]

  /// Does so much of the script.
  ///
  /// - Parameter acknowledged: called after each step.
  private static func run(_ scene: inout Scene, _ count: Int = script.count, acknowledged: () -> Void = {}) async throws
  {
    _ = try await scene.store.open(scene.clock.environment)
    for (place, step) in script.prefix(count).enumerated() {
      scene.clock.set(10 * Double(place))
      try await step(&scene)
      acknowledged()
    }
  }

  /// Everything that there is to see of a store long after the script, and what it does from there on.
  private static func look(at store: any JobStore) async throws -> [String] {
    let clock = Clock()
    clock.set(50_000)
    _ = try await store.open(clock.environment)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let jobs = try await store.jobs(.all, after: nil, limit: .max)
    var lines = try jobs.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    for job in jobs {
      for name in ["charge", "mail"] {
        if let result = try await store.step(name, of: job.id) {
          lines.append("\(name) of \(job.id): \(Array(result))")
        }
      }
    }
    lines += try await store.counts().filter { $0.count > 0 }.map { "\($0)" }.sorted()
    lines += try await store.pauses().map { "\($0)" }
    lines += try await store.rates().map { "\($0)" }
    lines.append("\(try await store.schedule("Minutely", beginning: start))")
    // What runs from here on, in which order and beside what.
    for _ in 0..<30 {
      let claims = [claim("default", 3), claim("paused", 3)]
      let claimed = try await store.exchange(JobExchange(claims: claims)).claimed
      guard !claimed.isEmpty else { break }
      lines.append(
        claimed.map { job in
          let results = job.parentResults.sorted { $0.key < $1.key }.map { "\($0.key) \(Array($0.value))" }
          return "\(job.id) \(job.token) \(job.attempt) \(job.checkpoint.map(Array.init) ?? []) \(results)"
        }.joined(separator: ", "))
      let ends = claimed.map { (AttemptKey(job: $0.id, token: $0.token), JobExchange.End.succeeded(result: nil)) }
      _ = try await store.exchange(JobExchange(ends: ends))
    }
    var other = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    other.unique = UniqueKey("u")
    lines.append("\(try await store.enqueue([other])[0])")
    return lines
  }

  /// What is to be seen when an owner has died after so many steps, by a store that has no disk.
  private static func expectation(after count: Int) async throws -> [String] {
    let memory = MemoryStore()
    var scene = Scene(
      store: memory, clock: Clock(),
      next: { store, afterCrash in
        if afterCrash { (store as? MemoryStore)?.die() } else { await store.close() }
        return MemoryStore(sharing: memory)
      }, checkpoint: {})
    try await run(&scene, count)
    (scene.store as? MemoryStore)?.die()
    return try await look(at: MemoryStore(sharing: memory))
  }

  @Test func `a power cut keeps what was acknowledged, and what was on its way as a whole or not at all`() async throws
  {
    var expected: [[String]] = []
    for count in 0...Self.script.count { expected.append(try await Self.expectation(after: count)) }
    // Each step is to be seen but these: a key that is kept, a checkpoint, an end in good order of one that holds nothing.
    #expect(Set(expected).count >= expected.count - 3)
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    let file = fixture.file
    var scene = Scene(
      store: SQLiteStore(at: file), clock: Clock(),
      next: { store, afterCrash in
        if afterCrash { (store as? SQLiteStore)?.die() } else { await store.close() }
        return SQLiteStore(at: file)
      },
      checkpoint: {
        let database = try DatabaseQueue(path: file.path)
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try database.close()
      })
    try await Self.run(&scene) { disk.acknowledge() }
    // Not in good order: that would be one more step.
    (scene.store as? SQLiteStore)?.die()
    let result = try await PowerLossTests.cut(disk, seed: 7, name: file.lastPathComponent, onlyBoundaries: true) {
      count, _, file in
      let store = SQLiteStore(at: file)
      let found = try await Self.look(at: store)
      await store.close()
      let allowed = expected[count...min(count + 1, Self.script.count)]
      guard !allowed.contains(found) else { return [] }
      let difference = found.filter { line in !allowed.contains { $0.contains(line) } }
      return ["after \(count) steps: \(difference.isEmpty ? "something is missing: \(found)" : "\(difference)")"]
    }
    #expect(result.broken.isEmpty, "\(result.broken.prefix(5).joined(separator: "\n"))")
    #expect(result.boundaries >= 50)
    #expect(result.disks >= 60)
  }
}
#endif
