import Foundation
import Synchronization
import TaskKit
@testable import TaskKitDurable
import TaskKitTesting
import Testing

/// Returns a text to its children.
private struct Telling: DurableTask {
  var text: String

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "telling", type: Self.self, collected: (), at: ("Tests/Telling.swift", 1, 1),
      options: JobOptions(attempts: 2, backoff: .fixed(.seconds(10)), retention: JobRetention(finished: nil)),
      output: { job, context in
        try? await context.center[Gate.Key.self]?.passUnlessCancelled()
        return job.text
      })
  }

  static func didGiveUp(_ job: Self, _ failure: DurableFailure) async {
    failure.center[Probe.Key.self]?.note(
      "gave up after \(failure.attempts): \((failure.error as? DurableError)?.code.rawValue ?? "")")
  }
}

/// What attempts say and a store will never take.
@Suite struct RefusedEndTests {
  private static func hasBigResult(_ exchange: JobExchange) -> Bool {
    exchange.ends.contains { if case .succeeded(let data?) = $0.1 { data.count > 20 } else { false } }
  }

  private static let big = String(repeating: "x", count: 100)

  @Test func `a result that the store never takes ends its attempt as failed, and holds up no other`() async throws {
    let (bench, flaky) = try JobBench.flaky(Telling.self, Work.self)
    flaky.refuse(Self.hasBigResult)
    try await bench.center.enqueue([Telling(text: Self.big), Telling(text: "small"), Work("a")])
    bench.center.start()
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(try await bench.states() == ["1 delayed 1", "2 finished 1"])
    #expect(bench.probe.notes == ["a"])
    let text = try #require(try await bench.center.jobs.snapshot(of: JobID(rawValue: 1))?.errors.last?.text)
    #expect(text.contains("store 'memory' does not take what job 1 of kind 'telling' came to"))
    #expect(text.contains("string or blob too big"))
    // It has its attempts, and no more.
    await bench.time.advance(by: .seconds(10), driving: bench.center)
    await bench.probe.notes(2)
    #expect(try await bench.states() == ["1 dead 2", "2 finished 1"])
    #expect(bench.probe.notes == ["a", "gave up after 2: refusedByStore"])
  }

  @Test(arguments: [JobStoreError.Reason.corrupt, .readOnly, .inputOutput, .full])
  func `who has an end refused for what is not its result is not told to make that smaller`(
    reason: JobStoreError.Reason
  ) {
    let error = JobStoreError(reason, store: "jobs.sqlite", detail: "as the test wants it")
    let text = DurableError.refusedByStore(JobID(rawValue: 1), of: "telling", "jobs", error).description
    #expect(text.contains("\(error)"))
    #expect(!text.contains("smaller"))
  }

