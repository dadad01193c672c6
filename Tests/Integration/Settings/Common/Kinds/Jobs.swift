public import TaskKitDurable

@MainActor var counter = 0

// Not on the main actor, so that an annotation can name it under default main-actor isolation.
nonisolated let attempts = JobAttempts(2)

@DurableTask(kind: "upload", requires: [.network], unique: .by(\.name))
struct Upload: Codable, Sendable {
  var name: String

  func run(_ context: DurableContext) async throws -> Int { await MainActor.run { counter } }
}

@DurableTask(kind: "show", attempts: attempts, keyLimit: .by { $0.title })
public struct Show: Codable, Sendable {
  var title: String

  @MainActor public func run(_ context: DurableContext) throws { counter += 1 }
}

enum Nested {
  @DurableTask(kind: "nested", backoff: .own { failures, _ in .seconds(failures) }, unique: .by(\.id, .append))
  final class Job: Codable, Sendable {
    let id: Int

    init(id: Int) { self.id = id }

    nonisolated func run() async {}
  }
}
