// settings: .defaultIsolation(MainActor.self)
import Foundation
import TaskKit

// An annotation is read on no actor: what it names has to be nonisolated, as the last one is.
enum Shop {
  static let closed = Notification.Name("closed")
  static let opening = Date(timeIntervalSince1970: 4_102_444_800)
  static var customers: AsyncStream<Int> { AsyncStream { $0.finish() } }
  nonisolated static let opened = Notification.Name("opened")
}

@NotificationTask(Shop.closed)  // error: main actor-isolated static property 'closed' can not be referenced
enum Clean {
  static func run() {}
}

@ScheduleTask(at: Shop.opening)  // error: main actor-isolated static property 'opening' can not be referenced
enum Open {
  static func run() {}
}

@SequenceTask(Shop.customers)  // error: main actor-isolated static property 'customers' can not be referenced
enum Serve {
  static func run(_ customer: Int) {}
}

@NotificationTask(Shop.opened)
enum Greet {
  static func run() {}
}
