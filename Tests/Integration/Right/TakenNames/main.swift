import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
await center.send(.didFinishLaunching, LaunchOptions(arguments: []))

// prints: prepare
// prints: show
