/// The name of a task: its type's path with the module in front, or exactly what `name:` says.
///
/// `Feed.Refresh` in module `News` is `News.Feed.Refresh`. Where a name is asked for, the part behind the module
/// (`Feed.Refresh`) is enough while only one task has it; otherwise the error lists the candidates.
public struct TaskName: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public static func < (left: TaskName, right: TaskName) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension TaskName: ExpressibleByStringInterpolation, CustomStringConvertible {
  public init(stringLiteral value: String) {
    self.init(value)
  }

  public var description: String { rawValue }
}

extension TaskName: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
