import Foundation
import Measuring
import Synchronization
import TaskKit

extension Suite {
  /// Bytes per task of what a center keeps, and of what a run needs on top.
  static func memory(_ options: Options) async -> Section {
    let columns = [
      "graph", "registrations", "center", "plan", "during a send, report off", "during a send, report on",
      "kept report", "OperationQueue's operations",
    ]
    var section = Section("memory", "bytes per task that are held, as the allocator counts them", columns: columns)
    for graph in options.graphs(GraphShape.main, options.isQuick ? [10_000] : [1000, 100_000]) {
      let probe = MemoryProbe()
      let work = probe.work(graph.count)
      let registrations = Memory.cost { Registries.generated(graph, work) }
      let center = Memory.cost { Planning.center(registrations.made) }
      let plan = Memory.cost { _ = center.made.order(of: .didBecomeActive) }
      // Once before, so that what is made once in a process is there.
      _ = await center.made.send(.didBecomeActive)
      let off = await probe.peak { await center.made.send(.didBecomeActive) }
      let reporting = TaskCenter(
        registry: registrations.made, configuration: .init(maximumConcurrency: 1, reporting: .full))
      _ = await reporting.send(.didBecomeActive)
      let on = await probe.peak { await reporting.send(.didBecomeActive) }
      let before = Memory.allocated
      let report = await reporting.send(.didBecomeActive)
      let kept = Memory.allocated - before
      precondition(report.tasks.count == graph.count)
      let operations = Memory.cost { OperationQueueEngine.operations(graph, work) }
      OperationQueueEngine.cutDependencies(of: operations.made)
      let values = [registrations.bytes, center.bytes, plan.bytes, off, on, kept, operations.bytes]
      section.add(
        graph.title,
        zip(columns.dropFirst(), values).map { column, bytes in
          let perTask = Double(bytes) / Double(graph.count)
          return (column, "\(Int(perTask.rounded())) B", perTask, "B/task")
        })
    }
    return section
  }
}

/// Bodies of which the last one looks how much memory is held.
final class MemoryProbe: Sendable {
  private let held = Atomic(0)

  func work(_ count: Int) -> Work {
    Work(
      bodies: (0..<count).map { task in
        task == count - 1
          ? Work.Body { self.held.store(Memory.allocated, ordering: .relaxed) } : Work.Body { precondition(task >= 0) }
      })
  }

  /// How many more bytes were held in the last body than before.
  func peak(_ send: () async -> EventReport) async -> Int {
    let before = Memory.allocated
    _ = await send()
    return held.load(ordering: .relaxed) - before
  }
}
