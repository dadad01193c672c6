import Testing
import ZoneData

@testable import ZoneIndex

struct AtlasTests {
  @Test func `an alias keeps its name and knows the proper one`() throws {
    let answer = try Atlas.sample().answer(with: ["Germany"], at: 500)
    let clock = try #require(answer.clocks.first)
    #expect(clock.name == "Germany" && clock.canonicalName == "Europe/Berlin")
    #expect(clock.countries == ["Deutschland"])
    #expect(clock.localTime.abbreviation == "AAA" && clock.next?.time == 1_000)
  }

  @Test(arguments: [(-500, 1_000), (999, 1_000), (1_000, nil), (2_000, nil)] as [(Int64, Int64?)])
  func `the next change is right whenever it is asked for`(instant: Int64, next: Int64?) throws {
    let zone = try Zone.sample("Europe/Berlin", changesAt: 1_000)
    let upcoming = UpcomingTransitions(of: [zone], since: 0)
    #expect(upcoming.transition(of: zone, after: instant)?.time == next)
  }

  @Test func `a broken zone is a problem, not a silence`() throws {
    let answer = try Atlas.sample().answer(with: ["Atlantic/Bermuda"], at: 0)
    #expect(answer.clocks.isEmpty && answer.problems.map(\.path) == ["/zones/Atlantic/Bermuda"])
    #expect(answer.isConclusive)
  }

  @Test(arguments: [
    ("Ber", ["Europe/Berlin", "Atlantic/Bermuda"]), ("Europe/B", ["Europe/Berlin"]), ("Berln", ["Europe/Berlin"]),
    ("Europe/Brelin", ["Europe/Berlin"]), ("Atlantis City", []), ("", []), ("🦊🦊🦊", []),
  ])
  func `suggestions begin the same way or are nearly the same`(text: String, expected: [String]) throws {
    #expect(try Atlas.sample().suggestions(for: text) == expected)
  }

  @Test func `the first conclusive answer wins, and suggestions add up`() throws {
    var found = Answer()
    found.clocks = try Atlas.sample().answer(with: ["Europe/Berlin"], at: 0).clocks
    var (one, two) = (Answer(), Answer())
    one.suggestions = ["a", "b"]
    two.suggestions = ["b", "c"]
    #expect(Answer.merge(Answer.merge(one, found), two) == found)
    #expect(Answer.merge(one, two).suggestions == ["a", "b", "c"])
  }

  @Test func `a rule that contradicts the last transition is found`() throws {
    #expect(try Atlas.sample().contradictions() == [])
  }
}
