import Foundation
import Measuring

/// Foundation's queue with dependencies between operations.
///
/// An operation runs once, so each pass needs new ones; making them is not timed.
struct OperationQueueEngine: Engine {
  private let graph: BenchmarkGraph
  private let work: Work
  private let queue = OperationQueue()

  /// - Parameter width: how many operations at once; nil is the queue's own choice.
  init(_ graph: BenchmarkGraph, _ work: Work, width: Int?) {
    self.graph = graph
    self.work = work
    if let width { queue.maxConcurrentOperationCount = width }
  }

  @concurrent
  func run(times: Int) async -> Int64 {
    var elapsed: Int64 = 0
    for _ in 0..<times {
      let operations = Self.operations(graph, work)
      elapsed += pass(operations)
      Self.cutDependencies(of: operations)
    }
    return elapsed
  }

  /// The graph as operations.
  static func operations(_ graph: BenchmarkGraph, _ work: Work) -> [Operation] {
    let operations = work.bodies.map { body in
      BlockOperation {
        do { try body.run() } catch { fatalError("a body failed: \(error)") }
      }
    }
    for task in operations.indices {
      for other in graph.prerequisites[task] { operations[task].addDependency(operations[Int(other)]) }
    }
    return operations
  }

  /// An operation holds those that it depends on: letting go of the end of a long chain would let go of all of it in one
  /// recursion, for which no stack is deep enough.
  static func cutDependencies(of operations: [Operation]) {
    for operation in operations {
      for dependency in operation.dependencies { operation.removeDependency(dependency) }
    }
  }

  private func pass(_ operations: [Operation]) -> Int64 {
    let stopwatch = Stopwatch()
    queue.addOperations(operations, waitUntilFinished: true)
    return stopwatch.elapsed
  }
}
