package import Foundation

extension TaskSchedule {
  /// What a schedule that outlives its processes has to do at a moment.
  package struct Outlook: Sendable, Hashable {
    /// The slots to use now, in their order.
    package fileprivate(set) var due: [Date] = []
    /// How many slots have passed unused, and the latest of them.
    package fileprivate(set) var missed = 0
    package fileprivate(set) var latestMissed: Date?
    /// The latest slot that has passed, used or not: the next look goes on from there.
    package fileprivate(set) var passed: Date?
    /// When to look again; nil for never.
    package fileprivate(set) var next: Date?
    /// The slot behind those that are due, also where these are the last of the count.
    fileprivate var following: Date?

    package init() {}

    /// Uses none of the slots.
    package mutating func skip() {
      guard let latest = due.last else { return }
      missed += due.count
      latestMissed = max(latestMissed ?? latest, latest)
      due = []
      // What was not used is still to come.
      next = next ?? following
    }
  }

  /// Why it can never fire; nil where it can.
  package var impossibility: String? { problem }

  /// What is due, and what was missed, of a schedule whose state is written down.
  ///
  /// Everything is in the calendar's time, the only clock that goes on while no process runs: intervals count from
  /// `begun`, in all processes alike. Whatever is missed is made up for by `missed:`, by ``MissedRuns/latest`` when
  /// omitted, also a date that was past at the beginning.
  ///
  /// A clock that was set back leads to slots that were used before; whoever keeps them knows those.
  ///
  /// - Parameters:
  ///   - begun: when the schedule was first heard of.
  ///   - last: the latest slot that has passed, used or not, or when that was last known; nil for none.
  ///   - used: how many slots were used.
  ///   - zone: that of the machine.
  package func outlook(begun: Date, after last: Date?, used: Int, at now: Date, zone: TimeZone) -> Outlook {
    var outlook = Outlook()
    let (begun, now) = (begun.nanosecondsSince1970, now.nanosecondsSince1970)
    guard problem == nil, count.map({ used < $0 }) ?? true else { return outlook }
    guard let first = firstSlot(after: last.map { min($0.nanosecondsSince1970, now) }, begun: begun, now, zone) else {
      return outlook
    }
    guard first <= now else {
      outlook.next = Date(nanosecondsSince1970: first)
      return outlook
    }
    let state = ScheduleState(onCalendar(from: begun))
    let slots = state.slots(from: first, through: now, zone: zone)
    let isLate = now > slots.latest.later(by: Self.hardlyLate)
    let runs =
      switch missed ?? .latest {
      case .latest: 1
      case .skip: isLate ? 0 : 1
      case .all(let most): min(slots.count, most)
      }
    let left = count.map { $0 - used } ?? .max
    var due = state.slots(min(runs, left), upTo: slots.latest, zone: zone)
    if let allowance { due.removeAll { now > $0.later(by: allowance) } }
    outlook.due = due.map { Date(nanosecondsSince1970: $0) }
    outlook.passed = Date(nanosecondsSince1970: slots.latest)
    outlook.missed = slots.count - due.count
    if outlook.missed > 0 {
      let latest = state.slots(due.count + 1, upTo: slots.latest, zone: zone).first ?? slots.latest
      outlook.latestMissed = Date(nanosecondsSince1970: latest)
    }
    outlook.following = slots.next.map { Date(nanosecondsSince1970: $0) }
    if due.count < left { outlook.next = outlook.following }
    return outlook
  }

  /// How much later than its slot the run of a slot may begin.
  package func jitter(of name: String, host: String, chance: Double) -> Duration {
    switch jitter.kind {
    case .none: return .zero
    case .random:
      // As a double the longest one is more than there is room for, and the chance may be 1.
      return .nanoseconds(Int64(exactly: (chance * Double(jitter.most)).rounded(.down)) ?? jitter.most)
    case .spread:
      let hash = SeededGenerator.mix(Dice.hash(host) ^ Dice.hash(name))
      return .nanoseconds(Int64(Double(hash >> 11) * 0x1p-53 * Double(jitter.most)))
    }
  }

  /// - Parameter last: not after `now`.
  private func firstSlot(after last: Int64?, begun: Int64, _ now: Int64, _ zone: TimeZone) -> Int64? {
    switch storedRule {
    case .interval(let interval):
      // A beginning in the future was written down by a clock that was wrong.
      let last = last ?? min(first == .immediately ? begun.later(by: -1) : begun, now)
      return Self.slot(after: last, from: begun, every: interval)
    case .dated(let date, every: nil): return last.map { $0 < date } ?? true ? date : nil
    case .dated(let date, every: .some(let interval)):
      guard let last, last >= date else { return date }
      return Self.slot(after: last, from: date, every: interval)
    case .calendar(let rule, let own, let policy):
      return rule.next(
        after: Date(nanosecondsSince1970: last ?? min(begun, now)), in: own.zone(ofMachine: zone), clockChanges: policy
      )?.nanosecondsSince1970
    case .none: return nil
    }
  }

  /// The first of the times `origin + n * interval` that is later; nil beyond what can be counted.
  private static func slot(after time: Int64, from origin: Int64, every interval: Int64) -> Int64? {
    if time >= origin {
      // Between a date before the year 1700 and now lies more than a signed number holds.
      let passed = UInt64(bitPattern: time &- origin) / UInt64(interval)
      let (slot, overflows) = (origin &+ Int64(bitPattern: passed &* UInt64(interval)))
        .addingReportingOverflow(interval)
      return overflows ? nil : slot
    }
    let (distance, isFar) = time.subtractingReportingOverflow(origin)
    guard !isFar else { return nil }
    let passed = distance / interval - (distance % interval < 0 ? 1 : 0)
    let (offset, isTooFar) = (passed + 1).multipliedReportingOverflow(by: interval)
    let (slot, overflows) = origin.addingReportingOverflow(offset)
    return isTooFar || overflows ? nil : slot
  }

  /// The same with an interval that counts by the calendar.
  private func onCalendar(from begun: Int64) -> TaskSchedule {
    let rule: Rule
    switch storedRule {
    case .interval(let interval): rule = .dated(begun, every: interval)
    case .dated(let date, every: let interval): rule = .dated(date, every: interval)
    case .calendar, .none: return self
    }
    return TaskSchedule(
      rule: rule, count: count, counting: .runs, first: first, pace: .fixedRate, clock: .continuous, missed: missed,
      grace: nil, overlap: overlap, jitter: .none, tolerance: .zero)
  }

  /// The rule with an interval of whole microseconds, which is what stores keep of a date: a slot in between would come back
  /// from there as a moment before itself, and be due once more.
  private var storedRule: Rule {
    switch rule {
    case .interval(let interval): .interval(Self.wholeMicroseconds(interval))
    case .dated(let date, every: .some(let interval)):
      // The first moment that can be counted is none either.
      .dated(Self.wholeMicroseconds(date), every: Self.wholeMicroseconds(interval))
    case .dated, .calendar, .none: rule
    }
  }

  /// Rounded up, so that no slot comes too early.
  private static func wholeMicroseconds(_ nanoseconds: Int64) -> Int64 {
    let rest = nanoseconds % 1000
    return rest == 0 ? nanoseconds : nanoseconds.later(by: 1000 - rest)
  }
}
