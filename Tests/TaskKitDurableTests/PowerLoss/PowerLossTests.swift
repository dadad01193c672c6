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
    /// The job of a slot of the schedule.
    case occurrence(Int, JobID)
    case step(JobID, Data)
    case state(JobID, JobState)
    /// What holds that key is that job.
    case key(String, JobID)
    case pause(String)
    case rate(String)
  }

  /// How many slots of the schedule there are at most.
  static let slots = 8

  /// The job of a slot of the schedule, which no claim asks for.
  static func slot(_ number: Int) -> NewJob {
    var job = NewJob(
      kind: "Minutely", queue: "slots", payload: JobPayload(bytes: Data("\(number)".utf8)),
      retention: JobRetention(finished: nil, failed: nil))
    job.occurrence = JobOccurrence(
      schedule: "Minutely", date: Date(timeIntervalSince1970: 1_767_225_600 + 60 * Double(number)))
    return job
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

    /// Offers the jobs of slots, as each process does when their time has come.
    func fire(_ slots: [Int]) async throws {
      let jobs = try await store.enqueue(slots.map(PowerLossTests.slot))
      for (slot, job) in zip(slots, jobs) { promise(.occurrence(slot, job.id)) }
    }

    func finish(_ step: String, of job: ClaimedJob) async throws {
      let key = AttemptKey(job: job.id, token: job.token)
      _ = try await store.exchange(JobExchange(notes: [(key, .step(step, Data([7])))]))
      promise(.step(job.id, Data([7])))
    }

    /// A job that waits for the parent, one that is late, one that has a key.
    func addOthers(after parent: JobID) async throws {
      var child = NewJob(
        kind: "Other", payload: JobPayload(bytes: Data()), retention: JobRetention(finished: nil, failed: nil))
      var late = child
      var single = child
      child.parents = [.job(parent)]
      late.start = .after(.seconds(1_000_000))
      single.unique = UniqueKey("key")
      let ids = try await store.enqueue([child, late, single]).map(\.id)
      promise(.state(ids[0], .waiting))
      promise(.state(ids[1], .delayed))
      promise(.key("key", ids[2]))
    }

    /// Gives a relaxed job the place of one that is not.
    func replace() async throws {
      var new = NewJob(
        kind: "Other", payload: JobPayload(bytes: Data()), retention: JobRetention(finished: nil, failed: nil))
      new.unique = UniqueKey("place", .replace)
      let id = try await store.enqueue([new])[0].id
      promise(.job(id, isRelaxed: false))
      new.durability = .relaxed
      _ = try await store.enqueue([new])
      promise(.end(id, .cancelled))
    }

    func hold(_ id: JobID) async throws {
      _ = try await store.change(JobSelection(ids: [id]), .hold("later"))
      promise(.state(id, .held))
    }

    func limit(_ queue: String) async throws {
      try await store.setPaused(true, .queue(queue), by: "script")
      promise(.pause(queue))
      try await store.setRate(RateLimit(1, per: .seconds(60)), ofQueue: queue)
      promise(.rate(queue))
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
    try await script.replace()
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

  /// What jobs have beside their lives: slots of a schedule, steps, parents, keys, holds, pauses and rates.
  private static func runOthers(
    _ disk: RecordedDisk, file: URL, _ make: @escaping () throws -> SQLiteStore
  ) async throws -> [Promise] {
    let script = try await Script(disk, make)
    try await script.fire([0])
    let ids = try await script.add(3)
    try await script.fire([0, 1, 2])
    let held = try await script.claim(1)
    try await script.finish("charge", of: held[0])
    try await script.fire([3])
    try await script.addOthers(after: held[0].id)
    try script.checkpoint("RESTART", file)
    try await script.fire([3, 4])
    try await script.hold(ids[2])
    try await script.limit("elsewhere")
    try await script.begin(afterCrash: true)
    try await script.fire([5])
    try script.checkpoint("TRUNCATE", file)
    try await script.fire([6, 5])
    await script.close()
    return script.promises
  }

  /// What of the promises a file does not keep.
  ///
  /// - Parameter isWhole: whether all is there that was written: then what is relaxed is there, too.
  static func broken(
    _ promises: some Collection<Promise>, in file: URL, isWhole: Bool = false
  ) async throws -> [String] {
    var broken: [String] = []
    let database = try DatabaseQueue(path: file.path)
    let integrity = try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    if integrity != ["ok"] { broken.append("the file is damaged: \(integrity)") }
    try database.close()
    let store = SQLiteStore(at: file)
    _ = try await store.open(StoreEnvironment(owner: "judge"))
    let jobs = Dictionary(
      uniqueKeysWithValues: try await store.jobs(.all, after: nil, limit: .max).map { ($0.id, $0) })
    broken += try await Self.brokenSlots(jobs.values.filter { $0.kind == "Minutely" }, in: store)
    let claim = JobExchange.Claim(queue: "default", limit: 1_000, kinds: [.init("Upload", limit: 1_000)])
    let claimed = try await store.exchange(JobExchange(claims: [claim])).claimed
    let again = Set(claimed.map(\.id))
    let lowest = claimed.map(\.token).min()
    var checkpoints: [JobID: Data] = [:]
    for promise in promises {
      switch promise {
      case .job(let id, let isRelaxed):
        if jobs[id] == nil, isWhole || !isRelaxed { broken.append("job \(id) is lost") }
      case .attempt(let id, let token, let number):
        if let lowest, lowest <= token { broken.append("token \(token) of job \(id) is given out again") }
        if let job = jobs[id], job.attempts + (job.state == .ready ? 1 : 0) < number {
          broken.append("attempt \(number) of \(id) is forgotten")
        }
      case .end(let id, let state):
        if jobs[id]?.state != state { broken.append("job \(id) is no longer \(state)") }
        if again.contains(id) { broken.append("job \(id) runs again") }
      case .checkpoint(let id, let data): checkpoints[id] = data
      case .occurrence(let slot, let id):
        if jobs[id] == nil { broken.append("job \(id) of slot \(slot) is lost") }
      case .step(let id, let data):
        if try await store.step("charge", of: id) != data { broken.append("the step of \(id) is lost") }
      case .state(let id, let state):
        if jobs[id]?.state != state { broken.append("job \(id) is no longer \(state)") }
      case .key(let key, let id):
        var other = NewJob(kind: "Other", payload: JobPayload(bytes: Data()))
        other.unique = UniqueKey(key)
        if try await store.enqueue([other])[0].id != id { broken.append("the key of \(id) is free") }
      case .pause(let queue):
        if try await store.pauses().map(\.subject) != [.queue(queue)] { broken.append("a pause is lost") }
      case .rate(let queue):
        if try await store.rates().map(\.subject) != [.queue(queue)] { broken.append("a rate is lost") }
      }
    }
    for (id, data) in checkpoints where jobs[id]?.state != .finished && jobs[id]?.checkpoint != data {
      broken.append("the checkpoint of \(id) is lost")
    }
    await store.close()
    return broken
  }

  /// Whether each slot that was taken has its job, and each job its slot.
  private static func brokenSlots(_ jobs: [JobSnapshot], in store: SQLiteStore) async throws -> [String] {
    var broken: [String] = []
    let taken = jobs.map { String(decoding: $0.payload.bytes, as: UTF8.self) }
    if Set(taken).count != taken.count { broken.append("a slot has two jobs: \(taken)") }
    let count = try await store.schedule("Minutely", beginning: .distantPast).count
    if count != jobs.count { broken.append("\(count) slots were taken for \(jobs.count) jobs") }
    let offers = try await store.enqueue((0..<Self.slots).map(Self.slot))
    for (slot, offer) in offers.enumerated() where (offer.outcome == .kept) != taken.contains("\(slot)") {
      broken.append("slot \(slot) is \(offer.outcome), and its job \(taken.contains("\(slot)") ? "" : "not ")there")
    }
    return broken
  }

  /// Cuts the power at every place.
  ///
  /// - Parameter onlyBoundaries: whether only at those where something was flushed.
  /// - Returns: what was broken, and how many different disks were looked at.
  static func cut(
    _ disk: RecordedDisk, _ promises: [Promise], seed: UInt64, name: String, onlyBoundaries: Bool = false
  ) async throws -> (broken: [String], disks: Int, boundaries: Int) {
    try await cut(disk, seed: seed, name: name, onlyBoundaries: onlyBoundaries) { count, isWhole, file in
      try await Self.broken(promises.prefix(count), in: file, isWhole: isWhole)
    }
  }

  /// The same, with another judge.
  ///
  /// - Parameter judge: gets how many things had been acknowledged, whether all is there that was written, and a file that may be
  ///   left, and says what is broken.
  static func cut(
    _ disk: RecordedDisk, seed: UInt64, name: String, onlyBoundaries: Bool = false,
    judge: (_ acknowledged: Int, _ isWhole: Bool, _ file: URL) async throws -> [String]
  ) async throws -> (broken: [String], disks: Int, boundaries: Int) {
    var chance = SeededGenerator(seed: seed)
    var seen: Set<[String: Data]> = []
    var (broken, boundaries): ([String], Int) = ([], 0)
    for place in 0...disk.count {
      let isBoundary = disk.isBoundary(place)
      guard isBoundary || !onlyBoundaries else { continue }
      if isBoundary { boundaries += 1 }
      // Between two flushes, one kind of disk at each place; at each flush, all of them, that of which the most is asked first:
      // what is the same is judged once.
      let kinds = RecordedDisk.Survival.allCases
      for survival in isBoundary ? kinds : [kinds[place % kinds.count]] {
        let files = disk.files(cutBefore: place, survival, &chance)
        let count = disk.acknowledged(before: place)
        guard seen.insert(files.merging(["promises": Data("\(count)".utf8)]) { $1 }).inserted else { continue }
        let fixture = try SQLiteFixture(isFast: true)
        for (name, content) in files { try content.write(to: fixture.folder.appending(path: name)) }
        for text in try await judge(count, survival == .all, fixture.folder.appending(path: name)) {
          broken.append("cut before \(place), \(survival): \(text)")
        }
      }
    }
    return (broken, seen.count, boundaries)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a power cut at any moment loses nothing that was acknowledged as durable, and the death of a process nothing`(
    seed: UInt64
  ) async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    let promises = try await Self.run(disk, file: fixture.file) { SQLiteStore(at: fixture.file) }
    let result = try await Self.cut(disk, promises, seed: seed, name: fixture.file.lastPathComponent)
    #expect(result.broken.isEmpty, "\(result.broken.prefix(20).joined(separator: "\n"))")
    #expect(result.boundaries >= 60)
    #expect(result.disks >= 200)
  }

  @Test func `a power cut at any moment parts no slot of a schedule from its job, nor a job from what it has`()
    async throws
  {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    let promises = try await Self.runOthers(disk, file: fixture.file) { SQLiteStore(at: fixture.file) }
    let result = try await Self.cut(disk, promises, seed: 3, name: fixture.file.lastPathComponent)
    #expect(result.broken.isEmpty, "\(result.broken.prefix(20).joined(separator: "\n"))")
    #expect(result.boundaries >= 30)
    #expect(result.disks >= 100)
  }

  @Test func `what commits without a flush would lose is found`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let disk = RecordedDisk(fixture.folder)
    // A pool of GRDB commits with NORMAL, and the store leaves that to its owner.
    let promises = try await Self.run(disk, file: fixture.file) {
      SQLiteStore(sharing: try DatabasePool(path: fixture.file.path, configuration: .patient))
    }
    let result = try await Self.cut(disk, promises, seed: 1, name: fixture.file.lastPathComponent)
    #expect(result.broken.contains { $0.hasSuffix("is lost") })
    #expect(result.broken.contains { $0.hasSuffix("runs again") })
    #expect(!result.broken.contains { $0.contains("damaged") })
    // The death of a process takes nothing.
    #expect(!result.broken.contains { $0.contains(", \(RecordedDisk.Survival.all):") })
  }

  @Test func `a slot that is parted from its job is found`() async throws {
    let fixture = try SQLiteFixture(isFast: true)
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "test"))
    let ids = try await store.enqueue((0..<3).map(Self.slot)).map(\.id.rawValue)
    await store.close()
    for (sql, count) in [
      ("SELECT 1", 0), ("DELETE FROM taskkit_job WHERE id = \(ids[1])", 2),
      ("DELETE FROM taskkit_occurrence WHERE id = \(ids[1])", 1),
    ] {
      let copy = try SQLiteFixture(isFast: true)
      try FileManager.default.copyItem(at: fixture.file, to: copy.file)
      let database = try DatabaseQueue(path: copy.file.path)
      try await database.write { try $0.execute(sql: sql) }
      try database.close()
      #expect(try await Self.broken([Promise](), in: copy.file).count == count, "\(sql)")
    }
  }
}
#endif
