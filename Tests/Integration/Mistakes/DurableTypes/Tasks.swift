import TaskKit
import TaskKitDurable

@DurableTask(kind: "generic")
struct Generic<Value: Codable & Sendable>: Codable {  // error: 'Generic' is generic
  func run() {}
}

@DurableTask(kind: "private")
private struct Private: Codable {  // error: 'Private' is private, so the registry in another file cannot see it
  func run() {}
}

@EventTask(event: .idle)  // note: the first annotation is here
@DurableTask(kind: "two")  // error: 'Two' is a task already
struct Two: Codable {
  func run() {}
}

func start() {
  @DurableTask(kind: "local")
  struct Local: Codable {  // error: 'Local' is declared inside a function
    func run() {}
  }
}
