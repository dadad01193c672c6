public import Foundation

/// When a scheduled task runs: an interval, a date, or a rule of the calendar, with what happens when a slot cannot be
/// kept.
///
/// A *slot* is a time at which the schedule wants to run. Which slots there are depends on nothing but the schedule, the
/// time at which its center was started, and the clock: a slow task or a late thread does not shift the ones that follow.
public struct TaskSchedule: Sendable, Hashable {
  enum Rule: Sendable, Hashable {
    /// Nanoseconds.
    case interval(Int64)
    /// Nanoseconds since 1970, and between the repetitions.
    case dated(Int64, every: Int64?)
    case calendar(CronExpression, ScheduleTimeZone, ClockChangePolicy)
    /// A text that says no rule; `problem` says why.
    case none
  }

  private struct Contents: Sendable, Hashable {
    let rule: Rule
    let count: Int?
    let counting: CountRule
    let first: FirstRun
    let pace: Pace
    let clock: ScheduleClock
    let missed: MissedRuns?
    let grace: Int64?
    let overlap: OverlapPolicy
    let jitter: Jitter
    let tolerance: Int64
    let problem: String?
  }

  /// One place for what a registration, its occasion and the state of the schedule say: it is large, and room for it would
  /// be left in the occasions of all other tasks.
  private final class Shared: Sendable {
    let contents: Contents

    init(_ contents: Contents) { self.contents = contents }
  }

  private let shared: Shared
  private var contents: Contents { _read { yield shared.contents } }

  var rule: Rule { contents.rule }
  /// How often it runs in all; nil is for ever.
  public var count: Int? { contents.count }
  var counting: CountRule { contents.counting }
  var first: FirstRun { contents.first }
  var pace: Pace { contents.pace }
  var clock: ScheduleClock { contents.clock }
  var missed: MissedRuns? { contents.missed }
  /// Nanoseconds.
  var grace: Int64? { contents.grace }
  /// How late a slot may still be used, in nanoseconds; nil without a limit.
  var allowance: Int64? { grace.map { max($0, Self.hardlyLate) } }
  /// What is this late is in time: no timer of a machine goes off at the very nanosecond.
  static let hardlyLate: Int64 = 1_000_000_000
  var overlap: OverlapPolicy { contents.overlap }
  var jitter: Jitter { contents.jitter }
  /// Nanoseconds.
  var tolerance: Int64 { contents.tolerance }
  /// What is wrong with it, for whoever adds it to a center.
  var problem: String? { contents.problem }

  public static func == (one: TaskSchedule, other: TaskSchedule) -> Bool {
    one.shared === other.shared || one.contents == other.contents
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(contents)
  }

  /// Runs at a fixed interval.
  ///
  /// - Parameters:
  ///   - interval: the time between two slots, more than zero; a fraction of a second as well as a year.
  ///   - count: how often it runs in all, at least once; for ever when omitted (R36).
  ///   - counting: whether `count` is of runs or of slots.
  ///   - first: when it runs for the first time: one interval after the center was started, or at once (R38).
  ///   - pace: whether the interval is counted from slot to slot or from the end of a run to the next one.
  ///   - clock: whether the time counts in which the machine sleeps (R49).
  ///   - missed: what happens with slots that passed unused, because the machine slept or the clock was moved; `.latest`
  ///     when omitted.
  ///   - grace: how late a slot may still be used; a later one is missed. However late when omitted.
  ///   - overlap: what happens at a slot while an earlier run is still going.
  ///   - jitter: how much later than its slot a run may start, by chance.
  ///   - tolerance: how much later a run may start so that several share one waking of the processor.
  public init(
    every interval: Duration, count: Int? = nil, counting: CountRule = .runs, first: FirstRun = .afterInterval,
    pace: Pace = .fixedRate,
    clock: ScheduleClock = .continuous, missed: MissedRuns? = nil, grace: Duration? = nil,
    overlap: OverlapPolicy = .skip,
    jitter: Jitter = .none, tolerance: Duration = .zero
  ) {
    self.init(
      rule: .interval(interval.betweenSlots), count: count, counting: counting, first: first, pace: pace, clock: clock,
      missed: missed, grace: grace,
      overlap: overlap, jitter: jitter, tolerance: tolerance)
  }

