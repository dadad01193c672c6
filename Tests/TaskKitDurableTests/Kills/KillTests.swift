#if os(Linux) && Durable
import Foundation
import GRDB
import ProcessTesting
import Synchronization
import TaskKit
import TaskKitDurable
import Testing

/// Processes that work on one file and are killed with SIGKILL: nothing acknowledged is lost, nothing runs in two places,
/// nothing done runs again, attempts and crashes stay within their limits.
///
/// How many there are can be raised with TASKKIT_KILLS, and other moments be chosen with TASKKIT_SEED.
@Suite(.serialized) struct KillTests {
  /// A file, what processes do with it, and how often one was killed.
  private final class Scene: Sendable {
    let fixture: SQLiteFixture
    let kills = SharedCount()
    /// What all its processes are told.
    private let environment: [String: String]
    private let numbers = SharedCount()

    // What a process has written is there whether it is killed or not: nothing has to be flushed for that.
    init(isFast: Bool = true, _ environment: [String: String] = [:]) throws {
      fixture = try SQLiteFixture(isFast: isFast)
      self.environment = environment
    }

    var history: URL { fixture.folder.appending(path: "history") }

    func start(_ environment: [String: String]) throws -> ProbeProcess {
      let all = ["PROBE_FILE": fixture.file.path, "PROBE_HISTORY": history.path]
      return try ProbeProcess(
        run: "r\(numbers.add(1))", all.merging(self.environment) { $1 }.merging(environment) { $1 })
    }

    /// Notes that a process is about to be killed.
    func noteKill(of run: String) throws { try HistoryFile(at: history.path, run: run).note("killed") }

    /// - Returns: whether the process was killed; it must have ended well otherwise.
    func count(_ end: ProbeProcess.End) -> Bool {
      if end == .signal(SIGKILL) {
        kills.add(1)
        return true
      }
      #expect(end == .exit(0), "a process did not end as it should")
      return false
    }

    /// Lets processes work that nobody kills, until nothing is left that could: poisonous jobs kill some.
    func workOff(_ environment: [String: String] = [:]) throws {
      for _ in 0..<1000 {
        let process = try start(environment)
        if !count(process.end()) { return }
      }
      Issue.record("the jobs do not come to an end")
    }

    /// Holds the history and the file against the rules.
    func check(_ name: String) async throws {
      let store = SQLiteStore(at: fixture.file)
      _ = try await store.open(StoreEnvironment(owner: "judge"))
      let jobs = try await store.jobs(.all, after: nil, limit: .max)
      let counts = try await store.counts()
      await store.close()
      var expected: [JobCount] = []
      for (key, jobs) in Dictionary(grouping: jobs, by: { [$0.queue, $0.kind, $0.state.rawValue] }) {
        expected.append(JobCount(queue: key[0], kind: key[1], state: jobs[0].state, count: jobs.count))
      }
      #expect(Set(counts) == Set(expected), "the counters are not what is there")
      let database = try DatabaseQueue(path: fixture.file.path)
      #expect(try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
      try database.close()
      let lines = try String(contentsOf: history, encoding: .utf8).split(separator: "\n").map(String.init)
      let states = jobs.map { "- state \($0.id) \($0.kind) \($0.state.rawValue) \($0.attempts) \($0.crashes)" }
      let violations = HistoryChecker.violations(in: lines + states)
      guard !violations.isEmpty else { return }
      // What concerns the jobs that something is wrong with.
      let wrong = Set(violations.flatMap(\.jobs).map { "\($0)" })
      let concerned = (lines + states).filter { line in
        let words = line.split(separator: " ")
        return words.count < 3 || wrong.contains(String(words[2]))
      }
      Issue.record("\(name): \(violations)\n\(concerned.joined(separator: "\n"))")
    }
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let kills = environment["TASKKIT_KILLS"].flatMap(Int.init) ?? 1_000
  private static let soak = environment["TASKKIT_SOAK"].flatMap(Int.init) ?? 0
  private static let firstSeed = environment["TASKKIT_SEED"].flatMap(UInt64.init) ?? 1

