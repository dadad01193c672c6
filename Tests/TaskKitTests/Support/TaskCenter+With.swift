import TaskKit
import TaskKitTesting

extension TaskCenter {
  /// A center with some injected tasks, on a clock that stands still.
  static func with(
    _ definitions: [TaskDefinition], limit: Int = .max, clock: VirtualClock = VirtualClock(),
    chance: @escaping @Sendable () -> Double = { 0 }
  ) throws -> TaskCenter {
    let center = TaskCenter(
      configuration: Configuration(maximumConcurrency: limit, chance: chance), time: .virtual(clock))
    try center.inject(definitions)
    return center
  }
}

extension EventReport {
  /// What each task came to, in words.
  var outcomes: [String: String] {
    Dictionary(uniqueKeysWithValues: tasks.map { ($0.name.rawValue, $0.outcome.description) })
  }

  /// The names of the tasks in the order of the report.
  var names: [String] { tasks.map(\.name.rawValue) }
}
