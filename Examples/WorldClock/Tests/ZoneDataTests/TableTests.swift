import Testing
import ZoneData

struct TableTests {
  @Test func `countries are read by code`() throws {
    let table = try CountryTable(path: "iso3166.tab", text: "# code\tname\nDE\tGermany\nCI\tCôte d'Ivoire\n")
    #expect(table.names == ["DE": "Germany", "CI": "Côte d'Ivoire"])
  }

  @Test func `a place may belong to several countries`() throws {
    let text = "#codes\nAE,OM,RE\t+2518+05518\tAsia/Dubai\tCrozet\nAF\t+3431+06912\tAsia/Kabul\n"
    let table = try PlaceTable(path: "zone1970.tab", text: text)
    #expect(table.places.map(\.zone) == ["Asia/Dubai", "Asia/Kabul"])
    #expect(table.places[0].countries == ["AE", "OM", "RE"])
  }

  @Test func `the text form says its version and its links`() throws {
    let table = try SourceTable(
      path: "tzdata.zi", text: "# version 2025b\nR d 1916 o - Jun 14 23s 1 S\nL Etc/GMT GMT\n")
    #expect(table.version == "2025b")
    #expect(table.links == ["GMT": "Etc/GMT"])
  }

  @Test(arguments: [
    "#@ 3991593600\n2272060800 10 # 1 Jan 1972\n2287785600 11 # 1 Jul 1972\n2303683200 12 # 1 Jan 1973\n",
    "#expires 1782604800\nLeap 1972 Jun 30 23:59:60 + S\nLeap\t1972\tDec\t31\t23:59:60\t+\tS\n",
  ])
  func `leap seconds are read from both forms`(text: String) throws {
    let table = try LeapSecondTable(path: "leaps", text: text)
    #expect(table.leapSeconds.map(\.time) == [78_796_800, 94_694_400])
    #expect(table.expires == 1_782_604_800)
    #expect([0, 78_796_799, 78_796_800, 94_694_400].map(table.difference) == [10, 10, 11, 12])
  }

  @Test(arguments: ["", "nonsense", "#\n\n\n", "-9223372036854775808 99", "9223372036854775807 99", "Leap 1 2 3 4 5"])
  func `a table without contents is an error that names the file`(text: String) {
    let tables: [(String) throws -> Void] = [
      { _ = try CountryTable(path: "the/file", text: $0) }, { _ = try PlaceTable(path: "the/file", text: $0) },
      { _ = try SourceTable(path: "the/file", text: $0) }, { _ = try LeapSecondTable(path: "the/file", text: $0) },
    ]
    for read in tables {
      #expect(performing: { try read(text) }, throws: { "\($0)".hasPrefix("the/file: it") })
    }
  }
}
