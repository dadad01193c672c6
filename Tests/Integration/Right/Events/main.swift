import Foundation
import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
await center.send(.orderPlaced, Order(number: 7))
print(try await center.output(of: ShipOrder.self))
for number in [7, 11] {
  let report = await center.send(.mayShip, Order(number: number))
  print(report.reply(to: .mayShip) == true)
}
if let url = URL(string: "https://swift.org") {
  let report = await center.send(.openURL, OpenURLRequest(url))
  print(report.reply(to: .openURL) == true)
}
await center.send(.didBecomeActive)
await center.send(LifecycleEvent<Int, Void>("counted"), 3)

// prints: receipt for 7
// prints: ship 7 at orderPlaced
// prints: 14
// prints: abstains
// prints: true
// prints: abstains
// prints: false
// prints: refresh
// prints: true
// prints: refresh
// prints: counted 3
