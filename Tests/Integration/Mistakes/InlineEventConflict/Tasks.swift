import TaskKit

struct Order: Sendable {}

extension LifecycleEvent<Order, Void> {
  nonisolated static var orderPlaced: Self { .init("orderPlaced") }  // note: the other event 'orderPlaced' is declared here
}

@EventTask(event: .orderPlaced)
enum SendReceipt {
  static func run(_ order: Order) {}
}

// error: event 'orderPlaced' carries 'Int' here and 'Order' in module 'App'; give one of them another name
@EventTask(event: LifecycleEvent<Int, Void>("orderPlaced"))
enum CountOrders {
  static func run(_ number: Int) {}
}

@EventTask(event: LifecycleEvent<[Order], Void>("ordersShipped"))  // note: the other event 'ordersShipped' is declared here
enum ThankBuyers {
  static func run(_ orders: [Order]) {}
}

// error: event 'ordersShipped' carries 'Order' here and '[Order]' in module 'App'; give one of them another name
@EventTask(event: LifecycleEvent<Order, Void>("ordersShipped"))
enum ThankBuyer {
  static func run(_ order: Order) {}
}

// error: event 'ordersShipped' carries 'Array<Order>' here and 'Order' in module 'App'; give one of them another name
@EventTask(event: LifecycleEvent<Array<Order>, ()>("ordersShipped"))
enum CloseBooks {
  static func run(_ orders: [Order]) {}
}

@EventTask(event: LifecycleEvent<String, Void>("openURL"))  // error: event 'openURL' carries 'String' here and 'OpenURLRequest' in TaskKit
enum Open {
  static func run(_ address: String) {}
}
