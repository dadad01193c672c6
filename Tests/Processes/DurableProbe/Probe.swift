import Faults
import Foundation
import TaskKit
import TaskKitDurable

/// What a test wants the process to do, from its environment.
struct Plan: Sendable {
  enum Mode: String {
    /// Enqueues jobs, and runs what is there until nothing is left.
    case work
    /// Commits as often as it can, each time for a job of its own.
    case turns
    /// Opens the store, and says how that went.
    case open
  }

  let mode: Mode
  let file: URL
  let run: String
  /// How many jobs are enqueued.
  let jobs: Int
  let seed: UInt64
  /// Before which of its operations on files the process kills itself, counted from 1.
  let death: Int?
  /// Whether only writes count, and half of that one is done.
  let diesInWrites: Bool

  init(_ environment: [String: String]) {
    mode = Mode(rawValue: environment["PROBE_MODE"] ?? "") ?? .work
    file = URL(filePath: environment["PROBE_FILE"]!)
    run = environment["PROBE_RUN"] ?? "probe"
    jobs = environment["PROBE_JOBS"].flatMap(Int.init) ?? 0
    seed = environment["PROBE_SEED"].flatMap(UInt64.init) ?? 1
    death = environment["PROBE_DEATH"].flatMap(Int.init)
    diesInWrites = environment["PROBE_DIES_IN_WRITES"] != nil
  }
}

let plan = Plan(ProcessInfo.processInfo.environment)
let history = try! HistoryFile(at: ProcessInfo.processInfo.environment["PROBE_HISTORY"]!, run: plan.run, echo: 1)

/// Ends the process as the system's killer would.
func die() -> Never {
  history.note("killed")
  kill(getpid(), SIGKILL)
  while true { pause() }
}

@main
struct Probe {
  static func main() async throws {
    #if Durable && !os(Windows)
    if let user = ProcessInfo.processInfo.environment["PROBE_USER"].flatMap(UInt32.init) {
      precondition(setgid(user) == 0 && setuid(user) == 0, "the process cannot become another user's")
    }
    if let death = plan.death {
      let folder = plan.file.deletingLastPathComponent()
      FaultyFiles.observe(folder, DeathByFile(at: death, inWrites: plan.diesInWrites))
    }
    switch plan.mode {
    case .work: try await work()
    case .turns: try await takeTurns()
    case .open: await openStore()
    }
    #endif
  }

  #if Durable && !os(Windows)
  private static func work() async throws {
    history.note("start")
    let store = NotingStore(SQLiteStore(at: plan.file))
    let center = try TaskCenter(
      registry: TaskRegistry().adding(Steady.self, Limited.self, Poison.self, Failing.self, Keyed.self),
      stores: [DurableStore("jobs", store)], jobs: JobConfiguration(monitors: []))
    var chance = SeededGenerator(seed: plan.seed)
    let jobs = (0..<plan.jobs).map { _ in randomJob(&chance) }
    if let first = jobs.first { try await center.enqueue(first) }
    center.start()
    // The others while it works: some alone, some all or nothing.
    try await withThrowingDiscardingTaskGroup { group in
      let alone = jobs.dropFirst().prefix(jobs.count / 2)
      for job in alone { group.addTask { try await center.enqueue(job) } }
      let together = Array(jobs.dropFirst(1 + alone.count))
      if !together.isEmpty { group.addTask { try await center.enqueue(together) } }
    }
    await center.jobs.idle()
    await center.jobs.stop()
    await store.close()
    history.note("stop")
  }

  private static func takeTurns() async throws {
    let store = SQLiteStore(at: plan.file)
    _ = try await store.open(StoreEnvironment(owner: plan.run))
    history.note("start")
    // Until the test lets all begin.
    _ = readLine()
    for _ in 0..<plan.jobs {
      let id = try await store.enqueue([NewJob(kind: "turn", payload: JobPayload(bytes: Data()))])[0].id
      history.note("enqueued", id, "turn")
    }
    history.note("stop")
    // What others still do must not be disturbed by the end of this process.
    _ = readLine()
    await store.close()
  }

  private static func openStore() async {
    let store = SQLiteStore(at: plan.file)
    do {
      _ = try await store.open(StoreEnvironment(owner: plan.run))
      history.note("open")
      await store.close()
    } catch {
      history.note("error", (error as? JobStoreError).map { "\($0.reason) \($0)" } ?? "\(error)")
    }
  }
  #endif
}
