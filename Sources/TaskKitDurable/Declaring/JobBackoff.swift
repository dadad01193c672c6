public import TaskKit

/// How long a job waits after an attempt that failed (Z21). The delay is written down: it is kept over restarts.
///
/// It is kept as a date by the clock of the store. When that clock is set back by an hour meanwhile it lasts an hour longer,
/// and when it is set forward it is over sooner; ``JobOperations/reschedule(where:_:)`` helps.
public struct JobBackoff: Sendable {
  let delay: @Sendable (_ failures: Int, any Error, _ chance: Double) -> Duration

  /// Ten seconds, then each time twice as long, up to an hour; half of each delay is left to chance, so that clients that
  /// failed together do not come back together.
  public static let `default` = exponential(.seconds(10), maximum: .seconds(3600), jitter: 0.5)

  /// No delay: as ZLTaskManager had it.
  public static let none = JobBackoff(.none)

  /// As tasks have it.
  public init(_ backoff: RetryPolicy.Backoff) {
    delay = { failures, _, chance in backoff.delay(after: failures, chance: chance) }
  }

  /// The same delay after each failure.
  public static func fixed(_ delay: Duration, jitter: Double = 0) -> JobBackoff {
    JobBackoff(.fixed(delay, jitter: jitter))
  }

  /// `delay`, then twice, three times … as long, at most `maximum`.
  public static func linear(_ delay: Duration, maximum: Duration? = nil, jitter: Double = 0) -> JobBackoff {
    JobBackoff(.linear(delay, maximum: maximum, jitter: jitter))
  }

  /// `delay`, then each time `factor` times as long, at most `maximum`; without one they grow up to a century.
  ///
  /// - Parameters:
  ///   - delay: the first delay.
  ///   - factor: by how much each is longer than the one before.
  ///   - maximum: the longest delay.
  ///   - jitter: the part of each delay that is left to chance, from 0 to 1.
  public static func exponential(
    _ delay: Duration, factor: Double = 2, maximum: Duration? = nil, jitter: Double = 0
  ) -> JobBackoff {
    JobBackoff(.exponential(delay, factor: factor, maximum: maximum, jitter: jitter))
  }

  /// An own rule: it gets how many attempts have failed, and the latest error. A server's `Retry-After` goes here.
  public static func own(_ delay: @escaping @Sendable (_ failures: Int, any Error) -> Duration) -> JobBackoff {
    JobBackoff { failures, error, _ in delay(failures, error) }
  }

  private init(delay: @escaping @Sendable (Int, any Error, Double) -> Duration) { self.delay = delay }
}
