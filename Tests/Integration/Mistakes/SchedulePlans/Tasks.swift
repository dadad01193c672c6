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

// error: task 'App.Launch' of 'didFinishLaunching' cannot wait for 'App.Tick', a schedule task; an event task may need event tasks only
@EventTask(event: .didFinishLaunching, dependencies: [Tick.self])
enum Launch {
  static func run() {}
}

// error: task 'App.Recalculate' of notification 'PricesChanged' cannot wait for 'App.Tick', a schedule task
// note: 'App.Recalculate' is declared here
@NotificationTask("PricesChanged", dependencies: [Tick.self])
enum Recalculate {
  static func run() {}
}

// error: schedule task 'App.Report' cannot wait for 'App.Recalculate', a task of notification 'PricesChanged'
@ScheduleTask(daily: "02:30", dependencies: [Recalculate.self])
enum Report {
  static func run() {}
}

// error: task 'App.Recount' of notification 'StockChanged' cannot wait for 'App.Recalculate', a task of notification 'PricesChanged'
@NotificationTask("StockChanged", dependencies: [Recalculate.self])
enum Recount {
  static func run() {}
}

// error: task 'App.Show' of a sequence cannot wait for 'App.Tick', a schedule task; a task of a sequence may need event tasks only
@SequenceTask(numbers, dependencies: [Tick.self])
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
