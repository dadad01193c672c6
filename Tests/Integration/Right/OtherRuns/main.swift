import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
await center.send(.didFinishLaunching, LaunchOptions(arguments: ["one"]))
await center.terminate()

// prints: overloaded for one
// prints: routed, true
// prints: inherited
// prints: of every task
// prints: labelled
// prints: stopped
