import Foundation
import TaskKit
import Testing

@Suite struct CronExpressionTests {
  // MARK: - What each form means

  @Test(arguments: [
    // Days of the month: June 2026 begins on a Monday, and August on a Saturday.
    Days("0 0 * 6 *", in: 6, Array(1...30)),
    Days("0 0 ? 6 ?", in: 6, Array(1...30)),
    Days("0 0 1,15 * *", in: 6, [1, 15]),
    Days("0 0 10-12 * *", in: 6, [10, 11, 12]),
    Days("0 0 29-2 * *", in: 6, [1, 2, 29, 30]),
    Days("0 0 */10 * *", in: 6, [1, 11, 21]),
    Days("0 0 5/10 * *", in: 6, [5, 15, 25]),
    Days("0 0 1-10/3,20 * *", in: 6, [1, 4, 7, 10, 20]),
    Days("0 0 31 * *", in: 6, []),
    Days("0 0 L * *", in: 6, [30]),
    Days("0 0 l-3 * *", in: 6, [27]),
    Days("0 0 L * *", in: 2, [28]),
    Days("0 0 L-28 * *", in: 2, []),
    Days("0 0 LW * *", in: 6, [30]),
    Days("0 0 lw * *", in: 5, [29]),
    Days("0 0 LW * *", in: 1, [30]),
    Days("0 0 L-1W * *", in: 5, [29]),
    Days("0 0 15W * *", in: 6, [15]),
    Days("0 0 13W * *", in: 6, [12]),
    Days("0 0 14w * *", in: 6, [15]),
    Days("0 0 1W * *", in: 8, [3]),
    Days("0 0 31W * *", in: 5, [29]),
    Days("0 0 31W * *", in: 6, []),
    Days("0 0 1,15W,L * *", in: 8, [1, 14, 31]),
    // Days of the week
    Days("0 0 * * MON", in: 6, [1, 8, 15, 22, 29]),
    Days("0 0 * * 1", in: 6, [1, 8, 15, 22, 29]),
    Days("0 0 * * 0", in: 6, [7, 14, 21, 28]),
    Days("0 0 * * 7", in: 6, [7, 14, 21, 28]),
    Days("0 0 * * sun", in: 6, [7, 14, 21, 28]),
    Days("0 0 * * 5-7", in: 6, [5, 6, 7, 12, 13, 14, 19, 20, 21, 26, 27, 28]),
    Days("0 0 * * 7-1", in: 6, [1, 7, 8, 14, 15, 21, 22, 28, 29]),
    Days("0 0 * * SUN-MON", in: 6, [1, 7, 8, 14, 15, 21, 22, 28, 29]),
    Days("0 0 * * 7-7", in: 6, [7, 14, 21, 28]),
    Days("0 0 * * 0-7", in: 6, Array(1...30)),
    Days("0 0 * * FRI-MON", in: 6, [1, 5, 6, 7, 8, 12, 13, 14, 15, 19, 20, 21, 22, 26, 27, 28, 29]),
    Days("0 0 * * MON-FRI/2", in: 6, [1, 3, 5, 8, 10, 12, 15, 17, 19, 22, 24, 26, 29]),
    Days("0 0 * * */3", in: 6, [3, 6, 7, 10, 13, 14, 17, 20, 21, 24, 27, 28]),
    Days("0 0 * * 5L", in: 6, [26]),
    Days("0 0 * * TUEL", in: 6, [30]),
    Days("0 0 * * 7L", in: 6, [28]),
    Days("0 0 * * 6#3", in: 6, [20]),
    Days("0 0 * * mon#1,mon#5", in: 6, [1, 29]),
    Days("0 0 * * 0#5", in: 6, []),
    Days("0 0 * * 7#2", in: 6, [14]),
    // Both: one is enough, unless one begins with a star.
    Days("0 0 13 * FRI", in: 6, [5, 12, 13, 19, 26]),
    Days("0 0 13 * ?", in: 6, [13]),
    Days("0 0 ? * FRI", in: 6, [5, 12, 19, 26]),
    Days("0 0 */2 * MON", in: 6, [1, 15, 29]),
    Days("0 0 1-7 * */7", in: 6, nil),
    Days("0 0 1-31 * MON", in: 6, Array(1...30)),
    // Months
    Days("0 0 1 JAN,jun *", in: 6, [1]),
    Days("0 0 1 NOV-FEB *", in: 1, [1]),
    Days("0 0 1 NOV-FEB *", in: 6, []),
    Days("0 0 1 */5 *", in: 6, [1]),
    Days("0 0 1 */5 *", in: 5, []),
  ])
  func `the days of a month`(case days: Days) throws {
    guard let expected = days.expected else {
      #expect(throws: CronError.self) { try CronExpression(days.text) }
      return
    }
    let rule = try CronExpression(days.text)
    let start = try Date("2026-\(days.month < 10 ? "0" : "")\(days.month)-01T00:00:00Z", strategy: .iso8601)
    let found = rule.next(31, after: start.addingTimeInterval(-1), in: .gmt)
      .map { Calendar.gmt.dateComponents([.year, .month, .day], from: $0) }
      .filter { $0.month == days.month && $0.year == 2026 }.compactMap(\.day)
    #expect(found == expected)
  }

