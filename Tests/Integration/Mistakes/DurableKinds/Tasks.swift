import TaskKitDurable

let name = "upload"

@DurableTask(queue: "network")  // error: '@DurableTask' does not say by which name its jobs are stored, for years; add 'kind:'
struct Without: Codable {
  func run() {}
}

@DurableTask(kind: "")  // error: 'kind:' is empty, and it is the name by which jobs are stored
struct Empty: Codable {
  func run() {}
}

@DurableTask(kind: name)  // error: 'kind:' is not a plain string literal
struct Computed: Codable {
  func run() {}
}
