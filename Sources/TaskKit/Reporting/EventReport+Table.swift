import Foundation

extension EventReport: CustomStringConvertible, TextOutputStreamable {
  /// A table for people, without colour. Its form is no promise; read ``EventReport`` or its encoded form by program.
  public var description: String { table(colored: false) }

  /// Writes the table; in colour where `print` writes it to a terminal, as ``table(colored:)`` says.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(table(colored: EventReport.isPrinted(to: Target.self) ? nil : false))
  }

  /// Whether something is written by `print`, to what is public under no name; if it had another one, tables would be plain.
  static func isPrinted<Target>(to target: Target.Type) -> Bool { String(describing: target) == "_Stdout" }

  /// A table for people.
  ///
  /// - Parameter colored: whether outcomes are coloured by escape sequences; by default where the standard output is a
  ///   terminal that shows colours, and the environment does not ask for none (`NO_COLOR`).
  public func table(colored: Bool? = nil) -> String {
    let isColored = colored ?? EventReport.isOutputColored
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
      if isColored, let outcome { padded[1] = EventReport.color(outcome) + padded[1] + "\u{1B}[0m" }
      return padded.joined(separator: "  ").trimmingSuffix { $0 == " " }
    }
    var lines = [summary]
    if !rows.isEmpty {
      lines.append(line(headers))
      lines += zip(rows, tasks).map { line($0, outcome: $1.outcome) }
    }
    lines += moduleLines
    lines += EventReport.lines(of: criticalPath)
    return lines.joined(separator: "\n")
  }

  /// The critical path, a piece on each line, with its share.
  private static func lines(of path: CriticalPath) -> [String] {
    guard !path.segments.isEmpty else { return [] }
    // Outside of the loop: it adds them all up.
    let whole = Double(max(1, path.duration.nanoseconds))
    let rows = path.segments.map { segment in
      let share = Double(segment.duration.nanoseconds) / whole
      return (segment.words, text(segment.duration), String(format: "%.0f %%", 100 * share))
    }
    // Only of a path that was read, in which some piece takes less than no time, shares are longer than those of a whole.
    let widths = rows.reduce((0, 0, 5)) { most, row in
      (max(most.0, row.0.count), max(most.1, row.1.count), max(most.2, row.2.count))
    }
    return ["critical path"]
      + rows.map { words, time, share in
        "  " + words + String(repeating: " ", count: widths.0 - words.count + 2)
          + String(repeating: " ", count: widths.1 - time.count) + time
          + String(repeating: " ", count: widths.2 - share.count + 2) + share
      }
  }

  /// One line: the event, what became of it, how many tasks and how long.
  var summary: String {
    var line = "\(event): \(status)"
    if !tasks.isEmpty { line += ", \(tasks.count) \(tasks.count == 1 ? "task" : "tasks")" }
    if duration > .zero { line += " in \(EventReport.text(duration))" }
    func add(_ words: String, where isMeant: (TaskOutcome) -> Bool) {
      let count = tasks.count { isMeant($0.outcome) }
      if count > 0 { line += ", \(count) \(words)" }
    }
    add("failed") { if case .failed = $0 { true } else { false } }
    add("timed out") { if case .timedOut = $0 { true } else { false } }
    add("cancelled") { if case .cancelled = $0 { true } else { false } }
    add("skipped") { if case .skipped = $0 { true } else { false } }
    return line
  }

  private func outcomeText(of task: TaskReport) -> String {
    var text = task.outcome.description
    if let error = task.errorAfterCancellation { text += " (threw: \(error))" }
    if task.attempts > 1 { text += " (\(task.attempts) attempts)" }
    if task.isStillRunning { text += " (still running)" }
    return text.onOneLine
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

  private static var isOutputColored: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(1) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
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
      return segment.kind == .run ? "\(segment.words) \(time)" : "(\(segment.words) \(time))"
    }.joined(separator: " → ")
  }
}

extension CriticalPath.Segment {
  /// What happened in that time.
  fileprivate var words: String {
    switch (kind, task) {
    case (.run, let task?): "\(task)"
    case (.slot, let task?): "\(task) waits for a slot"
    case (.mainActor, let task?): "\(task) waits for the main actor"
    case (.otherEvent, let task?): "\(task) waits for another event"
    case (.retry, let task?): "\(task) waits to retry"
    default: "scheduling"
    }
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    guard let last = lastIndex(where: { !predicate($0) }) else { return "" }
    return String(self[...last])
  }
}
