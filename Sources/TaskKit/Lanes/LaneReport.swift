/// What a lane has done so far: everything that was put into it and has ended, with its outcome and where its time went;
/// what runs and what waits.
///
/// Tasks of events that use the lane are in the reports of their events. `description` is a table for people and makes no
/// promise about its form. The encoded form is for machines, and carries a version.
public struct LaneReport: Sendable, CustomStringConvertible, TextOutputStreamable {
  /// The lane's name.
  public let lane: String
  /// What keeps it from starting something.
  public let status: LaneStatus
  /// What runs in it now; nil for nothing.
  public let running: TaskName?
  /// In the order of the line; behind it what was put in, has failed and waits for another attempt.
  public let waiting: [TaskName]
  /// How many ends are older than those that are listed: a lane keeps its last thousand or two.
  public let omitted: Int
  /// How many of those were no success.
  public let omittedFailures: Int
  /// From the first that was put in until the last end; zero where no times are taken.
  public let duration: Duration
  /// What has ended, in the order of the ends; with `Reporting.problems` only what did not succeed, without times.
  ///
  /// `started` counts from the first that was put in. `waits.slot` is the time in the line, `waits.pause` that in which
  /// the lane was paused, stopped or closed.
  public let tasks: [TaskReport]

  init(
    lane: String, status: LaneStatus, running: TaskName? = nil, waiting: [TaskName] = [], omitted: Int = 0,
    omittedFailures: Int = 0, duration: Duration = .zero, tasks: [TaskReport] = []
  ) {
    self.lane = lane
    self.status = status
    self.running = running
    self.waiting = waiting
    self.omitted = omitted
    self.omittedFailures = omittedFailures
    self.duration = duration
    self.tasks = tasks
  }

  /// The latest report of that name.
  public subscript(task: TaskName) -> TaskReport? { tasks.last { $0.name == task } }

  /// Whether nothing failed, timed out or was cancelled, and nothing is left.
  public var isSuccess: Bool {
    running == nil && waiting.isEmpty && omittedFailures == 0 && tasks.allSatisfy(\.outcome.isSuccess)
  }

  public var description: String { table(colored: false) }

  /// Writes the table; in colour where `print` writes it to a terminal, as ``EventReport/write(to:)`` does.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(table(colored: EventReport.isPrinted(to: Target.self) ? nil : false))
  }

  /// A table for people; see ``EventReport/table(colored:)``.
  public func table(colored: Bool? = nil) -> String {
    var lines = ["lane \(lane): \(status)"]
    if let running { lines.append("running: \(running)") }
    if !waiting.isEmpty { lines.append("waiting: \(waiting.map(\.rawValue).joined(separator: ", "))") }
    if omitted > 0 {
      let failures = omittedFailures > 0 ? ", \(omittedFailures) of them without success" : ""
      lines.append("\(omitted) more ended before these\(failures)")
    }
    if !tasks.isEmpty { lines.append(ends.table(colored: colored)) }
    return lines.joined(separator: "\n")
  }

  /// What has ended, in the form of an event's report.
  private var ends: EventReport {
    EventReport(
      event: lane, status: .completed, duration: duration, tasks: tasks, criticalPath: CriticalPath(segments: []))
  }
}

/// The encoded form. Within one version fields are added, never changed or removed.
extension LaneReport: Codable {
  /// The version that is written; a later one is refused.
  public static let encodedVersion = 1

  private enum Key: String, CodingKey {
    case version, lane, status, stoppedBy, running, waiting, omitted, omittedFailures, ends
  }

  private enum Status: String, Codable { case open, closed, paused, stopped }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(LaneReport.encodedVersion, forKey: .version)
    try container.encode(lane, forKey: .lane)
    switch status {
    case .open: try container.encode(Status.open, forKey: .status)
    case .closed: try container.encode(Status.closed, forKey: .status)
    case .paused: try container.encode(Status.paused, forKey: .status)
    case .stopped(let name):
      try container.encode(Status.stopped, forKey: .status)
      try container.encode(name, forKey: .stoppedBy)
    }
    try container.encodeIfPresent(running, forKey: .running)
    try container.encode(waiting, forKey: .waiting)
    try container.encode(omitted, forKey: .omitted)
    try container.encode(omittedFailures, forKey: .omittedFailures)
    try container.encode(ends, forKey: .ends)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version <= LaneReport.encodedVersion else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "report of version \(version); this TaskKit reads up to \(LaneReport.encodedVersion)")
    }
    let status: LaneStatus =
      switch try container.decode(Status.self, forKey: .status) {
      case .open: .open
      case .closed: .closed
      case .paused: .paused
      case .stopped: .stopped(by: try container.decode(TaskName.self, forKey: .stoppedBy))
      }
    let ends = try container.decode(EventReport.self, forKey: .ends)
    self.init(
      lane: try container.decode(String.self, forKey: .lane), status: status,
      running: try container.decodeIfPresent(TaskName.self, forKey: .running),
      waiting: try container.decode([TaskName].self, forKey: .waiting),
      omitted: try container.decode(Int.self, forKey: .omitted),
      omittedFailures: try container.decodeIfPresent(Int.self, forKey: .omittedFailures) ?? 0, duration: ends.duration,
      tasks: ends.tasks)
  }
}
