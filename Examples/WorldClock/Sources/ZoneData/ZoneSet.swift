/// Every zone of a database that could be read, and what was wrong with the others.
public struct ZoneSet: Sendable {
  public var zones: [String: Zone] = [:]
  public var problems: [String: ZoneDataError] = [:]

  public init(zones: [Zone] = []) {
    self.zones = Dictionary(uniqueKeysWithValues: zones.map { ($0.name, $0) })
  }

  /// Reads one file. A broken one is kept as a problem, because it is no reason to do without the others.
  mutating func read(_ name: String, from database: ZoneDatabase) {
    do throws(ZoneDataError) {
      let file = try ZoneFile(path: database.path(of: name), bytes: database.bytes(of: name))
      zones[name] = Zone(name: name, file: file)
    } catch {
      problems[name] = error
    }
  }

  mutating func merge(_ other: ZoneSet) {
    zones.merge(other.zones) { _, new in new }
    problems.merge(other.problems) { _, new in new }
  }
}
