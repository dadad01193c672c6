import Foundation
import TaskKit
import Testing
import ZoneData

@testable import WorldClock

@MainActor
@Suite(.enabled(if: TestDatabase.system != nil, "this machine has no time zone database"))
struct ProgramTests {
  @Test func `clocks are shown at the time that was asked for, then the launch report`() async {
    let run = await TestRun("Europe/Berlin", "Asia/Tokyo", "--at", "2024-10-27T00:59:59Z")
    #expect(run.code == 0 && run.failures.isEmpty)
    #expect(
      run.clock("Europe/Berlin")
        == "Europe/Berlin  Sun 2024-10-27 02:59:59  +02:00  CEST  +2 h  next 2024-10-27 03:00 → 02:00 CET, in 1 second")
    #expect(run.clock("Asia/Tokyo")?.contains("Sun 2024-10-27 09:59:59  +09:00  JST") == true)
    #expect(run.output.contains { $0.contains("didFinishLaunching: completed, 15 tasks") })
  }

  @Test(arguments: ["berlin", "BERLIN", "Berlin"])
  func `a city is enough`(city: String) async {
    #expect(await TestRun(city).clock("Europe/Berlin") != nil)
  }

  @Test func `an alias is told with its proper name`() async throws {
    let database = try TestDatabase("Europe/Berlin", "Asia/Tokyo")
    try database.write("tzdata.zi", "# version test\nL Asia/Tokyo Japan\n")
    try database.write("Japan", TestDatabase.system?.bytes(of: "Asia/Tokyo") ?? [])
    let run = await TestRun("japan", "--home", "berlin", "--at", "2024-07-01", database: database.path)
    #expect(run.clock("Japan (Asia/Tokyo)")?.contains("+7 h") == true)
    #expect(run.output[0].contains("database test, 3 zones, 1 aliases"))
  }

  @Test func `without any table zones and cities are still found`() async throws {
    let database = try TestDatabase("Europe/Berlin")
    let run = await TestRun("Berlin", "Germany", database: database.path)
    #expect(run.clock("Europe/Berlin") != nil)
    #expect(run.failures == ["error: there is no zone, city or country 'Germany'"])
    #expect(run.notes.contains("note: neither zone1970.tab nor zone.tab: zones are not found by country"))
  }

  @Test func `the older table of countries takes the place of the newer`() async throws {
    let database = try TestDatabase("Europe/Berlin")
    try database.write("zone.tab", "DE\t+5230+01322\tEurope/Berlin\tmost of Germany\n")
    try database.write("iso3166.tab", "DE\tGermany\n")
    let run = await TestRun("germany", database: database.path)
    #expect(run.code == 0 && run.clock("Europe/Berlin") != nil)
    #expect(run.notes.contains("note: no zone1970.tab: countries come from zone.tab"))
  }

  @Test func `JSON has the clocks and every report`() async throws {
    let run = await TestRun("Europe/Berlin", "--json", "--at", "0")
    let document = try JSONDecoder().decode(Document.self, from: Data(run.output.joined().utf8))
    #expect(run.output.count == 1 && run.code == 0)
    #expect(document.clocks.map(\.localTime) == ["1970-01-01T01:00:00+01:00"])
    #expect(document.reports.map(\.event) == ["willFinishLaunching", "didFinishLaunching", "query"])
    #expect(document.reports.allSatisfy { $0.status == .completed })
  }

  @Test func `colour is for terminals`() async {
    let colors = [
      await TestRun("UTC", isTerminal: true), await TestRun("UTC", isTerminal: false),
      await TestRun("UTC", isTerminal: true, environment: ["NO_COLOR": "1"]),
      await TestRun("UTC", isTerminal: true, environment: ["TERM": "dumb"]),
    ].map { $0.output.joined().contains("\u{1B}[") }
    #expect(colors == [true, false, false, false])
  }
}
