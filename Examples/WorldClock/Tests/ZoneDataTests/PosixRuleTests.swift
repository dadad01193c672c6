import Testing

@testable import ZoneData

struct PosixRuleTests {
  @Test(
    arguments: [
      ("UTC0", 0, nil), ("EST5", -18_000, nil), ("<+0530>-5:30", 19_800, nil), ("<-00>0", 0, nil),
      ("LMT-0:53:28", 3_208, nil), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 37_800, 39_600), ("IST-1GMT0,M10.5.0,M3.5.0/1", 3_600, 0),
    ] as [(String, Int, Int?)])
  func `offsets are read`(text: String, standard: Int, daylight: Int?) throws {
    let rule = try PosixRule(text)
    #expect(rule.standard.offset == standard)
    #expect(rule.daylight?.type.offset == daylight)
  }

  @Test(
    arguments: [
      // The last Sunday of March and October.
      ("CET-1CEST,M3.5.0,M10.5.0/3", [1_774_746_000, 1_792_890_000]),
      // Before midnight of the day, and after it.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", [1_774_746_000, 1_792_890_000]),
      // J60 is the first of March in every year, 59 only without a leap day.
      ("AAA0BBB,J60/0,J305/0", [1_772_323_200, 1_793_487_600]),
      ("AAA0BBB,59/0,304/0", [1_772_323_200, 1_793_487_600]),
      // A week later than the day.
      ("AAA0BBB,J60/167,J305/0", [1_772_323_200 + 167 * 3_600, 1_793_487_600]),
    ] as [(String, [Int64])])
  func `changes of 2026 come at their second`(text: String, times: [Int64]) throws {
    let rule = try PosixRule(text)
    let first = try #require(rule.nextChange(after: 1_767_312_000))
    #expect([first, try #require(rule.nextChange(after: first))] == times)
  }

  @Test func `daylight saving time that lasts all year never changes`() throws {
    let rule = try PosixRule("EST5EDT,0/0,J365/25")
    #expect(rule.nextChange(after: 1_700_000_000) == nil)
    #expect(rule.localTime(at: 1_767_243_600).abbreviation == "EDT")
  }

  @Test func `in the south summer time goes over the turn of the year`() throws {
    let rule = try PosixRule("AEST-10AEDT,M10.1.0,M4.1.0/3")
    #expect(rule.localTime(at: 1_767_225_600).abbreviation == "AEDT")
    #expect(rule.localTime(at: 1_782_864_000).abbreviation == "AEST")
  }

  @Test(arguments: [
    "", "CE", "CET", "<CET", "CET-", "CET-25", "CET-1:60", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,J1,J366", "CET-1x",
    "CET-1CEST,366,1", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0/3 ", "CET-99999999999999999999",
  ])
  func `what is no rule is refused`(text: String) {
    #expect(throws: Malformed.self) { try PosixRule(text) }
  }
}
