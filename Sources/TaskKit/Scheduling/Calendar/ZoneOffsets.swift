import Foundation

/// The distance of a time zone from UTC, and where it changes. Times are seconds since 1970.
///
/// Nothing is stored: what is asked for lies within two days, and a few readings of the zone find it. A zone is read
/// once a day at least, which misses a change that is undone within a day; no zone of the database has one since 1970,
/// as the tests prove for each.
struct ZoneOffsets {
  let zone: TimeZone

  func offset(at time: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
  }

  private static let step = 86_400

  /// The first instant behind `start`, up to `end`, at which the offset is another than one second before.
  func firstChange(after start: Int, through end: Int) -> Int? {
    var low = start
    let before = offset(at: start)
    while low < end {
      let high = min(low + Self.step, end)
      if offset(at: high) != before { return change(between: low, and: high, before: before) }
      low = high
    }
    return nil
  }

  /// The last instant behind `start`, up to `end`, at which the offset is another than one second before.
  func lastChange(after start: Int, through end: Int) -> Int? {
    var high = end
    let behind = offset(at: end)
    while high > start {
      let low = max(high - Self.step, start)
      let before = offset(at: low)
      if before != behind { return change(between: low, and: high, behind: behind) }
      high = low
    }
    return nil
  }

  /// The first change, by halves: the offset is `before` at `low` and another at `high`.
  private func change(between low: Int, and high: Int, before: Int) -> Int {
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(at: middle) == before { low = middle } else { high = middle }
    }
    return high
  }

  /// The last change, by halves: the offset is `behind` at `high` and another at `low`.
  private func change(between low: Int, and high: Int, behind: Int) -> Int {
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(at: middle) == behind { high = middle } else { low = middle }
    }
    return high
  }
}
