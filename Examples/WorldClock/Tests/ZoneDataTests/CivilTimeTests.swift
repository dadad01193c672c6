import Testing

@testable import ZoneData

struct CivilTimeTests {
  @Test(
    arguments: [
      (0, [1970, 1, 1, 0, 0, 0, 4]), (-1, [1969, 12, 31, 23, 59, 59, 3]), (951_782_400, [2000, 2, 29, 0, 0, 0, 2]),
      (-2_208_988_800, [1900, 1, 1, 0, 0, 0, 1]), (4_107_542_400, [2100, 3, 1, 0, 0, 0, 1]),
      (253_402_300_799, [9999, 12, 31, 23, 59, 59, 5]), (-62_135_596_800, [1, 1, 1, 0, 0, 0, 1]),
    ] as [(Int64, [Int])])
  func `known moments are read`(seconds: Int64, expected: [Int]) {
    let time = CivilTime(seconds: seconds)
    #expect([time.year, time.month, time.day, time.hour, time.minute, time.second, time.weekday] == expected)
  }

  @Test func `every day of eight centuries comes back, in order`() {
    let days = -146_097...146_097
    let dates = days.map(CivilTime.date)
    #expect(zip(days, dates).allSatisfy { $0 == CivilTime.day(year: $1.year, month: $1.month, day: $1.day) })
    #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 })
  }
}
