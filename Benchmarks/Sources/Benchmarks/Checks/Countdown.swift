import Synchronization

/// Something that happens a number of times, and who waits for the last of them.
final class Countdown: Sendable {
  private let left: Atomic<Int>
  private let gate = Gate()

  init(_ times: Int) { left = Atomic(times) }

  func count() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { gate.open() }
  }

  /// Returns when it has happened for the last time.
  func ends() async { await gate.wait() }
}
