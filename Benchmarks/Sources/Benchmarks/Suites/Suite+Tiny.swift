import Measuring
import TaskKit

extension Suite {
  /// Empty bodies without a limit: whoever wakes another worker for them loses.
  static func tiny(_ options: Options) async -> Section {
    let off = "TaskKit, one at a time"
    let open = "TaskKit, no limit"
    let contenders = options.entrants([
      .plainLoop, .taskKit("one at a time", .problems, concurrency: 1), .taskKit("no limit", .problems),
      .taskKit("no limit, report on", .full),
    ])
    var section = Section(
      "tiny", "empty synchronous bodies without a limit, report off",
      columns: ["graph"] + contenders.map(\.name) + ["threads, first pass", "threads, later"])
    var cells: [Cell] = []
    var threads: [(row: String, value: Double)] = []
    for graph in options.graphs(GraphShape.main, options.isQuick ? [10, 1000] : [10, 100, 1000, 10_000, 100_000]) {
      let cell = await Cell.measure(graph, .empty(graph.count), rounds: options.rounds(for: graph), contenders)
      cells.append(cell)
      let counts = await threadCounts(graph)
      section.add(cell, extra: [("threads, first pass", counts.first), ("threads, later", counts.later)])
      threads.append((graph.title, Double(counts.later)))
    }
    section.judge(.atMost(1, "graphs of tiny tasks stay on one worker: threads", threads))
    section.judge(.atMost(1.25, "no limit costs nothing: times one at a time", cells.ratios(open, to: off)))
    return section
  }

  /// On how many threads a center without a limit runs empty bodies.
  private static func threadCounts(_ graph: BenchmarkGraph) async -> (first: Int, later: Int) {
    let cells = ThreadMarks(count: graph.count)
    let engine = TaskCenterEngine(Registries.generated(graph, cells.work), reporting: .problems)
    var counts: [Int] = []
    for _ in 0..<20 {
      _ = await engine.run(times: 1)
      counts.append(cells.threadCount)
    }
    return (counts[0], counts[10...].max() ?? 0)
  }
}
