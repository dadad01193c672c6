#if Durable
import Foundation
import Measuring
import TaskKitDurable

#if Postgres
import TaskKitPostgres
#endif

extension Suite {
  /// Where jobs are kept, and what is done to many of them there.
  private struct Place {
    let name: String
    let cases: [GrowthCase]
    /// Nanoseconds, of the processor where it is this process that works.
    let time: () -> Int64
    /// A store without jobs, of a name that no other one has.
    let makeStore: (String) -> any JobStore
  }

  /// Whether one of many jobs in a call costs more where there are many times as many.
  @concurrent
  static func growth(_ settings: Settings, _ folder: URL) async throws -> Section {
    var places = [
      Place(name: "MemoryStore", cases: GrowthCase.inMemory, time: { Stopwatch.processorTime }) { _ in MemoryStore() },
      Place(name: StoreEngine.name, cases: GrowthCase.inFile, time: { Stopwatch.processorTime }) { name in
        SQLiteStore(at: folder.appending(path: "growth-\(name).sqlite"))
      },
    ]
    #if Postgres
    let onServer = ServerEngineKind.store.name
    let server = try settings.includes(engine: onServer) ? PrivateServer() : nil
    defer { server?.close() }
    if let address = server?.address {
      places.append(
        Place(name: onServer, cases: GrowthCase.onServer, time: { Stopwatch.time }) { name in
          PostgresStore(at: address, schema: "growth-\(name)", lease: .seconds(600))
        })
    }
    #endif
    places.removeAll { !settings.includes(engine: $0.name) }

    var section = Section(
      "growth", "one of many things in a call, with few and with many of them",
      columns: ["what", "few", "many", "growth"])
    var stores = 0
    for place in places {
      for use in place.cases {
        let counts = [use.few, use.many]
        var times: [[Double]] = [[], []]
        // Each makes its jobs anew, which takes longer than what is measured. The first round meets what the process has
        // never done.
        for round in -1..<min(settings.rounds, 5) {
          for index in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
            stores += 1
            let store = place.makeStore("\(stores)")
            _ = try await store.open(StoreEnvironment(owner: "benchmark"))
            let step = try await use.prepare(store, counts[index])
            let start = place.time()
            try await step.body()
            let time = Double(place.time() - start) / Double(step.count)
            await store.close()
            if round >= 0 { times[index].append(time) }
          }
        }
        let title = "\(place.name): \(use.title), \(use.few) and \(use.many)"
        let growth = zip(times[1], times[0]).map { $0 / $1 }.median
        let (few, many) = (times[0].median, times[1].median)
        section.add(
          title,
          [
            ("few", Section.nanoseconds(few), few, "ns"), ("many", Section.nanoseconds(many), many, "ns"),
            ("growth", Section.ratio(growth), growth, "×"),
          ])
        // Less than that is a matter of caches.
        if many > 500 { section.judge(.atMost(use.limit, "growth of \(use.title)", [(title, growth)])) }
      }
    }
    return section
  }
}
#endif
