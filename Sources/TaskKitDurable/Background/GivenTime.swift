import Synchronization

/// Time that is given back once: when the work is done, or when it is over.
final class GivenTime: Sendable {
  private let time: any BackgroundTime
  private let isGivenBack = Atomic(false)

  init(_ time: any BackgroundTime) { self.time = time }

  func whenExpired(_ body: @escaping @Sendable () -> Void) { time.whenExpired(body) }

  func giveBack(success: Bool) {
    if !isGivenBack.exchange(true, ordering: .acquiringAndReleasing) { time.complete(success: success) }
  }
}
