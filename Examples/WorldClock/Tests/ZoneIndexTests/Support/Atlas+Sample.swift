import ZoneData

@testable import ZoneIndex

extension Zone {
  /// A zone that changes its clocks to an hour more at a time, and never again.
  static func sample(_ name: String, changesAt time: Int64) throws -> Zone {
    func integer(_ value: Int64, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = Array("TZif".utf8) + Array(repeating: 0, count: 16)
    for count in [0, 0, 0, 1, 2, 8] as [Int64] { bytes += integer(count, 4) }
    bytes += integer(time, 4) + [1] + integer(0, 4) + [0, 0] + integer(3_600, 4) + [1, 4]
    return Zone(name: name, file: try ZoneFile(path: name, bytes: bytes + Array("AAA\0BBB\0".utf8)))
  }
}

extension Atlas {
  /// Berlin, which changes at 1,000, its other name, and Bermuda, whose file is broken.
  static func sample() throws -> Atlas {
    let names = ["Europe/Berlin", "Germany", "Atlantic/Bermuda"]
    var zones = ZoneSet(zones: try names.prefix(2).map { try Zone.sample($0, changesAt: 1_000) })
    zones.problems = ["Atlantic/Bermuda": ZoneDataError(path: "/zones/Atlantic/Bermuda", reason: "it is broken")]
    return Atlas(
      zones: zones, names: NameIndex(names.map { ($0, $0) }),
      cities: NameIndex([("Berlin", "Europe/Berlin"), ("Bermuda", "Atlantic/Bermuda")]),
      countries: CountryIndex(places: [(["DE"], "Europe/Berlin")], names: ["DE": "Deutschland"]),
      aliases: AliasIndex(links: ["Germany": "Europe/Berlin"]),
      upcoming: UpcomingTransitions(of: zones.zones.values, since: 0))
  }
}
