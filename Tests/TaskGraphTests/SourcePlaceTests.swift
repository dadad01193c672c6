import Foundation
import TaskGraph
import Testing

@Suite struct SourcePlaceTests {
  @Test(arguments: [
    (SourcePlace(path: "Sources/A.swift", line: 3, column: 7), "Sources/A.swift:3:7"),
    (SourcePlace(path: "A.swift", line: 3, column: 0), "A.swift:3"),
    (SourcePlace(path: "A.swift", line: 0, column: 0), "A.swift"),
  ])
  func `a place is written as compilers write it`(place: SourcePlace, text: String) {
    #expect(place.description == text)
  }

  @Test func `places are sorted by the bytes of the path, then line, then column`() {
    let sorted = [
      SourcePlace(path: "B.swift", line: 9, column: 9), SourcePlace(path: "a.swift", line: 2, column: 9),
      SourcePlace(path: "a.swift", line: 10, column: 1), SourcePlace(path: "a.swift", line: 10, column: 2),
      SourcePlace(path: "é.swift", line: 1, column: 1),
    ]
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20 { #expect(sorted.shuffled(using: &random).sorted() == sorted) }
  }

  @Test func `a place survives encoding`() throws {
    let place = SourcePlace(path: "A.swift", line: 3, column: 7)
    #expect(try JSONDecoder().decode(SourcePlace.self, from: JSONEncoder().encode(place)) == place)
  }
}
