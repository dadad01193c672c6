import Exported
import Internal
import Mixed
import Plain
import Private
import Single
import TaskKit

@EventTask(event: .didFinishLaunching, dependencies: [Open.self])
enum Show {
  static func run() { print("app") }
}

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
await center.send(.didFinishLaunching, LaunchOptions(arguments: []))

// prints: open
// prints: exported
// prints: internal
// prints: mixed
// prints: other
// prints: plain
// prints: private
// prints: single
// prints: app
