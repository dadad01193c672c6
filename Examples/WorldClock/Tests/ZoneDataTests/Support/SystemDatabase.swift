import Testing
import ZoneData

/// The database of the machine that runs the tests.
enum SystemDatabase {
  static let found = try? ZoneDatabase.locate(environment: [:])

  static func zones() throws -> [Zone] {
    let database = try #require(found)
    return try ZoneListing(of: database).names.map { name in
      Zone(name: name, file: try ZoneFile(path: database.path(of: name), bytes: database.bytes(of: name)))
    }
  }
}
