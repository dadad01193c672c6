public import Foundation
public import TaskKit

public struct Order: Sendable {
  public let number: Int

  public init(number: Int) {
    self.number = number
  }
}

extension LifecycleEvent<Order, Void> {
  public nonisolated static var orderPlaced: Self { .init("orderPlaced") }
}

@EventTask(event: .didFinishLaunching)
public enum OpenDatabase {
  public static func run() -> [String] { ["row"] }
}

@EventTask(event: .orderPlaced)
public struct CountOrder {
  public init() {}

  public func run(_ order: Order) async throws -> Int { order.number }
}

extension Order {
  @EventTask(event: .orderPlaced, dependencies: [CountOrder.self], timeout: .seconds(60), retry: .attempts(3))
  public final class Ship {
    public init() {}

    public func run(_ context: TaskContext<Order>) throws {
      print("ship \(try context.output(of: CountOrder.self))")
    }
  }
}

extension Notification.Name {
  public nonisolated static let ordersChanged = Notification.Name("ordersChanged")
}

@NotificationTask(.ordersChanged)
public enum RecountOrders {
  @MainActor public static func run(_ notification: PostedNotification) -> Int { 1 }
}

@ScheduleTask(at: 4_102_444_800)
public enum Celebrate2100 {
  public static func run(_ run: ScheduledRun) {}
}
