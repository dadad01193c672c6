#if Durable && Postgres
import Foundation
import Measuring
import TaskKitDurable
import TaskKitPostgres

extension Suite {
  private static let processes = 4

  /// What it costs to share jobs on a server: by one process and by four, against a transaction for each job.
  @concurrent
  static func postgres(_ settings: Settings, _ folder: URL) async throws -> Section {
    let server = try PrivateServer()
    defer { server.close() }
    let (small, large) = (Disk(in: server.folder, bytes: 4096), Disk(in: server.folder, bytes: 65_536))
    let kinds = ServerEngineKind.allCases.filter { $0 == .ownTable || settings.includes(engine: $0.name) }
    var section = Section(
      "postgres", "jobs that do nothing on a server, every commit on the disk", columns: ["what"] + kinds.map(\.name))
    for kind in kinds where kind != .ownTable {
      // Makes the tables; there has to have been a job of the kind.
      let store = try await PostgresStoreEngine(PostgresStore(at: server.address, schema: kind.rawValue))
      try await store.fill(1)
      _ = try await store.work()
      await store.close()
    }
    var flushes: (small: [Double], large: [Double]) = ([], [])
    /// By engine, one value for each round.
    var single = kinds.map { _ in [Double]() }
    var (enqueued, alone, together) = (single, single, single)
    let each = settings.isQuick ? 50 : 100
    for round in 0..<settings.rounds {
      flushes.small.append(small.flushes(32).median)
      flushes.large.append(large.flushes(32).median)
      // Every other round backwards, so that nobody always comes after the same one.
      let turn = round.isMultiple(of: 2) ? Array(kinds.indices) : kinds.indices.reversed()
      for index in turn {
        let kind = kinds[index]
        // Of this turn only: they would look at their tables from time to time while others have theirs.
        let workers = try (0..<processes).map { _ in
          try ServerWorker(kind, server.address, schema: kind.rawValue)
        }
        for worker in workers { _ = worker.ask("waiting") }
        func work(_ count: Int, _ workers: some Collection<ServerWorker>) -> Double {
          let start = Stopwatch.time
          for worker in workers { worker.tell("work") }
          let done = workers.map { $0.answer() }
          let elapsed = Double(Stopwatch.time - start)
          let left = Int(workers.first!.ask("waiting")[0])
          let ids = done.flatMap { $0 }
          if (ids.count, Set(ids).count, left) != (count, count, 0) {
            section.note(
              mistake:
                "\(kind.name): of \(count) jobs \(ids.count) were done, \(Set(ids).count) different ones, \(left) were left"
            )
          }
          return elapsed / Double(count)
        }
        single[index].append(workers[0].ask("in-turn", 16).median)
        _ = work(16, workers.prefix(1))
        // What sessions do for the first time they have to plan: no job's cost, and the process that is measured alone has
        // done it by now.
        for worker in workers.dropFirst() {
          _ = worker.ask("fill", 16)
          _ = work(16, CollectionOfOne(worker))
        }
        let share = max(1, Int(Double(each) * kind.share))
        enqueued[index].append(workers[0].ask("enqueue", callers, share)[0] / Double(callers * share))
        alone[index].append(work(callers * share, workers.prefix(1)))
        _ = workers[0].ask("fill", 2 * callers * share)
        together[index].append(work(2 * callers * share, workers))
        for worker in workers { worker.close() }
      }
    }
    section.addFlushes("a flush of 4 KiB", flushes.small)
    section.addFlushes("a flush of 64 KiB", flushes.large)
    let names = kinds.map(\.name)
    section.addTimes("one enqueue after the other", names, single)
    section.addRates("enqueue, \(callers) callers (by hand: one connection)", names, enqueued)
    section.addRates("claim and finish, one process", names, alone)
    section.addRates("claim and finish, \(processes) processes", names, together)
    let hand = alone[0]
    section.judge(
      .atLeast(
        10, "claim and finish with \(processes) processes, times one connection with a job per transaction",
        kinds.indices.filter { kinds[$0] == .center || kinds[$0] == .store }.map {
          (kinds[$0].name, zip(hand, together[$0]).map { $0 / $1 }.median)
        }))
    return section
  }
}
#endif
