import Testing
import ZoneData
import ZoneIndex

@testable import Presentation

struct ClockTableTests {
  /// Berlin in the winter before it goes to summer time.
  private static let winter = LocalTimeType(offset: 3_600, isDaylight: false, abbreviation: "CET")
  private static let summer = LocalTimeType(offset: 7_200, isDaylight: true, abbreviation: "CEST")
  private static let berlin = Clock(
    name: "Europe/Berlin", canonicalName: "Europe/Berlin", countries: ["Germany"], instant: 1_774_659_600,
    localTime: winter, next: Transition(time: 1_774_746_000, before: winter, after: summer))
  private static let utc = Clock(
    name: "UCT", canonicalName: "Etc/UTC", instant: 1_774_659_600,
    localTime: LocalTimeType(offset: 0, isDaylight: false, abbreviation: "UTC"), next: nil)

  @Test func `clocks stand in columns`() {
    #expect(
      ClockTable([ClockTableTests.berlin, ClockTableTests.utc]).lines(.plain) == [
        "Europe/Berlin  Sat 2026-03-28 02:00:00  +01:00  CET  next 2026-03-29 02:00 → 03:00 CEST, in 24 hours",
        "UCT (Etc/UTC)  Sat 2026-03-28 01:00:00  +00:00  UTC  no change to come",
      ])
  }

  @Test func `colour adds escape sequences and nothing else`() {
    let table = ClockTable([ClockTableTests.berlin, ClockTableTests.utc])
    let colored = table.lines(Style(isColored: true))
    #expect(colored.allSatisfy { $0.contains("\u{1B}[1m") })
    #expect(colored.map { $0.replacing(/\u{1B}\[\d+m/, with: "") } == table.lines(.plain))
  }

  @Test func `no clocks are no lines`() {
    #expect(ClockTable([]).lines(.plain).isEmpty)
  }

  @Test func `in one line there is no more than the time of day`() {
    #expect(
      ClockTable([ClockTableTests.berlin, ClockTableTests.utc]).ticker
        == "Europe/Berlin 02:00:00 CET  UCT 01:00:00 UTC")
  }

  @Test(arguments: [
    (0, "night"), (4, "night"), (5, "morning"), (11, "morning"), (12, "afternoon"), (17, "afternoon"), (18, "evening"),
    (21, "evening"), (22, "night"),
  ])
  func `a greeting suits the local hour`(hour: Int64, part: String) {
    let clock = Clock(
      name: "Europe/Berlin", canonicalName: "Europe/Berlin", instant: (hour - 1) * 3_600,
      localTime: ClockTableTests.winter, next: nil)
    #expect(ClockTable.greeting(clock) == "Good \(part), Europe/Berlin")
  }

  @Test func `a record says the same to programs`() {
    let record = ClockRecord(ClockTableTests.berlin)
    #expect(record.localTime == "2026-03-28T02:00:00+01:00")
    #expect(record.next?.time == 1_774_746_000 && record.next?.offset == 7_200)
  }
}