  /// Four processes at a time, each killed at one of its first operations on files, in the middle of one, or after some
  /// line of the history; the next one goes on. In half of the rounds they do all that can be done to jobs.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `processes that are killed at random lose nothing, and do nothing twice`(round: UInt64) async throws {
    let scene = try Scene(round.isMultiple(of: 2) ? [:] : ["PROBE_MIXED": "1"])
    let share = Self.kills / 4
    let seed = Self.firstSeed * 4 + round
    try await withThrowingTaskGroup { group in
      for place in 0..<4 as Range<UInt64> {
        group.addTask {
          try await onThread {
            var chance = SeededGenerator(seed: seed * 4 + place)
            while scene.kills.value < share { try Self.runOne(scene, &chance) }
          }
        }
      }
      try await group.waitForAll()
    }
    try await onThread { try scene.workOff() }
    try await scene.check("seed \(seed)")
    #expect(scene.kills.value >= share)
  }

  private static func runOne(_ scene: Scene, _ chance: inout SeededGenerator) throws {
    var environment = [
      "PROBE_JOBS": "\(Int.random(in: 1...4, using: &chance))",
      "PROBE_SEED": "\(UInt64.random(in: 1 ... .max, using: &chance))",
    ]
    switch Int.random(in: 0..<3, using: &chance) {
    case 0:
      environment["PROBE_DEATH"] = "\(Int.random(in: 1...120, using: &chance))"
    case 1:
      environment["PROBE_DEATH"] = "\(Int.random(in: 1...120, using: &chance))"
      environment["PROBE_DIES_IN_WRITES"] = "1"
    default:
      let lines = Int.random(in: 1...16, using: &chance)
      let process = try scene.start(environment)
      if process.lines(lines) == lines {
        try scene.noteKill(of: process.run)
        process.kill()
      }
      _ = scene.count(process.end())
      return
    }
    let process = try scene.start(environment)
    _ = scene.count(process.end())
  }

  /// The same with all that can be done to jobs, on the disk and in memory in turn, one scene after the other for as many
  /// seconds as TASKKIT_SOAK says: `Scripts/soak`. One scene where it says nothing.
  @Test func `jobs that are delayed, chained, held and cancelled while processes are killed keep the rules`()
    async throws
  {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(Self.soak)
    var round: UInt64 = 0
    var kills = 0
    repeat {
      let scene = try Scene(isFast: round.isMultiple(of: 2), ["PROBE_MIXED": "1"])
      let seed = Self.firstSeed * 1_000_000 + round
      try await withThrowingTaskGroup { group in
        for place in 0..<4 as Range<UInt64> {
          group.addTask {
            try await onThread {
              var chance = SeededGenerator(seed: seed * 4 + place)
              while scene.kills.value < 40 { try Self.runOne(scene, &chance) }
            }
          }
        }
        try await group.waitForAll()
      }
      try await onThread { try scene.workOff() }
      try await scene.check("seed \(seed)")
      round += 1
      kills += scene.kills.value
      if Self.soak > 0 { print("soak: \(round) scenes, \(kills) kills, \(clock.now.duration(to: end)) left") }
    } while clock.now < end
  }

