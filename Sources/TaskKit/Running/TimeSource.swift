public import Foundation
import Synchronization

/// The clocks that a center reads: everything that it waits for and measures goes through here.
///
/// Continuous time counts while the machine sleeps and is what timeouts, delays and measurements use; suspending time
/// stands still then; wall time is the calendar's. A test passes a source that it moves by hand (`TaskKitTesting`).
public struct TimeSource: Sendable {
  /// One clock: what time it is, and a way to wait. Times are nanoseconds since an origin of the clock's own.
  public struct Timeline: Sendable {
    /// Nil for the machine's own clock, which is read at each task: that must not go through a closure.
    private let reading: (@Sendable () -> Int64)?
    let sleep: @Sendable (_ until: Int64) async throws -> Void
    /// Whether threads of the system wake those who sleep, and not whoever moves a clock by hand.
    let isOfMachine: Bool
    /// Whether it is the machine's continuous clock itself, whose times mean the same to the system.
    var isMachineClock: Bool { reading == nil }

    @inline(__always)
    func now() -> Int64 {
      if let reading { return reading() }
      return MachineClock.now()
    }

    /// A timeline of any clock whose durations are `Duration`.
    public init<C: Clock>(_ clock: C) where C.Duration == Duration {
      let origin = clock.now
      // To the nearest one: sixty ticks of a sixtieth of a second are just less than one.
      reading = { (origin.duration(to: clock.now) + Duration.halfNanosecond).nanoseconds }
      sleep = { time in
        // What is before the beginning is past, and may be more than the clock can count.
        let deadline = origin.advanced(by: .nanoseconds(max(0, time)))
        try await TickClock.$isForCenter.withValue(true) { try await clock.sleep(until: deadline, tolerance: nil) }
      }
      isOfMachine = clock is ContinuousClock || clock is SuspendingClock
    }

    /// The same as a timeline of `ContinuousClock`, cheaper to read.
    init() {
      reading = nil
      isOfMachine = true
      sleep = { time in
        let left = max(0, time.earlier(by: MachineClock.now()))
        try await ContinuousClock().sleep(until: .now.advanced(by: .nanoseconds(left)), tolerance: nil)
      }
    }
  }

  let continuous: Timeline
  let suspending: Timeline
  let wall: @Sendable () -> Date
  let timeZone: @Sendable () -> TimeZone
  /// How long the calendar's clock is trusted not to have been set while something waits for it.
  let wallCheck: Duration?

  /// - Parameters:
  ///   - continuous: the clock of timeouts, delays and measurements.
  ///   - suspending: the clock of what should not count the machine's sleep.
  ///   - wall: the calendar's time.
  ///   - timeZone: the zone of local times.
  ///   - wallCheck: how often to look whether the calendar's clock was set, while a schedule waits for it; nil to leave
  ///     that to ``TaskCenter/clockDidChange()``.
  /// - Precondition: `wallCheck` is positive.
  public init(
    continuous: some Clock<Duration> = ContinuousClock(),
    suspending: some Clock<Duration> = SuspendingClock(),
    wall: @escaping @Sendable () -> Date = { Date() },
    timeZone: @escaping @Sendable () -> TimeZone = { .autoupdatingCurrent },
    wallCheck: Duration? = .seconds(600)
  ) {
    if let wallCheck {
      precondition(wallCheck > .zero, "the calendar's clock is looked at after a while, not after \(wallCheck)")
    }
    self.wallCheck = wallCheck
    self.continuous = continuous is ContinuousClock ? Timeline() : Timeline(continuous)
    self.suspending = Timeline(suspending)
    self.wall = wall
    self.timeZone = timeZone
  }

  /// The clocks of the machine.
  public static var system: TimeSource {
    TimeSource(
      continuous: Timeline(), suspending: Timeline(SuspendingClock()), wall: { Date() },
      timeZone: { .autoupdatingCurrent }, wallCheck: .seconds(600))
  }

  private init(
    continuous: Timeline, suspending: Timeline, wall: @escaping @Sendable () -> Date,
    timeZone: @escaping @Sendable () -> TimeZone, wallCheck: Duration?
  ) {
    self.wallCheck = wallCheck
    self.continuous = continuous
    self.suspending = suspending
    self.wall = wall
    self.timeZone = timeZone
  }
}

extension TimeSource {
  /// Lets the zone be another one, if it is the machine's and that has changed. Not to be called with a lock held: it reads
  /// a file.
  func followMachineZone() {
    if timeZone() == .autoupdatingCurrent { Self.forgetMachineZone() }
  }

  /// Makes Foundation read anew which zone the machine has: outside Apple's systems it keeps what it has read once.
  static func forgetMachineZone() {
    #if !canImport(Darwin)
    NSTimeZone.resetSystemTimeZone()
    #endif
  }
}

/// The clock that `ContinuousClock` reads, as nanoseconds: a conversion by way of `Duration` costs as much as the
/// reading.
enum MachineClock {
  #if canImport(Darwin)
  static func now() -> Int64 { Int64(bitPattern: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)) }
  #elseif canImport(Glibc) || canImport(Musl) || canImport(Bionic)
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
  #else
  private static let origin = ContinuousClock.now
  static func now() -> Int64 { origin.duration(to: .now).nanoseconds }
  #endif
}

extension Duration {
  // Without an initialiser: one that takes a `timespec` would make that belong to a module that nobody can import.
  static let halfNanosecond = Duration.nanoseconds(1) / 2

  /// Whole nanoseconds, the longest representable where there are more.
  var nanoseconds: Int64 {
    // Up to an hour, one division by a constant: 10⁹ is 2⁹ times 5⁹.
    let attoseconds = attoseconds
    if attoseconds >= 0, attoseconds >> 72 == 0 { return Int64(truncatingIfNeeded: attoseconds >> 9) / 1_953_125 }
    // Before it is asked for its parts: it may have more seconds than these have room for.
    guard self < .nanoseconds(Int64.max) else { return .max }
    guard self > .nanoseconds(Int64.min) else { return .min }
    let (seconds, rest) = components
    return seconds * 1_000_000_000 + rest / 1_000_000_000
  }
}

extension TaskCenter {
  /// What the calendar shows, on the clock that the center was given: the machine's, or a test's.
  public var wallTime: Date { time.wall() }

  /// The zone of local times, as the center was given it.
  public var timeZone: TimeZone { time.timeZone() }
}

extension TaskContext {
  /// What the calendar shows now, on the center's clock: a task that asks here and not `Date()` can be tested at any date.
  public var now: Date { center.wallTime }
}
