#if Durable
import Foundation
import Measuring
import TaskKitDurable

extension Suite {
  /// What a claim costs with many jobs that wait, in processor time: the disk would hide it.
  @concurrent
  static func waiting(_ settings: Settings, _ folder: URL) async throws -> Section {
    let many = settings.isQuick ? 100_000 : 1_000_000
    let cases: [(title: String, count: Int, due: Date?)] = [
      ("few", 100, nil), ("\(many) ready", many, nil), ("\(many) not due", many, Date(timeIntervalSinceNow: 1e6)),
    ]
    let batch = 10
    var stores: [StoreEngine] = []
    for (index, item) in cases.enumerated() {
      let file = folder.appending(path: "waiting-\(index).sqlite")
      let loop = try await HandLoop(at: file)
      for _ in 0..<item.count / 1000 { loop.enqueue(1000, due: item.due) }
      loop.enqueue(100)
      loop.checkpoint()
      stores.append(try await StoreEngine(at: file))
    }
    var times = cases.map { _ in [Double]() }
    var ends: [[(AttemptKey, JobExchange.End)]] = cases.map { _ in [] }
    let turns = settings.isQuick ? 20 : 50
    for round in -1..<settings.rounds {
      let order = round.isMultiple(of: 2) ? Array(cases.indices) : cases.indices.reversed()
      for index in order {
        // As many as are claimed come again.
        try await stores[index].enqueue(turns * batch)
        let start = Stopwatch.processorTime
        for _ in 0..<turns { ends[index] = try await stores[index].exchange(ends[index], batch: batch) }
        // The first round meets cold memory.
        if round >= 0 { times[index].append(Double(Stopwatch.processorTime - start) / Double(turns * batch)) }
      }
    }
    for store in stores { await store.close() }
    var section = Section(
      "waiting", "claim and finish, \(batch) at a time, processor time of a job", columns: ["what waits", "time"])
    for (item, times) in zip(cases, times) {
      section.add(item.title, [("time", Section.nanoseconds(times.median), times.median, "ns")])
    }
    let ratios = cases.indices.dropFirst().map { index in
      (row: cases[index].title, value: zip(times[index], times[0]).map { $0 / $1 }.median)
    }
    section.judge(.atMost(1.3, "a claim with \(many) waiting jobs, times one with few", ratios))
    return section
  }
}
#endif
