public import Foundation

/// One occurrence of a calendar rule: when it is due, and its name.
public struct ScheduledInstant: Hashable, Sendable {
  /// When it is due: a whole second.
  public let date: Date

  /// The local time that the rule names. Where the clocks skip it, this is the first of the skipped times, and `date`
  /// the first instant after the gap.
  public let civil: CivilTime

  /// Whether the local time happens for the second time, because the clocks were set back.
  public let isRepeated: Bool

  init(at seconds: Int, civil: Int, isRepeated: Bool = false) {
    date = Date(timeIntervalSince1970: Double(seconds))
    self.civil = CivilTime(seconds: civil)
    self.isRepeated = isRepeated
  }

  /// What tells this occurrence from all others of the same rule in the same time zone, whoever computes it and when:
  /// the local time, as in `2026-11-01T01:30:00`, with `~2` behind it where it happens for the second time.
  public var identity: String { isRepeated ? "\(civil)~2" : "\(civil)" }
}
