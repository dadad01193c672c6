import Measuring
import TaskKit

extension Suite {
  /// No times: whether every engine keeps the dependencies and runs each body once, whether a center plans the order that
  /// the plain loop walks over, and whether a body that waits lets the others start.
  static func checks(_ options: Options) async -> Section {
    var section = Section("checks", "what has to be true before a time means anything", columns: ["check", "cases"])
    func add(_ title: String, _ cases: Int) {
      section.add(title, [("cases", "\(cases)", Double(cases), "")])
    }
    section.note(mistake: Recorder.mistakeOfItsOwn())
    add("the recorder sees mistakes", 2)

    let counts = options.isQuick ? [10, 1000] : [10, 100, 1000, 10_000]
    let graphs = options.graphs(GraphShape.allCases, counts)
    for (title, contenders, isAsynchronous) in [
      ("order kept, each synchronous body once", synchronousContenders, false),
      ("order kept, each asynchronous body once", asynchronousContenders, true),
    ] {
      var cases = 0
      for graph in graphs {
        for contender in contenders where graph.count <= contender.maximumCount {
          section.note(mistake: await contender.mistake(in: graph, isAsynchronous: isAsynchronous))
          cases += 1
        }
      }
      add(title, cases)
    }
    for graph in graphs { section.note(mistake: planningMistake(in: graph)) }
    add("planned in the order of the plain loop: numbered, by name, injected", graphs.count * 3)

    for count in [10, 1000, 10_000] where options.includes(graph: "wide \(count)") {
      section.note(mistake: await WaitingBodies(count: count).mistake())
      add("\(count) bodies that wait for each other all start", 1)
    }
    return section
  }

  private static let synchronousContenders: [Contender] = [
    .plainLoop, .taskGroup, .operationQueue, .wideOperationQueue,
    .taskKit("one at a time", .problems, concurrency: 1),
    .taskKit("one at a time, report on", .full, concurrency: 1),
    .taskKit("two at a time", .problems, concurrency: 2), .taskKit("no limit", .problems),
    .taskKit("no limit, report on", .full),
  ]

  private static let asynchronousContenders: [Contender] = [
    .awaitingLoop, .taskGroup, .taskKit("one at a time", .problems, concurrency: 1),
    .taskKit("two at a time", .problems, concurrency: 2), .taskKit("no limit", .problems),
    .taskKit("no limit, report on", .full),
  ]

  /// Whether the ways into a center come to the same order.
  private static func planningMistake(in graph: BenchmarkGraph) -> String? {
    let work = Work.empty(graph.count)
    let injected = Planning.center(TaskRegistry())
    do {
      try injected.inject(Registries.definitions(graph, work))
    } catch {
      return "\(graph.title): injection failed: \(error)"
    }
    let centers = [
      ("numbered", Planning.center(Registries.generated(graph, work))),
      ("by name", Planning.center(Registries.named(Registries.registrations(graph, work)))),
      ("injected", injected),
    ]
    let order = graph.order.map { TaskName(graph.names[Int($0)]) }
    for (title, center) in centers where center.order(of: .didBecomeActive) != order {
      return "\(graph.title), \(title): planned in another order"
    }
    return nil
  }
}
