/// Which zones a country uses.
public struct CountryIndex: Sendable {
  private let zones: [String: [String]]
  private let codes: NameIndex
  private let names: [String: String]
  private let countries: [String: [String]]

  /// - Parameters:
  ///   - places: lines of `zone1970.tab` or `zone.tab`: codes of countries, and their zone.
  ///   - names: what the countries are called; a country without a name is found by its code alone.
  public init(places: [(codes: [String], zone: String)], names: [String: String]) {
    var zones: [String: [String]] = [:]
    var countries: [String: [String]] = [:]
    for place in places {
      countries[place.zone] = place.codes
      for code in place.codes { zones[code, default: []].append(place.zone) }
    }
    self.zones = zones
    self.countries = countries
    self.names = names
    codes = NameIndex(zones.keys.flatMap { code in [(code, code)] + (names[code].map { [($0, code)] } ?? []) })
  }

  /// How many countries there are.
  public var count: Int { zones.count }

  /// The zones of a country, in the order of the table, by its code or name.
  public func zones(ofCountry country: String) -> [String] {
    codes[country].flatMap { zones[$0] ?? [] }
  }

  /// The countries that use a zone.
  public func countries(of zone: String) -> [String] {
    (countries[zone] ?? []).map { names[$0] ?? $0 }
  }
}
