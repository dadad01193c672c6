import Foundation
import Store
import TaskKit
import TaskKitTesting

@NotificationTask(.pricesChanged, dependencies: [Recalculate.self])
enum ShowTotals {
  @MainActor static func run(_ context: TaskContext<PostedNotification>) throws {
    print("totals \(try context.output(of: Recalculate.self))")
  }
}

@ScheduleTask(cron: "30 2 * * *", timeZone: .utc, dependencies: [Tick.self])
enum Report {
  static func run(_ context: TaskContext<ScheduledRun>) throws {
    context[Journal.self]?.yield("report of \(context.payload.localTime ?? "")")
  }
}

@ScheduleTask(daily: "12:00", timeZone: .utc)
struct Ring {
  func run(_ context: TaskContext<ScheduledRun>) async throws -> Int {
    context[Journal.self]?.yield("noon")
    return 12
  }
}

let time = VirtualTime(wall: Date(timeIntervalSince1970: 1_767_225_600))
let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1), time: time.source)
let (lines, journal) = AsyncStream.makeStream(of: String.self)
center[Journal.self] = journal
print(await center.send(.didFinishLaunching, LaunchOptions(arguments: [])).isSuccess)
center.start()
await time.advance(by: .seconds(86_400), driving: center)
// The sequence is no clock's: its elements come when they come.
var told: [String] = []
for await line in lines {
  told.append(line)
  if told.contains("price 1"), told.contains("price 2") { break }
}
NotificationCenter.default.post(name: .pricesChanged, object: nil, userInfo: ["cents": 7])
// One at a time: what runs at the post waits for what is still running.
await time.advance(by: .zero, driving: center)
print(await center.terminate().isSuccess)
journal.finish()
for await line in lines { told.append(line) }
for line in told.sorted() { print(line) }

// prints: true
// prints: recalculate 7
// prints: totals 3
// prints: forget
// prints: store closed with 5 shelves
// prints: true
// prints: noon
// prints: price 1
// prints: price 2
// prints: report of 2026-01-01T02:30:00
// prints: tick 1
// prints: tick 2
// prints: tock after 1
// prints: tock after 2
