import TaskKit

// error: there is no day '30' in FEB; write a day that the month has, or 'L' for the last one
// note: it is this part:
@ScheduleTask(cron: "0 0 30 2 *")
enum Never {
  static func run() {}
}

@ScheduleTask(
  priority: .low,
  // error: minute '61' is more than 59
  // error: hour '24' is more than 23
  cron: "61 24 * * MON-FRI",
  timeZone: .utc)
enum TwoMistakes {
  static func run() {}
}

@ScheduleTask(daily: "25:00")  // error: hour '25' is more than 23
enum Late {
  static func run() {}
}

let rule = "0 0 * * *"

@ScheduleTask(cron: rule)  // error: 'cron:' is not a plain string literal, which is checked while compiling
enum Computed {
  static func run() {}
}

@ScheduleTask(every: .seconds(0))  // error: an interval of '.seconds(0)' would run the task without a pause
enum Always {
  static func run() {}
}

@ScheduleTask(every: .seconds(1), timeout: .zero)  // error: a timeout of '.zero' is over before the task starts
enum Hurried {
  static func run() {}
}

@ScheduleTask(every: .seconds(1))
enum Silent {}  // error: 'Silent' has no 'run' for its task

@ScheduleTask(every: .seconds(1))  // error: 'run' has to take the payload of the event
enum WrongPayload {
  static func run(_ notification: PostedNotification) {}
}
