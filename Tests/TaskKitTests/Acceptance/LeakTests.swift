import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// A center that nobody holds, and none of whose tasks runs, goes, and takes everything with it.
@Suite struct LeakTests {
  private final class Captured: Sendable {}

  struct Way: CustomTestStringConvertible {
    let testDescription: String
    let use: @Sendable (TaskCenter) async throws -> Void
  }

  private static let ways: [Way] = [
    Way(testDescription: "never used") { _ in },
    Way(testDescription: "sent") { center in
      await center.send(.alpha)
      await center.send(.beta)
    },
    Way(testDescription: "begun and let go") { center in _ = center.begin(.alpha) },
    Way(testDescription: "begun and cancelled") { center in center.begin(.alpha).cancel() },
    Way(testDescription: "sent from the main actor") { center in
      await MainActor.run { _ = center.begin(.alpha) }
    },
    Way(testDescription: "changed") { center in
      await center.send(.alpha)
      try center.pause("first", missed: .deliver)
      await center.send(.alpha)
      try center.destroy("second", dependents: .detach)
      try center.inject(.event(.alpha, name: "first") { _ in }, replacing: true)
    },
    Way(testDescription: "observed") { center in
      let observer = center.events.makeAsyncIterator()
      await center.send(.alpha)
      withExtendedLifetime(observer) {}
    },
    Way(testDescription: "with a deadline") { center in await center.send(.alpha, deadline: .seconds(3600)) },
  ]

  @Test(arguments: ways, [Int.max, 1])
  func `nothing is left of a center that nobody holds`(way: Way, limit: Int) async throws {
    let clock = VirtualClock()
    weak var center: TaskCenter?
    weak var captured: Captured?
    func use() async throws {
      let value = Captured()
      captured = value
      let used = try TaskCenter.with(
        [
          .event(.alpha, name: "first", timeout: .seconds(60)) { _ in _ = value },
          .event(.alpha, name: "second", dependencies: ["first"], returning: { _ in value }),
          .event(.alpha, name: "main", lane: Lane("lane")) { @MainActor _ in _ = value },
          .event(.alpha, name: "slow", retry: .attempts(2), lane: Lane("lane")) { _ in
            await Task.yield()
            _ = value
          },
          .event(.beta, name: "other", dependencies: ["second"]) { context in _ = context.center },
        ], limit: limit, clock: clock)
      center = used
      try await way.use(used)
    }
    try await use()
    // A worker lets go of its center a moment after the last body has returned.
    for _ in 0..<10_000 where center != nil || captured != nil { await Task.yield() }
    #expect(center == nil)
    #expect(captured == nil)
    for _ in 0..<10_000 where clock.nextDeadline != nil { await Task.yield() }
    #expect(clock.nextDeadline == nil)
  }
}
