import Foundation
import Synchronization

/// How a center waits: one sleeping task a clock for whatever is due next, however much is pending.
extension TaskCenter {
  struct Alarm {
    var due: Int64?
    var task: _Concurrency.Task<Void, Never>?
  }

  /// What all clocks show now.
  var instants: Instants {
    Instants(
      continuous: now, suspending: time.suspending.now(), wall: time.wall().nanosecondsSince1970, zone: time.timeZone(),
      chance: configuration.chance())
  }

  func setAlarms() {
    set(alarm, on: time.continuous) {
      $0.earliestAlarm
    } ringing: { center, due in
      center.alarm.withLock { if $0.due == due { $0 = Alarm() } }
      center.ring(due)
    }
    set(suspendingAlarm, on: time.suspending) {
      $0.schedules.suspending.earliest
    } ringing: { center, due in
      center.suspendingAlarm.withLock { if $0.due == due { $0 = Alarm() } }
      center.ring(.min)
    }
  }

  /// Sets an alarm to what is due first at this moment. Effects of two threads may arrive in any order, so that is asked
  /// again here; the machine never takes the alarm's lock, so this order of the two locks is the only one.
  ///
  /// The sleeping task does not hold the center: one that nobody uses any more ends with its schedules.
  private func set(
    _ alarm: borrowing Mutex<Alarm>, on timeline: TimeSource.Timeline,
    earliest: (borrowing CenterMachine) -> Int64?, ringing ring: @escaping @Sendable (TaskCenter, Int64) -> Void
  ) {
    let obsolete = alarm.withLock { alarm -> _Concurrency.Task<Void, Never>? in
      let due = machine.withLock { earliest($0) }
      guard alarm.due != due else { return nil }
      let old = alarm.task
      alarm.due = due
      alarm.task = due.map { due in
        // Ended by ringing, or by the cancellation when another time is set or the center goes.
        _Concurrency.Task { [weak self] in
          do { try await timeline.sleep(due) } catch { return }
          if let self { ring(self, due) }
        }
      }
      return old
    }
    obsolete?.cancel()
  }

  /// - Parameter due: what the continuous clock shows at least.
  private func ring(_ due: Int64) {
    let read = instants
    let instants = Instants(
      continuous: max(read.continuous, due), suspending: read.suspending, wall: read.wall, zone: read.zone,
      chance: read.chance)
    receive { $0.alarm(at: instants) }
  }
}
