import TaskKit

@ScheduleTask(every: .seconds(1), count: 0)  // error: 'count:' is 0, so the task would never run
enum Never {
  static func run() {}
}

// error: 'every' and 'cron' contradict each other
@ScheduleTask(every: .seconds(1), cron: "* * * * *")
enum TwoRules {
  static func run() {}
}

@ScheduleTask(every: .seconds(30))  // note: 'App.Tick' is declared here
enum Tick {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Tick.self])  // error: a schedule
enum Launch {
  static func run() {}
}

@NotificationTask("PricesChanged", dependencies: [Tick.self])  // error: a schedule
enum Recalculate {
  static func run() {}
}

// error: notification 'PricesChanged'
@ScheduleTask(daily: "02:30", dependencies: [Recalculate.self])
enum Report {
  static func run() {}
}

@NotificationTask("StockChanged", dependencies: [Recalculate.self])  // error: notification 'PricesChanged'
enum Recount {
  static func run() {}
}

@SequenceTask(numbers, dependencies: [Tick.self])  // error: a schedule
enum Show {
  static func run(_ number: Int) {}
}

var numbers: AsyncStream<Int> { AsyncStream { $0.finish() } }

// A schedule may need event tasks and schedules.
@EventTask(event: .didBecomeActive)
enum Refresh {
  static func run() {}
}

@ScheduleTask(cron: "*/5 * * * *", dependencies: [Refresh.self, Tick.self])
enum Save {
  static func run() {}
}
