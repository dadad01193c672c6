import Measuring
import TaskKit

extension Suite {
  /// Empty synchronous bodies, one at a time: what deciding what comes next costs.
  static func synchronous(_ options: Options) async -> Section {
    let off = "TaskKit, report off"
    let on = "TaskKit, report on"
    let queue = Contender.operationQueue.name
    let contenders = options.entrants([
      .plainLoop, .taskKit("report off", .problems, concurrency: 1), .taskKit("report on", .full, concurrency: 1),
      .taskGroup, .operationQueue, .wideOperationQueue,
    ])
    var section = Section(
      "sync", "empty synchronous bodies, one at a time", columns: ["graph"] + contenders.map(\.name))
    var cells: [Cell] = []
    let counts = options.isQuick ? [10, 1000, 10_000] : [10, 100, 1000, 10_000, 100_000, 1_000_000]
    for graph in options.graphs(GraphShape.allCases, counts) {
      let entrants = options.isQuick && graph.count > 1000 ? Array(contenders.prefix(3)) : contenders
      let cell = await Cell.measure(graph, .empty(graph.count), rounds: options.rounds(for: graph), entrants)
      section.add(cell)
      cells.append(cell)
    }
    let judged = cells.filter { $0.graph.count <= 100_000 }
    section.judge(
      .atMost(
        2.5, "synchronous bodies, report off: at most 2.5 times the plain loop", judged.ratios(off)))
    section.judge(.atMost(8, "report on: at most 8 times the plain loop", judged.ratios(on)))
    section.judge(
      .atLeast(30, "report on: 30 times faster than OperationQueue one at a time", judged.ratios(queue, to: on)))
    return section
  }
}

extension [Cell] {
  /// The ratios of one engine to another, with the graph of each.
  func ratios(_ name: String, to other: String? = nil) -> [(row: String, value: Double)] {
    compactMap { cell in cell.ratio(name, to: other).map { (cell.graph.title, $0) } }
  }
}
