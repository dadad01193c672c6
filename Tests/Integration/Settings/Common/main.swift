import Core
import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let report = await center.send(.didFinishLaunching, LaunchOptions(arguments: ["one"]))
await center.send(.orderPlaced, Order(number: 7))
await center.send(.didBecomeActive)
await center.send(.willTerminate)
let forms = await center.send(.counted, 7)
print(report.isSuccess, forms.isSuccess, forms.tasks.count)

// prints: show 1
// prints: ping 1
// prints: ship 7
// prints: refresh
// prints: inner
// prints: save
// prints: true true 36
