/// What is wrong with the command line.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}
