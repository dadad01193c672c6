import Faults
import Foundation
import ProcessTesting
import TaskKit
import TaskKitDurable
import TaskKitPostgres

/// What a test wants the process to do, from its environment.
struct Plan: Sendable {
  enum Mode: String {
    /// Enqueues jobs, and runs what is there until nothing is left.
    case work
    /// Runs what is there until the second line of its input comes; bodies that are stuck wait for the first one.
    case serve
    /// Commits as often as it can, each time for a job of its own.
    case turns
    /// Opens the store, and says how that went.
    case open
    /// Shares a database, and does the steps of its jobs in transactions of its own.
    case share
    /// Does one call of a store after the other.
    case script
    /// Changes the network of its namespace, and says what monitors tell of it.
    case watch
  }

  /// A schema on a PostgreSQL server.
  struct Server {
    let address: String
    let schema: String
    let lease: Duration
    /// Whether a pooler stands before it that gives each transaction another connection.
    let isPooled: Bool
  }

  let mode: Mode
  /// Where the jobs are, unless they are on a server.
  let file: URL
  let server: Server?
  let run: String
  /// How many jobs are enqueued.
  let jobs: Int
  let seed: UInt64
  /// Before which of its operations on files the process kills itself, counted from 1.
  let death: Int?
  /// Whether only writes count, and half of that one is done.
  let diesInWrites: Bool
  /// Whether jobs are also delayed, chained, held, cancelled and so on.
  let isMixed: Bool
  /// Whether the server dies, too: to it that is a power cut, which may take what is relaxed.
  let endsServer: Bool

  init(_ environment: [String: String]) {
    mode = Mode(rawValue: environment["PROBE_MODE"] ?? "") ?? .work
    file = URL(filePath: environment["PROBE_FILE"] ?? "")
    server = environment["PROBE_SERVER"].map { address in
      Server(
        address: address, schema: environment["PROBE_SCHEMA"]!,
        lease: .seconds(environment["PROBE_LEASE"].flatMap(Int.init) ?? 600),
        isPooled: environment["PROBE_IS_POOLED"] != nil)
    }
    run = environment["PROBE_RUN"] ?? "probe"
    jobs = environment["PROBE_JOBS"].flatMap(Int.init) ?? 0
    seed = environment["PROBE_SEED"].flatMap(UInt64.init) ?? 1
    death = environment["PROBE_DEATH"].flatMap(Int.init)
    diesInWrites = environment["PROBE_DIES_IN_WRITES"] != nil
    isMixed = environment["PROBE_MIXED"] != nil
    endsServer = environment["PROBE_ENDS_SERVER"] != nil
  }
}

let plan = Plan(ProcessInfo.processInfo.environment)
let input = Input()
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
    case .serve: try await serve()
    case .turns: try await takeTurns()
    case .open: await openStore()
    case .share: try await Sharing.work()
    case .script: try await Script.work(NotingStore(makeStore()))
    case .watch:
      #if os(Linux)
      await Watching.watch()
      #else
      break
      #endif
    }
    #endif
  }

  #if Durable && !os(Windows)
  private static func makeStore() -> any JobStore {
    #if Postgres
    if let server = plan.server {
      return PostgresStore(
        at: server.address, schema: server.schema, lease: server.lease, notifies: !server.isPooled)
    }
    #endif
    return SQLiteStore(at: plan.file)
  }

  private static func makeCenter(_ store: NotingStore) throws -> TaskCenter {
    try TaskCenter(
      registry: TaskRegistry().adding(
        Steady.self, Relaxed.self, Limited.self, Poison.self, Failing.self, Keyed.self, Stuck.self),
      stores: [DurableStore("jobs", store)], jobs: JobConfiguration(monitors: [], owner: plan.run))
  }

  /// Until the store has acknowledged them: a server may be away for a moment.
  private static func enqueue(_ jobs: [any DurableTask], _ center: TaskCenter) async throws {
    while true {
      do {
        if jobs.count == 1 { _ = try await center.enqueue(jobs[0]) } else { _ = try await center.enqueue(jobs) }
        return
      } catch let error as JobStoreError where error.reason == .unreachable {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private static func work() async throws {
    history.note("start")
    let store = NotingStore(makeStore())
    let center = try makeCenter(store)
    var chance = SeededGenerator(seed: plan.seed)
    let jobs = (0..<plan.jobs).map { _ in randomJob(&chance) }
    if plan.isMixed { try await Mix.undoWhatWasLeft(in: center) }
    if let first = jobs.first { try await enqueue([first], center) }
    center.start()
    // The others while it works: some alone, some all or nothing.
    try await withThrowingDiscardingTaskGroup { group in
      let alone = jobs.dropFirst().prefix(jobs.count / 2)
      for job in alone {
        let mix = plan.isMixed ? Mix(SeededGenerator(seed: chance.next())) : nil
        group.addTask {
          if var mix { try await mix.enqueue(job, in: center) } else { try await enqueue([job], center) }
        }
      }
      let together = Array(jobs.dropFirst(1 + alone.count))
      if !together.isEmpty { group.addTask { try await enqueue(together, center) } }
    }
    await center.jobs.idle()
    if plan.isMixed { try await Mix.finish(in: center) }
    await center.jobs.stop()
    await store.close()
    history.note("stop")
  }

  private static func serve() async throws {
    history.note("start")
    Thread.detachNewThread { input.read() }
    let store = NotingStore(makeStore())
    let center = try makeCenter(store)
    for _ in 0..<plan.jobs { try await enqueue([Stuck()], center) }
    center.start()
    await input.line(2)
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
