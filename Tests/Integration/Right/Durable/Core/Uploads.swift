import Foundation
public import TaskKitDurable

// Options whose expressions are the package's own, and all shapes of 'run'.
enum Queues {
  static let network = "network"
}

@DurableTask(
  kind: "upload", queue: Queues.network, priority: .userInitiated, requires: [.network, .unmetered],
  requiresFor: .seconds(3600), attempts: 5, backoff: .exponential(.seconds(1), maximum: .seconds(60)),
  deadline: .seconds(30), unique: .by(\.file, .replace), limit: 2, keyLimit: .by(\.file.host, count: 3))
public struct Upload: Codable, Sendable {
  public var file: URL

  public func run(_ context: DurableContext) async throws {}
}

public enum Mail {
  @DurableTask(kind: "mail.send", attempts: .unlimited, unique: .by { "\($0.receiver.lowercased())/\($0.subject)" })
  struct Send: Codable {
    var receiver: String
    var subject: String

    func run() throws -> Receipt { Receipt(number: 1) }
  }

  struct Receipt: Codable {
    var number: Int
  }

  @DurableTask(kind: "mail.fetch")
  final class Fetch: Codable, Sendable {
    let box: String

    init(box: String) { self.box = box }

    @MainActor func run(_ context: DurableContext) async -> [String: Int] { [box: 1] }
  }
}

#if os(WASI)
@DurableTask(kind: "clean-up")
struct CleanUp: Codable {
  func run() {}
}
#else
@DurableTask(kind: "clean-up", unique: .one())
enum CleanUp: Codable {
  case all, older(than: Date)

  func run() {}
}
#endif
