import Foundation

/// What all clocks of a center show at one moment.
struct Instants: Sendable {
  /// Nanoseconds, each since an origin of its own.
  let continuous: Int64
  let suspending: Int64
  /// Nanoseconds since 1970.
  let wall: Int64
  let zone: TimeZone
  /// What jitter is drawn from.
  let chance: Double
}

/// The schedules of a center: which task is due when, and what became of its slots.
struct ScheduleTable {
  /// Which of the clocks a schedule follows.
  enum Line: Sendable {
    case continuous, suspending, wall
  }

  var isStarted = false
  /// When that was, on the continuous clock.
  var startedAt: Int64 = 0
  var states: [Int32: ScheduleState] = [:]
  /// Due on the continuous clock; what follows the calendar too, by the difference of the two clocks.
  var continuous = DueHeap<Int32>()
  var suspending = DueHeap<Int32>()
  /// By how much the calendar's clock was ahead of the continuous one when it was first looked at, or last found to have been
  /// set: all slots are planned by this.
  var wallOffset: Int64?
  var zone: TimeZone?
  /// By task, where another one has left its schedule, until it is planned.
  var inherited: [Int32: ScheduleProgress] = [:]
  /// By task, what a slot is called that was held back while the zone changed: by its own zone. Few at a time have one.
  var namesOfHeldBack: [Int32: (slot: Int64, name: String)] = [:]
  /// How many wait for the calendar's clock, which somebody may set.
  var wallCount = 0
  /// When the calendar's clock was last looked at.
  var lastLook: Int64 = 0
  /// How long it may be trusted before it is looked at again.
  let wallCheck: Int64?
  /// Tells this machine from others, for a jitter that is spread.
  let host: UInt64
  /// How many effects are on their way that will plan something.
  var pendingPlans = 0

  init(wallCheck: Int64?, host: UInt64) {
    self.wallCheck = wallCheck
    self.host = host
  }

  /// When the center has to wake for a schedule on the continuous clock.
  var earliest: Int64? {
    guard let due = continuous.earliest else { return nil }
    guard wallCount > 0, let wallCheck else { return due }
    return min(due, lastLook.later(by: wallCheck))
  }
}

/// How far a schedule has come, for the task that goes on with it in the place of another.
struct ScheduleProgress {
  /// The latest slot that was used or missed, if there was one.
  let last: Int64?
  /// How many slots have passed, but for those in a pause.
  let passed: Int
  /// The slot that was to come or is still held back; nil where none was to come: the count had come to its end, or it was a
  /// single date.
  let next: Int64?
  /// For how long that is held back.
  let delay: Int64
  /// What it is called, if the zone has changed since.
  let name: String?
  /// What was to run and has not begun, in the order of the slots, none after `last`; they are among those that have passed.
  let unbegun: [ScheduledRun]
  /// What a pause has kept, which ends for this task.
  let kept: [KeptSlot]
  /// How many slots were missed that no run has stood for yet.
  let missedSince: Int
}

/// A slot that a pause has kept: one that came in the pause, or one whose run the pause has kept from beginning.
struct KeptSlot {
  let run: ScheduledRun
  /// Until when that may still begin, on the schedule's own clock; nil without a limit, and until that clock has been read.
  var limit: Int64?
  /// Whether the slot passed before the pause, so that it is of the count already.
  var isCounted: Bool
}

/// One scheduled task.
///
/// A class, which never leaves the machine's lock: as a value in a dictionary it would be copied at each look, and the
/// dictionary's free places would be as large as it is.
final class ScheduleState {
  let schedule: TaskSchedule
  /// The timer, if there is one.
  var armed: Armed?
  /// How much later than the slot the timer stands, by jitter and tolerance.
  var delay: Int64 = 0
  /// The latest slot that was used or missed: none at or before it is ever used again.
  var last: Int64?
  /// How many runs have been begun, or are to begin.
  var used = 0
  /// How many of them have begun.
  var begun = 0
  /// How many slots have passed, but for those in a pause.
  var passed = 0
  var missed = 0
  /// Missed since the latest run.
  var missedSince = 0
  /// The occurrences in which it has not ended.
  var going: [UInt64] = []
  /// How many bodies of it run, those that have timed out or were started by hand included.
  var bodies = 0
  /// What runs when those have ended.
  var waiting = Line<ScheduledRun>()
  /// What stays due in a pause, in the order of the slots: the latest, and before it those that may begin longer than all behind
  /// them. One of them is used.
  var kept: [KeptSlot] = []
  /// The plan of an occurrence of this task alone. It stays right until the task itself, or what it waits for, changes.
  var plan: EventPlan?
  /// Whoever starts what waits is at it: what ends meanwhile leaves the next one to that.
  var isStartingWaiting = false
  /// Observers were told what is wrong with the schedule.
  var isProblemTold = false

  /// A timer, and the slot that it stands for, on the schedule's own clock.
  struct Armed {
    let slot: Int64
    let token: DueHeap<Int32>.Token
  }

  init(_ schedule: TaskSchedule) {
    self.schedule = schedule
  }

