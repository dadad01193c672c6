import TaskKit

let center = TaskCenter(registry: .generated)

struct Database: Sendable {}

struct Server: Sendable {
  init(database: Database) async throws {}
  func close() async throws {}
}

@EventTask(event: .willFinishLaunching)
enum OpenDatabase {
  static func run() -> Database { Database() }
}

struct Order: Sendable {}

struct OrderQueue: Sendable {
  var orders: AsyncStream<Order> { AsyncStream { $0.finish() } }
}

extension LifecycleEvent<Order, Void> {
  nonisolated static var orderPlaced: Self { .init("orderPlaced") }
}
