import Foundation
import Synchronization

/// How a center waits: one sleeping task a clock for whatever is due next, however much is pending.
extension TaskCenter {
  struct Alarm {
    /// Nil while it rings, too: whoever finds something that is due first sets it then.
    var due: Int64?
    var sleeper: AlarmSleeper?
    /// Which of the sleeping tasks is the one that rings; others end.
    var number: UInt64 = 0
  }

  /// What all clocks show now.
  var instants: Instants {
    let zone = time.timeZone()
    return Instants(
      continuous: now, suspending: time.suspending.now(), wall: time.wall().nanosecondsSince1970,
      // One that follows the machine is equal to itself whatever the machine does.
      zone: TimeZone(identifier: zone.identifier) ?? zone, chance: configuration.chance())
  }

  func setAlarms() {
    setContinuousAlarm()
    setSuspendingAlarm()
  }

  /// - Parameter number: that of the sleeping task that has rung and looks for what is next.
  /// - Returns: when that task rings again; nil if it is not needed.
  @discardableResult
  func setContinuousAlarm(after number: UInt64? = nil) -> Int64? {
    set(alarm, on: time.continuous, after: number) {
      let (run, call) = (machine.withLock { $0.earliestAlarm }, calls.table.withLock { $0.takeEarliest() })
      return run.map { min($0, call ?? .max) } ?? call
    } ringing: { center, due, number in
      center.alarm.withLock { if $0.number == number { $0.due = nil } }
      center.ring(due)
      return center.setContinuousAlarm(after: number)
    }
  }

  @discardableResult
  private func setSuspendingAlarm(after number: UInt64? = nil) -> Int64? {
    set(suspendingAlarm, on: time.suspending, after: number) {
      machine.withLock { $0.schedules.suspending.earliest }
    } ringing: { center, due, number in
      center.suspendingAlarm.withLock { if $0.number == number { $0.due = nil } }
      center.ringMachine(.min)
      return center.setSuspendingAlarm(after: number)
    }
  }

  /// Sets an alarm to what is due first at this moment. Effects of two threads may arrive in any order, so that is asked
  /// again here; neither the machine nor the table of calls ever takes the alarm's lock, so this order of locks is the
  /// only one.
  ///
  /// The sleeping task does not hold the center: one that nobody uses any more ends with its schedules. It is detached,
  /// so that it does not run for ever in the name of whoever happened to set it.
  private func set(
    _ alarm: borrowing Mutex<Alarm>, on timeline: TimeSource.Timeline, after number: UInt64?, earliest: () -> Int64?,
    ringing ring: @escaping @Sendable (TaskCenter, Int64, UInt64) -> Int64?
  ) -> Int64? {
    let (next, obsolete) = alarm.withLock { alarm -> (Int64?, AlarmSleeper?) in
      let due = earliest()
      if alarm.due == nil, let number, alarm.number == number, let due {
        alarm.due = due
        return (due, nil)
      }
      guard alarm.due != due else { return (nil, nil) }
      // One that rings at this moment ends by itself: it is somebody's thread.
      let old = alarm.due == nil ? nil : alarm.sleeper
      alarm.due = due
      alarm.number += 1
      let number = alarm.number
      alarm.sleeper = due.map { first in
        // Ends when nothing is due any more, and is cancelled when another time is set or the center goes.
        AlarmSleeper(isOfMachine: timeline.isOfMachine) { [weak self] in
          var due = first
          while true {
            do { try await timeline.sleep(due) } catch { return }
            guard let next = self.flatMap({ ring($0, due, number) }) else { return }
            due = next
          }
        }
      }
      return (nil, old)
    }
    obsolete?.cancel()
    return next
  }

  /// - Parameter due: what the continuous clock shows at least.
  private func ring(_ due: Int64) {
    let now = max(now, due)
    if inspect({ $0.earliestAlarm.map { $0 <= now } ?? false }) { ringMachine(now) }
    fireCalls(now)
  }

  private func ringMachine(_ due: Int64) {
    let read = instants
    let instants = Instants(
      continuous: max(read.continuous, due), suspending: read.suspending, wall: read.wall, zone: read.zone,
      chance: read.chance)
    receive { $0.alarm(at: instants) }
  }
}
