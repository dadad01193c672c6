import Testing
import ZoneData

@testable import Presentation

struct WordingTests {
  @Test(arguments: [(0, "+00:00"), (19_800, "+05:30"), (-12_600, "-03:30"), (-2_670, "-00:44:30")])
  func `offsets have a sign`(seconds: Int, text: String) {
    #expect(Wording.offset(seconds) == text)
  }

  @Test(
    arguments: [
      (0, "in 0 seconds"), (1, "in 1 second"), (119, "in 119 seconds"), (120, "in 2 minutes"), (7_200, "in 2 hours"),
      (172_799, "in 47 hours"), (172_800, "in 2 days"), (63_113_904, "in 2 years"),
    ] as [(Int64, String)])
  func `distances are told in the largest unit that there is two of`(seconds: Int64, text: String) {
    #expect(Wording.distance(seconds) == text)
  }

  @Test(arguments: [(0, "same"), (25_200, "+7 h"), (-12_600, "-3 h 30 min"), (2_670, "+44 min 30 s")])
  func `differences leave out what is zero`(seconds: Int, text: String) {
    #expect(Wording.difference(seconds) == text)
  }

  @Test func `years have four digits`() {
    #expect(Wording.date(CivilTime(seconds: -62_135_596_800)) == "0001-01-01")
  }
}
