import TaskKit

@ScheduleTask(daily: "07:00", timeZone: "Europe/Berln")  // warning: the machine knows no time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?
enum Greet {
  static func run() {}
}

@ScheduleTask(daily: "07:00", timeZone: "Middle/Earth")  // warning: the machine knows no time zone 'Middle/Earth'; name one that it knows
enum Report {
  static func run() {}
}

@ScheduleTask(cron: "30 2 * * *", timeZone: "America/New_York")
enum Count {
  static func run() {}
}
