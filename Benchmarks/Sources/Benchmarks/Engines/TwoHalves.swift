import Measuring

/// What two cores can do at most: two plain loops at once, each with half of the bodies. It keeps no dependencies.
///
/// With bodies that suspend: what suspensions cost where there is more than one task.
struct TwoHalves: Engine {
  private let halves: [[Work.Body]]
  private let asyncHalves: [[Work.AsyncBody]]

  init(_ graph: BenchmarkGraph, _ work: Work) {
    let middle = graph.count / 2
    let orders = [graph.order[..<middle], graph.order[middle...]]
    halves = work.isAsynchronous ? [] : orders.map { half in half.map { work.bodies[Int($0)] } }
    asyncHalves = work.isAsynchronous ? orders.map { half in half.map { work.asyncBodies[Int($0)] } } : []
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
        for half in asyncHalves {
          group.addTask {
            do {
              for body in half { try await body.run() }
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
