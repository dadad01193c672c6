import Measuring
import TaskKit

extension Suite {
  /// Asynchronous bodies that do not suspend, against synchronous ones in a plain loop.
  static func asynchronous(_ options: Options) async -> Section {
    let one = "TaskKit, one at a time"
    let open = "TaskKit, no limit"
    let contenders = options.entrants([
      .plainLoop, .awaitingLoop, .taskKit("one at a time", .problems, concurrency: 1), .taskKit("no limit", .problems),
      .taskKit("no limit, report on", .full), .taskGroup,
    ])
    var section = Section(
      "async", "asynchronous bodies that do not suspend; the plain loop runs synchronous ones",
      columns: ["graph"] + contenders.map(\.name))
    var cells: [Cell] = []
    let counts = options.isQuick ? [10, 1000] : [10, 100, 1000, 10_000, 100_000, 1_000_000]
    for graph in options.graphs(GraphShape.main, counts) {
      let cell = await Cell.measure(graph, .emptyAsync(graph.count), rounds: options.rounds(for: graph), contenders)
      section.add(cell)
      cells.append(cell)
    }
    section.judge(.atMost(6, "asynchronous bodies, one at a time: times the plain loop", cells.ratios(one)))
    section.judge(.atMost(6, "asynchronous bodies, no limit: times the plain loop", cells.ratios(open)))
    return section
  }
}
