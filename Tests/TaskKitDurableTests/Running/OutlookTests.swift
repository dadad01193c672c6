import Foundation
import TaskKit
import Testing

/// The arithmetic of schedules that outlive their processes.
@Suite struct OutlookTests {
  private static let begun = Date(timeIntervalSince1970: 1_767_225_600)

  /// Looks at random moments, as if each were another process, and collects what is due.
  private func fired(_ schedule: TaskSchedule, seed: UInt64, for seconds: Double) -> [Date] {
    var chance = Chance(state: seed)
    var (now, last, used) = (Self.begun, Date?.none, 0)
    var fired: [Date] = []
    while now < Self.begun + seconds {
      let outlook = schedule.outlook(begun: Self.begun, after: last, used: used, at: now, zone: .gmt)
      fired += outlook.due
      used += outlook.due.count
      last = outlook.passed ?? last
      if let next = outlook.next { #expect(next > now) }
      now += Double.random(in: 1...20000, using: &chance)
    }
    let outlook = schedule.outlook(
      begun: Self.begun, after: last, used: used, at: Self.begun + seconds, zone: .gmt)
    return fired + outlook.due
  }

  @Test(arguments: 1...50)
  func `whenever it is looked at, each slot is due exactly once`(_ seed: UInt64) {
    let week = 7.0 * 86400
    let all = MissedRuns.all(max: .max)
    let hourly = (1...168).map { Self.begun + Double($0) * 3600 }
    #expect(fired(TaskSchedule(every: .seconds(3600), missed: all), seed: seed, for: week) == hourly)
    #expect(fired(TaskSchedule(cron: "0 * * * *", timeZone: .utc, missed: all), seed: seed, for: week) == hourly)
    #expect(
      fired(TaskSchedule(every: .seconds(3600), count: 30, missed: all), seed: seed, for: week).count == 30)
    let dated = TaskSchedule(at: Self.begun + 3600, every: .seconds(3600), missed: all)
    #expect(fired(dated, seed: seed, for: week) == hourly)
  }

  @Test(arguments: 1...50)
  func `each slot is due exactly once where the interval is no whole number of microseconds`(_ seed: UInt64) {
    let all = MissedRuns.all(max: .max)
    let seventh = Duration.nanoseconds(514_285_714_285)
    // Each a little less than a microsecond later: the 168th comes after the end of the day.
    let slots = (1...167).map { Self.begun + (Double($0) * 514_285_715 / 1e6) }
    func microseconds(_ dates: [Date]) -> [Double] { dates.map { ($0.timeIntervalSince(Self.begun) * 1e6).rounded() } }
    let counted = fired(TaskSchedule(every: seventh, missed: all), seed: seed, for: 86400)
    #expect(microseconds(counted) == microseconds(slots))
    let dated = TaskSchedule(at: Self.begun, every: seventh, missed: all)
    #expect(microseconds(fired(dated, seed: seed, for: 86400)) == microseconds([Self.begun] + slots))
  }

  @Test func `what cannot be counted leads to nothing`() {
    let far = TaskSchedule(every: .seconds(9_000_000_000))
    let outlook = far.outlook(begun: Self.begun, after: nil, used: 0, at: Self.begun, zone: .gmt)
    #expect(outlook == TaskSchedule.Outlook())
  }

  @Test func `an interval whose first run is at once goes on from a clock before all that can be counted`() {
    let yearly = TaskSchedule(every: .seconds(31_536_000), first: .immediately)
    let outlook = yearly.outlook(begun: .distantPast, after: nil, used: 0, at: .distantPast, zone: .gmt)
    #expect(outlook.due.isEmpty && outlook.next != nil)
  }

  @Test func `an interval from a date before the year 1700 goes on in its phase, and is made up for`() throws {
    let year = 31_536_000.0
    let all = TaskSchedule(at: .distantPast, every: .seconds(year), missed: .all(max: 400))
    let first = all.outlook(begun: Self.begun, after: nil, used: 0, at: Self.begun, zone: .gmt)
    // From the first moment that can be counted: what comes before that is taken for it.
    #expect(first.due.count == 349)
    #expect(first.missed == 0)
    for (one, next) in zip(first.due, first.due.dropFirst()) {
      #expect(abs(next.timeIntervalSince(one) - year) < 0.001)
    }
    let (last, next) = (try #require(first.passed), try #require(first.next))
    let second = all.outlook(begun: Self.begun, after: last, used: 349, at: next, zone: .gmt)
    #expect(second.due == [next])
    #expect(abs(try #require(second.next).timeIntervalSince(next) - year) < 0.001)
  }

  @Test func `a slot that is later than its grace is missed`() {
    let schedule = TaskSchedule(at: Self.begun, grace: .seconds(60))
    func due(_ seconds: Double) -> Int {
      schedule.outlook(begun: Self.begun, after: nil, used: 0, at: Self.begun + seconds, zone: .gmt).due.count
    }
    #expect(due(60) == 1)
    #expect(due(61) == 0)
  }

  @Test func `what is hardly late is in time for the shortest grace`() {
    let schedule = TaskSchedule(at: Self.begun, grace: .zero)
    func due(_ seconds: Double) -> Int {
      schedule.outlook(begun: Self.begun, after: nil, used: 0, at: Self.begun + seconds, zone: .gmt).due.count
    }
    #expect(due(0.01) == 1)
    #expect(due(1.01) == 0)
  }
}
