import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let report = await center.send(.didFinishLaunching, LaunchOptions(arguments: ["one"]))
for task in report.tasks where !task.outcome.isSuccess { print("\(task.name): \(task.outcome)") }
print(try await center.output(of: WithContext.self))
for name in TaskRegistry.generated.registrations.map(\.name).sorted() { print(name) }

// prints: static of enum
// prints: instance of struct 1
// prints: mutating struct 2
// prints: instance of class ["one"]
// prints: instance of actor 1
// prints: context of App.WithContext with 1
// prints: on the main actor
// prints: without a number
// prints: nested in an extension
// prints: nested twice
// prints: with an escaped name
// prints: attempt 1
// prints: attempt 2
// prints: App.Disabled: skipped: disabled
// prints: output
// prints: App.Disabled
// prints: App.Feed.Images.Load
// prints: App.Feed.Page.default
// prints: App.Feed.Refresh
// prints: App.InstanceOfActor
// prints: App.InstanceOfClass
// prints: App.InstanceOfStruct
// prints: App.MutatingStruct
// prints: App.OfTwoInitialisers
// prints: App.OnMainActor
// prints: App.StaticOfEnum
// prints: App.WithContext
// prints: with every option
