import Measuring

/// The limit for asynchronous bodies: awaited one after the other in an order made beforehand, in one task.
struct AwaitingLoop: Engine {
  private let ordered: [Work.AsyncBody]

  init(_ graph: BenchmarkGraph, _ work: Work) {
    ordered = graph.order.map { work.asyncBodies[Int($0)] }
  }

  @concurrent
  func run(times: Int) async -> Int64 {
    let stopwatch = Stopwatch()
    do {
      for _ in 0..<times { try await pass() }
    } catch {
      fatalError("a body failed: \(error)")
    }
    return stopwatch.elapsed
  }

  private func pass() async throws {
    for body in ordered { try await body.run() }
  }
}