  @Test(arguments: [
    ("0 0 * * *", ["00:00:00"]),
    ("30 2 * * *", ["02:30:00"]),
    ("5,20 7,19 * * *", ["07:05:00", "07:20:00", "19:05:00", "19:20:00"]),
    ("0 22-2/2 * * *", ["00:00:00", "02:00:00", "22:00:00"]),
    ("50/5 23 * * *", ["23:50:00", "23:55:00"]),
    ("58-1 12 * * *", ["12:00:00", "12:01:00", "12:58:00", "12:59:00"]),
    ("15 30 2 * * *", ["02:30:15"]),
    ("*/30 30 2 * * *", ["02:30:00", "02:30:30"]),
    ("@daily", ["00:00:00"]),
    ("@MIDNIGHT", ["00:00:00"]),
    ("  0\t12 * *   * ", ["12:00:00"]),
  ])
  func `the times of a day`(text: String, times: [String]) throws {
    let start = try Date("2026-06-01T00:00:00Z", strategy: .iso8601)
    let dates = try CronExpression(text).next(times.count + 1, after: start.addingTimeInterval(-1), in: .gmt)
    #expect(dates.dropLast().map { String($0.formatted(.iso8601).dropFirst(11).dropLast()) } == times)
    #expect(dates.last?.timeIntervalSince(start) ?? 0 >= 86_400)
  }

