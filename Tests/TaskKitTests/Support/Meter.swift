import Synchronization

/// Counts how many bodies are inside at the same time.
final class Meter: Sendable {
  private let counts = Mutex((inside: 0, maximum: 0))

  /// The most that were ever inside together.
  var maximum: Int { counts.withLock { $0.maximum } }
  var inside: Int { counts.withLock { $0.inside } }

  func enter() {
    counts.withLock { counts in
      counts.inside += 1
      counts.maximum = max(counts.maximum, counts.inside)
    }
  }

  func leave() { counts.withLock { $0.inside -= 1 } }
}
