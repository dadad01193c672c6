import TaskKit

extension Suite {
  /// No times: whether every engine keeps the dependencies and runs each body once, and whether a body that waits lets
  /// the others start.
  static func checks(_ options: Options) async -> Section {
    var section = Section("checks", "what has to be true before a time means anything", columns: ["check", "cases"])
    let counts = options.isQuick ? [10, 1000] : [10, 100, 1000, 10_000]
    let graphs = options.graphs(GraphShape.allCases, counts)
    let synchronous: [Contender] = [
      .plainLoop, .taskGroup, .operationQueue, .wideOperationQueue,
      .taskKit("one at a time", .problems, concurrency: 1),
      .taskKit("one at a time, report on", .full, concurrency: 1),
      .taskKit("two at a time", .problems, concurrency: 2), .taskKit("no limit", .problems),
      .taskKit("no limit, report on", .full),
    ]
    let asynchronous: [Contender] = [
      .awaitingLoop, .taskGroup, .taskKit("one at a time", .problems, concurrency: 1),
      .taskKit("two at a time", .problems, concurrency: 2), .taskKit("no limit", .problems),
      .taskKit("no limit, report on", .full),
    ]
    for (title, contenders, isAsynchronous) in [
      ("order kept, each synchronous body once", synchronous, false),
      ("order kept, each asynchronous body once", asynchronous, true),
    ] {
      var cases = 0
      for graph in graphs {
        for contender in contenders where graph.count <= contender.maximumCount {
          section.note(mistake: await contender.mistake(in: graph, isAsynchronous: isAsynchronous))
          cases += 1
        }
      }
      section.add(title, [("cases", "\(cases)", Double(cases), "")])
    }
    for count in [10, 1000, 10_000] where options.includes(graph: "wide \(count)") {
      section.note(mistake: await WaitingBodies(count: count).mistake())
      section.add("\(count) bodies that wait for each other all start", [("cases", "1", 1, "")])
    }
    return section
  }
}
