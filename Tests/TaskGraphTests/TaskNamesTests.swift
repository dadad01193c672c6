import Testing

@testable import TaskGraph

@Suite struct TaskNamesTests {
  private let names = TaskNames([
    (name: "News.Feed.Refresh", module: "News"), (name: "News.Show", module: "News"),
    (name: "Shop.Show", module: "Shop"), (name: "build", module: "Tools"), (name: "Show", module: "Tools"),
    (name: "Shop.Load", module: "Shop"), (name: "News.Load", module: "News"), (name: "build", module: "Other"),
    (name: "News.deploy", module: "Shop"),
  ])

  @Test(arguments: [
    ("News.Feed.Refresh", TaskNames.Match.one(0)),
    ("Feed.Refresh", .one(0)),
    // A full name wins over the part behind a module.
    ("Show", .one(4)),
    ("Shop.Show", .one(2)),
    ("Load", .several([5, 6])),
    // Of tasks with one name, the first.
    ("build", .one(3)),
    // A name that another module's name happens to begin is not split.
    ("deploy", .none(suggestion: "News.deploy")),
    ("News.deploy", .one(8)),
    ("Refresh", .none(suggestion: "Feed.Refresh")),
    ("biuld", .none(suggestion: "build")),
    ("feed.refresh", .none(suggestion: "Feed.Refresh")),
    ("News.Feed.Refesh", .none(suggestion: "Feed.Refresh")),
    ("Shop.Lod", .none(suggestion: "Shop.Load")),
    ("Unheard", .none(suggestion: nil)),
    ("x", .none(suggestion: nil)),
    ("", .none(suggestion: nil)),
  ])
  func `a name finds its task, or the nearest name`(name: String, match: TaskNames.Match) {
    #expect(names.find(name) == match)
  }

  @Test func `a suggestion leaves out the task that asks`() {
    #expect(names.suggestion(for: "biuld") == "build")
    #expect(TaskNames([(name: "build", module: "A")]).suggestion(for: "biuld", except: 0) == nil)
  }

  @Test func `a suggestion is as short as it can be without naming another task`() {
    let names = TaskNames([
      (name: "News.Feed", module: "News"), (name: "Shop.Offers", module: "Shop"), (name: "Offers", module: "Main"),
    ])
    #expect(names.suggestion(for: "News.Fed") == "Feed")
    #expect(names.suggestion(for: "Shop.Ofers") == "Shop.Offers")
  }

  @Test func `a name of one letter has nothing near`() {
    #expect(TaskNames([(name: "A", module: "M")]).find("B") == .none(suggestion: nil))
    #expect(TaskNames([(name: "A1", module: "M")]).find("A2") == .none(suggestion: "A1"))
  }

  @Test func `a name is split behind its whole module only`() {
    let names = TaskNames([(name: "NewsFeed.Load", module: "News"), (name: "News.", module: "News")])
    #expect(names.find("Feed.Load") == .none(suggestion: "NewsFeed.Load"))
  }

  @Test func `the distance of two spellings is that of the full table`() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<3_000 {
      let first = spelling(&random)
      let second = spelling(&random)
      let distance = fullDistance(Array(first.utf8), Array(second.utf8))
      for limit in 0...6 {
        let found = SpellingDistance.between(Array(first.utf8), second.utf8, limit: limit)
        if distance <= limit ? found != distance : found <= limit {
          Issue.record("'\(first)' and '\(second)': \(found) instead of \(distance), limit \(limit)")
        }
      }
    }
  }

  private func spelling(_ random: inout SeededGenerator) -> String {
    String((0..<Int.random(in: 0...6, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" })
  }

  /// Slips between prefixes, without a band and without a limit.
  private func fullDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var table = [[Int]](repeating: Array(0...second.count), count: first.count + 1)
    for row in 0...first.count {
      table[row][0] = row
      if row == 0 { continue }
      for column in 1..<second.count + 1 {
        let cost = first[row - 1] == second[column - 1] ? 0 : 1
        table[row][column] = min(
          table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + cost)
        if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
          table[row][column] = min(table[row][column], table[row - 2][column - 2] + 1)
        }
      }
    }
    return table[first.count][second.count]
  }
}
