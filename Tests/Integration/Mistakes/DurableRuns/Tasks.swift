import TaskKit
import TaskKitDurable

@DurableTask(kind: "none")
struct NoRun: Codable {  // error: 'NoRun' has no 'run' for its jobs; declare 'func run(_ context: DurableContext) async throws'
}

@DurableTask(kind: "static")
struct StaticRun: Codable {
  static func run(_ context: DurableContext) {}  // error: 'run' is static, and it is a job, a value of the type, that runs
}

@DurableTask(kind: "mutating")
struct MutatingRun: Codable {
  var count = 0
  mutating func run() { count += 1 }  // error: 'run' is mutating, and what it changes would be lost
}

@DurableTask(kind: "context")
struct OtherContext: Codable {
  func run(_ context: TaskContext<Void>) {}  // error: 'run' takes 'TaskContext<Void>', and a job gets a 'DurableContext'
}

@DurableTask(kind: "never", attempts: 0)  // error: a task is tried at least once, and 'attempts' is 0
struct Never: Codable {
  func run() {}
}

@DurableTask(kind: "actor")
actor Counter {  // error: 'Counter' is an actor, and a job is a value that is written down
  func run() {}
}

@DurableTask(kind: "values")
enum NoValues {  // error: 'NoValues' has no cases, and a job is a value that is written down
  func run() {}
}
