import Foundation

/// The names of the zones that a database has files for.
public struct ZoneListing: Sendable, Hashable {
  /// In alphabetical order.
  public let names: [String]
  /// Names that are symbolic links, with the name that they lead to.
  public let links: [String: String]

  public init(names: [String], links: [String: String]) {
    self.names = names
    self.links = links
  }

  /// Lists a database by walking through its directories.
  ///
  /// - Throws: ``ZoneDataError`` if it cannot be read or has no zones.
  public init(of database: ZoneDatabase) throws(ZoneDataError) {
    let root = URL(filePath: database.directory, directoryHint: .isDirectory).resolvingSymlinksInPath()
    var walk = Walk(root: root)
    walk.enter(root, prefix: "")
    guard !walk.names.isEmpty else {
      throw ZoneDataError(path: database.directory, reason: "there are no time zone files in this directory")
    }
    self.init(names: walk.names.sorted(), links: walk.links)
  }

  /// Whether a file of that name is a zone's.
  ///
  /// Zones and the areas before them begin with a capital letter; tables, `posixrules` and the `right` and `posix`
  /// variants do not.
  static func isZoneName(_ name: some StringProtocol) -> Bool {
    guard let first = name.utf8.first, !name.utf8.contains(UInt8(ascii: ".")) else { return false }
    return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
  }
}

/// A walk through the directories of a database.
private struct Walk {
  let root: URL
  var names: [String] = []
  var links: [String: String] = [:]

  private static let keys: [URLResourceKey] = [.isDirectoryKey, .isSymbolicLinkKey]

  mutating func enter(_ directory: URL, prefix: String) {
    let entries = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: Walk.keys)
    for entry in entries ?? [] where ZoneListing.isZoneName(entry.lastPathComponent) {
      let values = try? entry.resourceValues(forKeys: Set(Walk.keys))
      let name = prefix + entry.lastPathComponent
      if values?.isDirectory == true, values?.isSymbolicLink != true {
        enter(entry, prefix: name + "/")
        continue
      }
      names.append(name)
      if values?.isSymbolicLink == true, let target = target(of: entry) { links[name] = target }
    }
  }

  /// The zone that a symbolic link leads to, if it is in the same database.
  private func target(of link: URL) -> String? {
    let path = link.resolvingSymlinksInPath().path
    guard path.hasPrefix(root.path + "/") else { return nil }
    return String(path.dropFirst(root.path.count + 1))
  }
}