  @Test func `a file that is damaged is not to be given up for what can be read of it`() {
    let error = JobStoreError(.corrupt, store: "/var/jobs.sqlite", detail: "database disk image is malformed")
    #expect(
      error.description.contains("Copy it first: 'sqlite3 \"/var/jobs.sqlite\" .recover | sqlite3 new.sqlite' saves"))
  }

  @Test func `what was said together with it is written down`() async throws {
    let (bench, flaky) = try JobBench.flaky(Telling.self, Work.self)
    flaky.refuse(Self.hasBigResult)
    let (bodies, exchanges) = (Gate(), Gate())
    for name in ["a", "b"] { bench.probe.on(name) { _ in await bodies.pass() } }
    bench.probe.on("keeps") { context in
      try await context.checkpoint(7)
      bench.probe.note("kept")
      await bodies.pass()
    }
    bench.probe.on("late") { _ in flaky.holdExchanges(at: exchanges) }
    try await bench.center.enqueue([Work("a"), Work("b")])
    bench.center.start()
    await bodies.arrivals(2)
    try await bench.center.enqueue(Work("late"))
    await bench.probe.notes(3)
    try await bench.center.enqueue(Telling(text: Self.big))
    bodies.open()
    exchanges.open()
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(try await bench.states() == ["4 delayed 1"])
  }

  @Test func `a checkpoint that the store never takes is refused by itself`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    flaky.refuse { exchange in
      exchange.notes.contains { if case .checkpoint(let data?) = $0.1 { data.count > 20 } else { false } }
    }
    let (bodies, exchanges) = (Gate(), Gate())
    for (name, value) in [("big", Self.big), ("small", "x")] {
      bench.probe.on(name) { context in
        await bodies.pass()
        do { try await context.checkpoint(value) } catch { bench.probe.note("\(name): \(type(of: error))") }
      }
    }
    bench.probe.on("third") { _ in flaky.holdExchanges(at: exchanges) }
    try await bench.center.enqueue([Work("big"), Work("small")])
    bench.center.start()
    await bodies.arrivals(2)
    // While its end is on its way the two checkpoints gather.
    try await bench.center.enqueue(Work("third"))
    await bench.probe.notes(3)
    bodies.open()
    exchanges.open()
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(bench.probe.notes.dropFirst(3) == ["big: JobStoreError"])
    #expect(try await bench.states() == [])
  }

  @Test func `a store that takes nothing at all is to blame itself, and no attempt has failed`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self, Telling.self)
    try await bench.center.enqueue([Work("a"), Telling(text: "small")])
    let gate = Gate()
    bench.probe.on("a") { _ in await gate.pass() }
    bench.center.start()
    await gate.arrivals(1)
    flaky.fail("exchange", .corrupt, times: 50)
    gate.open()
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(try await bench.states() == ["2 finished 1"])
    #expect(bench.probe.notes == ["a"])
    #expect(try await bench.center.jobs.snapshot(of: JobID(rawValue: 2))?.errors == [])
  }

  @Test func `one of which the store takes no end at all is told as lost, and the others go on`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self, Telling.self)
    flaky.refuse { exchange in exchange.ends.contains { $0.0.job == JobID(rawValue: 1) } }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue([Telling(text: "damaged"), Work("a")])
    bench.center.start()
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(try await bench.states() == ["1 running 1"])
    while let event = await events.next() {
      guard case .endsLost(let count, let text) = event.kind else { continue }
      #expect(count == 1)
      #expect(text.hasPrefix("job 1: "))
      break
    }
  }

  @Test func `a shutdown writes down what ended beside a result that the store never takes`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self, Telling.self)
    let gate = Gate()
    bench.center[Gate.Key.self] = gate
    bench.probe.on("a") { _ in try? await gate.passUnlessCancelled() }
    flaky.refuse(Self.hasBigResult)
    try await bench.center.enqueue([Telling(text: Self.big), Work("a"), Telling(text: "small")])
    bench.center.start()
    await gate.arrivals(3)
    await bench.center.terminate()
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await next.states() == ["1 delayed 1", "3 finished 1"])
  }

  @Test func `one of which the disk cannot read what its end needs holds up the others for about a minute`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self, Telling.self)
    flaky.refuse(as: .inputOutput) { exchange in exchange.ends.contains { $0.0.job == JobID(rawValue: 1) } }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue([Telling(text: "unreadable")] + (0..<3).map { Work("a \($0)") })
    try await bench.center.enqueue(Work("late"))
    bench.center.start()
    await bench.time.advance(by: .seconds(40), driving: bench.center)
    #expect(try await bench.states().count == 5, "it may be a moment")
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    try #require(try await bench.states() == ["1 running 1"])
    #expect(bench.probe.notes.sorted() == ["a 0", "a 1", "a 2", "late"])
    while let event = await events.next() {
      guard case .endsLost(let count, let text) = event.kind else { continue }
      #expect(count == 1)
      #expect(text.hasPrefix("job 1: "))
      break
    }
  }

  @Test func `a disk that fails for a moment while others enqueue loses nothing`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    flaky.refuse(as: .inputOutput) { exchange in exchange.ends.contains { $0.0.job == JobID(rawValue: 1) } }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    for number in 0..<20 {
      try await bench.center.enqueue(Work("x\(number)"))
      await bench.time.advance(by: .milliseconds(10), driving: bench.center)
    }
    flaky.refuse { _ in false }
    await bench.time.advance(by: .seconds(120), driving: bench.center)
    #expect(try await bench.states() == [])
  }

  @Test func `a moment in which the disk fails loses nothing where the store was away for long before it`() async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let gate = Gate()
    for name in ["a", "b"] { bench.probe.on(name) { _ in await gate.pass() } }
    try await bench.center.enqueue([Work("a"), Work("b")])
    bench.center.start()
    await gate.arrivals(2)
    flaky.refuse(as: .unreachable) { _ in true }
    gate.open()
    await bench.time.advance(by: .seconds(120), driving: bench.center)
    flaky.refuse(as: .inputOutput) { exchange in exchange.ends.contains { $0.0.job == JobID(rawValue: 1) } }
    await bench.time.advance(by: .seconds(31), driving: bench.center)
    flaky.refuse { _ in false }
    await bench.time.advance(by: .seconds(60), driving: bench.center)
    #expect(try await bench.states() == [])
  }

  @Test func `what may start since an end was written down at last starts at once, however long others run`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let (first, late) = (Gate(), Gate())
    bench.probe.on("parent") { _ in await first.pass() }
    bench.probe.on("late") { _ in await late.pass() }
    let parent = try await bench.center.enqueue(Work("parent"))
    try await bench.center.enqueue(Work("child"), EnqueueOptions(queue: "children", after: [parent]))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    await first.arrivals(1)
    // The disk fails until it has done so for an end by itself; another job is claimed then before that end is said again.
    let isOver = Atomic(false)
    flaky.refuse(as: .inputOutput) { exchange in
      guard !exchange.ends.isEmpty, !isOver.load(ordering: .relaxed) else { return false }
      if exchange.claims.isEmpty { isOver.store(true, ordering: .relaxed) }
      return true
    }
    first.open()
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    try await bench.center.enqueue(Work("late"))
    await bench.time.advance(by: .seconds(55), driving: bench.center)
    #expect(bench.probe.notes == ["parent"])
    bench.time.advance(by: .seconds(30))
    await late.arrivals(1)
    #expect(await bench.center.jobs.idle(queue: "children"))
    #expect(bench.probe.notes == ["parent", "late", "child"])
    late.open()
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `what ended is written down though no job can be claimed, since the disk cannot read one that is ready`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let gate = Gate()
    for name in ["a", "b"] { bench.probe.on(name) { _ in await gate.pass() } }
    try await bench.center.enqueue([Work("a"), Work("b")])
    bench.center.start()
    await gate.arrivals(2)
    flaky.refuse(as: .inputOutput) { !$0.claims.isEmpty }
    try await bench.center.enqueue(Work("unreadable"))
    gate.open()
    await bench.time.advance(by: .seconds(120), driving: bench.center)
    #expect(try await bench.states() == ["3 ready 0"])
  }

  @Test func `a disk that takes nothing for an hour loses nothing that bodies came to`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self, Telling.self)
    // Whoever has nothing to say is answered: nothing is written for that.
    flaky.refuse(as: .inputOutput) { !$0.ends.isEmpty || !$0.notes.isEmpty }
    try await bench.center.enqueue([Work("a"), Telling(text: "small")])
    bench.center.start()
    await bench.time.advance(by: .seconds(3600), driving: bench.center)
    #expect(try await bench.states() == ["1 running 1", "2 running 1"])
    flaky.refuse { _ in false }
    await bench.time.advance(by: .seconds(31), driving: bench.center)
    #expect(try await bench.states() == ["2 finished 1"])
    #expect(try await bench.center.jobs.snapshot(of: JobID(rawValue: 2))?.errors == [])
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a shutdown writes down what ended beside an end for which the disk fails`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let gate = Gate()
    for name in ["bad", "a", "b"] { bench.probe.on(name) { _ in await gate.pass() } }
    flaky.refuse(as: .inputOutput) { exchange in exchange.ends.contains { $0.0.job == JobID(rawValue: 1) } }
    var events = bench.center.jobs.events().makeAsyncIterator()
    try await bench.center.enqueue([Work("bad"), Work("a"), Work("b")])
    bench.center.start()
    await gate.arrivals(3)
    gate.open()
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    await bench.center.terminate(deadline: .zero)
    var lost: [Int] = []
    while let event = await events.next() { if case .endsLost(let count, _) = event.kind { lost.append(count) } }
    #expect(lost == [1])
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await next.states().map { $0.prefix(1) } == ["1"])
  }

  /// A body with a step whose result is not taken at first.
  private static func charging(_ bench: JobBench, _ flaky: FlakyStore? = nil) -> Probe.Body {
    { context in
      do {
        let number = try await context.once("charge") {
          bench.probe.note("charge")
          flaky?.fail("exchange", .full)
          return context.attempt
        }
        bench.probe.note("charged in \(number)")
      } catch {
        bench.probe.note("not written yet")
        throw error
      }
    }
  }

  @Test(arguments: 1...6)
  func `what a step came to is written down before the end of its attempt, however often the store fails`(
    failures: Int
  ) async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a", Self.charging(bench, flaky))
    try await bench.runUntilStoreFails(Work("a"))
    // Both together, then the step by itself, then nothing at all.
    flaky.fail("exchange", .other, times: failures)
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(3)
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(await stopped.isEmpty)
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "charge", "not written yet", "a", "charged in 1"])
  }

  @Test func `of two checkpoints that are kept the later one is there for the next attempt`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in
      if let place: Int = try context.checkpoint() { return bench.probe.note("goes on from \(place)") }
      flaky.fail("exchange", .full)
      do { try await context.checkpoint(1) } catch {
        bench.probe.note("cancelled")
        try await context.checkpoint(2)
      }
    }
    try await bench.runUntilStoreFails(Work("a"))
    // All together, then the first one by itself.
    flaky.fail("exchange", .other, times: 2)
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(2)
    await bench.time.advance(by: .milliseconds(100), driving: bench.center)
    #expect(await stopped.isEmpty)
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "cancelled", "a", "goes on from 2"])
  }

  @Test(.timeLimit(.minutes(2)))
  func `a note that the disk does not take holds up no end of its attempt, though no other job shows who is to blame`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in
      do { try await context.checkpoint(1) } catch {
        bench.probe.note("cancelled")
        throw error
      }
    }
    flaky.refuse(as: .inputOutput) { !$0.notes.isEmpty }
    try await bench.runUntilStoreFails(Work("a"))
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(2)
    await bench.time.advance(by: .seconds(300), driving: bench.center)
    #expect(await stopped.isEmpty)
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test(.timeLimit(.minutes(2)))
  func `a note that the disk does not take holds up no end at a deadline, though no other job shows who is to blame`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in try await context.checkpoint(1) }
    flaky.refuse(as: .inputOutput) { !$0.notes.isEmpty }
    try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 1, deadline: .seconds(5)))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    // Which the body waits for, and virtual time for the body.
    bench.time.advance(by: .seconds(5))
    while let event = await events.next() { if case .overdue = event.kind { break } }
    await bench.time.advance(by: .seconds(300), driving: bench.center)
    #expect(try await bench.states() == ["1 dead 1"])
    #expect(await bench.center.jobs.idle())
  }

  @Test func `a shutdown writes down what a step came to, also where the disk fails for that by itself`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a", Self.charging(bench, flaky))
    try await bench.center.enqueue(Work("a"))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(3)
    // Until the body has returned.
    await bench.time.advance(by: .zero, driving: bench.center)
    flaky.fail("exchange", .inputOutput, times: 2)
    await bench.center.terminate(deadline: .zero)
    #expect(await stopped.isEmpty)
    while await events.next() != nil {}
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    next.probe.on("a", Self.charging(next))
    await next.run()
    #expect(next.probe.notes == ["a", "charged in 1"])
  }

  @Test func `an error's text is kept as far as stores can keep it`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { _ in throw Failure("nul \0 and " + String(repeating: "🦫", count: 100_000)) }
    try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 1))
    await bench.run()
    let text = try #require(try await bench.center.jobs.snapshot(of: JobID(rawValue: 1))?.errors.last?.text)
    #expect(text.hasPrefix("nul \u{2400} and 🦫"))
    #expect(text.utf8.count < 11_000)
  }

  @Test func `a value with more bytes than stores take is refused by name`() throws {
    #expect(try JobCoding.encode("four", limit: 6).count == 6)
    let error = #expect(throws: DurableError.self) { try JobCoding.encode("fours", limit: 6) }
    #expect(error?.code == .valueTooLarge)
    #expect(error?.description.contains("type String is 7 bytes long, and stores take 6") == true)
  }
}
