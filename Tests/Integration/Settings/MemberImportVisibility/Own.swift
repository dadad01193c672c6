// settings: .enableUpcomingFeature("MemberImportVisibility")
import Core
import TaskKit

@EventTask(event: .orderPlaced, dependencies: [Order.Ship.self])
enum Celebrate {
  static func run(_ order: Order) {}
}
