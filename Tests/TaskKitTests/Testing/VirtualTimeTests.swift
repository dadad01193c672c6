import Foundation
import TaskKit
import TaskKitTesting
import Testing

@Suite struct VirtualTimeTests {
  @Test func `whoever wakes on one of the clocks sees all of them moved`() async throws {
    let time = VirtualTime()
    let start = time.wall
    // Many, so that the first of them look while the last are still being woken.
    let sleepers = (0..<2000).map { _ in
      Task {
        try await time.suspending.sleep(until: .init(offset: .seconds(1)))
        return (time.continuous.now.offset, time.wall.timeIntervalSince(start))
      }
    }
    await time.suspending.waitForSleepers(2000)
    time.advance(by: .seconds(1))
    for sleeper in sleepers {
      let (offset, wall) = try await sleeper.value
      #expect(offset == .seconds(1))
      #expect(wall == 1)
    }
  }
}