  var line: ScheduleTable.Line {
    switch schedule.rule {
    case .interval: schedule.clock == .continuous ? .continuous : .suspending
    case .dated, .calendar, .none: .wall
    }
  }

  /// How much of the count is left; nil for one that runs for ever.
  var remaining: Int? { schedule.count.map { $0 - (schedule.counting == .runs ? used : passed) } }

  /// Whether it has runs left.
  var isOpen: Bool { remaining.map { $0 > 0 } ?? true }

  /// How much later than its slot a run may begin; nil without a limit.
  var allowance: Int64? { schedule.allowance?.later(by: delay) }

  /// Whether there is a next slot for certain, though none may be planned yet: one that is counted from the end of a run
  /// is planned a moment after that.
  var hasNext: Bool {
    if case .interval = schedule.rule { isOpen } else { false }
  }

  // MARK: - Slots

  /// Some that follow each other: the latest, how many there are, and the one behind them.
  typealias Slots = (latest: Int64, count: Int, next: Int64?)

  /// The slots from the planned one up to a time: the latest, how many there are, and the one that follows them.
  ///
  /// - Parameter zone: that of the machine.
  func slots(from first: Int64, through now: Int64, zone: TimeZone) -> Slots {
    switch schedule.rule {
    case .interval(let interval) where schedule.pace == .fixedDelay:
      // Where the next one is depends on the end of this one's run, so there is nothing that could be missed.
      return (first, 1, now.later(by: interval))
    case .interval(let interval), .dated(_, every: .some(let interval)):
      // Between a date before the year 1700 and now lies more than a signed number holds.
      let passed = now > first ? UInt64(bitPattern: now &- first) : 0
      let behind = passed / UInt64(interval)
      let latest = first &+ Int64(bitPattern: behind &* UInt64(interval))
      let (next, overflows) = latest.addingReportingOverflow(interval)
      return (latest, Int(min(behind, UInt64(Int32.max) << 24)) + 1, overflows ? nil : next)
    case .dated(_, every: nil):
      return (first, 1, nil)
    case .calendar(let rule, let own, let policy):
      let zone = own.zone(ofMachine: zone)
      let present = Date(nanosecondsSince1970: now)
      // The clock may have been set back since: what has been used is not used again.
      let next = rule.next(
        after: Date(nanosecondsSince1970: max(first, now)), in: zone, clockChanges: policy)?.nanosecondsSince1970
      let later = rule.count(
        after: Date(nanosecondsSince1970: first), through: present, in: zone, clockChanges: policy)
      guard later > 0 else { return (first, 1, next) }
      // Dates are whole seconds: what is due at this very one is before the next.
      let following = Date(timeIntervalSince1970: present.timeIntervalSince1970.rounded(.down) + 1)
      let latest = rule.previous(before: following, in: zone, clockChanges: policy)
      return (latest?.nanosecondsSince1970 ?? first, later + 1, next)
    case .none:
      return (first, 1, nil)
    }
  }

  /// The same without those that come after the end of the count, where it is one of slots.
  func counted(_ slots: Slots, from first: Int64, zone: TimeZone) -> Slots {
    guard schedule.counting == .slots, let remaining, slots.count > max(1, remaining) else { return slots }
    let left = max(1, remaining)
    let latest: Int64
    switch schedule.rule {
    case .interval(let interval), .dated(_, every: .some(let interval)):
      latest = first &+ Int64(left - 1) &* interval
    case .calendar(let rule, let own, let policy):
      let date = rule.date(
        ofNumber: left - 1, after: Date(nanosecondsSince1970: first), through: Date(nanosecondsSince1970: slots.latest),
        in: own.zone(ofMachine: zone), clockChanges: policy)
      latest = date?.nanosecondsSince1970 ?? first
    case .dated(_, every: nil), .none:
      latest = first
    }
    return (latest, left, nil)
  }

  /// The latest of the slots from one up to another, in their order.
  func slots(_ count: Int, upTo latest: Int64, zone: TimeZone) -> [Int64] {
    switch schedule.rule {
    case .interval(let interval), .dated(_, every: .some(let interval)):
      // Between the first and the last lies more than a signed number holds, if the first is before the year 1700.
      return (0..<count).reversed().map { latest &- Int64($0) &* interval }
    case .dated(_, every: nil), .none:
      return Array(repeating: latest, count: min(count, 1))
    case .calendar(let rule, let own, let policy):
      let zone = own.zone(ofMachine: zone)
      let slots = sequence(first: latest) { slot in
        rule.previous(before: Date(nanosecondsSince1970: slot), in: zone, clockChanges: policy)?.nanosecondsSince1970
      }
      return slots.prefix(count).reversed()
    }
  }
}

/// A chance for each schedule out of one that was drawn outside the lock.
struct Dice {
  private var numbers: SeededGenerator

  init(_ chance: Double) {
    numbers = SeededGenerator(seed: chance.bitPattern)
  }

  /// From 0 up to 1.
  mutating func roll() -> Double { Double(numbers.next() >> 11) * 0x1p-53 }

  /// The same for the same text, on every machine and in every process.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
