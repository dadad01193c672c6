import TaskKit

struct Order: Sendable {}

extension LifecycleEvent<Order, Void> {
  nonisolated static var orderPlaced: Self { .init("orderPlaced") }  // note: the other event 'orderPlaced' is declared here
}

extension LifecycleEvent<Int, Void> {
  // error: event 'orderPlaced' carries 'Int' here and 'Order' in module 'App'; give one of them another name
  nonisolated static var orderNumberPlaced: Self { .init("orderPlaced") }
}

@EventTask(event: .orderPlaced)
enum SendReceipt {
  static func run(_ order: Order) {}
}

@EventTask(event: .orderNumberPlaced)
enum CountOrders {
  static func run(_ number: Int) {}
}
