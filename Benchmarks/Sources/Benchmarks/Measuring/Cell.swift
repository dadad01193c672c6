import Foundation
import Measuring

/// The measurements of several engines on one graph: each engine has its turn in each round, so that whatever else the
/// machine does meets all of them alike.
struct Cell: Sendable {
  /// One engine's times.
  struct Series: Sendable {
    let name: String
    /// Nanoseconds per task, one value for each round.
    var rounds: [Double] = []
  }

  let graph: BenchmarkGraph
  /// The first is the one that the others are compared with.
  let series: [Series]

  /// How long one engine is timed in one round, at least: shorter than what the system gives a process at a time, so
  /// that on a busy machine most turns are not interrupted.
  private static let slice: Int64 = 250_000

  /// - Parameters:
  ///   - work: the bodies; their counters are checked afterwards.
  ///   - rounds: how often each engine has its turn.
  @concurrent
  static func measure(_ graph: BenchmarkGraph, _ work: Work, rounds: Int, _ contenders: [Contender]) async -> Cell {
    FileHandle.standardError.write(Data("\(graph.title)\n".utf8))
    let entrants = contenders.filter { graph.count <= $0.maximumCount }
    let engines = entrants.map { $0.make(graph, work) }
    var times: [Int] = []
    var passes = 0
    for engine in engines {
      // More than once: the first pass plans and meets cold memory, the next ones may learn from it.
      _ = await engine.run(times: 2)
      let single = max(1, await engine.run(times: 1))
      times.append(Int(max(1, min(20_000, slice / single))))
      passes += 3 + times.last! * rounds
    }
    var series = entrants.map { Series(name: $0.name) }
    for round in 0..<rounds {
      // Every other round backwards, so that nobody always comes after the same one.
      let turn = round.isMultiple(of: 2) ? Array(engines.indices) : engines.indices.reversed()
      for index in turn {
        let elapsed = await engines[index].run(times: times[index])
        series[index].rounds.append(Double(elapsed) / Double(times[index] * graph.count))
      }
    }
    if let cells = work.cells {
      precondition(cells.values.allSatisfy { $0 == passes }, "\(graph.title): a body did not run once in each pass")
    }
    return Cell(graph: graph, series: series)
  }

  /// Nanoseconds per task, the median of the rounds.
  func median(_ index: Int) -> Double {
    series[index].rounds.median
  }

  /// How many times as long as another engine: the median of the rounds' ratios. Nil if one of them was left out.
  func ratio(_ name: String, to other: String? = nil) -> Double? {
    guard let one = series.first(where: { $0.name == name }),
      let two = other == nil ? series.first : series.first(where: { $0.name == other })
    else { return nil }
    return zip(one.rounds, two.rounds).map { $0 / $1 }.median
  }
}
