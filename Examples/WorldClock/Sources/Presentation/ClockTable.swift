import ZoneData
import ZoneIndex

/// Clocks as lines of text, one each, in columns.
public struct ClockTable: Sendable {
  public let clocks: [Clock]
  /// The zone that the others are compared with.
  public let home: Zone?

  public init(_ clocks: [Clock], home: Zone? = nil) {
    self.clocks = clocks
    self.home = home
  }

  public func lines(_ style: Style) -> [String] {
    let rows = clocks.map(cells)
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      cells[0] = style.bold(cells[0])
      cells[columns - 1] = style.dim(row[columns - 1])
      return cells.joined(separator: "  ")
    }
  }

  /// What is said to those who live with a clock: `Good evening, Europe/Berlin`.
  public static func greeting(_ clock: Clock) -> String { Wording.greeting(clock) }

  /// All clocks in one line, with nothing but the time of day.
  public var ticker: String {
    clocks.map { clock in
      let time = CivilTime(seconds: clock.instant + Int64(clock.localTime.offset))
      return "\(clock.name) \(Wording.timeOfDay(time)) \(clock.localTime.abbreviation)"
    }.joined(separator: "  ")
  }

  private func cells(_ clock: Clock) -> [String] {
    let time = CivilTime(seconds: clock.instant + Int64(clock.localTime.offset))
    let name = clock.name == clock.canonicalName ? clock.name : "\(clock.name) (\(clock.canonicalName))"
    let difference = home.map { home in
      [Wording.difference(clock.localTime.offset - home.localTime(at: clock.instant).offset)]
    }
    return [
      name, "\(Wording.weekday(time)) \(Wording.date(time)) \(Wording.timeOfDay(time))",
      Wording.offset(clock.localTime.offset), clock.localTime.abbreviation,
    ] + (difference ?? []) + [ClockTable.next(clock)]
  }

  private static func next(_ clock: Clock) -> String {
    guard let next = clock.next else { return "no change to come" }
    let before = CivilTime(seconds: next.time + Int64(next.before.offset))
    let after = CivilTime(seconds: next.time + Int64(next.after.offset))
    let target =
      Wording.date(before) == Wording.date(after)
      ? Wording.timeOfDay(after, isShort: true) : "\(Wording.date(after)) \(Wording.timeOfDay(after, isShort: true))"
    return "next \(Wording.date(before)) \(Wording.timeOfDay(before, isShort: true)) → \(target) "
      + "\(next.after.abbreviation), \(Wording.distance(next.time - clock.instant))"
  }
}
