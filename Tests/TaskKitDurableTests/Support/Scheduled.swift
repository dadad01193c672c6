import Foundation
import TaskKit
import TaskKitDurable

/// When the jobs of a ``Scheduled`` are made.
protocol SlotRule: Sendable {
  static var schedule: TaskSchedule { get }
}

/// A job that notes for which slot it was made.
struct Scheduled<Rule: SlotRule>: DurableTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "\(Rule.self)", type: Self.self, collected: (), at: ("Tests/\(Rule.self).swift", 1, 1),
      options: JobOptions(backoff: .none), schedule: JobSchedule(__schedule: Rule.schedule, job: { Self() }),
      run: { _, context in
        let slot = context.occurrence.map { $0.date.formatted(.iso8601) } ?? "by hand"
        context.center[Probe.Key.self]?.note(slot)
      })
  }
}

enum Hourly: SlotRule { static let schedule = TaskSchedule(every: .seconds(3600)) }
enum HourlyAtOnce: SlotRule { static let schedule = TaskSchedule(every: .seconds(3600), first: .immediately) }
enum HourlySkipping: SlotRule { static let schedule = TaskSchedule(every: .seconds(3600), missed: .skip) }
enum HourlyAll: SlotRule { static let schedule = TaskSchedule(every: .seconds(3600), missed: .all(max: 3)) }
enum ThreeTimes: SlotRule { static let schedule = TaskSchedule(every: .seconds(3600), count: 3) }
/// A seventh of an hour.
enum Sevenths: SlotRule { static let schedule = TaskSchedule(every: .nanoseconds(514_285_714_285)) }
enum ThreeSevenths: SlotRule { static let schedule = TaskSchedule(every: .nanoseconds(514_285_714_285), count: 3) }
enum Spread: SlotRule {
  static let schedule = TaskSchedule(every: .seconds(3600), jitter: .random(upTo: .seconds(600)))
}
enum Someday: SlotRule {
  static let schedule = TaskSchedule(every: .seconds(3600), jitter: .random(upTo: .seconds(Int64.max)))
}
enum DailyInBerlin: SlotRule { static let schedule = TaskSchedule(daily: "02:30", timeZone: "Europe/Berlin") }
enum DailyLocal: SlotRule { static let schedule = TaskSchedule(daily: "12:00") }
enum OnMars: SlotRule { static let schedule = TaskSchedule(daily: "12:00", timeZone: "Mars/Olympus") }
enum NewYear: SlotRule {
  static let schedule = TaskSchedule(at: Date(timeIntervalSince1970: 1_767_225_600 - 86400))
}
