import Measuring

/// The limit: the bodies one after the other in an order made beforehand. Nothing is decided while it runs.
///
/// Written as one writes it, and so that it is fast: a `catch` inside of the loop would cost half as much again.
struct PlainLoop: Engine {
  /// In a struct: bare in an array they would be called through a reabstraction thunk.
  private struct Body {
    let run: @Sendable () throws -> Void
  }

  private let ordered: [Body]

  init(_ graph: BenchmarkGraph, _ work: Work) {
    ordered = graph.order.map { Body(run: work.bodies[Int($0)].run) }
  }

  @concurrent
  func run(times: Int) async -> Int64 {
    let stopwatch = Stopwatch()
    do {
      for _ in 0..<times { try pass() }
    } catch {
      fatalError("a body failed: \(error)")
    }
    return stopwatch.elapsed
  }

  @inline(never)
  private func pass() throws {
    for body in ordered { try body.run() }
  }
}
