import Foundation
import TaskKit
import Testing

/// What holds for every expression, zone and date, tried on seeded ones.
@Suite struct CalendarLawTests {
  @Test(arguments: UInt64(0)..<8)
  func `next and previous are inverse, strictly ordered, the same from wherever they start, and counted right`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = RandomCron.expression(using: &random)
      // A day that no month has is refused, which is another test's matter.
      guard let rule = try? CronExpression(text) else { continue }
      let scanned = try #require(ScannedZone.all.randomElement(using: &random))
      let policy = ClockChangePolicy(
        gap: Bool.random(using: &random) ? .runAfter : .skip, overlap: Bool.random(using: &random) ? .first : .both)
      var time = Int.random(in: ScannedZone.years, using: &random)
      // Half of them near a change of the clocks.
      if Bool.random(using: &random), let change = scanned.changes.randomElement(using: &random) {
        time = change + Int.random(in: -90_000...90_000, using: &random)
      }
      let start = Date(timeIntervalSince1970: Double(time))
      let isLaw = Self.holds(rule, from: start, in: scanned.zone, policy, using: &random)
      #expect(isLaw, "'\(text)' in \(scanned.zone.identifier) from \(time) \(policy)")
    }
  }

  private static func holds(
    _ rule: CronExpression, from start: Date, in zone: TimeZone, _ policy: ClockChangePolicy,
    using random: inout SeededGenerator
  ) -> Bool {
    func next(_ date: Date) -> ScheduledInstant? { rule.nextOccurrence(after: date, in: zone, clockChanges: policy) }
    func previous(_ date: Date) -> ScheduledInstant? {
      rule.previousOccurrence(before: date, in: zone, clockChanges: policy)
    }
    var identities: Set<String> = []
    var date = start
    var last: ScheduledInstant?
    for _ in 0..<12 {
      guard let occurrence = next(date) else { return false }
      guard occurrence.date > date, identities.insert(occurrence.identity).inserted else { return false }
      if let last {
        // Nothing lies in between, whichever way it is asked for.
        guard previous(occurrence.date) == last else { return false }
      } else {
        guard let before = previous(occurrence.date), before.date <= start, next(before.date) == occurrence else {
          return false
        }
      }
      let distance = occurrence.date.timeIntervalSince(date)
      let between = date.addingTimeInterval(Double.random(in: 0..<distance, using: &random))
      guard next(between) == occurrence, previous(occurrence.date.addingTimeInterval(0.5)) == occurrence else {
        return false
      }
      last = occurrence
      date = occurrence.date
      // All that have been found so far, and not one more.
      let count = rule.count(after: start, through: date, in: zone, clockChanges: policy)
      let before = rule.count(after: start, through: date.addingTimeInterval(-1), in: zone, clockChanges: policy)
      guard count == identities.count, before == count - 1 else { return false }
    }
    return true
  }

  @Test(arguments: UInt64(100)..<104)
  func `the days are those that a calendar of Foundation's counts one by one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let days = RandomCron.days(using: &random)
      guard let rule = try? CronExpression("0 0 \(days.text)") else { continue }
      let start = Date(timeIntervalSince1970: Double(Int.random(in: 0..<700, using: &random) * 36 * 86_400))
      let expected = CalendarDay.days(from: start, count: 400).filter(days.matches).map(\.start)
      let end = start.addingTimeInterval(400 * 86_400)
      let found = sequence(first: start.addingTimeInterval(-1)) { rule.next(after: $0, in: .gmt) }
        .dropFirst().prefix { $0 < end }
      #expect(Array(found) == expected, "'\(rule)' from \(start)")
    }
  }
}
