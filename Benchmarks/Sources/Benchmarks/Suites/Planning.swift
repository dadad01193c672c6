import Measuring
import TaskKit

/// A way from declarations to a plan.
struct Planning {
  let name: String
  /// What is timed. What it returns is let go of after the time has been taken.
  let make: () -> Any

  init(_ name: String, _ make: @escaping () -> Any) {
    self.name = name
    self.make = make
  }

  /// A center with its first plan. Injected tasks have none before the first question for it.
  static func center(_ registry: TaskRegistry) -> TaskCenter {
    TaskCenter(registry: registry, configuration: .init(maximumConcurrency: 1, reporting: .problems))
  }

  /// Nanoseconds from the declarations to the plan.
  func time() -> Double {
    var elapsed: Int64 = 0
    var result: Any?
    let stopwatch = Stopwatch()
    result = make()
    if let center = result as? TaskCenter {
      _ = center.order(of: .didBecomeActive)
      elapsed = stopwatch.elapsed
      // The second question is answered from the plan: its answer is not part of the planning.
      let second = Stopwatch()
      _ = center.order(of: .didBecomeActive)
      elapsed -= second.elapsed
    } else {
      elapsed = stopwatch.elapsed
    }
    withExtendedLifetime(result) {}
    result = nil
    return Double(elapsed)
  }
}

extension [Planning] {
  /// Each in turn in each round: nanoseconds by method and round.
  ///
  /// - Parameter registrations: what all of them plan. Their names are read before each turn: otherwise who answers first
  ///   what the order is would fetch them into the cache, and that would be taken for planning.
  func measure(rounds: Int, of registrations: [TaskRegistration]) -> [[Double]] {
    var values = [[Double]](repeating: [], count: count)
    for method in self { _ = method.time() }
    for _ in 0..<rounds {
      for (index, method) in enumerated() {
        let length = registrations.reduce(0) { $0 + $1.name.rawValue.utf8.count }
        precondition(length > 0, "the tasks have no names")
        values[index].append(method.time())
      }
    }
    return values
  }
}
