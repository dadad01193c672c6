import TaskKit

let center = TaskCenter(registry: .generated)

struct Database: Sendable {}

@EventTask(event: .didBecomeActive, timeout: .seconds(5))
enum RefreshFeed {
  static func run() async throws {}
}

@EventTask(event: .didBecomeActive)
enum OpenDatabase {
  static func run() -> Database { Database() }
}

@EventTask(event: .didBecomeActive, dependencies: [OpenDatabase.self])
enum CountRows {
  static func run() -> Int { 0 }
}

@ScheduleTask(daily: "02:30", timeZone: .utc)
enum CleanUp {
  static func run() {}
}
