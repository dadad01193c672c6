import Foundation

extension EventSource {
  /// Sends ``LifecycleEvent/significantTimeChange`` when the machine's clock is set, when its time zone changes, and at
  /// midnight. Before the event the schedules of the center hear of it, at once also where tasks of an earlier one still run.
  ///
  /// Linux: a timer of the kernel that the setting of the clock cancels, and `/etc/localtime`, which is replaced when the
  /// zone changes. Apple: the notifications of the system. No thread polls.
  public nonisolated static var clockChanges: EventSource {
    .clockChanges(zoneFile: "/etc/localtime")
  }

  /// The same as ``clockChanges``, where another file says on Linux what the time zone is: one of a container, or of a test.
  /// It is watched and not read: what the zone is then is up to whoever asks. Elsewhere the system tells.
  ///
  /// - Parameter zoneFile: what is replaced when the time zone changes.
  public nonisolated static func clockChanges(zoneFile: String) -> EventSource {
    .clockChanges(zoneFile: zoneFile, nextDay: nextDay)
  }

  /// The first moment of the next day: not midnight, where summer time begins with it.
  nonisolated static func nextDay(after now: Date, in zone: TimeZone) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    // A day and a half behind the beginning of today lies in tomorrow, however long today is.
    return calendar.startOfDay(for: calendar.startOfDay(for: now).addingTimeInterval(36 * 3600))
  }

  /// - Parameters:
  ///   - zoneFile: what is replaced when the time zone changes.
  ///   - nextDay: when the next day begins.
  nonisolated static func clockChanges(
    zoneFile: String, nextDay: @escaping @Sendable (Date, TimeZone) -> Date
  ) -> EventSource {
    EventSource("clockChanges") { sink in
      #if canImport(Darwin)
      let changes = ClockNotifications.changes(for: sink.center)
      return { for await _ in changes { await sink.send(.significantTimeChange) } }
      #elseif os(Linux)
      let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      var feeds: [AsyncStream<Void>] = []
      var timer: CalendarTimer?
      do {
        let midnight = try CalendarTimer { nextDay(Date(), TimeZone.current) }
        feeds.append(midnight.rings)
        timer = midnight
      } catch { sink.note("does not see the clock being set: \(error)") }
      do {
        let folder = URL(filePath: zoneFile).deletingLastPathComponent().path
        let mask = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)
        feeds.append(try FileChanges.events(at: folder, mask, named: URL(filePath: zoneFile).lastPathComponent))
      } catch { sink.note("does not see another time zone: \(error)") }
      guard !feeds.isEmpty else { throw EventSourceUnavailable("changes of the clock cannot be told") }
      return { [feeds, timer] in
        defer { timer?.cancel() }
        await withDiscardingTaskGroup { group in
          for feed in feeds {
            group.addTask {
              for await _ in feed {
                // Not with the event, which waits for the end of the one before it.
                sink.center.clockDidChange()
                continuation.yield()
              }
            }
          }
          for await _ in changes {
            // Before the event: another zone's day ends at another moment, and tasks may take longer than until then.
            TimeSource.forgetMachineZone()
            timer?.set()
            await sink.send(.significantTimeChange)
          }
        }
      }
      #else
      throw EventSourceUnavailable("changes of the clock are not told on this system")
      #endif
    }
  }
}

#if os(Linux)
import CTaskKit
import Synchronization

/// A timer of the kernel on the calendar's clock, which rings when its time comes and when the clock is set.
final class CalendarTimer: Sendable {
  let rings: AsyncStream<Void>
  private let time: @Sendable () -> Date
  /// Nil when it has been closed, since its number may be another file's then.
  private let file: Mutex<Int32?>
  private let source: DescriptorSource

  /// - Parameter time: for when it is to be set, asked anew each time.
  init(at time: @escaping @Sendable () -> Date) throws(EventSourceUnavailable) {
    let file = taskkit_calendar_timer()
    guard file >= 0 else { throw EventSourceUnavailable("no timer: \(SystemError.text)") }
    let (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    source = DescriptorSource(file, label: "org.taskkit.clock") {
      if taskkit_read_calendar_timer(file) != taskkit_ring_none { continuation.yield() }
    }
    self.rings = rings
    self.time = time
    self.file = Mutex(file)
    guard set() else {
      let text = SystemError.text
      cancel()
      throw EventSourceUnavailable("no timer: \(text)")
    }
  }

  deinit { cancel() }

  /// Sets it for the next time, whether or not it has rung.
  ///
  /// - Returns: false if it cannot be set, or has ended.
  @discardableResult
  func set() -> Bool {
    while true {
      // Upwards: a timer that rings before its time would be set for the same one again.
      let seconds = Int64(time().timeIntervalSince1970.rounded(.up))
      let answer = file.withLock { $0.map { taskkit_arm_calendar_timer($0, seconds) } ?? taskkit_not_armed }
      // A clock that was set meanwhile shows another time than the one that was asked.
      if answer != taskkit_clock_was_set { return answer == taskkit_armed }
    }
  }

  /// Ends it. The source closes the file.
  func cancel() {
    file.withLock { $0 = nil }
    source.cancel()
  }
}
#endif

#if canImport(Darwin)
/// The system's notifications of another time: clock, zone, day.
private enum ClockNotifications {
  /// - Parameter center: whose schedules hear of it first. It is not held.
  static func changes(for center: TaskCenter) -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let names: [Notification.Name] = [.NSSystemClockDidChange, .NSSystemTimeZoneDidChange, .NSCalendarDayChanged]
    for name in names {
      // An observation cannot be sent to where the stream ends, so it ends with the process instead; what it yields to an
      // ended stream goes nowhere.
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak center] _ in
        center?.clockDidChange()
        continuation.yield()
      }
    }
    return changes
  }
}
#endif
