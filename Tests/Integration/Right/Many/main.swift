import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let report = await center.send(.didFinishLaunching, LaunchOptions(arguments: []))
print(report.isSuccess, report.tasks.map(\.name.rawValue).last ?? "")  // prints: true App.Task119
