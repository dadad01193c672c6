import TaskKit

@ScheduleTask  // error: '@ScheduleTask' does not say when; add 'every:', 'at:', 'cron:' or 'daily:'
enum Unplanned {
  static func run() {}
}

@ScheduleTask(count: 3)  // error: '@ScheduleTask' does not say when
enum Counted {
  static func run() {}
}

@NotificationTask  // error: '@NotificationTask' names no notification; write its name first
enum Silent {
  static func run() {}
}

@NotificationTask(burst: .drop)  // error: '@NotificationTask' names no notification
enum Unheard {
  static func run() {}
}

@SequenceTask  // error: '@SequenceTask' names no sequence; write it first
enum Nothing {
  static func run() {}
}

@SequenceTask(name: "numbers")  // error: '@SequenceTask' names no sequence
enum Named {
  static func run() {}
}
