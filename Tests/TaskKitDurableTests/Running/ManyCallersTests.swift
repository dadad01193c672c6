import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// The operations of a center from many tasks at the same time.
@Suite struct ManyCallersTests {
  @Test func `workers that many tasks stop, resume, fill and register at once come to rest and lose nothing (Zw17)`()
    async throws
  {
    let bench = try JobBench(Work.self, Chore.self)
    let center = bench.center
    center.start()
    let (callers, rounds) = (8, 40)
    try await withThrowingDiscardingTaskGroup { group in
      for caller in 0..<callers {
        group.addTask {
          for round in 0..<rounds {
            let name = "\(caller)/\(round)"
            switch (caller + round) % 8 {
            case 0: await center.jobs.stop()
            case 1: center.jobs.resume()
            case 2: center.jobs.unregister(Chore.self)
            case 3: try center.jobs.register(Chore.self)
            case 4: try await center.enqueue([Work("\(name) w"), Chore("\(name) c")])
            case 5: _ = try await center.jobs.prioritise(where: .all, JobPriority(major: round))
            case 6: try await center.enqueue(Chore(name))
            default: try await center.enqueue(Work(name))
            }
          }
        }
      }
    }
    try center.jobs.register(Chore.self)
    center.jobs.resume()
    await center.jobs.idle()
    let names = (0..<callers).flatMap { caller in
      (0..<rounds).flatMap { round -> [String] in
        let name = "\(caller)/\(round)"
        return switch (caller + round) % 8 {
        case 4: ["\(name) w", "\(name) c"]
        case 6, 7: [name]
        default: []
        }
      }
    }
    // No body looks whether it is cancelled, so each that has begun has succeeded.
    #expect(bench.probe.notes.sorted() == names.sorted())
    #expect(try await bench.states() == [])
  }
}
