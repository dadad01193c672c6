public import Foundation
public import TaskKit

extension Notification.Name {
  public static let pricesChanged = Notification.Name("pricesChanged")
}

public struct Price: Sendable, Equatable {
  public let cents: Int
}

public enum Prices {
  public static var updates: AsyncStream<Price> {
    AsyncStream { continuation in
      continuation.yield(Price(cents: 1))
      continuation.yield(Price(cents: 2))
      continuation.finish()
    }
  }
}

/// What the tasks write down.
public struct Journal: SharedKey {
  public typealias Value = AsyncStream<String>.Continuation
}

@EventTask(event: .didFinishLaunching)
public enum OpenStore {
  public static func run() -> Int { 5 }
  public static func stop(_ shelves: Int) { print("store closed with \(shelves) shelves") }
}

// Every form of 'run' at a schedule.

@ScheduleTask(every: .seconds(10), count: 2, first: .immediately, dependencies: [OpenStore.self])
public enum Tick {
  public static func run(_ context: TaskContext<ScheduledRun>) -> Int {
    context[Journal.self]?.yield("tick \(context.payload.number)")
    return context.payload.number
  }
}

@ScheduleTask(name: "tock", every: .seconds(10), count: 2, first: .immediately, dependencies: [Tick.self])
struct Tock {
  @MainActor func run(_ context: TaskContext<ScheduledRun>) async throws {
    MainActor.preconditionIsolated()
    context[Journal.self]?.yield("tock after \(try context.output(of: Tick.self))")
  }
}

@ScheduleTask(every: .seconds(10), count: 1, first: .immediately)
actor Count {
  func run(_ run: ScheduledRun) async -> Int { run.number }
}

@ScheduleTask(every: .seconds(10), count: 1, first: .immediately, lane: Lane("disk"))
final class Sweep: Sendable {
  func run() throws {}
}

@ScheduleTask(at: Date(timeIntervalSince1970: 4_102_444_800), every: .seconds(86_400), count: 7)
public struct Celebrate {
  public init() {}
  public func run(_ run: ScheduledRun) async {}
}

// Every form at a notification.

@NotificationTask(.pricesChanged)
public enum Recalculate {
  @MainActor public static func run(_ notification: PostedNotification) -> Int {
    print("recalculate \(notification.value("cents", as: Int.self) ?? 0)")
    return 3
  }
}

@NotificationTask(.pricesChanged, priority: .low)
enum Forget {
  @MainActor static func run() { print("forget") }
}

// Every form at a sequence.

@SequenceTask(Prices.updates)
public enum ShowPrice {
  public static func run(_ context: TaskContext<Price>) { context[Journal.self]?.yield("price \(context.payload.cents)") }
}

@SequenceTask(Prices.updates)
struct KeepPrice {
  static var isEnabled: Bool { true }

  @MainActor func run(_ price: Price) async -> Price { price }
}

@SequenceTask(Prices.updates, name: "count prices", burst: .coalesce)
actor CountPrices {
  func run() {}
}