  /// Runs at a date, and from then on at an interval if there is one.
  ///
  /// A date that was past when the center started is recorded as missed and not run, unless `missed` or `grace` asks for
  /// it; one that passes while the center lives always fires, however late the machine wakes or the task is injected,
  /// unless `grace` says how late is too late. Where it is repeated, and slots behind it have passed with it, it does so as
  /// `missed` says, with one run for all of them where that is `.skip`.
  ///
  /// - Parameters:
  ///   - date: the first slot, in the time of the calendar.
  ///   - interval: the time between this slot and further ones.
  ///   - count: how often it runs in all: once when omitted and there is no interval, for ever when there is one
  ///     (R43, R44).
  ///   - counting: whether `count` is of runs or of slots.
  ///   - missed: what happens with slots that passed unused, a date that was past at the start among them: none of those when omitted,
  ///     and `.latest` for slots that pass later.
  ///   - grace: how late a slot may still be used; a later one is missed. However late when omitted.
  ///   - overlap: what happens at a slot while an earlier run is still going.
  ///   - jitter: how much later than its slot a run may start.
  ///   - tolerance: how much later a run may start so that several share one waking of the processor.
  public init(
    at date: Date, every interval: Duration? = nil, count: Int? = nil, counting: CountRule = .runs,
    missed: MissedRuns? = nil, grace: Duration? = nil,
    overlap: OverlapPolicy = .skip, jitter: Jitter = .none, tolerance: Duration = .zero
  ) {
    self.init(
      rule: .dated(date.nanosecondsSince1970, every: interval?.betweenSlots),
      count: count ?? (interval == nil ? 1 : nil), counting: counting,
      first: .afterInterval, pace: .fixedRate, clock: .continuous, missed: missed, grace: grace, overlap: overlap,
      jitter: jitter,
      tolerance: tolerance)
  }

  /// Runs at a time in seconds since 1970 (R35). See ``init(at:every:count:counting:missed:grace:overlap:jitter:tolerance:)-(Date,_,_,_,_,_,_,_,_)``.
  public init(
    at secondsSince1970: Double, every interval: Duration? = nil, count: Int? = nil, counting: CountRule = .runs,
    missed: MissedRuns? = nil, grace: Duration? = nil,
    overlap: OverlapPolicy = .skip, jitter: Jitter = .none, tolerance: Duration = .zero
  ) {
    self.init(
      at: Date(timeIntervalSince1970: secondsSince1970), every: interval, count: count, counting: counting,
      missed: missed, grace: grace,
      overlap: overlap, jitter: jitter, tolerance: tolerance)
  }

  /// Runs at the times that a cron expression names.
  ///
  /// - Parameters:
  ///   - cron: the expression, as ``CronExpression`` reads it. In an annotation it is checked while compiling.
  ///   - timeZone: whose local time it means. When omitted, that of the center, also after it has changed: the machine's
  ///     zone, unless the center's ``TimeSource`` was given another.
  ///   - count: how often it runs in all, at least once; for ever when omitted.
  ///   - counting: whether `count` is of runs or of slots.
  ///   - clockChanges: what becomes of local times that a change of the clocks skips or repeats.
  ///   - missed: what happens with slots that passed unused; `.latest` when omitted.
  ///   - grace: how late a slot may still be used; a later one is missed. However late when omitted.
  ///   - overlap: what happens at a slot while an earlier run is still going.
  ///   - jitter: how much later than its slot a run may start.
  ///   - tolerance: how much later a run may start so that several share one waking of the processor.
  public init(
    cron: String, timeZone: ScheduleTimeZone = .current, count: Int? = nil, counting: CountRule = .runs,
    clockChanges: ClockChangePolicy = .once,
    missed: MissedRuns? = nil, grace: Duration? = nil, overlap: OverlapPolicy = .skip, jitter: Jitter = .none,
    tolerance: Duration = .zero
  ) {
    let rule = Result { try CronExpression(cron) }
    self.init(
      rule, timeZone: timeZone, count: count, counting: counting, clockChanges: clockChanges, missed: missed,
      grace: grace, overlap: overlap,
      jitter: jitter, tolerance: tolerance)
  }

  /// Runs once a day.
  ///
  /// - Parameters:
  ///   - time: the local time, as in `"02:30"`, as ``DailyTime`` reads it. In an annotation it is checked while compiling.
  ///   - timeZone: whose local time it is. When omitted, that of the center, also after it has changed: the machine's zone,
  ///     unless the center's ``TimeSource`` was given another.
  ///   - count: how often it runs in all, at least once; for ever when omitted.
  ///   - counting: whether `count` is of runs or of slots.
  ///   - clockChanges: what becomes of a time that a change of the clocks skips or repeats.
  ///   - missed: what happens with slots that passed unused; `.latest` when omitted.
  ///   - grace: how late a slot may still be used; a later one is missed. However late when omitted.
  ///   - overlap: what happens at a slot while an earlier run is still going.
  ///   - jitter: how much later than its slot a run may start.
  ///   - tolerance: how much later a run may start so that several share one waking of the processor.
  public init(
    daily time: String, timeZone: ScheduleTimeZone = .current, count: Int? = nil, counting: CountRule = .runs,
    clockChanges: ClockChangePolicy = .once,
    missed: MissedRuns? = nil, grace: Duration? = nil, overlap: OverlapPolicy = .skip, jitter: Jitter = .none,
    tolerance: Duration = .zero
  ) {
    let rule = Result { try DailyTime(time).expression }
    self.init(
      rule, timeZone: timeZone, count: count, counting: counting, clockChanges: clockChanges, missed: missed,
      grace: grace, overlap: overlap,
      jitter: jitter, tolerance: tolerance)
  }

