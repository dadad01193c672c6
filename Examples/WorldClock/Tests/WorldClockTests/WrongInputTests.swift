import Foundation
import Testing
import ZoneData

@testable import WorldClock

@MainActor
@Suite(.enabled(if: TestDatabase.system != nil, "this machine has no time zone database"))
struct WrongInputTests {
  @Test(arguments: [("Europe/Berln", "Europe/Berlin"), ("Tok", "Asia/Tokyo"), ("europe/berl", "Europe/Berlin")])
  func `what is not found is an error with a suggestion`(text: String, suggestion: String) async {
    let run = await TestRun(text, "UTC")
    #expect(run.code == 1 && run.clock("UTC") != nil)
    #expect(run.failures == ["error: there is no zone, city or country '\(text)'; did you mean '\(suggestion)'?"])
  }

  @Test func `a missing database is an error that names the directory`() async {
    let run = await TestRun("Europe/Berlin", database: "/nonexistent")
    #expect(run.code == 1)
    #expect(run.failures == ["error: /nonexistent: TZDIR names this directory, which does not exist"])
    #expect(run.output.contains { $0.contains("skipped: 'ZoneData.LocateDatabase' did not end well") })
  }

  @Test func `a database without zones is an error that names the directory`() async throws {
    let database = try TestDatabase("iso3166.tab")
    let run = await TestRun("Europe/Berlin", database: database.path)
    #expect(run.code == 1)
    #expect(run.failures == ["error: \(database.path): there are no time zone files in this directory"])
  }

  @Test func `a broken zone is an error for those who ask for it`() async throws {
    let database = try TestDatabase("Europe/Berlin", "Asia/Tokyo")
    try database.write("Europe/Berlin", Array(try #require(TestDatabase.system).bytes(of: "Europe/Berlin").prefix(100)))
    let path = ZoneDatabase(directory: database.path).path(of: "Europe/Berlin")
    let broken = "\(path): no valid time zone file: it ends after 100 bytes"
    let asked = await TestRun("Europe/Berlin", "Asia/Tokyo", database: database.path)
    #expect(asked.code == 1 && asked.clock("Asia/Tokyo") != nil)
    #expect(asked.failures.count == 1 && asked.failures.allSatisfy { $0.hasPrefix("error: " + broken) })
    let other = await TestRun("Asia/Tokyo", database: database.path)
    #expect(other.code == 0 && other.notes.contains { $0.hasPrefix("note: " + broken) })
  }

  @Test func `an outbox that cannot be opened is an error that names the file`() async {
    let run = await TestRun("--outbox", "/nonexistent/outbox.sqlite")
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(
      run.failures == [
        "error: /nonexistent/outbox.sqlite is not there: there is no folder /nonexistent. "
          + "Make its folder before the program starts, or bring back what was moved"
      ])
  }

  @Test func `a home that does not exist is an error only if it was asked for`() async {
    let asked = await TestRun("UTC", "--home", "Mars")
    #expect(asked.code == 1 && asked.failures == ["error: there is no zone 'Mars' that could be home"])
    #expect(await TestRun("UTC", environment: ["TZ": "Mars"]).code == 0)
  }

  @Test func `a wrong command line is another code, and nothing is launched`() async {
    let run = await TestRun("--nope")
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors == ["error: there is no option '--nope'; worldclock --help lists them"])
  }
}
