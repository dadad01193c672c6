public import Foundation
import Synchronization

/// The clocks that a center reads: everything that it waits for and measures goes through here.
///
/// Continuous time counts while the machine sleeps and is what timeouts, delays and measurements use; suspending time
/// stands still then; wall time is the calendar's. A test passes a source that it moves by hand (`TaskKitTesting`).
public struct TimeSource: Sendable {
  /// One clock: what time it is, and a way to wait. Times are nanoseconds since an origin of the clock's own.
  public struct Timeline: Sendable {
    let now: @Sendable () -> Int64
    let sleep: @Sendable (_ until: Int64) async throws -> Void

    /// A timeline of any clock whose durations are `Duration`.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
      let origin = clock.now
      now = { origin.duration(to: clock.now).nanoseconds }
      sleep = { try await clock.sleep(until: origin.advanced(by: .nanoseconds($0)), tolerance: nil) }
    }
  }

  let continuous: Timeline
  let suspending: Timeline
  let wall: @Sendable () -> Date
  let timeZone: @Sendable () -> TimeZone

  /// - Parameters:
  ///   - continuous: the clock of timeouts, delays and measurements.
  ///   - suspending: the clock of what should not count the machine's sleep.
  ///   - wall: the calendar's time.
  ///   - timeZone: the zone of local times.
  public init(
    continuous: some Clock<Duration> = ContinuousClock(),
    suspending: some Clock<Duration> = SuspendingClock(),
    wall: @escaping @Sendable () -> Date = { Date() },
    timeZone: @escaping @Sendable () -> TimeZone = { .autoupdatingCurrent }
  ) {
    self.continuous = Timeline(continuous)
    self.suspending = Timeline(suspending)
    self.wall = wall
    self.timeZone = timeZone
  }

  /// The clocks of the machine.
  public static var system: TimeSource { TimeSource() }
}

extension Duration {
  /// Whole nanoseconds, the longest representable where there are more.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
