import Testing

@testable import ZoneIndex

struct NameIndexTests {
  private let index = NameIndex([
    (key: "New_York", name: "America/New_York"), (key: "Berlin", name: "Europe/Berlin"),
    (key: "Bern", name: "Europe/Zurich"), (key: "Louisville", name: "America/Louisville"),
    (key: "Louisville", name: "America/Kentucky/Louisville"), (key: "Berlin", name: "Europe/Berlin"),
  ])

  @Test(arguments: ["Berlin", "berlin", "BERLIN"])
  func `capitals do not matter`(key: String) {
    #expect(index[key] == ["Europe/Berlin"])
  }

  @Test func `spaces stand for underscores`() {
    #expect(index["new york"] == ["America/New_York"])
  }

  @Test func `several names may have one key`() {
    #expect(index["Louisville"] == ["America/Kentucky/Louisville", "America/Louisville"])
  }

  @Test func `a prefix finds all that begin with it`() {
    #expect(index.names(withPrefix: "ber") == ["Europe/Berlin", "Europe/Zurich"])
    #expect(index.names(withPrefix: "x") == [])
    #expect(index.names(withPrefix: "").count == 5)
  }

  @Test(arguments: [
    ("berlin", "berlin", 0), ("berlin", "berln", 1), ("berlin", "berlni", 1), ("kitten", "sitting", 3), ("", "abc", 3),
    ("abc", "xyz", 3),
  ])
  func `spelling mistakes are counted`(left: String, right: String, distance: Int) {
    #expect(spellingDistance(Array(left.utf8), Array(right.utf8), limit: 3) == distance)
    #expect(spellingDistance(Array(right.utf8), Array(left.utf8), limit: 3) == distance)
    #expect(spellingDistance(Array(left.utf8), Array(right.utf8), limit: distance - 1) == nil)
  }
}
