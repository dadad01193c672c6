#if Durable
import Foundation
import Measuring

/// The loop by hand of somebody who keeps values and not bytes: each is encoded before it is written, and decoded when it is
/// claimed, as a center does.
final class ValueLoop: DurableEngine {
  static let name = "C API, values"
  let share = 1.0
  private let loop: HandLoop
  private let job = EmptyJob(text: String(repeating: "a", count: 189))
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()
  private let payload = HandLoop.payload
  /// How many characters were read, so that reading them cannot be left out.
  private var characters = 0

  init(at file: URL) async throws {
    loop = try await HandLoop(at: file)
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  func enqueueInTurn(_ count: Int) throws -> [Double] {
    try (0..<count).map { _ in
      let start = Stopwatch.time
      try enqueue(1)
      return Double(Stopwatch.time - start)
    }
  }

  func enqueue(callers: Int, each: Int) throws -> Double {
    let start = Stopwatch.time
    for _ in 0..<each { try enqueue(callers) }
    return Double(Stopwatch.time - start)
  }

  private func enqueue(_ count: Int) throws {
    // The loop writes the same bytes for each.
    for _ in 0..<count {
      let bytes = try encoder.encode(job)
      precondition(bytes.count == payload.count, "other bytes")
    }
    loop.enqueue(count)
  }

  func work(batch: Int) throws -> Double {
    let start = Stopwatch.time
    var claimed = 0
    repeat {
      claimed = loop.exchange(batch: batch)
      for _ in 0..<claimed { characters += try decoder.decode(EmptyJob.self, from: payload).text.utf8.count }
    } while claimed > 0
    return Double(Stopwatch.time - start)
  }

  func waiting() -> Int { loop.waiting() }

  func close() {}
}
#endif
