// settings: .defaultIsolation(MainActor.self), .swiftLanguageMode(.v5)
public import TaskKitDurable

@MainActor var counter = 0

@DurableTask(kind: "main5.upload", requires: [.network], unique: .by(\.name))
struct Upload: Codable, Sendable {
  var name: String

  func run(_ context: DurableContext) async throws -> Int { await MainActor.run { counter } }
}

@DurableTask(kind: "main5.show", keyLimit: .by { $0.title })
public struct Show: Codable, Sendable {
  var title: String

  @MainActor public func run(_ context: DurableContext) throws { counter += 1 }
}

enum Nested {
  @DurableTask(kind: "main5.nested", backoff: .own { failures, _ in .seconds(failures) }, unique: .by(\.id, .append))
  final class Job: Codable, Sendable {
    let id: Int

    init(id: Int) { self.id = id }

    nonisolated func run() async {}
  }
}
