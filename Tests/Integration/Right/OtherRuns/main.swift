import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
await center.send(.didFinishLaunching, LaunchOptions(arguments: ["one"]))

// prints: overloaded for one
// prints: routed, true
// prints: inherited
// prints: of every task
