import Measuring
import TaskKit

extension Suite {
  /// From a registry to the plan of its first event: the numbers of the build against names looked up at run time.
  static func planning(_ options: Options) async -> Section {
    let columns = ["tasks of the registry", "per task", "times the generated one"]
    var section = Section("planning", "center and first plan of 3,000 tasks", columns: columns)
    var ratios: [[(row: String, value: Double)]] = [[], []]
    var launches: [(row: String, value: Double)] = []
    // A wide graph has nothing to look up.
    for shape in [GraphShape.chain, .layered, .shuffled] {
      let graph = BenchmarkGraph(shape, count: 3000)
      let work = Work.empty(graph.count)
      let registrations = Registries.registrations(graph, work)
      let methods = methods(for: graph, work, registrations)
      let rounds = methods.measure(rounds: options.rounds, of: registrations)
      for (method, values) in zip(methods, rounds) {
        section.add("\(shape.rawValue), \(method.name)", values, of: graph, against: rounds[0])
      }
      let starts = zip(rounds[0], rounds[rounds.count - 1]).map { $0 + $1 }
      section.add("\(shape.rawValue), registering and planning", starts, of: graph, against: rounds[0])
      launches.append((graph.title, starts.median / 1_000_000))
      for method in ratios.indices {
        ratios[method].append((graph.title, zip(rounds[method + 1], rounds[0]).map { $0 / $1 }.median))
      }
    }
    section.judge(.atLeast(5, "a generated registry is planned 5 times faster than by name", ratios[0]))
    section.judge(
      .atLeast(
        5, "a generated registry is planned 5 times faster than by name with the proof that the build spares", ratios[1]
      )
    )
    // The published figure of the nearest peer, on a phone.
    section.judge(.atMost(20, unit: "ms", "3,000 tasks are registered and planned in 20 ms", launches))
    return section
  }

  private static func methods(
    for graph: BenchmarkGraph, _ work: Work, _ registrations: [TaskRegistration]
  ) -> [Planning] {
    let generated = TaskRegistry(__proved: [Registries.module(registrations, graph)])
    let named = Registries.named(registrations)
    let definitions = Registries.definitions(graph, work)
    return [
      Planning("numbered by the build") { Planning.center(generated) },
      Planning("keyed by name at run time") { Planning.center(named) },
      Planning("keyed by name and proved: TaskRegistry(tasks:)") {
        do { return Planning.center(try TaskRegistry(tasks: registrations)) } catch { fatalError("\(error)") }
      },
      Planning("injected") {
        let center = Planning.center(TaskRegistry())
        do { try center.inject(definitions) } catch { fatalError("\(error)") }
        return center
      },
      Planning("by hand: Dictionary of names, Kahn, no center") { NamedKahn.order(of: registrations) },
      Planning("making the registrations, as generated code does") {
        Registries.generated(graph, work)
      },
    ]
  }
}

extension Section {
  /// A row with the time of a way to the plan, a task, and against another way.
  fileprivate mutating func add(_ row: String, _ values: [Double], of graph: BenchmarkGraph, against others: [Double]) {
    let ratio = zip(values, others).map { $0 / $1 }.median
    let perTask = values.median / Double(graph.count)
    add(
      row,
      [
        ("per task", Section.nanoseconds(perTask), perTask, "ns/task"),
        ("times the generated one", Section.ratio(ratio), ratio, "×"),
      ])
  }
}
