import Core
import Foundation
import Kinds
import Screens
import TaskKit
import TaskKitDurable

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let report = await center.send(.didFinishLaunching, LaunchOptions(arguments: ["one"]))
await center.send(.orderPlaced, Order(number: 7))
await center.send(.didBecomeActive)
print(await center.send(.openURL, OpenURLRequest(URL(string: "x:")!)).reply(to: .openURL) ?? false)
print(await center.send(.didEnterBackground).isSuccess)
await center.send(.willTerminate)
let forms = await center.send(.counted, 7)
print(report.isSuccess, forms.isSuccess, forms.tasks.count)

center.start()
Shop.arrivals.yield(1)
var done: Set<String> = []
for await line in Done.stream {
  done.insert(line)
  if done.count == 3 { break }
}
print(done.sorted())
// A body that says it is done still has the only turn until it returns. An event's tasks come after it.
await center.send(.counted, 7)
// On the main actor what is synchronous runs before the poster goes on.
NotificationCenter.default.post(name: Notification.Name("shelfEmpty"), object: nil)
NotificationCenter.default.post(name: .doorOpened, object: nil)
NotificationCenter.default.post(name: .ordersChanged, object: nil)
print("posted")
NotificationCenter.default.post(name: Shop.closed, object: nil)
for await line in Done.stream {
  print(line)
  break
}
print(await center.terminate().isSuccess)
print(TaskRegistry.generated.kinds.map(\.kind))

// prints: show 1
// prints: ping 1
// prints: ship 7
// prints: screen
// prints: refresh
// prints: inner
// prints: refresh
// prints: true
// prints: true
// prints: save
// prints: true true 36
// prints: ["serve 1", "tick 1", "unload bread"]
// prints: refill 0
// prints: greet
// prints: follow
// prints: show orders
// prints: posted
// prints: clean
// prints: save
// prints: silence
// prints: lights out 7
// prints: true
// prints: ["upload", "show", "nested"]
