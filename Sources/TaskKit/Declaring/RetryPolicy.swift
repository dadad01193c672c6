/// How often a failing task is tried, and how long it waits in between.
///
/// An attempt fails when `run` throws or its `timeout:` passes. Cancellation is never a failed attempt. Waiting uses
/// the center's ``TimeSource``.
public struct RetryPolicy: Sendable, Hashable {
  /// The delay before the next attempt.
  public struct Backoff: Sendable, Hashable {
    enum Growth: Sendable, Hashable {
      case fixed
      case linear
      case exponential(factor: Double)
    }

    let initial: Duration
    let growth: Growth
    let maximum: Duration?
    let jitter: Double

    /// No delay.
    public static let none = Backoff.fixed(.zero)

    /// The same delay before each further attempt.
    public static func fixed(_ delay: Duration, jitter: Double = 0) -> Backoff {
      Backoff(initial: delay, growth: .fixed, maximum: nil, jitter: jitter)
    }

    /// `delay`, then twice, three times … as long, at most `maximum`; without one they grow up to a century.
    public static func linear(_ delay: Duration, maximum: Duration? = nil, jitter: Double = 0) -> Backoff {
      Backoff(initial: delay, growth: .linear, maximum: maximum, jitter: jitter)
    }

    /// `delay`, then each time `factor` times as long, at most `maximum`.
    ///
    /// - Parameters:
    ///   - delay: the first delay.
    ///   - factor: by how much each is longer than the one before.
    ///   - maximum: the longest delay; without one they grow up to a century.
    ///   - jitter: the part of each delay that is left to chance, from 0 to 1: with 0.5 a delay of 8 s becomes one
    ///     between 4 s and 8 s. It spreads out clients that failed together.
    public static func exponential(
      _ delay: Duration, factor: Double = 2, maximum: Duration? = nil, jitter: Double = 0
    ) -> Backoff {
      Backoff(initial: delay, growth: .exponential(factor: factor), maximum: maximum, jitter: jitter)
    }

    /// The delay after `failures` failed attempts.
    ///
    /// - Parameter chance: a number from 0 to 1 that decides the jitter.
    package func delay(after failures: Int, chance: Double) -> Duration {
      let grown =
        switch growth {
        case .fixed: initial
        case .linear: Backoff.multiple(failures, of: initial, limit: maximum)
        case .exponential(let factor): Backoff.scaled(initial, by: factor, times: failures - 1, limit: maximum)
        }
      let capped = maximum.map { min($0, grown) } ?? grown
      return jitter > 0 ? capped * (1 - min(1, jitter) * chance) : capped
    }

    /// At most the limit, or a century, so that neither an attempt number nor a factor overflows a `Duration`.
    private static func scaled(_ initial: Duration, by factor: Double, times: Int, limit: Duration?) -> Duration {
      let ceiling = limit ?? century
      guard initial > .zero, initial < ceiling else { return min(initial, ceiling) }
      // By squaring: as many steps as the number of attempts has bits.
      var (power, square, rest) = (1.0, factor, max(0, times))
      while rest > 0 {
        if rest & 1 == 1 { power *= square }
        square *= square
        rest >>= 1
      }
      // Not so for a factor that is no number.
      guard power < ceiling / initial else { return ceiling }
      return initial * max(0, power)
    }

    private static func multiple(_ count: Int, of initial: Duration, limit: Duration?) -> Duration {
      let ceiling = limit ?? century
      guard initial > .zero else { return initial }
      return Double(count) < ceiling / initial ? initial * count : ceiling
    }

    private static var century: Duration { .seconds(3_155_760_000) }
  }

  /// How often the task is tried in all, the first attempt included; at least 1.
  public let attempts: Int
  /// How long to wait between two attempts, on the continuous clock of the center.
  public let backoff: Backoff

  /// - Parameters:
  ///   - attempts: how often in all, at least 1. The macros refuse less where it is a literal; else the task is refused where
  ///     it joins a center or a registry that is put together, and one that the build has listed fails wherever it runs.
  ///   - backoff: how long to wait between two attempts.
  public init(attempts: Int, backoff: Backoff = .none) {
    self.attempts = attempts
    self.backoff = backoff
  }

  /// One attempt.
  public static let never = RetryPolicy(attempts: 1)

  /// That many attempts in all, with an optional delay in between.
  public static func attempts(_ attempts: Int, backoff: Backoff = .none) -> RetryPolicy {
    RetryPolicy(attempts: attempts, backoff: backoff)
  }
}
