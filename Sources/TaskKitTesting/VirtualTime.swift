public import Foundation
import Synchronization
public import TaskKit

/// All the clocks of a center, standing still until a test moves them.
///
/// ```swift
/// let time = VirtualTime()
/// let center = TaskCenter(registry: .generated, time: time.source)
/// center.start()
/// await time.advance(by: .seconds(30 * 24 * 3600), driving: center)
/// ```
public final class VirtualTime: Sendable {
  /// Time that passes while the machine sleeps.
  public let continuous = VirtualClock()
  /// Time that does not.
  public let suspending = VirtualClock()

  private struct Calendar {
    /// What the calendar shows when the continuous clock is at its beginning.
    var origin: Date
    var zone: TimeZone
  }

  private let calendar: Mutex<Calendar>
  private let wallCheck: Duration?

  /// - Parameters:
  ///   - wall: what the calendar shows; the beginning of 2026 in Greenwich when omitted.
  ///   - timeZone: the zone of local times.
  ///   - wallCheck: how often a center looks whether the calendar's clock was set, while a schedule waits for it; nil for
  ///     only when it is told so.
  public init(
    wall: Date = Date(timeIntervalSince1970: 1_767_225_600), timeZone: TimeZone = .gmt, wallCheck: Duration? = nil
  ) {
    calendar = Mutex(Calendar(origin: wall, zone: timeZone))
    self.wallCheck = wallCheck
  }

  /// These clocks, for a center.
  public var source: TimeSource {
    TimeSource(
      continuous: continuous, suspending: suspending, wall: { self.wall }, timeZone: { self.timeZone },
      wallCheck: wallCheck)
  }

  /// What the calendar shows.
  public var wall: Date {
    let origin = calendar.withLock { $0.origin }
    return origin.addingTimeInterval(continuous.now.offset / .seconds(1))
  }

  /// The zone of local times.
  public var timeZone: TimeZone {
    get { calendar.withLock { $0.zone } }
    set { calendar.withLock { $0.zone = newValue } }
  }

  /// Sets the calendar's clock, and no other. A center notices at its next look, or when it is told with
  /// `clockDidChange()`.
  public func setWall(to date: Date) {
    let difference = date.timeIntervalSince(wall)
    calendar.withLock { $0.origin.addTimeInterval(difference) }
  }

  /// Lets time pass: all clocks move, and then wake, each in the order of its times, all whose time has come.
  public func advance(by duration: Duration) {
    let clocks = [suspending.move(by: duration), continuous.move(by: duration)]
    for wake in clocks { wake() }
  }

  /// Lets the machine sleep for a while: the suspending clock stands still.
  public func sleep(for duration: Duration) {
    continuous.advance(by: duration)
  }

  /// Lets time pass in the steps in which a center wants it, and waits at each until everything that was due has run:
  /// a month of schedules takes as long as its bodies do.
  ///
  /// It waits for bodies, not for time: while a body sleeps on these clocks, or waits for something that only the test
  /// does, this does not go on; move the clocks with ``advance(by:)`` then.
  ///
  /// Whoever moves the clocks meanwhile, as a body that lets the machine ``sleep(for:)`` or the driver of another center does,
  /// moves them for this center, too: it ends no earlier than asked, and perhaps later. What is due in another center on these
  /// clocks is not waited for.
  public func advance(by duration: Duration, driving center: TaskCenter) async {
    let end = continuous.now.offset + duration
    while true {
      await center.quiet()
      // A body may have moved the clocks past the end.
      let left = max(.zero, end - continuous.now.offset)
      guard let next = center.timeUntilDue, next <= left else {
        advance(by: left)
        return await center.quiet()
      }
      // What has become due since, as somebody else has asked for it, only has to be heard of.
      if next > .zero { advance(by: next) } else { await Task.yield() }
    }
  }
}
