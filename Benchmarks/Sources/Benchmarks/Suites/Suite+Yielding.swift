import Measuring
import TaskKit

extension Suite {
  /// Asynchronous bodies that suspend once, against as many suspensions in one task.
  static func yielding(_ options: Options) async -> Section {
    let one = "TaskKit, one at a time"
    let open = "TaskKit, no limit"
    let contenders = options.entrants([
      .awaitingLoop, .twoHalves, .taskKit("one at a time", .problems, concurrency: 1), .taskKit("no limit", .problems),
      .taskGroup,
    ])
    var section = Section(
      "yield", "bodies that suspend once; the loop awaits the same number of yields in one task",
      columns: ["graph"] + contenders.map(\.name))
    var cells: [Cell] = []
    for graph in options.graphs(
      GraphShape.main, options.isQuick ? [1000] : [10, 100, 1000, 10_000, 100_000, 1_000_000])
    {
      let cell = await Cell.measure(graph, .yielding(graph.count), rounds: options.rounds(for: graph), contenders)
      section.add(cell)
      cells.append(cell)
    }
    section.judge(.atMost(1.2, "bodies that suspend, one at a time: times the suspensions", cells.ratios(one)))
    section.judge(.atMost(1.2, "bodies that suspend, no limit: times the suspensions", cells.ratios(open)))
    section.judge(
      .atMost(
        1.2, "the same against two tasks that suspend as often together",
        cells.ratios(open, to: Contender.twoHalves.name)))
    return section
  }
}
