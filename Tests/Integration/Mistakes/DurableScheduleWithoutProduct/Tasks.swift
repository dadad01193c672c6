import TaskKit

@ScheduleTask(every: .seconds(30), durable: true)  // error: a durable schedule needs TaskKitDurable, which this file does not import
struct Refresh: Codable {
  func run() {}
}
