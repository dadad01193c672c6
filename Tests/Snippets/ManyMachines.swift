import TaskKitDurable

@DurableTask(kind: "receipt")
struct SendReceipt: Codable, Sendable {
  var order: Int

  func run() async throws {}
}
