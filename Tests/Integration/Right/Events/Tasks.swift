import Foundation
import TaskKit

struct Order: Sendable {
  var number: Int
}

extension LifecycleEvent<Order, Void> {
  nonisolated static var orderPlaced: Self { .init("orderPlaced") }
}

extension LifecycleEvent where Payload == Order, Reply == Bool {
  nonisolated static var mayShip: Self { .init("mayShip", reply: .all) }
}

@EventTask(event: .orderPlaced)
enum PrintReceipt {
  static func run(_ order: Order) { print("receipt for \(order.number)") }
}

@EventTask(event: .orderPlaced, dependencies: [PrintReceipt.self])
struct ShipOrder {
  func run(_ context: TaskContext<Order>) async throws -> Int {
    print("ship \(context.payload.number) at \(context.event)")
    return context.payload.number * 2
  }
}

@EventTask(event: .mayShip)
enum IsInStock {
  static func run(_ order: Order) -> Bool { order.number < 10 }
}

@EventTask(event: .mayShip)
enum IsPaid {
  static func run() async -> Bool { true }
}

@EventTask(event: .mayShip)
enum Abstains {
  static func run() { print("abstains") }
}

@EventTask(event: .openURL)
enum OpenLink {
  static func run(_ request: OpenURLRequest) -> Bool { request.url.scheme == "https" }
}

@EventTask(events: .didBecomeActive, .significantTimeChange, .openURL)
enum RefreshClock {
  static func run() { print("refresh") }
}

@EventTask(event: LifecycleEvent<Int, Void>("counted"))
enum Count {
  static func run(_ number: Int) { print("counted \(number)") }
}
