import Measuring
import TaskKit

extension Suite {
  /// The cost of a task or an edge, from the smallest graph to the largest.
  static func linear(_ options: Options) async -> Section {
    let columns = ["graph", "tasks and edges", "planning, each", "running, each"]
    var section = Section("linear", "cost grows linearly in tasks and edges", columns: columns)
    var growth: [String: [(row: String, plan: Double, run: Double)]] = [:]
    let counts = options.isQuick ? [1000, 100_000] : [10, 100, 1000, 10_000, 100_000, 1_000_000]
    for graph in options.graphs(GraphShape.main, counts) {
      let work = Work.empty(graph.count)
      let registry = Registries.generated(graph, work)
      let units = Double(graph.count + graph.edgeCount)
      let planning = Planning(graph.title) { Planning.center(registry) }
      let repeats = max(1, min(1000, 20_000 / graph.count))
      let plan = (0..<min(options.rounds, graph.count > 100_000 ? 3 : 9)).map { _ in
        (0..<repeats).map { _ in planning.time() }.reduce(0, +) / Double(repeats) / units
      }.median
      let engine = TaskCenterEngine(registry, reporting: .problems, concurrency: 1)
      _ = await engine.run(times: 2)
      var runs: [Double] = []
      for _ in 0..<9 { runs.append(Double(await engine.run(times: repeats)) / Double(repeats) / units) }
      section.add(
        graph.title,
        [
          ("tasks and edges", "\(Int(units))", units, ""),
          ("planning, each", Section.nanoseconds(plan), plan, "ns"),
          ("running, each", Section.nanoseconds(runs.median), runs.median, "ns"),
        ])
      growth[graph.shape.rawValue, default: []].append((graph.title, plan, runs.median))
    }
    // From 1,000 up, where neither the fixed cost of a send nor that of a plan shows any more.
    func increase(_ value: (Double, Double) -> Double) -> [(row: String, value: Double)] {
      growth.values.compactMap { rows in
        guard let first = rows.first(where: { $0.row.hasSuffix(" 1000") }), let last = rows.last else { return nil }
        return (last.row, value(last.plan, last.run) / value(first.plan, first.run))
      }
    }
    let plans = increase { plan, _ in plan }
    section.judge(.atMost(5, "planning is linear: each task and edge, the largest graph against 1,000", plans))
    let runs = increase { _, run in run }
    section.judge(.atMost(5, "running is linear: each task and edge, the largest graph against 1,000", runs))
    return section
  }
}
