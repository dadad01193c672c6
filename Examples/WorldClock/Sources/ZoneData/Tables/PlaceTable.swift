/// Which zones are used in which countries: `zone1970.tab`, or the older `zone.tab`.
public struct PlaceTable: Sendable, Hashable {
  /// A line of the table.
  public struct Place: Sendable, Hashable {
    /// Codes of two letters; the country with most of the people first.
    public let countries: [String]
    public let zone: String
  }

  public let places: [Place]

  /// - Throws: ``ZoneDataError`` if the text has no line in the form of the table.
  public init(path: String, text: String) throws(ZoneDataError) {
    places = text.tableRows().compactMap { row in
      guard row.count >= 3 else { return nil }
      return Place(countries: row[0].split(separator: ",").map(String.init), zone: String(row[2]))
    }
    guard !places.isEmpty else { throw ZoneDataError(path: path, reason: "it lists no zones") }
  }
}
