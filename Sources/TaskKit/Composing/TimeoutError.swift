/// The time that was given to an operation has passed.
public struct TimeoutError: Error, Sendable, Hashable, CustomStringConvertible {
  /// How much time it had.
  public let timeout: Duration
  /// Where it was given that time.
  public let location: TaskLocation

  init(timeout: Duration, location: TaskLocation) {
    self.timeout = timeout
    self.location = location
  }

  public var description: String { "not done within \(timeout), the limit set at \(location)" }
}
