import TaskKit
import TaskKitDurable

@ScheduleTask(every: .seconds(30), overlap: .skip, durable: true)  // error: 'overlap' is no option of a durable schedule: each occurrence is a job of its own
struct Overlapping: Codable {
  func run() {}
}

@ScheduleTask(
  daily: "02:30", counting: .slots,  // error: 'counting' is no option of a durable schedule: 'count' is of the jobs that are made
  durable: true,
  keyLimit: .by(\.account),  // error: 'keyLimit' is no option of a durable schedule: its jobs are all alike
  parentFailure: .ignore)  // error: 'parentFailure' is no option of a durable schedule: its jobs have no parents
struct Limited: Codable {
  var account = ""

  func run() {}
}

@ScheduleTask(cron: "0 * * * *", durable: true, timeout: .seconds(5))  // error: 'timeout' is no option of a durable schedule: how long an attempt may take is its 'deadline'
struct Timed: Codable {
  func run() {}
}