  /// One process does a fixed piece of work in a new file, and dies before each operation on a file that it does there,
  /// each boundary of each commit among them; and in the middle of each write.
  @Test(arguments: [false, true])
  func `a process that dies at any operation on the file loses nothing`(inWrites: Bool) async throws {
    let next = SharedCount()
    let end = SharedCount(.max)
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          while true {
            let place = next.add(1)
            guard place < end.value else { break }
            let scene = try Scene()
            let wasKilled = try await onThread { try Self.dieOnce(scene, at: place, inWrites: inWrites) }
            guard wasKilled else {
              end.lower(to: place)
              break
            }
            try await scene.check("place \(place)")
          }
        }
      }
      try await group.waitForAll()
    }
    // Opening, enqueueing, claiming, noting, finishing and closing: fewer would mean that it did not see them.
    #expect(end.value > 60)
  }

  /// Everything that can be done to a store, one call after the other. Each operation on a file is the last one of some
  /// process, and so is the middle of every third write.
  @Test func `a process that dies anywhere in any call leaves all of it or nothing, and writes a slot once`()
    async throws
  {
    try await withThrowingTaskGroup { group in
      for first in 1...2 { group.addTask { try await Self.die(at: first, andEvery: 2) } }
      group.addTask { try await Self.die(at: 1, andEvery: 3, inWrites: true) }
      try await group.waitForAll()
    }
  }

  /// Processes die at every so many places of one file, until one comes to its end.
  private static func die(at first: Int, andEvery step: Int, inWrites: Bool = false) async throws {
    let scene = try Scene(["PROBE_MODE": "script"])
    try await onThread {
      // The first one of all makes the tables, which is tried above.
      #expect(!scene.count(try scene.start([:]).end()))
      var environment = inWrites ? ["PROBE_DIES_IN_WRITES": "1"] : [:]
      repeat {
        environment["PROBE_DEATH"] = "\(first + scene.kills.value * step)"
      } while scene.count(
        try scene.start(environment).end())
      try scene.workOff(["PROBE_MODE": "work"])
    }
    // Opening, closing, and no fewer than are written down in the script.
    #expect(scene.kills.value * step > 60)
    try await scene.check("at \(first), every \(step), in writes: \(inWrites)")
    let database = try DatabaseQueue(path: scene.fixture.file.path)
    let (parts, slots) = try await database.read { db in
      (
        try String.fetchAll(db, sql: "SELECT tags FROM taskkit_job WHERE tags <> '[]' GROUP BY 1 HAVING count(*) <> 3"),
        try Int64.fetchAll(db, sql: "SELECT occurrence FROM taskkit_job WHERE schedule <> '' ORDER BY 1")
      )
    }
    try database.close()
    #expect(parts == [])
    // Each process that comes so far writes the one of the process before it again.
    #expect(slots.count > 20)
    #expect(Set(slots).count == slots.count)
  }
}

extension KillTests {
  /// Jobs that do their work in a database of the program, in one transaction with that they have done it.
  @Test(arguments: [false, true])
  func `a step in a transaction of the program happens exactly once, wherever the process dies`(inWrites: Bool)
    async throws
  {
    var places = 0
    while true {
      let scene = try Scene()
      let place = places + 1
      let wasKilled = try await onThread {
        let environment = ["PROBE_MODE": "share", "PROBE_JOBS": "2"]
        var first = environment.merging(["PROBE_DEATH": "\(place)"]) { $1 }
        if inWrites { first["PROBE_DIES_IN_WRITES"] = "1" }
        guard scene.count(try scene.start(first).end()) else { return false }
        #expect(!scene.count(try scene.start(environment).end()), "the next process was killed, too")
        return true
      }
      let database = try DatabaseQueue(path: scene.fixture.file.path)
      let booked = try await database.read { try Int64.fetchAll($0, sql: "SELECT job FROM booking ORDER BY job") }
      try database.close()
      // A process that opens the database after another one leaves numbers out.
      #expect(booked.count == 2 && Set(booked).count == 2, "place \(place)")
      let store = SQLiteStore(at: scene.fixture.file)
      _ = try await store.open(StoreEnvironment(owner: "judge"))
      #expect(try await store.counts().map { "\($0.count) \($0.state)" } == ["2 finished"], "place \(place)")
      await store.close()
      guard wasKilled else { break }
      places = place
    }
    #expect(places > 30)
  }

  /// - Returns: whether the process died, before its work was done.
  private static func dieOnce(_ scene: Scene, at place: Int, inWrites: Bool) throws -> Bool {
    var environment = ["PROBE_JOBS": "3", "PROBE_SEED": "5", "PROBE_DEATH": "\(place)"]
    if inWrites { environment["PROBE_DIES_IN_WRITES"] = "1" }
    let process = try scene.start(environment)
    guard scene.count(process.end()) else { return false }
    try scene.workOff()
    return true
  }
}

/// A number that several threads share.
private final class SharedCount: Sendable {
  private let count: Atomic<Int>

  init(_ value: Int = 0) { count = Atomic(value) }

  var value: Int { count.load(ordering: .relaxed) }

  /// - Returns: the new value.
  @discardableResult
  func add(_ difference: Int) -> Int { count.add(difference, ordering: .relaxed).newValue }

  func lower(to value: Int) { count.min(value, ordering: .relaxed) }
}
#endif