  private init(
    _ expression: Result<CronExpression, any Error>, timeZone: ScheduleTimeZone, count: Int?, counting: CountRule,
    clockChanges: ClockChangePolicy, missed: MissedRuns?, grace: Duration?, overlap: OverlapPolicy, jitter: Jitter,
    tolerance: Duration
  ) {
    switch expression {
    case .success(let expression):
      self.init(
        rule: .calendar(expression, timeZone, clockChanges), count: count, counting: counting, first: .afterInterval,
        pace: .fixedRate,
        clock: .continuous, missed: missed, grace: grace, overlap: overlap, jitter: jitter, tolerance: tolerance,
        problem: timeZone.problem)
    case .failure(let error):
      self.init(
        rule: .none, count: count, counting: counting, first: .afterInterval, pace: .fixedRate, clock: .continuous,
        missed: missed, grace: grace,
        overlap: overlap, jitter: jitter, tolerance: tolerance, problem: "\(error)")
    }
  }

  init(
    rule: Rule, count: Int?, counting: CountRule, first: FirstRun, pace: Pace, clock: ScheduleClock,
    missed: MissedRuns?, grace: Duration?,
    overlap: OverlapPolicy, jitter: Jitter, tolerance: Duration, problem: String? = nil
  ) {
    let problem =
      problem
      ?? Self.problem(
        rule, count: count, counting: counting, pace: pace, missed: missed, grace: grace, jitter: jitter,
        tolerance: tolerance)
      ?? Self.zone(of: rule)?.problem
    shared = Shared(
      Contents(
        rule: rule, count: count, counting: counting, first: first, pace: pace, clock: clock, missed: missed,
        grace: grace?.nanoseconds, overlap: overlap, jitter: jitter, tolerance: tolerance.nanoseconds,
        problem: problem))
  }

  /// The zone that a rule of the calendar names.
  private static func zone(of rule: Rule) -> ScheduleTimeZone? {
    if case .calendar(_, let zone, _) = rule { zone } else { nil }
  }

  /// Whether nothing is wrong with it but that this machine does not know its zone: another one may.
  var lacksZone: Bool { problem != nil && problem == Self.zone(of: rule)?.problem }

  /// The first of its slots, where that is a date: nanoseconds since 1970.
  var date: Int64? {
    if case .dated(let date, every: _) = rule { date } else { nil }
  }

  var isSingleDate: Bool {
    if case .dated(_, every: nil) = rule { true } else { false }
  }

  /// What the macro refuses where it can read it, in its words.
  private static func problem(
    _ rule: Rule, count: Int?, counting: CountRule, pace: Pace, missed: MissedRuns?, grace: Duration?, jitter: Jitter,
    tolerance: Duration
  ) -> String? {
    switch rule {
    case .interval(let interval) where interval <= 0, .dated(_, every: .some(let interval)) where interval <= 0:
      return "an interval of '\(Duration.nanoseconds(interval))' would run the task without a pause; write a longer one"
    case .dated(.max, _):
      return
        "'at:' says no date before the year 2262, in which the counting of a center ends; write seconds since 1970, "
        + "not milliseconds"
    default: break
    }
    if let count, count < 1 {
      return "'count:' is \(count), so the task would never run; write 1 or more, or leave it out"
    }
    if case .dated(_, every: nil) = rule, let count, count > 1 {
      return "a date without an interval is one run, and 'count:' is \(count); add 'every:', or remove 'count:'"
    }
    if count == nil, counting == .slots {
      return "'counting:' says what 'count:' is of, and there is none; add 'count:', or remove 'counting:'"
    }
    if case .all(let most) = missed {
      if most < 1 { return "'.all(max: \(most))' makes up for none of the missed runs; write '.skip', or 1 or more" }
      if pace == .fixedDelay {
        return
          "'missed: .all(max: \(most))' makes up for several slots, and with 'pace: .fixedDelay' there is one at a "
          + "time; remove one of them"
      }
    }
    let durations: [(label: String, Duration?)] = [
      ("grace", grace), ("jitter", .nanoseconds(jitter.most)), ("tolerance", tolerance),
    ]
    for case (let label, let duration?) in durations where duration < .zero {
      return "'\(label):' of '\(duration)' is less than nothing; write '.zero', or more"
    }
    return nil
  }
}

extension Duration {
  /// As an interval, in nanoseconds: one where it is shorter than that, which is no interval of nothing.
  fileprivate var betweenSlots: Int64 { self > .zero ? max(1, nanoseconds) : nanoseconds }
}
