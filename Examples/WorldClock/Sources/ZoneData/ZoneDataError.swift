/// What is wrong with a file of the time zone database, or with the place where it should be.
public struct ZoneDataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or directory that is meant.
  public let path: String
  public let reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }
}

/// What is wrong with some bytes or a line, before anybody has said which file they come from.
struct Malformed: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
