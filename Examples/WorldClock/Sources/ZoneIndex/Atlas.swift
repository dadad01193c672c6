import ZoneData

/// Everything that a question can be answered from.
public struct Atlas: Sendable {
  /// What was read, and what could not be.
  public let zones: ZoneSet
  /// By name and alias: `Europe/Berlin`, `US/Pacific`.
  public let names: NameIndex
  /// By the part of the name that is a place: `Berlin`, `New York`. Leads to proper names.
  public let cities: NameIndex
  public let countries: CountryIndex
  public let aliases: AliasIndex
  public let upcoming: UpcomingTransitions

  public init(
    zones: ZoneSet, names: NameIndex, cities: NameIndex, countries: CountryIndex, aliases: AliasIndex,
    upcoming: UpcomingTransitions
  ) {
    self.zones = zones
    self.names = names
    self.cities = cities
    self.countries = countries
    self.aliases = aliases
    self.upcoming = upcoming
  }

  /// The names that someone who typed a text may have meant, the likeliest first.
  public func suggestions(for text: String, limit: Int = 5) -> [String] {
    guard !text.isEmpty else { return [] }
    var found: [String] = []
    func add(_ names: [String]) {
      for name in names where !found.contains(name) { found.append(name) }
    }
    add(cities.names(withPrefix: text))
    add(names.names(withPrefix: text))
    if found.isEmpty {
      add(similar(to: text, in: cities))
      add(similar(to: text, in: names))
    }
    return Array(found.prefix(limit))
  }

  /// The names behind the keys that differ from a text by no more than a few typing mistakes, the nearest first.
  private func similar(to text: String, in index: NameIndex) -> [String] {
    let wanted = Array(NameIndex.folded(text).utf8)
    guard wanted.count <= 64 else { return [] }
    let limit = max(1, min(3, wanted.count / 3))
    return index.keys
      .compactMap { key in spellingDistance(Array(key.utf8), wanted, limit: limit).map { (distance: $0, key: key) } }
      .sorted { ($0.distance, $0.key) < ($1.distance, $1.key) }
      .flatMap { index[$0.key] }
  }
}
