import Testing

@testable import ZoneData

struct ZoneDatabaseTests {
  @Test func `TZDIR decides, and a wrong one is an error`() throws {
    let directory = try TemporaryDirectory()
    let found = try ZoneDatabase.locate(environment: ["TZDIR": directory.path], candidates: [])
    #expect(found.directory == directory.path)
    let error = try #require(throws: ZoneDataError.self) {
      try ZoneDatabase.locate(environment: ["TZDIR": "/nonexistent"], candidates: [directory.path])
    }
    #expect("\(error)" == "/nonexistent: TZDIR names this directory, which does not exist")
  }

  @Test func `the first usual place that exists is taken`() throws {
    let directory = try TemporaryDirectory()
    let found = try ZoneDatabase.locate(environment: ["TZDIR": ""], candidates: ["/nonexistent", directory.path])
    #expect(found.directory == directory.path)
    #expect(throws: ZoneDataError.self) { try ZoneDatabase.locate(environment: [:], candidates: ["/nonexistent"]) }
  }

  @Test func `zones are told from everything else by their names`() throws {
    let files = ["UTC", "Europe/Berlin", "America/Indiana/Knox", "zone.tab", "posixrules", "right/UTC", "+VERSION"]
    let directory = try TemporaryDirectory(Dictionary(uniqueKeysWithValues: files.map { ($0, []) }))
    try directory.link("Zulu", to: "UTC")
    let listing = try ZoneListing(of: ZoneDatabase(directory: directory.path))
    #expect(listing.names == ["America/Indiana/Knox", "Europe/Berlin", "UTC", "Zulu"])
    #expect(listing.links == ["Zulu": "UTC"])
  }

  @Test func `a directory without zones is an error that names it`() throws {
    let directory = try TemporaryDirectory(["zone.tab": []])
    let error = try #require(throws: ZoneDataError.self) {
      try ZoneListing(of: ZoneDatabase(directory: directory.path))
    }
    #expect(error.path == directory.path)
  }

  @Test func `one broken file does not take the others with it`() throws {
    let directory = try TemporaryDirectory(["UTC": ZoneFileBytes().bytes, "Zulu": Array("nonsense".utf8)])
    let database = ZoneDatabase(directory: directory.path)
    var zones = ZoneSet()
    for name in ["UTC", "Zulu", "Gone"] { zones.read(name, from: database) }
    #expect(zones.zones.keys.sorted() == ["UTC"])
    #expect(zones.problems.keys.sorted() == ["Gone", "Zulu"])
    #expect(zones.problems["Zulu"]?.path == database.path(of: "Zulu"))
  }
}
