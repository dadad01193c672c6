#if os(Linux)
import Foundation
import ProcessTesting
import Synchronization
import TaskKitDurable
@testable import TaskKitPostgres
import Testing

/// Processes that share a queue on a server, and are killed, cut off and left without the server while they work: nothing
/// acknowledged is lost, no two valid leases hold one job, nothing stale is taken, nothing done runs again, attempts and
/// crashes stay within their limits.
///
/// How many kills there are can be raised with TASKKIT_KILLS, and other moments be chosen with TASKKIT_SEED.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProcessTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let kills = environment["TASKKIT_KILLS"].flatMap(Int.init).map { $0 / 10 } ?? 60
  private static let firstSeed = environment["TASKKIT_SEED"].flatMap(UInt64.init) ?? 1

  /// Four processes at a time. Each is killed after some line of the history, and the next one goes on; or it loses its
  /// lease there and works on.
  @Test(arguments: 0..<2 as Range<UInt64>)
  func `four processes that are killed or lose their leases at random lose nothing, and do nothing twice`(
    round: UInt64
  ) async throws {
    try await PostgresFixture.with { fixture in
      let scene = try ProcessScene(fixture)
      let share = Self.kills / 2
      let seed = Self.firstSeed * 2 + round
      try await withThrowingTaskGroup { group in
        for place in 0..<4 as Range<UInt64> {
          group.addTask {
            var chance = Chance(state: (seed * 4 + place) &* 0x9E37_79B9_7F4A_7C15 | 1)
            // As many kills as there are to be have only a handful of lost leases beside them, and may have had none.
            while scene.kills < share || scene.expiries == 0 { try await Self.runOne(scene, &chance) }
          }
        }
        try await group.waitForAll()
      }
      try await scene.workOff()
      try await scene.check("seed \(seed)")
      #expect(scene.kills >= share)
      #expect(scene.expiries > 0)
    }
  }

  private static func runOne(_ scene: ProcessScene, _ chance: inout Chance) async throws {
    let environment = [
      "PROBE_JOBS": "\(Int.random(in: 1...6, using: &chance))",
      "PROBE_SEED": "\(UInt64.random(in: 1 ... .max, using: &chance))",
    ]
    let isCutOff = Int.random(in: 0..<3, using: &chance) == 0
    let lines = Int.random(in: 1...40, using: &chance)
    let more = Int.random(in: 1...20, using: &chance)
    try await onThread {
      let process = try scene.start(environment)
      if isCutOff, process.lines(lines) == lines {
        let run = process.run
        try waiting { try await scene.expire(run) }
      }
      let count = isCutOff ? more : lines
      if process.lines(count) == count { try scene.kill(process) }
      scene.end(process)
    }
    try await scene.bury()
  }

  /// A process makes its connection, opens the store, does everything that can be done to one, and closes it. Each round trip
  /// of that is the last one of some process.
  @Test(.timeLimit(.minutes(15)), arguments: FaultyProxy.Killing.Moment.allCases)
  func `a process that is killed at whichever of its calls leaves all of it or nothing, and others bring it to its end`(
    moment: FaultyProxy.Killing.Moment
  ) async throws {
    try await PostgresFixture.with { fixture in
      let scene = try ProcessScene(fixture)
      // The first one of all makes the tables, which has tests of its own.
      _ = try await scene.run(["PROBE_MODE": "script"], dyingIn: .max, moment)
      var trip = 1
      while try await scene.run(["PROBE_MODE": "script"], dyingIn: trip, moment) { trip += 1 }
      #expect(scene.kills == trip - 1)
      // Five to be there, and no fewer than are written down in the script.
      #expect(trip > 25)
      try await scene.workOff()
      try await scene.check("\(moment)")
      let jobs = "\(fixture.quoted).taskkit_job"
      let parts = try await fixture.query(
        "SELECT tags[1] FROM \(jobs) GROUP BY 1 HAVING tags[1] <> '' AND count(*) <> 3")
      #expect(parts.map { $0.text(0) } == [])
      let doubles = try await fixture.query(
        "SELECT occurrence FROM \(jobs) WHERE schedule <> '' GROUP BY 1 HAVING count(*) <> 1")
      #expect(doubles.map { $0.integer(0) } == [])
    }
  }

  /// The server dies while all four work, twice, and once more behind a pooler.
  @Test(arguments: [false, true])
  func `four processes whose server is killed and started again lose nothing, and do nothing twice`(
    isPooled: Bool
  ) async throws {
    let server = try await PrivateServer.start()
    let pooler = isPooled ? try await server.startPooler() : nil
    try await PostgresFixture.with(address: server.address) { fixture in
      let scene = try ProcessScene(fixture, pooler: pooler)
      try await withThrowingTaskGroup { group in
        for place in 0..<4 {
          group.addTask {
            try await onThread {
              let process = try scene.start([
                "PROBE_JOBS": "40", "PROBE_SEED": "\(Self.firstSeed * 8 + UInt64(place))", "PROBE_ENDS_SERVER": "1",
              ])
              if place < 2, process.lines(60 + 50 * place) == 60 + 50 * place {
                try waiting { try await server.restart() }
              }
              scene.end(process)
            }
          }
        }
        try await group.waitForAll()
      }
      try await scene.workOff()
      try await scene.check(isPooled ? "behind a pooler" : "directly")
    }
  }

  /// Nobody but the clock of the server says that the first process is dead. One that is only stopped goes on afterwards.
  @Test(arguments: [true, false])
  func `an idle process takes over when a lease has passed, and what the first one says then is refused`(
    isKilled: Bool
  ) async throws {
    try await PostgresFixture.with { fixture in
      let scene = try ProcessScene(fixture, lease: 1)
      try await onThread {
        let first = try scene.start(["PROBE_MODE": "serve", "PROBE_JOBS": "1"])
        // It starts, enqueues, claims, begins.
        #expect(first.lines(4) == 4)
        let second = try scene.start(["PROBE_MODE": "serve"])
        #expect(second.lines(1) == 1)
        if isKilled {
          try scene.kill(first)
        } else {
          let run = first.run
          try waiting { try await scene.noteExpiry(of: run) }
          Glibc.kill(first.identifier, SIGSTOP)
        }
        // It rescues, claims, begins.
        #expect(second.lines(3) == 3)
        if !isKilled {
          first.goOn()
          Glibc.kill(first.identifier, SIGCONT)
          first.goOn()
        }
        let firstWasKilled = scene.end(first)
        #expect(firstWasKilled == isKilled)
        second.goOn()
        // It ends, and says so, and is heard.
        #expect(second.lines(3) == 3)
        second.goOn()
        let secondWasKilled = scene.end(second)
        #expect(!secondWasKilled)
      }
      try await scene.check(isKilled ? "killed" : "stopped")
    }
  }
}

/// Waits for something that tasks do, on a thread that is none of theirs.
private func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
  let result = Mutex<Result<Void, any Error>?>(nil)
  let end = DispatchSemaphore(value: 0)
  Task {
    do { try await body(); result.withLock { $0 = .success(()) } } catch { result.withLock { $0 = .failure(error) } }
    end.signal()
  }
  end.wait()
  try result.withLock { $0! }.get()
}
#endif
