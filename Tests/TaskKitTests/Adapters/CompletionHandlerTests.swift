#if !canImport(Darwin)
import Foundation
import StandInUIKit
import TaskKit
import TaskKitTesting
import Testing

private final class AppDelegate: TaskApplicationDelegate {
  override class var center: TaskCenter { TestCenter.current ?? TaskCenter() }
}

/// Completion handlers are called exactly once, with the merged reply (E14, Ew2, Et2, Et7).
@MainActor
@Suite struct CompletionHandlerTests {
  /// What the handler was called with; a later call would be there as well, once the center is quiet.
  private func results(
    of center: TaskCenter, opening gate: Gate? = nil, meanwhile: @MainActor () async -> Void = {}
  ) async -> [UIBackgroundFetchResult] {
    let results = Recorder()
    TestCenter.$current.withValue(center) {
      AppDelegate().application(
        UIApplication(), performFetchWithCompletionHandler: { results.note("\($0.rawValue)") })
    }
    await meanwhile()
    _ = await results.notes(1)
    gate?.open()
    await center.quiet()
    await Task.yield()
    return results.notes.compactMap { UInt($0).flatMap(UIBackgroundFetchResult.init) }
  }

  private func center(_ replies: [BackgroundFetchResult], clock: VirtualClock = VirtualClock()) throws -> TaskCenter {
    try TaskCenter.with(
      replies.enumerated().map { number, reply in
        .event(
          .performBackgroundFetch, name: TaskName("\(number)"),
          replying: { _ in
            await Task.yield()
            return reply
          })
      }, clock: clock)
  }

  nonisolated private static let merges: [([BackgroundFetchResult], UIBackgroundFetchResult)] = [
    ([], .noData), ([.noData], .noData), ([.failed], .failed), ([.newData], .newData), ([.noData, .failed], .failed),
    ([.failed, .noData, .newData], .newData), ([.newData, .failed], .newData),
  ]

  @Test(arguments: merges)
  func `new data comes before failed, failed before no data, and nobody's answer is no data`(
    _ replies: [BackgroundFetchResult], _ result: UIBackgroundFetchResult
  ) async throws {
    let center = try center(replies)
    #expect(await results(of: center) == [result])
  }

  @Test func `at the deadline it is called with what there is, and who comes later does not count`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try center([.failed], clock: clock)
    try center.inject(
      .event(
        .performBackgroundFetch, name: "late",
        replying: { _ in
          await gate.pass()
          return .newData
        }))
    let results = await results(of: center, opening: gate) {
      await gate.arrivals()
      await clock.step(to: .seconds(25))
    }
    #expect(results == [.failed])
  }

  @Test func `a callback that has to wait for an earlier one is answered at its own deadline`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(
          .performBackgroundFetch, name: "slow",
          replying: { _ in
            await gate.pass()
            return .newData
          })
      ], clock: clock)
    // Somebody else's send, which takes as long as it likes.
    let earlier = center.begin(.performBackgroundFetch)
    let results = await results(of: center, opening: gate) { await clock.step(to: .seconds(25)) }
    #expect(results == [.noData])
    #expect(await earlier.report.isSuccess)
  }

  @Test func `one that has its turn before that is answered then with what there is`() async throws {
    let clock = VirtualClock()
    let (first, late) = (Gate(), Gate())
    let occurrences = Values<Int>()
    let center = try TaskCenter.with(
      [
        .event(
          .performBackgroundFetch, name: "quick",
          replying: { _ in
            await first.pass()
            return .newData
          }),
        .event(
          .performBackgroundFetch, name: "slow the second time", dependencies: ["quick"],
          replying: { _ in
            occurrences.append(1)
            if occurrences.values.count == 2 { await late.pass() }
            return .noData
          }),
      ], clock: clock)
    let earlier = center.begin(.performBackgroundFetch)
    await first.arrivals()
    let results = await results(of: center, opening: late) {
      clock.advance(by: .seconds(20))
      first.open()
      await late.arrivals()
      await clock.step(to: .seconds(25))
    }
    #expect(results == [.newData])
    #expect(await earlier.report.isSuccess)
  }

  @Test func `a handler without a result is called once, when the tasks have ended`() async throws {
    let gate = Gate()
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.handleBackgroundURLSession, name: "task") { context in
        await gate.pass()
        notes.note(context.payload)
      }
    ])
    TestCenter.$current.withValue(center) {
      AppDelegate().application(
        UIApplication(), handleEventsForBackgroundURLSession: "downloads", completionHandler: { notes.note("called") })
    }
    await gate.arrivals()
    #expect(notes.notes == [])
    gate.open()
    #expect(await notes.notes(2) == ["downloads", "called"])
  }

  @Test func `a callback that returns an answer asks everybody and waits for nobody`() throws {
    let gate = Gate()
    let notes = Recorder()
    let center = try TaskCenter.with([
      .event(.openURL, name: "no", replying: { _ in notes.noting("no", false) }),
      .event(.openURL, name: "yes", replying: { _ in notes.noting("yes", true) }),
      .event(.openURL, name: "no again", replying: { _ in notes.noting("no again", false) }),
    ])
    func open() -> Bool {
      TestCenter.$current.withValue(center) {
        AppDelegate().application(UIApplication(), open: .init(filePath: "/"))
      }
    }
    #expect(open())
    #expect(notes.notes == ["no", "yes", "no again"])
    try center.destroy("yes")
    #expect(!open())
    try center.inject(
      .event(
        .openURL, name: "later",
        replying: { _ in
          await gate.pass()
          return false
        }))
    #expect(open(), "whoever is still at it has taken it")
    gate.open()
  }
}

extension Recorder {
  fileprivate func noting<Value>(_ text: String, _ value: Value) -> Value {
    note(text)
    return value
  }
}
#endif
