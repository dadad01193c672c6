import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))

func tell(_ report: EventReport) {
  for task in report.tasks where !["App.Prepare", "App.Sketch"].contains(task.name) {
    print("\(task.name): \(task.outcome)")
  }
}

// Switched off, none of them runs, and none has run.
tell(await center.send(.opened, 1))
isOn.withLock { $0 = true }
tell(await center.send(.reopened, 2))
// Each has run once, whatever the event, and is gone but for the one that another needs.
tell(await center.send(.opened, 3))

// What the declarations say besides.
for task in TaskRegistry.generated.registrations where task.lane == .display {
  let rest = [task.timeout == .seconds(60), task.retry.attempts == 2, task.onFailure == .ignore, task.runs == .once]
  print(task.priority.rawValue, task.dependencies, task.after, rest)
}

// prints: on a struct: skipped: disabled
// prints: on an enum: skipped: disabled
// prints: on a class: skipped: disabled
// prints: on an actor: skipped: disabled
// prints: on a struct of the main actor: skipped: disabled
// prints: on an enum of the main actor: skipped: disabled
// prints: on a class of the main actor: skipped: disabled
// prints: on a class of another actor: skipped: disabled
// prints: App.Show: skipped: 'on a struct' did not end well
// prints: on a struct in 2, attempt 1
// prints: on a struct in 2, attempt 2
// prints: shows what the struct returned: 2
// prints: on an enum in 2, attempt 1
// prints: on an enum in 2, attempt 2
// prints: on a class in 2, attempt 1
// prints: on a class in 2, attempt 2
// prints: on an actor in 2, attempt 1
// prints: on an actor in 2, attempt 2
// prints: on a struct of the main actor in 2, attempt 1
// prints: on a struct of the main actor in 2, attempt 2
// prints: on an enum of the main actor in 2, attempt 1
// prints: on an enum of the main actor in 2, attempt 2
// prints: on a class of the main actor in 2, attempt 1
// prints: on a class of the main actor in 2, attempt 2
// prints: on a class of another actor in 2, attempt 1
// prints: on a class of another actor in 2, attempt 2
// prints: on a struct: succeeded
// prints: App.Show: succeeded
// prints: on an enum: succeeded
// prints: on a class: succeeded
// prints: on an actor: succeeded
// prints: on a struct of the main actor: succeeded
// prints: on an enum of the main actor: succeeded
// prints: on a class of the main actor: succeeded
// prints: on a class of another actor: succeeded
// prints: shows what the struct returned: 2
// prints: App.Show: succeeded
// prints: on a struct: skipped: already ran
// prints: 90 [Prepare] [Sketch, Nobody] [true, true, true, true]
// prints: 80 [Prepare] [Sketch, Nobody] [true, true, true, true]
// prints: 70 [Prepare] [Sketch, Nobody] [true, true, true, true]
// prints: 60 [Prepare] [Sketch, Nobody] [true, true, true, true]
// prints: 50 [Prepare] [Sketch, Nobody] [true, true, true, true]
// prints: 40 [Prepare] [Sketch, Nobody] [true, true, true, true]
// prints: 30 [Prepare] [Sketch, Nobody] [true, true, true, true]
// prints: 20 [Prepare] [Sketch, Nobody] [true, true, true, true]
