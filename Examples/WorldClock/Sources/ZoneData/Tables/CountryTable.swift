/// The names of countries by their code of two letters: `iso3166.tab`.
public struct CountryTable: Sendable, Hashable {
  public let names: [String: String]

  /// - Throws: ``ZoneDataError`` if the text has no line in the form of the table.
  public init(path: String, text: String) throws(ZoneDataError) {
    let rows = text.tableRows().filter { $0.count >= 2 && $0[0].count == 2 }
    guard !rows.isEmpty else { throw ZoneDataError(path: path, reason: "it lists no countries") }
    names = Dictionary(rows.map { (String($0[0]), String($0[1])) }) { first, _ in first }
  }
}
