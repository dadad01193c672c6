import TaskKit

/// An engine that can be made for a graph, with the name under which it is compared.
struct Contender: Sendable {
  let name: String
  /// The most tasks for which it is worth waiting.
  var maximumCount = Int.max
  let make: @Sendable (BenchmarkGraph, Work) -> any Engine

  static let plainLoop = Contender(name: "plain loop") { PlainLoop($0, $1) }
  static let awaitingLoop = Contender(name: "awaiting loop") { AwaitingLoop($0, $1) }
  static let twoHalves = Contender(name: "two halves at once") { TwoHalves($0, $1) }
  static let taskGroup = Contender(name: "TaskGroup, counters", maximumCount: 100_000) { TaskGroupEngine($0, $1) }

  static let operationQueue = Contender(name: "OperationQueue, one at a time", maximumCount: 100_000) {
    OperationQueueEngine($0, $1, width: 1)
  }

  /// Its cost grows with the square of the number of tasks as soon as there are dependencies.
  static let wideOperationQueue = Contender(name: "OperationQueue", maximumCount: 1000) {
    OperationQueueEngine($0, $1, width: nil)
  }

  /// - Parameter concurrency: nil is no limit, the default of a center.
  static func taskKit(_ name: String, _ reporting: TaskCenter.Configuration.Reporting, concurrency: Int? = nil)
    -> Contender
  {
    Contender(name: "TaskKit, \(name)") {
      TaskCenterEngine(Registries.generated($0, $1), reporting: reporting, concurrency: concurrency ?? .max)
    }
  }

  /// Looks at one pass, apart from all measuring.
  func mistake(in graph: BenchmarkGraph, isAsynchronous: Bool) async -> String? {
    let (recorder, work) = Recorder.work(graph.count, isAsynchronous: isAsynchronous)
    let engine = make(graph, work)
    for pass in 1...2 {
      _ = await engine.run(times: 1)
      if let mistake = recorder.mistake(in: graph, runs: pass) { return "\(name), \(graph.title): \(mistake)" }
    }
    return nil
  }
}
