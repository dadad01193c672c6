import Foundation

/// The occurrences of a cron expression in a time zone. Times are seconds since 1970.
///
/// The zone's time is a row of stretches in which its offset is constant. Within a stretch each second of local time
/// that the fields allow is an occurrence. Where a stretch begins with a gap, the skipped local times fall together at
/// its first instant; where it begins with an overlap, its local times up to the end of the stretch before happen for
/// the second time. Nothing else decides, so the answer is the same from whichever instant it is asked for.
struct CalendarRule {
  let fields: CronFields
  let offsets: ZoneOffsets
  let policy: ClockChangePolicy

  /// No local time is further away from UTC than that, and nothing that happens at a change further away from its own
  /// local time: 14 hours today, 16 in the days of local mean time.
  private static let reach = 2 * 86_400

  /// Local times of the years 1 to 9999.
  private static let civilBounds = -62_135_596_800...253_402_300_799

  /// Where a search may start: a little around these years.
  private static let bounds = civilBounds.lowerBound - 2 * reach...civilBounds.upperBound + 2 * reach

  init(fields: CronFields, zone: TimeZone, policy: ClockChangePolicy) {
    self.fields = fields
    offsets = ZoneOffsets(zone: zone)
    self.policy = policy
  }

  // MARK: - Forwards

  /// The first occurrence after that time.
  func first(after time: Int) -> ScheduledInstant? {
    var time = time
    while Self.bounds.contains(time) {
      let offset = offsets.offset(at: time)
      let from = max(time + 1 + offset, endOfRepetition(at: time, offset: offset) ?? .min)
      guard let match = fields.firstMatch(from: from), Self.civilBounds.contains(match) else { return nil }

      let due = match - offset
      if let change = offsets.firstChange(after: time, through: min(due, time + Self.reach)) {
        if let instant = occurrence(atChange: change) { return instant }
        time = change
      } else if due <= time + Self.reach {
        return occurrence(at: due, offset: offset)
      } else {
        // Whatever is changed in between, nothing is due before that.
        time = max(time + Self.reach, due - Self.reach)
      }
    }
    return nil
  }

  // MARK: - Backwards

  /// The last occurrence before that time.
  func last(before time: Int) -> ScheduledInstant? {
    var time = time
    while Self.bounds.contains(time) {
      let end = time - 1
      let offset = offsets.offset(at: end)
      guard let match = fields.lastMatch(through: end + offset), Self.civilBounds.contains(match) else { return nil }

      let due = match - offset
      if let change = offsets.lastChange(after: max(due, end - Self.reach), through: end) {
        if let instant = occurrence(atChange: change) { return instant }
        time = change
      } else if due < end - Self.reach {
        time = min(end - Self.reach, due + Self.reach) + 1
      } else if let change = changeRepeating(due, offset: offset), !runsTwice {
        time = change
      } else {
        return occurrence(at: due, offset: offset)
      }
    }
    return nil
  }

  // MARK: - Counting

  /// The number of occurrences after one time, up to another and including it.
  func count(after start: Int, through end: Int) -> Int {
    var start = max(start, Self.bounds.lowerBound)
    let end = min(end, Self.bounds.upperBound)
    var count = 0
    while start < end {
      let offset = offsets.offset(at: start)
      let change = offsets.firstChange(after: start, through: end)
      let from = max(start + 1 + offset, endOfRepetition(at: start, offset: offset) ?? .min)
      let to = (change ?? end + 1) + offset
      if from < to { count += fields.countMatches(in: from..<to) }
      guard let change else { break }
      if occurrence(atChange: change) != nil { count += 1 }
      start = change
    }
    return count
  }

  // MARK: - Changes of the clocks

  /// Whether a local time that happens twice counts twice.
  private var runsTwice: Bool { fields.followsElapsedTime || policy.overlap == .both }

  /// What is due at a time whose local time matches.
  private func occurrence(at time: Int, offset: Int) -> ScheduledInstant {
    ScheduledInstant(
      at: time, civil: time + offset, isRepeated: runsTwice && changeRepeating(time, offset: offset) != nil)
  }

  /// What is due at the very instant at which the clocks are changed.
  private func occurrence(atChange change: Int) -> ScheduledInstant? {
    let before = change + offsets.offset(at: change - 1)
    let offset = offsets.offset(at: change)
    let behind = change + offset
    if fields.firstMatch(from: behind) == behind {
      if behind < before, !runsTwice { return nil }
      return ScheduledInstant(at: change, civil: behind, isRepeated: behind < before)
    }
    guard policy.gap == .runAfter, let skipped = fields.firstMatch(from: before), skipped < behind else { return nil }
    // A rate goes on by itself, unless its hours lie in the gap and nowhere beside it.
    if fields.followsElapsedTime, fields.isHourMatch(around: before - 1) || fields.isHourMatch(around: behind) {
      return nil
    }
    return ScheduledInstant(at: change, civil: skipped)
  }

  /// The change that makes the local time at `time` happen for the second time, if one does.
  private func changeRepeating(_ time: Int, offset: Int) -> Int? {
    // The clocks have never been set back by more than a day.
    guard let change = offsets.lastChange(after: time - 86_400, through: time) else { return nil }
    return time + offset < change + offsets.offset(at: change - 1) ? change : nil
  }

  /// The local time with which the repetition around `time` ends, if its local times count once only.
  private func endOfRepetition(at time: Int, offset: Int) -> Int? {
    guard !runsTwice, let change = changeRepeating(time, offset: offset) else { return nil }
    return change + offsets.offset(at: change - 1)
  }
}
