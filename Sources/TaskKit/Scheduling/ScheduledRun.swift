public import Foundation
import Synchronization

/// What a scheduled task gets to see of the slot that it runs for.
public struct ScheduledRun: Sendable, Hashable {
  /// The time of the slot: the run itself begins later, by jitter, load, or the sleep of the machine.
  public let scheduledFor: Date

  /// Which run of the schedule in this center it is, counted from 1. A run by hand is not counted, and has the number of the
  /// next one.
  public let number: Int

  /// The local time that a rule of the calendar names, and what tells this slot from all others of the rule, also where
  /// clocks are set back: see ``ScheduledInstant/identity``. Nil for intervals and dates.
  public let localTime: String?

  /// How many slots were missed since the run before; this one stands for them as well.
  public let missed: Int

  /// A run by hand, with ``TaskCenter/run(_:)-(TaskName)``.
  public let isManual: Bool

  /// The slot on the schedule's own clock: the calendar may have been set between two slots of an interval, and its dates do
  /// not tell then which of them is the later. Nothing in a run by hand.
  let slot: Int64

  init(
    scheduledFor: Date, slot: Int64 = 0, number: Int = 0, missed: Int, localTime: String? = nil, isManual: Bool = false
  ) {
    self.scheduledFor = scheduledFor
    self.slot = slot
    self.number = number
    self.missed = missed
    self.localTime = localTime
    self.isManual = isManual
  }

  /// Whether it has its number: it gets that when it begins.
  var isNumbered: Bool { number > 0 }

  /// The same slot, in another place of the count, or standing for others.
  func counted(as number: Int? = nil, missed: Int? = nil) -> ScheduledRun {
    ScheduledRun(
      scheduledFor: scheduledFor, slot: slot, number: number ?? self.number, missed: missed ?? self.missed,
      localTime: localTime, isManual: isManual)
  }
}

/// The payload of an occurrence of schedules: what each of the tasks that are due together is told.
///
/// One place for all who hold it: as a value it would be copied whole for each body that begins, since others still read it.
/// Written under the lock of the center alone, for each run once and before its body begins; bodies read it without that
/// lock, and nothing else is locked in here.
final class ScheduledRuns: Sendable {
  private let runs: Mutex<[Int32: ScheduledRun]>

  init(_ runs: [Int32: ScheduledRun]) { self.runs = Mutex(runs) }

  subscript(task: Int32) -> ScheduledRun? { runs.withLock { $0[task] } }

  /// Gives a run its number, which it has from its beginning on.
  func number(_ task: Int32, _ number: Int) {
    runs.withLock { $0[task] = $0[task]?.counted(as: number) }
  }
}

extension LifecycleEvent where Payload == ScheduledRun, Reply == Void {
  /// The occasion of a scheduled task. For the macros' output only.
  public nonisolated static func __scheduled(_ schedule: TaskSchedule) -> Self {
    Self(EventDescription(.schedule, burst: .queue, reply: nil, trigger: .schedule(schedule)))
  }
}

extension EventIdentity {
  /// All schedules are one event: tasks that are due at the same time take part in one occurrence of it, by dependency
  /// and priority. Nobody can send it.
  static let schedule = EventIdentity(name: "@ScheduleTask", payload: ScheduledRun.self, reply: nil, isOnce: false)
}
