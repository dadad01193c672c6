import Foundation
import TaskKit

/// Scheduled tasks as types, for the macros and the plugin: what they run is noted in the center's values.
enum ScheduledTasks {
  struct Log: SharedKey {
    typealias Value = Recorder
  }

  @ScheduleTask(every: .seconds(30), count: 3)
  enum ThreeTimes {
    static func run(_ context: TaskContext<ScheduledRun>) { context[Log.self]?.note("ThreeTimes") }
  }

  @ScheduleTask(priority: .high, every: .seconds(60), dependencies: [ThreeTimes.self])
  enum AfterThreeTimes {
    static func run(_ context: TaskContext<ScheduledRun>) async throws { context[Log.self]?.note("AfterThreeTimes") }
  }

  @ScheduleTask(
    at: Date(timeIntervalSince1970: 1_767_225_700), every: .seconds(1000), count: 2, counting: .slots,
    grace: .seconds(60))
  struct Dated {
    func run(_ run: ScheduledRun) -> Int { run.number }
  }

  @ScheduleTask(every: .seconds(10), count: 1)
  enum OneOfTwo {
    static func run(_ context: TaskContext<ScheduledRun>) { context[Log.self]?.note("OneOfTwo") }
  }

  @ScheduleTask(every: .seconds(5), count: 2)
  enum OtherOfTwo {
    static func run(_ context: TaskContext<ScheduledRun>) { context[Log.self]?.note("OtherOfTwo") }
  }

  @ScheduleTask(at: 1_767_225_650)
  enum InSeconds {
    @MainActor static func run() {}
  }

  @ScheduleTask(name: "weekdays", cron: "30 2 * * MON-FRI", timeZone: "Europe/Berlin")
  enum Weekdays {
    static func run(_ context: TaskContext<ScheduledRun>) { context[Log.self]?.note(context.payload.localTime ?? "") }
  }

  @ScheduleTask(daily: "02:30", timeZone: .utc, overlap: .queueOne)
  enum Daily {
    static func run(_ context: TaskContext<ScheduledRun>) { context[Log.self]?.note(context.payload.localTime ?? "") }
  }
}
