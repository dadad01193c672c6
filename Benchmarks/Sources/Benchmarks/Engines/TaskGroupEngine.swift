import Measuring

/// What one writes by hand: a task group that gets a child for each task whose last prerequisite has just ended.
struct TaskGroupEngine: Engine {
  private let graph: BenchmarkGraph
  private let work: Work
  private let counts: [Int32]
  private let roots: [Int32]

  init(_ graph: BenchmarkGraph, _ work: Work) {
    self.graph = graph
    self.work = work
    counts = graph.prerequisites.map { Int32($0.count) }
    roots = (0..<Int32(graph.count)).filter { graph.prerequisites[Int($0)].isEmpty }
  }

  @concurrent
  func run(times: Int) async -> Int64 {
    let stopwatch = Stopwatch()
    for _ in 0..<times { await pass() }
    return stopwatch.elapsed
  }

  private func pass() async {
    await withTaskGroup(of: Int32.self) { group in
      var missing = counts
      for root in roots { start(root, in: &group) }
      while let ended = await group.next() {
        for dependent in graph.dependents[Int(ended)] {
          missing[Int(dependent)] -= 1
          if missing[Int(dependent)] == 0 { start(dependent, in: &group) }
        }
      }
    }
  }

  private func start(_ task: Int32, in group: inout TaskGroup<Int32>) {
    if work.isAsynchronous {
      let body = work.asyncBodies[Int(task)]
      group.addTask {
        do { try await body.run() } catch { fatalError("a body failed: \(error)") }
        return task
      }
    } else {
      let body = work.bodies[Int(task)]
      group.addTask {
        do { try body.run() } catch { fatalError("a body failed: \(error)") }
        return task
      }
    }
  }
}
