import Foundation
import Store
import TaskKit
import TaskKitTesting
import Testing

@ScheduleTask(every: .seconds(60), count: 2, dependencies: [Tick.self], after: ["tock"])
enum Check {
  static func run() {}
}

@NotificationTask(.pricesChanged, after: ["Store.Forget"])
struct Listen {
  func run(_ notification: PostedNotification) -> Int { 1 }
}

@SequenceTask(Prices.updates)
enum Read {
  static func run(_ price: Price) {}
}

@Test func `a test target has occasions of its own`() async throws {
  let time = VirtualTime()
  let center = TaskCenter(registry: .generated, time: time.source)
  // What the first schedule needs.
  #expect(await center.send(.didFinishLaunching, LaunchOptions(arguments: [])).isSuccess)
  center.start()
  await time.advance(by: .seconds(600), driving: center)
  #expect(try center.schedule(of: Check.self).runs == 2)
  #expect(try center.schedule(of: "tock").runs == 2)
}
