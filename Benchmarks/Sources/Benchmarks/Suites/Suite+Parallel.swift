import Measuring
import TaskKit

extension Suite {
  /// Bodies of 10 µs on two workers, where each core counts.
  static func parallel(_ options: Options) async -> Section {
    let two = "TaskKit, two at a time"
    let contenders = options.entrants([
      .plainLoop, .twoHalves, .taskKit("two at a time", .problems, concurrency: 2), .taskKit("no limit", .problems),
      .taskKit("no limit, report on", .full), .taskGroup, .wideOperationQueue,
    ])
    let spin = Spin(nanoseconds: 10_000)
    var section = Section(
      "parallel", "bodies of 10 µs on two cores; half of the plain loop is the limit",
      columns: ["graph"] + contenders.map(\.name))
    var cells: [Cell] = []
    for graph in options.graphs([.wide, .layered], options.isQuick ? [1000] : [100, 1000, 10_000]) {
      let entrants = graph.count > 1000 ? Array(contenders.prefix(5)) : contenders
      let cell = await Cell.measure(graph, .spinning(graph.count, spin), rounds: options.rounds(for: graph), entrants)
      section.add(cell)
      cells.append(cell)
    }
    let judged = cells.filter { $0.graph.count >= 1000 }
    let halves = judged.ratios(two).map { (row: $0.row, value: $0.value * 2) }
    section.judge(.atMost(1.1, "two workers, bodies of 10 µs: times half of the plain loop", halves))
    let reachable = judged.ratios(two, to: Contender.twoHalves.name)
    section.judge(.atMost(1.1, "the same against what two loops without dependencies reach", reachable))
    return section
  }
}
