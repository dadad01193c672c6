import Core
import TaskKit

enum Feed {
  #if DEBUG
  #if os(Linux) || os(macOS)
  @EventTask(event: .didFinishLaunching, dependencies: [OpenWindow.self])
  enum Inspect {
    static func run() { print("inspect") }
  }
  #endif
  #endif
}

#if DEBUG
@EventTask(event: .didFinishLaunching, dependencies: [Show.self])
#else
@EventTask(event: .didFinishLaunching, dependencies: [OpenWindow.self])
#endif
enum Greet {
  static func run() { print("greet") }
}

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let report = await center.send(.didFinishLaunching, LaunchOptions(arguments: []))
print(report.isSuccess)

// prints in debug: trace
// prints in release: measure
// prints: window
// prints: show
// prints in debug: inspect
// prints: greet
// prints: true
