import Synchronization
import TaskKit
import TaskKitTesting

/// A virtual clock that lets something else happen between a reading and whatever comes of it, as another thread would that
/// is faster.
final class InterruptedClock: Clock, Sendable {
  typealias Instant = VirtualClock.Instant

  private let clock = VirtualClock()
  private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

  var now: Instant {
    let now = clock.now
    let interruption = interruption.withLock { interruption in
      defer { interruption = nil }
      return interruption
    }
    interruption?()
    return now
  }

  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }

  func advance(by duration: Duration) { clock.advance(by: duration) }

  /// Lets something happen after the next reading, before whoever reads goes on.
  func afterNextReading(_ interruption: @escaping @Sendable () -> Void) {
    self.interruption.withLock { $0 = interruption }
  }
}

extension TimeSource {
  static func interrupted(_ clock: InterruptedClock) -> TimeSource {
    TimeSource(continuous: clock, suspending: clock)
  }
}
