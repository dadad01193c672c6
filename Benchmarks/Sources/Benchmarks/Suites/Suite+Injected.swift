import Measuring
import TaskKit

extension Suite {
  /// Names are resolved when a task is injected, not when it runs: a send costs what it costs with a generated registry.
  static func injected(_ options: Options) async -> Section {
    let generated = Contender(name: "TaskKit, generated") { graph, work in
      TaskCenterEngine(Registries.generated(graph, work, takesContext: true), reporting: .problems, concurrency: 1)
    }
    let injected = Contender(name: "TaskKit, injected") { graph, work in
      let center = TaskCenter(configuration: .init(maximumConcurrency: 1, reporting: .problems))
      do { try center.inject(Registries.definitions(graph, work)) } catch { fatalError("injection failed: \(error)") }
      return TaskCenterEngine(center: center)
    }
    var section = Section(
      "injected", "sends of tasks that were injected by name against generated ones",
      columns: ["graph", generated.name, injected.name])
    var cells: [Cell] = []
    for graph in options.graphs(GraphShape.main, options.isQuick ? [1000] : [10, 1000, 10_000]) {
      let cell = await Cell.measure(
        graph, .empty(graph.count), rounds: options.rounds(for: graph), [generated, injected])
      section.add(cell)
      cells.append(cell)
    }
    section.judge(
      .atMost(1.25, "injected names are resolved once: times a generated registry", cells.ratios(injected.name)))
    return section
  }
}
