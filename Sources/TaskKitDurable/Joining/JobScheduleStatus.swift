public import Foundation
public import TaskKit

/// How the durable schedule of a kind stands.
public struct JobScheduleStatus: Sendable, Hashable, CustomStringConvertible {
  /// The kind that is scheduled.
  public let kind: String
  /// When, as its declaration says.
  public let schedule: TaskSchedule
  /// The next slot; nil before the center was started, and when none is left.
  public let next: Date?
  /// The latest slot for which a job was written down, in whichever process, or the end of the kind's latest pause where that
  /// is later: what was before it has passed.
  public let latest: Date?
  /// For how many slots one was.
  public let occurrences: Int
  /// Why it can never fire.
  public let problem: String?

  /// For people.
  public var description: String {
    let jobs = "\(occurrences) occurrence\(occurrences == 1 ? "" : "s")"
    let next = next.map { ", next at \($0.words)" } ?? ""
    return "'\(kind)' \(schedule), \(jobs)\(next)" + (problem.map { ": \($0)" } ?? "")
  }
}
