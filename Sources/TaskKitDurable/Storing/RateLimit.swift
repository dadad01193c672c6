/// So many starts in a time, in all processes that share the store.
///
/// Where the clock is set back, what started before may hold up the others for twice that time, and no longer.
public struct RateLimit: Hashable, Sendable, Codable {
  /// How many may start in ``period``; at least 1.
  public var count: Int
  /// The time in which they may; more than zero.
  public var period: Duration

  public init(_ count: Int, per period: Duration) {
    self.count = count
    self.period = period
  }
}

/// A declared rate, and what is left of it.
public struct JobRate: Hashable, Sendable {
  /// What starts only so often.
  public enum Subject: Hashable, Sendable {
    /// The jobs of a queue.
    case queue(String)
    /// The key of a ``KeyLimit``.
    case key(String)
  }

  /// What starts only so often.
  public var subject: Subject
  /// The declared rate.
  public var limit: RateLimit
  /// How many may start now.
  public var free: Int
  /// How long until the next may, where none may now; nil also where none ever may.
  public var wait: Duration?

  public init(subject: Subject, limit: RateLimit, free: Int, wait: Duration?) {
    self.subject = subject
    self.limit = limit
    self.free = free
    self.wait = wait
  }
}
