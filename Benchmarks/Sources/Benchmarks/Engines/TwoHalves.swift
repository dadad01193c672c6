/// What two cores can do at most: two plain loops at once, each with half of the bodies. It keeps no dependencies.
struct TwoHalves: Engine {
  private let halves: [[Work.Body]]

  init(_ graph: BenchmarkGraph, _ work: Work) {
    let middle = graph.count / 2
    halves = [graph.order[..<middle], graph.order[middle...]].map { half in half.map { work.bodies[Int($0)] } }
  }

  @concurrent
  func run(times: Int) async -> Int64 {
    let stopwatch = Stopwatch()
    for _ in 0..<times {
      await withTaskGroup(of: Void.self) { group in
        for half in halves {
          group.addTask {
            do {
              for body in half { try body.run() }
            } catch {
              fatalError("a body failed: \(error)")
            }
          }
        }
      }
    }
    return stopwatch.elapsed
  }
}