  @Test func `a leap day is found, over the year 2100 too`() throws {
    let rule = try CronExpression("0 0 29 2 *")
    #expect(
      rule.next(3, after: try Date("2092-03-01T00:00:00Z", strategy: .iso8601), in: .gmt).map { $0.formatted(.iso8601) }
        == ["2096-02-29T00:00:00Z", "2104-02-29T00:00:00Z", "2108-02-29T00:00:00Z"])
    let weekend = try CronExpression("0 0 29 2 */6")
    #expect(
      weekend.next(2, after: try Date("2077-01-01T00:00:00Z", strategy: .iso8601), in: .gmt)
        .map { $0.formatted(.iso8601) } == ["2088-02-29T00:00:00Z", "2116-02-29T00:00:00Z"])
  }

  @Test func `two expressions are equal when they allow the same`() throws {
    let quarter = try CronExpression("*/15 9-17 * JAN MON-FRI")
    #expect(try quarter == CronExpression("0 */15 9-17 * 1 1,2,3,4,5"))
    #expect(try quarter.hashValue == CronExpression("*/15 9-17 * 1 1-5").hashValue)
    #expect(try quarter != CronExpression("*/15 9-17 * 1 1-6"))
    // These differ in an hour that happens twice.
    #expect(try CronExpression("*/30 1 * * *") != CronExpression("0,30 1 * * *"))
    #expect(quarter.description == "*/15 9-17 * JAN MON-FRI")
    #expect(quarter.text == quarter.description)
  }

  // MARK: - Dates

  @Test func `next is later than the date and previous earlier, by less than a second if need be`() throws {
    let rule = try CronExpression("* * * * * *")
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    #expect(rule.next(after: date, in: .gmt) == Date(timeIntervalSince1970: 1_700_000_001))
    #expect(rule.previous(before: date, in: .gmt) == Date(timeIntervalSince1970: 1_700_000_000))
    let whole = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(rule.next(after: whole, in: .gmt) == Date(timeIntervalSince1970: 1_700_000_001))
    #expect(rule.previous(before: whole, in: .gmt) == Date(timeIntervalSince1970: 1_699_999_999))
    let old = Date(timeIntervalSince1970: -0.5)
    #expect(rule.next(after: old, in: .gmt) == Date(timeIntervalSince1970: 0))
    #expect(rule.previous(before: old, in: .gmt) == Date(timeIntervalSince1970: -1))
  }

  @Test func `no count of dates gives none, and dates that no calendar has give nothing`() throws {
    let rule = try CronExpression("0 0 1 1 *")
    #expect(rule.next(0, after: .now, in: .gmt).isEmpty)
    #expect(rule.next(-1, after: .now, in: .gmt).isEmpty)
    #expect(rule.next(after: .distantPast, in: .gmt) != nil)
    #expect(rule.next(after: .distantFuture, in: .gmt) != nil)
    for time in [Double.infinity, -.infinity, .nan, 1e30, -1e30, 9e18, -9e18] {
      #expect(rule.next(after: Date(timeIntervalSince1970: time), in: .gmt) == nil)
      #expect(rule.previous(before: Date(timeIntervalSince1970: time), in: .gmt) == nil)
    }
    #expect(rule.next(5, after: Date(timeIntervalSince1970: 253_300_000_000), in: .gmt).count == 3)
  }

  @Test func `a year of minutes is counted, with the hour that is lost and the hour that is won`() throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let start = try Date("2026-01-01T05:00:00Z", strategy: .iso8601)
    let summer = try Date("2026-07-01T04:00:00Z", strategy: .iso8601)
    let end = try Date("2027-01-01T05:00:00Z", strategy: .iso8601)
    let minutes = try CronExpression("* * * * *")
    #expect(minutes.count(after: start, through: end, in: zone) == 365 * 1440)
    #expect(minutes.count(after: start, through: summer, in: zone) == 181 * 1440 - 60)
    #expect(try CronExpression("30 2 * * *").count(after: start, through: end, in: zone) == 365)
    #expect(try CronExpression("30 1 * * *").count(after: start, through: end, in: zone) == 365)
    #expect(minutes.count(after: end, through: start, in: zone) == 0)
  }

  // MARK: - When clocks are changed

  @Test(arguments: [
    // New York: 02:00 to 03:00 is skipped on 8 March 2026.
    Change("30 2 * * *", "2026-03-08T00:00-0500", ["03:00", "02:30 on 9"]),
    Change("0,30 2 * * *", "2026-03-08T00:00-0500", ["03:00", "02:00 on 9"]),
    Change("30 2,3 * * *", "2026-03-08T00:00-0500", ["03:00", "03:30", "02:30 on 9"]),
    Change("0 2,3 * * *", "2026-03-08T00:00-0500", ["03:00", "02:00 on 9", "03:00 on 9"]),
    Change("*/20 2 * * *", "2026-03-08T00:00-0500", ["03:00", "02:00 on 9"]),
    Change("30 * * * *", "2026-03-08T00:00-0500", ["00:30", "01:30", "03:30", "04:30"]),
    Change("*/20 1-3 * * *", "2026-03-08T01:15-0500", ["01:20", "01:40", "03:00", "03:20"]),
    Change("0 */2 * * *", "2026-03-08T01:15-0500", ["03:00", "04:00", "06:00"]),
    Change("30 2 * * *", "2026-03-08T00:00-0500", ["02:30 on 9"], ClockChangePolicy(gap: .skip)),
    // 01:00 to 02:00 happens twice on 1 November 2026.
    Change("30 1 * * *", "2026-11-01T00:00-0400", ["01:30", "01:30 on 2"]),
    Change("30 1 * * *", "2026-11-01T01:45-0400", ["01:30 on 2"]),
    Change("0,30 1 * * *", "2026-11-01T00:15-0400", ["01:00", "01:30", "01:00 on 2"]),
    Change("0 2 * * *", "2026-11-01T00:15-0400", ["02:00", "02:00 on 2"]),
    Change("30 * * * *", "2026-11-01T00:45-0400", ["01:30", "01:30 again", "02:30"]),
    Change("*/30 1 * * *", "2026-11-01T00:45-0400", ["01:00", "01:30", "01:00 again", "01:30 again"]),
    Change(
      "30 1 * * *", "2026-11-01T00:00-0400", ["01:30", "01:30 again", "01:30 on 2"], ClockChangePolicy(overlap: .both)),
  ])
  func `fixed times run once and rates go on when the clocks of New York are changed`(change: Change) throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let start = try change.start
    let rule = try CronExpression(change.text)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let today = calendar.component(.day, from: start)
    let occurrences = sequence(state: start) { date in
      let next = rule.nextOccurrence(after: date, in: zone, clockChanges: change.policy)
      date = next?.date ?? date
      return next
    }
    let said = occurrences.prefix(change.expected.count).map { occurrence in
      let parts = calendar.dateComponents([.day, .hour, .minute], from: occurrence.date)
      let time = [parts.hour, parts.minute].map { String(format: "%02d", $0 ?? 0) }.joined(separator: ":")
      return time + (parts.day == today ? "" : " on \(parts.day ?? 0)") + (occurrence.isRepeated ? " again" : "")
    }
    #expect(said == change.expected)
  }

  @Test func `an occurrence is named by the local time that the rule says, on whichever side of a change it runs`()
    throws
  {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let rule = try CronExpression("30 2 * * *")
    let skipped = try #require(
      rule.nextOccurrence(after: Date("2026-03-08T05:00:00Z", strategy: .iso8601), in: zone))
    #expect(skipped.identity == "2026-03-08T02:30:00")
    #expect(skipped.date.formatted(.iso8601) == "2026-03-08T07:00:00Z")
    #expect(!skipped.isRepeated)

    let hourly = try CronExpression("30 * * * *")
    let first = try #require(
      hourly.nextOccurrence(after: Date("2026-11-01T05:00:00Z", strategy: .iso8601), in: zone))
    let second = try #require(hourly.nextOccurrence(after: first.date, in: zone))
    #expect([first.identity, second.identity] == ["2026-11-01T01:30:00", "2026-11-01T01:30:00~2"])
    #expect(first.civil == second.civil)
  }

  @Test func `a day that a zone leaves out runs at the beginning of the next one`() throws {
    // Samoa went from 29 December 2011 to the 31st.
    let zone = try #require(TimeZone(identifier: "Pacific/Apia"))
    let start = try Date("2011-12-30T00:00:00Z", strategy: .iso8601)
    let occurrence = try #require(try CronExpression("0 12 30 12 *").nextOccurrence(after: start, in: zone))
    #expect(occurrence.date.formatted(.iso8601) == "2011-12-30T10:00:00Z")
    #expect(occurrence.identity == "2011-12-30T12:00:00")
    let rate = try #require(try CronExpression("*/15 * 30 12 *").nextOccurrence(after: start, in: zone))
    #expect(rate.date == occurrence.date)
  }

  struct Days: CustomTestStringConvertible, Sendable {
    let text: String
    let month: Int
    let expected: [Int]?

    init(_ text: String, in month: Int, _ expected: [Int]?) {
      self.text = text
      self.month = month
      self.expected = expected
    }

    var testDescription: String { "'\(text)' in month \(month)" }
  }

  struct Change: CustomTestStringConvertible, Sendable {
    let text: String
    let policy: ClockChangePolicy
    let from: String
    let expected: [String]

    init(_ text: String, _ from: String, _ expected: [String], _ policy: ClockChangePolicy = .once) {
      self.text = text
      self.policy = policy
      self.from = from
      self.expected = expected
    }

    var start: Date {
      get throws { try Date(from.prefix(16) + ":00" + from.suffix(5), strategy: .iso8601) }
    }

    var testDescription: String { "'\(text)' from \(from)" }
  }
}

extension Calendar {
  fileprivate static var gmt: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}
