import TaskKit
import TaskKitDurable

@ScheduleTask(every: .seconds(30), durable: false)  // error: whether a schedule is durable is known while building
struct NotDurable: Codable {
  func run() {}
}

@ScheduleTask(daily: "25:00", durable: true)  // error: hour '25' is more than 23
struct NoTime: Codable {
  func run() {}
}

@ScheduleTask(every: .seconds(30), durable: true)
struct NoInit: Codable {  // error: each occurrence makes a new 'NoInit', which has no 'init()' in its body
  var name: String
  func run() {}
}
