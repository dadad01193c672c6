import TaskKit
import TaskKitTesting
import Testing

/// `begin` and what it gives back (DESIGN 5; A17, At13).
@Suite struct BeginTests {
  @Test @MainActor func `on the main actor it runs inline what is synchronous and ready, in the law's order`()
    async throws
  {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "low", priority: .low) { _ in recorder.note("low") },
      .event(.alpha, name: "main") { @MainActor _ in recorder.note("main") },
      .event(.alpha, name: "after main", dependencies: ["main"]) { _ in recorder.note("after main") },
      .event(.alpha, name: "critical", priority: .critical) { @MainActor _ in recorder.note("critical") },
    ])
    let run = center.begin(.alpha)
    // Without an await: all of it is done.
    #expect(recorder.notes == ["critical", "main", "after main", "low"])
    #expect(run.progress.fraction == 1)
    #expect(!run.isQueued)
    #expect(await run.report.isSuccess)
  }

  @Test @MainActor func `it starts what is asynchronous first, and what waits for that follows later`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "synchronous", priority: .high) { @MainActor _ in
        recorder.note("synchronous")
        // Blocks the main actor until the asynchronous one has begun: it was started before.
        while recorder.notes.count < 2 {}
      },
      .event(.alpha, name: "asynchronous", priority: .low) { _ in
        recorder.note("asynchronous")
        await gate.pass()
      },
      .event(.alpha, name: "later", dependencies: ["asynchronous"]) { @MainActor _ in recorder.note("later") },
    ])
    let run = center.begin(.alpha)
    #expect(Set(recorder.notes) == ["synchronous", "asynchronous"])
    #expect(run.unended == ["asynchronous", "later"])
    #expect(run.progress.ended == 1)
    #expect(run.progress.total == 3)
    gate.open()
    #expect(await run.report.isSuccess)
    #expect(recorder.notes.last == "later")
    #expect(run.unended == [])
  }

  @Test @MainActor func `a synchronous task of no actor runs on the main actor too, off it when sent`() async throws {
    let places = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "task") { _ in places.note("\(isOnMainActor)") }
    ])
    center.begin(.alpha)
    await center.send(.alpha)
    #expect(places.notes == ["true", "false"])
  }

  /// On the main actor it would hold that up however long it takes.
  @Test(arguments: [Int.max, 3]) @MainActor
  func `a synchronous task of no actor that has a time limit follows later, as an asynchronous one`(limit: Int)
    async throws
  {
    let gate = BlockingGate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "own", timeout: .seconds(5)) { _ in
          gate.pass()
          recorder.note("own: \(isOnMainActor)")
        },
        .event(.alpha, name: "lane's", after: ["own"], lane: Lane("line", timeout: .seconds(5))) { _ in
          recorder.note("lane's: \(isOnMainActor)")
        },
        .event(.alpha, name: "main", timeout: .seconds(5)) { @MainActor _ in recorder.note("main: \(isOnMainActor)") },
      ], limit: limit)
    let run = center.begin(.alpha)
    #expect(recorder.notes == ["main: true"])
    #expect(run.unended == ["own", "lane's"])
    gate.open()
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == ["main: true", "own: false", "lane's: false"])
  }

  @Test @MainActor func `if an earlier send is still going nothing runs inline, and the run says so`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "holds", runs: .once) { _ in await gate.pass() },
      .event(.alpha, name: "main") { @MainActor _ in recorder.note("main") },
    ])
    let first = center.begin(.alpha)
    let second = center.begin(.alpha)
    #expect(!first.isQueued)
    #expect(second.isQueued)
    #expect(first.unended == ["holds"])
    #expect(second.unended == ["holds", "main"])
    #expect(recorder.notes == ["main"])
    gate.open()
    #expect(await second.report.isSuccess)
    #expect(recorder.notes == ["main", "main"])
  }

  @Test @MainActor func `with one slot, the main actor's own run comes inline as well`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      (0..<4).map { number in .event(.alpha, name: TaskName("\(number)")) { @MainActor _ in recorder.note("\(number)") }
      },
      limit: 1)
    let run = center.begin(.alpha)
    #expect(recorder.notes == ["0", "1", "2", "3"])
    #expect(await run.report.isSuccess)
    #expect(center.usedSlots == 0)
  }

  /// Each of the circumstances makes an ordinary occurrence of one that the main actor could walk through by itself.
  @Test(arguments: [1, 2, 3, Int.max], ["nothing else", "a policy", "an observer", "a deadline"]) @MainActor
  func `whatever the limit, all that is synchronous and ready comes inline, in the law's order`(
    limit: Int, circumstance: String
  ) async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(
          .alpha, name: "first", priority: .high, onFailure: circumstance == "a policy" ? .ignore : .skipDependents
        ) { @MainActor _ in recorder.note("first") },
        .event(.alpha, name: "second") { @MainActor _ in recorder.note("second") },
        .event(.alpha, name: "of no actor") { _ in recorder.note("of no actor: \(isOnMainActor)") },
        .event(.alpha, name: "last", dependencies: ["first"]) { @MainActor _ in recorder.note("last") },
      ], limit: limit)
    let observer = circumstance == "an observer" ? center.events.makeAsyncIterator() : nil
    let run = center.begin(.alpha, deadline: circumstance == "a deadline" ? .seconds(60) : nil)
    #expect(recorder.notes == ["first", "second", "of no actor: true", "last"])
    #expect(run.unended == [])
    #expect(await run.report.isSuccess)
    withExtendedLifetime(observer) {}
  }

  @Test(arguments: [1, 2, 3, Int.max]) @MainActor
  func `whatever the limit, all synchronous tasks of the main actor have answered when it returns`(limit: Int)
    async throws
  {
    let event = LifecycleEvent<Void, [String]>("words", reply: .merge { $0 + $1 })
    let center = try TaskCenter.with(
      ["a", "b", "c", "d"].map { word in .event(event, name: TaskName(word), replying: { @MainActor _ in [word] }) },
      limit: limit)
    let run = center.begin(event)
    #expect(run.progress.fraction == 1)
    #expect(await run.report.reply(to: event) == ["a", "b", "c", "d"])
  }

  @Test(.timeLimit(.minutes(15))) @MainActor
  func `what the main actor leaves, because others have all slots, goes on without it`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "first", priority: .high) { context in
          recorder.note("first")
          // Takes the second slot; what it is compared with is the main actor's own.
          context.center.begin(.beta)
          // Comes before what is left of the main actor's, and takes the slot of this one.
          context.center.begin(.gamma)
        },
        .event(.alpha, name: "second", priority: .high) { _ in recorder.note("second") },
        .event(.beta, name: "default") { _ in await gate.pass() },
        .event(.gamma, name: "critical", priority: .critical) { _ in await gate.pass() },
      ], limit: 2)
    let run = center.begin(.alpha)
    #expect(recorder.notes == ["first"])
    #expect(center.usedSlots == 2)
    gate.open()
    #expect(await run.report.isSuccess)
    #expect(recorder.notes == ["first", "second"])
  }

  @Test @MainActor func `while others have all slots nothing runs inline, and the run says what is left`()
    async throws
  {
    let gate = Gate()
    let center = try TaskCenter.with(
      [
        .event(.beta, name: "busy") { _ in await gate.pass() },
        .event(.alpha, name: "open") { @MainActor _ in },
      ], limit: 1)
    let busy = center.begin(.beta)
    await gate.arrivals()
    let run = center.begin(.alpha)
    #expect(!run.isQueued)
    #expect(run.unended == ["open"])
    gate.open()
    #expect(await run.report.isSuccess)
    #expect(await busy.report.isSuccess)
  }

  @Test func `off the main actor it returns at once`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in await gate.pass() }])
    let run = center.begin(.alpha)
    #expect(run.progress.ended == 0)
    #expect(run.progress.total == 1)
    gate.open()
    #expect(await run.report.isSuccess)
    #expect(run.event == "alpha")
  }

  @Test(arguments: [Int.max, 1])
  func `a gate opens when the urgent tasks have ended, and the rest goes on behind it, At13`(limit: Int) async throws {
    let (urgent, rest) = (Gate(), Gate())
    let recorder = Recorder()
    let center = try TaskCenter.with(
      [
        // Urgent by inheritance.
        .event(.alpha, name: "base", priority: .low) { _ in recorder.note("base") },
        .event(.alpha, name: "critical", priority: .critical, dependencies: ["base"]) { _ in
          await urgent.pass()
          recorder.note("critical")
        },
        .event(.alpha, name: "fails", priority: .critical, dependencies: ["critical"]) { _ in
          recorder.note("fails")
          throw Broken()
        },
        .event(.alpha, name: "skipped", priority: .critical, dependencies: ["fails"]) { _ in },
        .event(.alpha, name: "rest") { _ in await rest.pass() },
      ], limit: limit)
    let run = center.begin(.alpha)
    async let ready: Void = run.ready(.critical)
    await urgent.arrivals()
    urgent.open()
    await ready
    #expect(recorder.notes == ["base", "critical", "fails"])
    #expect(run.progress.ended == 4)
    // It is ready at once now, and for levels that nobody has.
    await run.ready(.critical)
    await run.ready(Priority(5000))
    rest.open()
    await run.ready(.low)
    #expect(run.progress.fraction == 1)
    await run.ready(.low)
    #expect(await run.report.outcomes["rest"] == "succeeded")
    await run.ready(.low)
  }

  @Test func `the gate of a run that waits its turn opens in its turn`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.alpha, name: "critical", priority: .critical) { _ in
        await gate.pass()
        recorder.note("critical")
      }
    ])
    center.begin(.alpha)
    await gate.arrivals()
    let second = center.begin(.alpha)
    async let ready: Void = second.ready(.critical)
    await waitUntil { center.hasReadyWaitersOfQueued }
    gate.open()
    await ready
    #expect(recorder.notes == ["critical", "critical"])
  }

  @Test(.timeLimit(.minutes(2))) func `the gates of a cancelled run open`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in await gate.pass() }])
    let first = center.begin(.alpha)
    let second = center.begin(.alpha)
    async let ready: Void = second.ready(.default)
    await waitUntil { center.hasReadyWaitersOfQueued }
    second.cancel()
    await ready
    #expect(await second.report.status == .cancelled)
    gate.open()
    #expect(await first.report.status == .completed)
  }

  @Test func `the report may be awaited by many, any number of times, before and after the end`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in await gate.pass() }])
    // So often that some ask while another one is just taking it.
    for _ in 0..<500 {
      let run = center.begin(.alpha)
      let statuses = await withTaskGroup(of: EventReport.Status.self) { group in
        for _ in 0..<10 { group.addTask { await run.report.status } }
        gate.open()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: .completed, count: 10))
      #expect(await run.report.isSuccess)
    }
    #expect(center.unclaimedReports == 0)
  }

  @Test func `progress is whole after the end, read or not`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }, .event(.alpha, name: "other") { _ in }])
    let run = center.begin(.alpha)
    await center.quiet()
    #expect(run.progress.ended == 2)
    #expect(run.progress.total == 2)
    _ = await run.report
    #expect(run.progress.ended == 2)
  }
}
