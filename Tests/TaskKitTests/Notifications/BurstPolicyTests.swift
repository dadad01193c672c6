import TaskKit
import TaskKitTesting
import Testing

/// What a send does while an earlier one is running: the policies that came with notifications.
@Suite struct BurstPolicyTests {
  private static let replaced = LifecycleEvent<Int, Void>("replaced", burst: .replace)
  private static let debounced = LifecycleEvent<Int, Void>("debounced", burst: .debounce(.seconds(5)))

  @Test func `replace cancels what runs, and the newest of those that come meanwhile runs after it`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(Self.replaced, name: "work") { context in
        recorder.note("begin \(context.payload)")
        do { try await gate.passUnlessCancelled() } catch { recorder.note("cancelled \(context.payload)") }
      }
    ])
    let first = center.begin(Self.replaced, 1)
    await gate.arrivals()
    let second = center.begin(Self.replaced, 2)
    #expect(await recorder.notes(3) == ["begin 1", "cancelled 1", "begin 2"])
    #expect(await first.report.status == .cancelled)
    gate.open()
    #expect(await second.report.status == .completed)
  }

  /// There nobody can cancel it but that one.
  @Test(arguments: [false, true], [false, true])
  func `what fails on the thread of its sender has failed, also where it is replaced, unless that one is cancelled`(
    isReplaced: Bool, isCancelled: Bool
  ) async throws {
    let center = try TaskCenter.with([
      .event(Self.replaced, name: "work") { context in
        guard context.payload == 1 else { return }
        if isReplaced { context.center.begin(Self.replaced, 2) }
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        throw Broken()
      }
    ])
    // A task of its own, so that only that is cancelled.
    let report = await Task { await center.send(Self.replaced, 1) }.value
    let status: EventReport.Status = isReplaced || isCancelled ? .cancelled : .completed
    #expect(report.outcomes == ["work": isCancelled ? "cancelled" : "failed: broken"])
    #expect(report.status == status)
  }

  @Test func `observers are told of each occurrence in whose place a later one has come`() async throws {
    let gate = Gate()
    let coalesced = LifecycleEvent<Int, Void>("coalesced", burst: .coalesce)
    let center = try TaskCenter.with([.event(coalesced, name: "work") { _ in await gate.pass() }])
    let events = EventRecorder(center)
    let runs = (1...4).map { center.begin(coalesced, $0) }
    gate.open()
    for run in runs { #expect(await run.report.isSuccess) }
    let told = await events.words(until: "eventEnded coalesced", count: 2)
    #expect(
      told.filter { $0.hasPrefix("occurrence") } == ["occurrenceDropped coalesced", "occurrenceDropped coalesced"])
    for event in events.events {
      if case .occurrenceDropped = event.kind { #expect(event.occurrence == nil) }
    }
  }

  @Test func `debounce waits until a time has passed without a further send, and then runs the newest once`()
    async throws
  {
    let clock = VirtualClock()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [.event(Self.debounced, name: "search") { context in recorder.note("search \(context.payload)") }], clock: clock)
    let first = center.begin(Self.debounced, 1)
    await clock.waitForSleeper(until: .seconds(5))
    clock.advance(by: .seconds(4))
    let second = center.begin(Self.debounced, 2)
    await clock.waitForSleeper(until: .seconds(9))
    clock.advance(by: .seconds(4))
    #expect(recorder.notes == [])
    clock.advance(by: .seconds(1))
    #expect(await first.report.status == .completed)
    #expect(await second.report.status == .completed)
    #expect(recorder.notes == ["search 2"])
    // And again, from the beginning.
    let third = center.begin(Self.debounced, 3)
    await clock.waitForSleeper(until: .seconds(14))
    clock.advance(by: .seconds(5))
    #expect(await third.report.isSuccess)
    #expect(recorder.notes == ["search 2", "search 3"])
  }

  @Test(arguments: [
    (BurstPolicy.queue, BurstPolicy.drop), (.drop, .queue), (.debounce(.seconds(1)), .debounce(.seconds(2))),
  ])
  func `in a registry that only the build has proved, the task that disagrees about a burst fails and says so`(
    first: BurstPolicy, second: BurstPolicy
  ) async throws {
    let clock = VirtualClock()
    func task(_ name: TaskName, _ burst: BurstPolicy) -> TaskDefinition {
      .event(LifecycleEvent<Void, Void>("mixed", burst: burst), name: name) { _ in }
    }
    let registry = TaskRegistry(__proved: [
      .of("One", [task("first", first)]), .of("Other", [task("second", second), task("third", first)]),
    ])
    let center = TaskCenter(registry: registry, time: .virtual(clock))
    let run = center.begin(LifecycleEvent<Void, Void>("mixed", burst: first))
    if case .debounce = first {
      await clock.waitForSleeper(until: .seconds(1))
      clock.advance(by: .seconds(1))
    }
    #expect(
      await run.report.outcomes == [
        "first": "succeeded", "third": "succeeded",
        "second":
          "failed: event 'mixed' does '\(first)' with a burst in one place and '\(second)' in another; say the same in both",
      ])
  }

  @Test func `a send of the same name that says another policy goes by that of the tasks`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(LifecycleEvent<Int, Void>("saved", burst: .drop), name: "save") { context in
        recorder.note("save \(context.payload)")
        await gate.pass()
      }
    ])
    let plain = LifecycleEvent<Int, Void>("saved")
    let first = center.begin(plain, 1)
    await gate.arrivals()
    #expect(await center.send(plain, 2).status == .dropped)
    gate.open()
    #expect(await first.report.isSuccess)
    #expect(recorder.notes == ["save 1"])
  }

  @Test(arguments: [TaskCenter.Configuration.Reporting.full, .problems])
  func `and waits for the quiet time of the tasks, also where times are not recorded`(
    reporting: TaskCenter.Configuration.Reporting
  ) async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let center = TaskCenter(
      configuration: TaskCenter.Configuration(reporting: reporting), time: .virtual(clock))
    try center.inject(.event(Self.debounced, name: "search") { context in recorder.note("search \(context.payload)") })
    clock.advance(by: .seconds(2))
    let plain = LifecycleEvent<Int, Void>("debounced")
    center.begin(plain, 1)
    let second = center.begin(plain, 2)
    await clock.waitForSleeper(until: .seconds(7))
    #expect(recorder.notes == [])
    clock.advance(by: .seconds(5))
    #expect(await second.report.isSuccess)
    #expect(recorder.notes == ["search 2"])
  }

  @Test func `a debounced send that is cancelled runs nothing`() async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [.event(Self.debounced, name: "search") { _ in recorder.note("search") }], clock: clock)
    let run = center.begin(Self.debounced, 1)
    await clock.waitForSleeper(until: .seconds(5))
    run.cancel()
    #expect(await run.report.status == .cancelled)
    clock.advance(by: .seconds(10))
    await center.quiet()
    #expect(recorder.notes == [])
  }

  @Test func `what comes while a debounced occurrence runs waits for its end as well`() async throws {
    let clock = VirtualClock()
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(Self.debounced, name: "search") { context in
          recorder.note("search \(context.payload)")
          if context.payload == 1 { await gate.pass() }
        }
      ], clock: clock)
    center.begin(Self.debounced, 1)
    await clock.waitForSleeper(until: .seconds(5))
    clock.advance(by: .seconds(5))
    await gate.arrivals()
    let second = center.begin(Self.debounced, 2)
    await clock.waitForSleeper(until: .seconds(10))
    clock.advance(by: .seconds(5))
    await clock.waitForNoSleepers()
    #expect(recorder.notes == ["search 1"])
    gate.open()
    #expect(await second.report.isSuccess)
    #expect(recorder.notes == ["search 1", "search 2"])
  }
}
