import Arguments
import Foundation
import Presentation
import TaskKit
import TaskKitDurable
import ZoneIndex

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A digest of clocks on its way to a server: it is written down before anybody relies on it, and posted until it has
/// arrived, whatever becomes of the process meanwhile.
@DurableTask(
  kind: "digest", queue: "outbox", attempts: .unlimited,
  backoff: .exponential(.milliseconds(200), maximum: .seconds(60), jitter: 0.5), deadline: .seconds(10),
  unique: .by { "\($0.destination) \($0.instant) \($0.queries)" },
  retention: JobRetention(failed: .seconds(7 * 86_400)))
struct Digest: Codable, Sendable {
  /// Zones, cities and countries.
  let queries: [String]
  /// The Unix time at which the clocks are read.
  let instant: Int64
  let destination: URL

  func run(_ context: DurableContext) async throws {
    // Composed once: what is posted again under the same key is the same, also when the database has changed meanwhile.
    let body = try await context.once("compose") { try await compose(context) }
    var request = URLRequest(url: destination)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    // The server may have had it without our having heard of that. By this it knows.
    request.setValue(context.idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = body
    switch try await (context.center[Postman.self] ?? .http).post(request) {
    case 201: await tell("arrived", context)
    case 200: await tell("had arrived before", context)
    // The server will not take it, however often it is asked.
    case let status where (400..<500).contains(status) && status != 408 && status != 429:
      try context.giveUp(because: Refusal(status: status))
    case let status: throw Refusal(status: status)
    }
  }

  private func compose(_ context: DurableContext) async throws -> Data {
    let answers = await context.center.answers(to: queries, at: instant)
    // A place that is unknown now stays unknown, however often it is asked for.
    guard answers.failures.isEmpty else { try context.giveUp(because: UnknownPlaces(texts: answers.failures)) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(answers.clocks.map(ClockRecord.init))
  }

  private func tell(_ text: String, _ context: DurableContext) async {
    await context.center[Console.self]?.write("digest \(context.id) \(text)")
  }
}

/// The server's answer, where it is not what was hoped for.
struct Refusal: Error, CustomStringConvertible {
  let status: Int

  var description: String { "the server answers \(status)" }
}

/// What a digest should have told cannot be told.
struct UnknownPlaces: Error, CustomStringConvertible {
  let texts: [String]

  var description: String { texts.joined(separator: "\n") }
}
