import Foundation

extension EventReport: CustomStringConvertible {
  /// A table for people, without colour. Its form is no promise; read ``EventReport`` or its encoded form by program.
  public var description: String { table() }

  /// A table for people.
  ///
  /// - Parameter colored: whether outcomes are coloured by escape sequences, for a terminal.
  public func table(colored: Bool = false) -> String {
    let headers = ["task", "outcome", "started", "took", "waited for"]
    let rows = tasks.map { task in
      [
        task.name.rawValue, outcomeText(of: task), task.started.map(EventReport.text) ?? "",
        task.started == nil ? "" : EventReport.text(task.duration), EventReport.text(task.waits),
      ]
    }
    let isRight = [false, false, true, true, false]
    var widths = headers.map(\.count)
    for row in rows { for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) } }
    func line(_ cells: [String], outcome: TaskOutcome? = nil) -> String {
      var padded = cells.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return isRight[column] ? space + cell : cell + space
      }
      if colored, let outcome { padded[1] = EventReport.color(outcome) + padded[1] + "\u{1B}[0m" }
      return padded.joined(separator: "  ").trimmingSuffix { $0 == " " }
    }
    var lines = [summary]
    if !rows.isEmpty {
      lines.append(line(headers))
      lines += zip(rows, tasks).map { line($0, outcome: $1.outcome) }
    }
    if !criticalPath.segments.isEmpty {
      lines.append("critical path: " + criticalPath.description)
    }
    return lines.joined(separator: "\n")
  }

  /// One line: the event, what became of it, how many tasks and how long.
  private var summary: String {
    var line = "\(event): \(status)"
    if !tasks.isEmpty { line += ", \(tasks.count) \(tasks.count == 1 ? "task" : "tasks")" }
    if duration > .zero { line += " in \(EventReport.text(duration))" }
    let failures = tasks.count { if case .failed = $0.outcome { true } else { false } }
    if failures > 0 { line += ", \(failures) failed" }
    return line
  }

  private func outcomeText(of task: TaskReport) -> String {
    var text = task.outcome.description
    if task.attempts > 1 { text += " (\(task.attempts) attempts)" }
    if task.isStillRunning { text += " (still running)" }
    return text.replacing("\n", with: " ")
  }

  private static func text(_ waits: TaskReport.Waits) -> String {
    let parts: [(String, Duration)] = [
      ("dependency", waits.dependency), ("slot", waits.slot), ("main actor", waits.mainActor), ("retry", waits.retry),
      ("pause", waits.pause),
    ]
    return parts.filter { $0.1 > .zero }.map { "\($0.0) \(text($0.1))" }.joined(separator: ", ")
  }

  /// A duration in the unit that leaves one to three digits before the point.
  static func text(_ duration: Duration) -> String {
    let nanoseconds = Double(duration.nanoseconds)
    let (value, unit) =
      switch abs(nanoseconds) {
      case ..<1_000: (nanoseconds, "ns")
      case ..<1_000_000: (nanoseconds / 1_000, "µs")
      case ..<1_000_000_000: (nanoseconds / 1_000_000, "ms")
      default: (nanoseconds / 1_000_000_000, "s")
      }
    let digits = unit == "ns" ? 0 : abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0
    return String(format: "%.\(digits)f \(unit)", value)
  }

  private static func color(_ outcome: TaskOutcome) -> String {
    switch outcome {
    case .succeeded: "\u{1B}[32m"
    case .failed, .timedOut: "\u{1B}[31m"
    case .cancelled: "\u{1B}[35m"
    case .skipped: "\u{1B}[33m"
    }
  }
}

extension EventReport.Status: CustomStringConvertible {
  public var description: String {
    switch self {
    case .completed: "completed"
    case .alreadyHappened: "already happened, and happens once"
    case .refused(let reason): "refused: \(reason)"
    case .dropped: "dropped, an earlier one was still going"
    case .cancelled: "cancelled"
    case .deadlineExceeded: "deadline exceeded"
    }
  }
}

extension CriticalPath: CustomStringConvertible {
  public var description: String {
    segments.map { segment in
      let time = EventReport.text(segment.duration)
      return switch (segment.kind, segment.task) {
      case (.run, let task?): "\(task) \(time)"
      case (.slot, let task?): "(\(task) waits for a slot \(time))"
      case (.mainActor, let task?): "(\(task) waits for the main actor \(time))"
      case (.otherEvent, let task?): "(\(task) waits for another event \(time))"
      case (.retry, let task?): "(\(task) waits to retry \(time))"
      default: "(scheduling \(time))"
      }
    }.joined(separator: " → ")
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    guard let last = lastIndex(where: { !predicate($0) }) else { return "" }
    return String(self[...last])
  }
}
