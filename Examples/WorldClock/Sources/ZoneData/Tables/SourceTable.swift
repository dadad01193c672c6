/// What the text form of the database says that the compiled files do not: its version, and which names are links.
public struct SourceTable: Sendable, Hashable {
  /// For example `2025b`.
  public let version: String?
  /// From the other name to the name that it stands for.
  public let links: [String: String]

  /// - Throws: ``ZoneDataError`` if the text has neither a version nor a link.
  public init(path: String, text: String) throws(ZoneDataError) {
    version = SourceTable.version(in: text)
    links = Dictionary(
      text.tableRows(separator: " ").filter { $0.count == 3 && $0[0] == "L" }.map { (String($0[2]), String($0[1])) }
    ) { _, last in last }
    guard version != nil || !links.isEmpty else {
      throw ZoneDataError(path: path, reason: "it is no text form of the time zone database")
    }
  }

  /// The version in the first line of `tzdata.zi`: `# version 2025b`.
  public static func version(in text: String) -> String? {
    let words = text.prefix { !$0.isNewline }.split(separator: " ")
    return words.count >= 3 && words[1] == "version" ? String(words[2]) : nil
  }
}
