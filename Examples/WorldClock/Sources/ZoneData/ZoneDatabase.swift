import Foundation

/// The directory in which a system keeps its time zones.
public struct ZoneDatabase: Sendable, Hashable {
  /// Where systems keep it, the usual place first. macOS updates the one under `/var` without a new system.
  public static let knownDirectories = [
    "/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
    "/etc/zoneinfo",
  ]

  public let directory: String

  public init(directory: String) {
    self.directory = directory
  }

  /// Finds the database: where `TZDIR` says, otherwise in one of the usual places.
  ///
  /// - Throws: ``ZoneDataError`` naming what was looked for. A wrong `TZDIR` is no reason to look elsewhere.
  public static func locate(
    environment: [String: String], candidates: [String] = knownDirectories
  ) throws(ZoneDataError) -> ZoneDatabase {
    if let directory = environment["TZDIR"], !directory.isEmpty {
      guard isDirectory(directory) else {
        throw ZoneDataError(path: directory, reason: "TZDIR names this directory, which does not exist")
      }
      return ZoneDatabase(directory: directory)
    }
    guard let directory = candidates.first(where: isDirectory) else {
      throw ZoneDataError(
        path: candidates.joined(separator: ", "),
        reason:
          "there is no time zone database; install your system's tzdata, or set TZDIR to the directory that has it")
    }
    return ZoneDatabase(directory: directory)
  }

  public func path(of name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  /// The bytes of a file of the database.
  public func bytes(of name: String) throws(ZoneDataError) -> [UInt8] {
    try ZoneDatabase.bytes(at: path(of: name))
  }

  /// The text of a table of the database, such as `iso3166.tab`.
  public func text(of name: String) throws(ZoneDataError) -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  /// The text of the first of some files that is there.
  public func text(ofFirst names: [String]) throws(ZoneDataError) -> (name: String, text: String) {
    guard let name = names.first(where: { FileManager.default.fileExists(atPath: path(of: $0)) }) else {
      throw ZoneDataError(path: directory, reason: "it has no \(names.joined(separator: " and no "))")
    }
    return (name, try text(of: name))
  }

  static func bytes(at path: String) throws(ZoneDataError) -> [UInt8] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ZoneDataError(path: path, reason: "there is no such file")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ZoneDataError(path: path, reason: "it cannot be read")
    }
    return [UInt8](data)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}
