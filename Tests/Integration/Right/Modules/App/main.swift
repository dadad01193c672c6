import Core
import Left
import Right
import TaskKit

func send(_ registry: TaskRegistry) async -> EventReport {
  let center = TaskCenter(registry: registry, configuration: .init(maximumConcurrency: 1))
  return await center.send(.didFinishLaunching, LaunchOptions(arguments: []))
}

@EventTask(event: .didFinishLaunching, dependencies: [OpenStorage.self, Left.Load.self])
enum Show {
  static func run(_ context: TaskContext<LaunchOptions>) throws {
    print("show \(try context.output(of: Left.Load.self))")
  }
}

let report = await send(.generated)
print(report.isSuccess, TaskRegistry.generated.count)

do {
  _ = try TaskRegistry.generated.excluding(OpenStorage.self)
} catch let error as TaskGraphError {
  for problem in error.problems { print(problem.message.prefix { $0 != ";" }) }
}

let withoutRight = try TaskRegistry.generated.excluding(module: "Right")
print(withoutRight.count, await send(withoutRight).isSuccess)

let replaced = try withoutRight.replacing(
  OpenStorage.self, with: .event(.didFinishLaunching, name: "test storage", returning: { _ in "four" }))
print(await send(replaced).isSuccess)

// prints: storage
// prints: internal
// prints: packaged
// prints: left
// prints: right
// prints: advertise
// prints: show 4
// prints: true 7
// prints: 'App.Show' depends on 'Core.OpenStorage'
// prints: 'Left.Left.Load' depends on 'Core.OpenStorage'
// prints: storage
// prints: internal
// prints: packaged
// prints: left
// prints: show 4
// prints: 5 true
// prints: internal
// prints: packaged
// prints: left
// prints: show 4
// prints: true
