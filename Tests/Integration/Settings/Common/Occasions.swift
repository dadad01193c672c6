import Core
import TaskKit

// No import of Foundation: a task needs it for none of these.

@NotificationTask("shelfEmpty", burst: .coalesce)
enum Refill {
  @MainActor static func run(_ notification: PostedNotification) { print("refill", notification.keys.count) }
}

@NotificationTask(.doorOpened, name: "greet", priority: .high)
struct Greet {
  @MainActor func run(_ context: TaskContext<PostedNotification>) throws -> Int {
    print("greet")
    return 1
  }
}

@NotificationTask(.doorOpened, dependencies: [Greet.self])
enum Escort {
  @MainActor static func run() throws { print("follow") }
}

@NotificationTask(Shop.closed)
actor Clean {
  func run() async { Done.lines.yield("clean") }
}

@NotificationTask(.ordersChanged, dependencies: [RecountOrders.self])
enum ShowOrders {
  @MainActor static func run() { print("show orders") }
}

@ScheduleTask(every: .seconds(3600), count: 1, first: .immediately)
enum Tick {
  static func run(_ run: ScheduledRun) async { Done.lines.yield("tick \(run.number)") }
}

@ScheduleTask(at: Shop.opening, every: .seconds(86_400), dependencies: [Tick.self])
struct Open {
  static var isEnabled: Bool { true }

  func run(_ context: TaskContext<ScheduledRun>) throws -> Int { context.payload.number }
}

@ScheduleTask(cron: "30 2 * 1 MON-FRI", timeZone: "Europe/Berlin", jitter: .none, timeout: .seconds(60))
final class Bill {
  @MainActor func run() {}
}

@ScheduleTask(daily: "02:30", timeZone: .utc, clockChanges: .once, overlap: .queueOne)
nonisolated enum Sweep {
  @Storage static func run() {}
}

@SequenceTask(Shop.customers)
enum Serve {
  @MainActor static func run(_ customer: Int) async { Done.lines.yield("serve \(customer)") }
}

@SequenceTask(Shop.deliveries, name: "unload", burst: .drop)
enum Unload {
  static func run(_ context: TaskContext<String>) throws { Done.lines.yield("unload \(context.payload)") }
}

@EventTask(event: .didBecomeActive)
enum Light {
  static func run() -> Int { 7 }
  static func stop(_ lamps: Int) { print("lights out", lamps) }
}

@EventTask(event: .didBecomeActive, dependencies: [Light.self])
struct Radio {
  func run() {}
  @MainActor static func stop() async throws { print("silence") }
}
