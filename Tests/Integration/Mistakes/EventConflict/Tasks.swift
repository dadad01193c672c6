import TaskKit

struct Order: Sendable {}

extension LifecycleEvent<Order, Void> {
  nonisolated static var orderPlaced: Self { .init("orderPlaced") }
}

extension LifecycleEvent<Int, Void> {
  nonisolated static var orderNumberPlaced: Self { .init("orderPlaced") }
}

@EventTask(event: .orderPlaced)
enum SendReceipt {
  static func run(_ order: Order) {}
}

@EventTask(event: .orderNumberPlaced)  // error: 'orderPlaced'
enum CountOrders {
  static func run(_ number: Int) {}
}
