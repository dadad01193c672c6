public import TaskKit

/// A clock that stands still until a test moves it: a tick clock with ways to wait for who sleeps on it.
///
/// ```swift
/// let clock = VirtualClock()
/// let center = TaskCenter(registry: .generated, time: .virtual(clock))
/// let run = center.begin(.didBecomeActive)
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(5))
/// ```
public final class VirtualClock: Clock, Sendable {
  /// A time of a virtual clock, from its beginning.
  public typealias Instant = TickClock.Instant

  private let clock = TickClock(tick: .nanoseconds(1))

  /// A clock at its beginning, on which nobody sleeps.
  public init() {}

  /// The time to which it was moved.
  public var now: Instant { clock.now }
  /// A nanosecond: nothing is rounded.
  public var minimumResolution: Duration { clock.minimumResolution }

  /// Returns when the clock has been moved there, at once if it has been.
  ///
  /// - Throws: `CancellationError` when the calling task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }

  /// Moves the clock and wakes, in the order of their times, all whose time has come.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
  }

  /// Moves the clock, and says how to wake those whose time has come: for clocks that move together.
  func move(by duration: Duration) -> () -> Void { clock.move(by: duration) }

  /// Returns when at least that many sleep on this clock: nothing is polled, and no real time is waited for. Like all that
  /// follow it returns also when the calling task is cancelled.
  public func waitForSleepers(_ count: Int = 1) async {
    await clock.wait(for: .sleepers(count))
  }

  /// Returns when somebody sleeps until exactly that time, counted from the beginning of the clock: for a timer that
  /// takes the place of another, whose number alone would not show it.
  public func waitForSleeper(until time: Duration) async {
    await clock.wait(for: .sleeper(until: Instant(offset: time)))
  }

  /// Returns when exactly one sleeps on this clock, and until that time.
  package func waitForOnlySleeper(until time: Duration) async {
    await clock.wait(for: .onlySleeper(until: Instant(offset: time)))
  }

  /// Returns when somebody sleeps on this clock who is not a center.
  ///
  /// - Parameter mark: who has slept before that is not meant.
  func waitForSomebody(since mark: TickClock.Mark = .beginning) async {
    await clock.wait(for: .somebody(since: mark))
  }

  /// This moment, for ``waitForSomebody(since:)``.
  func mark(in center: TaskCenter) -> TickClock.Mark { clock.mark(in: center) }

  /// Returns when nobody sleeps on this clock.
  public func waitForNoSleepers() async {
    await clock.wait(for: .noSleepers)
  }

  /// When the next sleeper wakes, from the beginning of the clock; nil if nobody sleeps.
  public var nextDeadline: Duration? { clock.nextDeadline?.offset }
}

extension TimeSource {
  /// Clocks that a test moves: continuous and suspending time follow the same virtual clock.
  ///
  /// The calendar is the machine's. ``VirtualTime`` moves all of them.
  public static func virtual(_ clock: VirtualClock) -> TimeSource {
    TimeSource(continuous: clock, suspending: clock)
  }
}
