import Foundation
import TaskKit

let center = TaskCenter(registry: .generated)

final class Shop: Sendable {
  static let main = Shop(title: "Main street")

  let title: String

  init(title: String) {
    self.title = title
  }
}

extension Notification.Name {
  static let pricesChanged = Notification.Name("PricesChanged")
}

struct Price: Sendable {
  var amount: Int
}

enum Prices {
  static var updates: some AsyncSequence<Price, Never> { AsyncStream { $0.finish() } }
}
