public import Foundation
import TaskKit

extension Notification.Name {
  nonisolated public static let prices = Notification.Name("PricesChanged")
}

@NotificationTask(.prices, burst: .coalesce)
enum WriteDown {
  static func run() {}
}
