import TaskKit
import TaskKitTesting
import Testing

/// What Bolts' tests assert of continuations, observers and executors, as tasks of a center: a success continuation is a
/// dependent, an always-continuation a dependent of a task whose failure is to be ignored, a token's cancel the
/// cancellation of a run. The rest of them: CompletionTests, ConcurrentMapTests, FirstSuccessTests, WithTimeoutTests.
@Suite struct BoltsTests {
  private let clock = VirtualClock()
  private let recorder = Recorder()

  /// A delay, and what continues after it.
  private func continued(onFailure: FailurePolicy, onMain: Bool = false) throws -> TaskCenter {
    let recorder = recorder
    let continuation: TaskDefinition =
      onMain
      ? .event(.alpha, name: "next", dependencies: ["delay"]) { @MainActor _ in recorder.note("ran") }
      : .event(.alpha, name: "next", dependencies: ["delay"]) { _ in recorder.note("ran") }
    return try TaskCenter.with(
      [
        .event(.alpha, name: "delay", onFailure: onFailure) { [clock] _ in try await clock.sleep(for: .seconds(1)) },
        continuation,
      ], clock: clock)
  }

  /// Cancels while the delay runs.
  private func expectNothingAfterCancelling(_ center: TaskCenter) async {
    let run = center.begin(.alpha)
    await clock.waitForSleepers()
    run.cancel()
    #expect(await run.report.outcomes == ["delay": "cancelled", "next": "cancelled"])
    #expect(recorder.notes.isEmpty)
    #expect(clock.now.offset == .zero)
  }

  /// Sends from a task that was cancelled before.
  private func expectNothingWhenCancelled(_ center: TaskCenter) async {
    let send = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await center.send(.alpha)
    }
    #expect(await send.value.status == .cancelled)
    #expect(recorder.notes.isEmpty)
    #expect(clock.now.offset == .zero)
  }

  @Test func `what continues a success sees its value, Bt1`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first", returning: { _ in "foo" }),
      .event(.alpha, name: "next", dependencies: ["first"]) { context in
        recorder.note(try context.output(named: "first"))
      },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes == ["foo"])
  }

  @Test func `after a delay what continues it runs, and all is well, Bt2`() async throws {
    let center = try continued(onFailure: .skipDependents)
    let run = center.begin(.alpha)
    await clock.step(to: .seconds(1))
    #expect(await run.report.outcomes == ["delay": "succeeded", "next": "succeeded"])
    #expect(recorder.notes == ["ran"])
  }

  @Test func `cancelled during the delay, what continues a success does not run, Bt3`() async throws {
    await expectNothingAfterCancelling(try continued(onFailure: .skipDependents))
  }

  @Test func `nor where it would run on the main actor, Bt4`() async throws {
    await expectNothingAfterCancelling(try continued(onFailure: .skipDependents, onMain: true))
  }

  @Test func `cancelled beforehand, what continues a success does not run, at once, Bt5`() async throws {
    await expectNothingWhenCancelled(try continued(onFailure: .skipDependents))
  }

  @Test func `what continues in any case sees the error, and can decide by it, Bt6`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first", onFailure: .ignore, returning: { _ -> Int in throw Coded(code: 22) }),
      .event(.alpha, name: "next", dependencies: ["first"]) { context in
        do { _ = try context.output(named: "first", as: Int.self) } catch let error as TaskError {
          recorder.note("\(error)")
          recorder.note("\((error.underlying as? Coded)?.code ?? 0)")
        }
      },
    ])
    #expect(await center.send(.alpha).outcomes == ["first": "failed: error 22", "next": "succeeded"])
    #expect(recorder.notes == ["'first' has no output: it failed: error 22", "22"])
    let error = await #expect(throws: TaskError.self) { try await center.output(named: "first", as: Int.self) }
    #expect((error?.underlying as? Coded)?.code == 22)
  }

  @Test func `cancelled during the delay, what continues in any case does not run, Bt7`() async throws {
    await expectNothingAfterCancelling(try continued(onFailure: .ignore))
  }

  @Test func `cancelled beforehand, what continues in any case does not run, at once, Bt8`() async throws {
    await expectNothingWhenCancelled(try continued(onFailure: .ignore))
  }

  @Test func `the description of how something ended says so, Bt41`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "good") { _ in },
      .event(.alpha, name: "bad") { _ in throw Coded(code: 1) },
    ])
    let report = await center.send(.alpha)
    #expect(report["good"]?.outcome.description == "succeeded")
    #expect(report["bad"]?.outcome.description == "failed: error 1")
  }

  @Test func `waiting again for what has ended returns, from elsewhere too, Bt49`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
    let run = center.begin(.alpha)
    #expect(await run.report.isSuccess)
    #expect(await Task.detached { await run.report.isSuccess }.value)
  }

  @Test func `three that wait for the same thing all return, Bt50`() async throws {
    let center = try TaskCenter.with(
      [.event(.alpha, name: "task") { _ in try await clock.sleep(for: .milliseconds(500)) }], clock: clock)
    let run = center.begin(.alpha)
    async let all = [1, 2, 3].concurrentMap { _ in await run.report.isSuccess }
    await clock.step(to: .milliseconds(500))
    #expect(try await all == [true, true, true])
  }

  @Test @MainActor func `what need not leave its place has run when the call returns, Bt64`() throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first") { _ in recorder.note("first") },
      .event(.alpha, name: "next", dependencies: ["first"]) { _ in recorder.note("next") },
    ])
    center.begin(.alpha)
    #expect(recorder.notes == ["first", "next"])
  }

  @Test @MainActor func `a body of the main actor runs there, sent from there and from elsewhere, Bt67`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "task") { @MainActor _ in recorder.note("\(isOnMainActor)") }
    ])
    await center.send(.alpha)
    await Task.detached { _ = await center.send(.alpha) }.value
    #expect(recorder.notes == ["true", "true"])
  }
}
