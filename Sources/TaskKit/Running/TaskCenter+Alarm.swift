import Foundation
import Synchronization

/// How a center waits: one sleeping task a clock for whatever is due next, however much is pending.
///
/// On Linux a thread that all centers share waits instead for what is due on the machine's own continuous clock: see
/// ``AlarmThread``. It lives by what only Linux has, a timer that is set anew while a thread waits for it and that counts
/// while the machine sleeps; what a thread would win elsewhere has not been measured.
extension TaskCenter {
  struct Alarm {
    /// Nil while it rings, too: whoever finds something that is due first sets it then.
    var due: Int64?
    #if os(Linux)
    var bell: AlarmThread.Bell?
    var token: AlarmThread.Token?
    #endif
    var sleeper: AlarmSleeper?
    /// Which of the sleeping tasks is the one that rings; others end.
    var number: UInt64 = 0
  }

  /// What all clocks show now. No lock may be held: the machine's zone is read anew now and then.
  var instants: Instants {
    lookAtZone()
    let zone = time.timeZone()
    let (wall, continuous) = wallAndContinuous()
    return Instants(
      continuous: continuous, suspending: time.suspending.now(), wall: wall,
      // One that follows the machine is equal to itself whatever the machine does.
      zone: TimeZone(identifier: zone.identifier) ?? zone, chance: configuration.chance())
  }

  /// The calendar first: what it shows is no later than the center has lived for by the other clocks.
  ///
  /// Where the thread was stopped between the two, the calendar would seem to have been set back: both are read once more.
  private func wallAndContinuous() -> (wall: Int64, continuous: Int64) {
    var before = now
    for _ in 0..<3 {
      let wall = time.wall().nanosecondsSince1970
      let continuous = now
      if continuous.earlier(by: before) < 10_000_000 { return (wall, continuous) }
      before = continuous
    }
    // So busy a machine is asked again at the next look.
    let wall = time.wall().nanosecondsSince1970
    return (wall, now)
  }

  /// Trusts the machine's zone as long as the calendar's clock, however often something is due meanwhile.
  private func lookAtZone() {
    guard let wallCheck = time.wallCheck?.nanoseconds else { return }
    let (now, looked) = (now, zoneLook.load(ordering: .relaxed))
    guard now >= looked.later(by: wallCheck) else { return }
    // Two that look at the same time do no harm.
    zoneLook.store(now, ordering: .relaxed)
    time.followMachineZone()
  }

  func setAlarms() {
    setContinuousAlarm()
    setSuspendingAlarm()
  }

  func setContinuousAlarm() {
    #if os(Linux)
    if time.continuous.isMachineClock, setBell(keepsWatch: false) { return }
    #endif
    setSleeper(after: nil)
  }

  /// - Parameter number: that of the sleeping task that has rung and looks for what is next.
  /// - Returns: when that task rings again; nil if it is not needed.
  @discardableResult
  private func setSleeper(after number: UInt64?) -> Int64? {
    set(alarm, on: time.continuous, after: number) {
      takeEarliestAlarm()
    } ringing: { center, due, number in
      center.alarm.withLock { if $0.number == number { $0.due = nil } }
      center.ring(due)
      return center.setSleeper(after: number)
    }
  }

  private func takeEarliestAlarm() -> Int64? {
    let run = machine.withLock { $0.earliestAlarm }
    let call = calls.table.withLock { $0.takeEarliest() }
    let companionCall = companionCalls.table.withLock { $0.takeEarliest() }
    guard run != nil || call != nil || companionCall != nil else { return nil }
    return min(run ?? .max, call ?? .max, companionCall ?? .max)
  }

  #if os(Linux)
  /// - Returns: false if there is no such thread.
  private func setBell(keepsWatch: Bool) -> Bool {
    alarm.withLock { alarm in
      let due = takeEarliestAlarm()
      guard alarm.due != due else { return true }
      guard let thread = AlarmThread.shared else { return false }
      let bell =
        alarm.bell
        ?? AlarmThread.Bell { [weak self] due, keepsWatch in self?.ringBell(due, keepsWatch: keepsWatch) }
      alarm.bell = bell
      alarm.due = due
      alarm.token = thread.set(bell, to: due, insteadOf: alarm.token, keepsWatch: keepsWatch)
      return true
    }
  }

  private func ringBell(_ due: Int64, keepsWatch: Bool) {
    // It may have been set to another time meanwhile, and rings then, too.
    alarm.withLock { if $0.due == due { $0.due = nil } }
    ring(due)
    _ = setBell(keepsWatch: keepsWatch)
  }
  #endif

  /// For a center that goes.
  func endAlarms() {
    #if os(Linux)
    if let token = alarm.withLock({ $0.token }) { AlarmThread.shared?.forget(token) }
    #endif
    alarm.withLock { $0.sleeper }?.cancel()
    suspendingAlarm.withLock { $0.sleeper }?.cancel()
  }

  @discardableResult
  private func setSuspendingAlarm(after number: UInt64? = nil) -> Int64? {
    set(suspendingAlarm, on: time.suspending, after: number) {
      machine.withLock { $0.schedules.suspending.earliest }
    } ringing: { center, due, number in
      center.suspendingAlarm.withLock { if $0.number == number { $0.due = nil } }
      center.ringMachine(.min)
      center.setContinuousAlarm()
      return center.setSuspendingAlarm(after: number)
    }
  }

  /// Sets an alarm to what is due first at this moment. Effects of two threads may arrive in any order, so that is asked
  /// again here; neither the machine nor a table of calls ever takes the alarm's lock, so this order of locks is the
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
    if inspect({ $0.earliestAlarm.map { $0 <= now } ?? false }) {
      ringMachine(now)
      setSuspendingAlarm()
    }
    // First: those of users may take long.
    fire(companionCalls, at: now)
    fire(calls, at: now)
  }

  /// Whoever calls sets both alarms anew.
  private func ringMachine(_ due: Int64) {
    let read = instants
    let instants = Instants(
      continuous: max(read.continuous, due), suspending: read.suspending, wall: read.wall, zone: read.zone,
      chance: read.chance)
    rings.add(1, ordering: .relaxed)
    receive { $0.alarm(at: instants) }
    rings.subtract(1, ordering: .releasing)
  }
}
