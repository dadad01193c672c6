import Foundation
import Synchronization
import TaskKit
import TaskKitDurable
import TaskKitDurableTesting
import TaskKitTesting
import Testing

/// What goes wrong around the workers, and must not stop them.
@Suite struct FaultTests {
  private func error(_ body: () async throws -> JobID) async -> (any Error)? {
    do {
      _ = try await body()
      return nil
    } catch { return error }
  }

  @Test func `a job that another process cancels is told, also while all workers are busy`() async throws {
    let first = try JobBench(
      Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    let gate = Gate()
    first.probe.on("a") { _ in try await gate.passUnlessCancelled() }
    let id = try await first.center.enqueue(Work("a"))
    first.center.start()
    await gate.arrivals(1)
    let second = try JobBench(Work.self, store: MemoryStore(sharing: first.store))
    #expect(try await second.center.jobs.cancel(id))
    await first.time.continuous.waitForSleepers(1)
    first.time.advance(by: .milliseconds(100))
    await first.center.jobs.idle()
    #expect(try await first.states() == ["1 cancelled 1"])
  }

  @Test(.timeLimit(.minutes(5)))
  func `a job that another process cancels is told also where the store failed when it was asked about that`()
    async throws
  {
    let memory = MemoryStore()
    let flaky = FlakyStore(memory)
    let first = try JobBench(
      Work.self, store: memory, wrapping: { _ in flaky },
      jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: []))
    let gate = Gate()
    first.probe.on("a", first.stubborn(gate))
    let id = try await first.center.enqueue(Work("a"))
    first.center.start()
    await gate.arrivals(1)
    flaky.fail("exchange", .locked)
    var events = first.center.jobs.events().makeAsyncIterator()
    let second = try JobBench(Work.self, store: MemoryStore(sharing: memory))
    #expect(try await second.center.jobs.cancel(id))
    await first.time.continuous.waitForSleepers(1)
    first.time.advance(by: .milliseconds(100))
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    try await first.passTime { first.probe.notes.count >= 2 }
    #expect(first.probe.notes == ["a", "cancelled"])
    gate.open()
    await first.center.jobs.idle()
  }

  @Test func `jobs of a queue that another process has made are found`() async throws {
    let first = try JobBench(Work.self)
    await first.run()
    let second = try JobBench(store: MemoryStore(sharing: first.store))
    try await second.center.enqueue(Work("a"), EnqueueOptions(queue: "a new one"))
    await first.time.continuous.waitForSleepers(1)
    first.time.advance(by: .milliseconds(100))
    #expect(await first.probe.notes(1) == ["a"])
  }

  @Test func `a start while an opening is under way that fails is not forgotten`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let gate = Gate()
    flaky.holdOpening(at: gate)
    flaky.fail("open", .locked)
    async let error = error { try await bench.center.enqueue(Work("refused")) }
    await gate.arrivals(1)
    bench.center.start()
    bench.center.jobs.resume()
    var events = bench.center.jobs.events().makeAsyncIterator()
    gate.open()
    #expect(await error is JobStoreError)
    guard case .storeFailed(_, let delay)? = await events.next()?.kind else { throw Failure("no event") }
    await bench.time.advance(by: delay, driving: bench.center)
    // One goes on trying, not each who asked.
    #expect(flaky.calls("open") == 2)
    try await bench.center.enqueue(Work("a"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a shutdown does not wait for an opening that has failed`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let gate = Gate()
    flaky.holdOpening(at: gate)
    flaky.fail("open", .locked)
    async let error = error { try await bench.center.enqueue(Work("refused")) }
    await gate.arrivals(1)
    async let report = bench.center.terminate()
    // One waits for the stores to be closed.
    await bench.time.continuous.waitForSleepers(2)
    gate.open()
    #expect(await error is JobStoreError)
    #expect(await report.isSuccess)
    #expect(flaky.calls("close") == 1)
  }

  @Test func `who waits for the end of the work is told when a shutdown cannot write it down`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in await gate.pass() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    var events = bench.center.jobs.events().makeAsyncIterator()
    async let isIdle = bench.center.jobs.idle()
    flaky.fail("exchange", .full, times: .max)
    gate.open()
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    await bench.center.terminate(deadline: .zero)
    var lost: [Int] = []
    while let event = await events.next() { if case .endsLost(let count, _) = event.kind { lost.append(count) } }
    #expect(lost == [1])
    #expect(await !isIdle)
    // It runs again: nothing was written.
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await next.states() == ["1 ready 0"])
  }

  @Test func `what was kept long enough is deleted, also after the store could not do that for a while`() async throws {
    let (bench, flaky) = try JobBench.flaky(Measure.self)
    flaky.fail("sweep", .locked, times: 3)
    try await bench.center.enqueue(Measure(value: 1))
    await bench.run()
    #expect(try await bench.states() == ["1 finished 1"])
    await bench.time.advance(by: .seconds(120), driving: bench.center)
    #expect(flaky.calls("sweep") > 3)
    #expect(try await bench.states() == [])
  }

  @Test func `an end whose writing was not acknowledged counts once`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { _ in flaky.loseAnswer(of: "exchange") }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await bench.probe.notes(1)
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(try await bench.states() == [])
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a claim whose answer was lost is given back when the process ends, and runs then`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    flaky.loseAnswer(of: "exchange")
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    await bench.center.terminate()
    let next = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    await next.run()
    #expect(bench.probe.notes + next.probe.notes == ["a"])
  }

  @Test func `a calendar that is set makes due what is due by it`() async throws {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("dated"), .at(bench.time.wall + 3600))
    await bench.run()
    bench.time.setWall(to: bench.time.wall + 3600)
    bench.center.clockDidChange()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["dated"])
  }

  @Test func `a step that failed may be tried again in the same attempt`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in
      flaky.fail("step", .locked)
      for try_ in 1...3 {
        do {
          try await context.once("charge") {
            bench.probe.note("charge \(try_)")
            if try_ == 2 { throw Failure() }
          }
        } catch { bench.probe.note("\(type(of: error))") }
      }
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a", "JobStoreError", "charge 2", "Failure", "charge 3"])
  }

  @Test func `a step whose result the store has refused does not happen again in the same attempt`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in
      func charge() async throws -> Int {
        try await context.once("charge") {
          bench.probe.note("charge")
          return 7
        }
      }
      flaky.refuse { !$0.notes.isEmpty }
      do { bench.probe.note("\(try await charge())") } catch { bench.probe.note("\(type(of: error))") }
      flaky.refuse { _ in false }
      bench.probe.note("\(try await charge())")
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a", "charge", "JobStoreError", "7"])
  }

  @Test func `what a step came to is kept while the store cannot be written, and it does not run again`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in
      try await context.once("charge") {
        bench.probe.note("charge")
        flaky.fail("exchange", .full, times: 3)
      }
      bench.probe.note("charged")
    }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await bench.probe.notes(2)
    for delay in [Duration.milliseconds(100), .milliseconds(200), .milliseconds(400)] {
      await bench.time.continuous.waitForSleepers(1)
      bench.time.advance(by: delay)
    }
    #expect(await bench.probe.notes(3) == ["a", "charge", "charged"])
    await bench.center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `a stop ends an attempt that waits for a store that cannot be written`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in
      flaky.fail("exchange", .full)
      do { try await context.checkpoint(1) } catch {
        bench.probe.note("\((error as? JobStoreError)?.reason == .full)")
        throw error
      }
    }
    try await bench.runUntilStoreFails(Work("a"))
    async let stopped = bench.center.jobs.stop()
    #expect(await bench.probe.notes(2) == ["a", "true"])
    // What it came to is written down when the store can be written again.
    await bench.time.continuous.waitForSleepers(1)
    bench.time.advance(by: .milliseconds(100))
    #expect(await stopped.isEmpty)
    #expect(try await bench.states() == ["1 ready 0"])
  }

  @Test
  func `a checkpoint of an attempt that is cancelled already does not wait for a store that cannot be written`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      if let place: Int = try context.checkpoint() { return bench.probe.note("goes on from \(place)") }
      do { try await gate.passUnlessCancelled() } catch {
        do { try await context.checkpoint(7) } catch {
          bench.probe.note("\((error as? JobStoreError)?.reason == .full)")
          throw error
        }
      }
    }
    try await bench.center.enqueue(Work("a"))
    var events = bench.center.jobs.events().makeAsyncIterator()
    bench.center.start()
    await gate.arrivals(1)
    flaky.fail("exchange", .full, times: 2)
    // The workers look whether there is anything for them.
    try await bench.center.enqueue(Work("later"), .delayed(.seconds(3600)))
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    async let stopped = bench.center.jobs.stop()
    #expect(await bench.probe.notes(2) == ["a", "true"])
    await bench.time.advance(by: .seconds(1), driving: bench.center)
    #expect(await stopped.isEmpty)
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "true", "a", "goes on from 7"])
  }

  @Test func `a step does not run in an attempt whose job was cancelled`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { context in
      await gate.pass()
      do { try await context.once("charge") { bench.probe.note("charged") } } catch {
        bench.probe.note("\((error as? DurableError)?.code.rawValue ?? "")")
      }
    }
    let id = try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    try await bench.center.jobs.cancel(id)
    gate.open()
    #expect(await bench.probe.notes(2) == ["a", "staleAttempt"])
  }

  @Test func `idle says true when it was idle, whatever comes after`() async throws {
    let bench = try JobBench(Work.self)
    let gate = Gate()
    bench.probe.on("a") { _ in await gate.pass() }
    try await bench.center.enqueue(Work("a"))
    bench.center.start()
    await gate.arrivals(1)
    async let isIdle = bench.center.jobs.idle(deadline: .seconds(60))
    await bench.time.continuous.waitForSleepers(1)
    gate.open()
    #expect(await isIdle)
  }

  @Test
  func `what a step came to is kept for the next attempt, also where a stop ended the one that waited for the store`()
    async throws
  {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    bench.probe.on("a") { context in
      do {
        let number = try await context.once("charge") {
          bench.probe.note("charge")
          flaky.fail("exchange", .full)
          return context.attempt
        }
        bench.probe.note("charged in \(number)")
      } catch {
        bench.probe.note("not written yet")
        throw error
      }
    }
    try await bench.runUntilStoreFails(Work("a"))
    async let stopped = bench.center.jobs.stop()
    await bench.probe.notes(3)
    await bench.time.advance(by: .milliseconds(100), driving: bench.center)
    #expect(await stopped.isEmpty)
    bench.center.jobs.resume()
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "charge", "not written yet", "a", "charged in 1"])
  }

  @Test func `processes that a store has failed together do not come back together`() async throws {
    for (chance, share) in [(0.0, 1.0), (1.0, 0.5), (0.5, 0.75)] {
      let memory = MemoryStore()
      let flaky = FlakyStore(memory)
      let bench = try JobBench(Work.self, store: memory, wrapping: { _ in flaky }, chance: chance)
      flaky.fail("open", .unreachable)
      flaky.fail("exchange", .unreachable)
      var events = bench.center.jobs.events().makeAsyncIterator()
      bench.center.start()
      for call in ["open", "exchange"] {
        guard case .storeFailed(_, let delay)? = await events.next()?.kind else { throw Failure("no event") }
        await bench.time.continuous.waitForSleepers(1)
        let calls = flaky.calls(call)
        bench.time.advance(by: delay * share - .milliseconds(1))
        #expect(flaky.calls(call) == calls)
        bench.time.advance(by: .milliseconds(1))
        guard case .storeRecovered? = await events.next()?.kind else { throw Failure("no recovery") }
      }
      await bench.center.jobs.idle()
    }
  }

  @Test(arguments: ["counts", "schedule", "sweep", "change"])
  func `what is asked of a store beside the jobs is not asked again by all processes at once`(
    _ call: String
  ) async throws {
    for (chance, share) in [(0.0, 1.0), (1.0, 0.5)] {
      let memory = MemoryStore()
      let flaky = FlakyStore(memory)
      let constraints = ManualConstraints([.network: .unsatisfied])
      let bench = try JobBench(
        Work.self, Scheduled<Hourly>.self, store: memory, wrapping: { _ in flaky },
        jobs: JobConfiguration(monitors: [constraints]), chance: chance)
      bench.probe.on("held") { context in
        if bench.probe.notes.count == 1 { try context.hold("offline", until: [.network]) }
      }
      // The opening reads the counts, too.
      flaky.fail(call, .locked, times: call == "counts" ? 2 : 1)
      try await bench.center.enqueue(Work("held"))
      bench.center.start()
      await bench.time.advance(by: .zero, driving: bench.center)
      if call == "change" {
        constraints.set(.network, .satisfied)
        await flaky.called(call)
      }
      await bench.time.advance(by: .zero, driving: bench.center)
      let calls = flaky.calls(call)
      await bench.time.advance(by: .milliseconds(100) * share - .milliseconds(1), driving: bench.center)
      #expect(flaky.calls(call) == calls)
      await bench.time.advance(by: .milliseconds(1), driving: bench.center)
      #expect(flaky.calls(call) > calls)
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `an error of a store that asks for the jobs while it is put into words holds up nothing`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let center = bench.center
    await bench.run()
    var events = center.jobs.events().makeAsyncIterator()
    flaky.fail(
      "exchange",
      with: Asking {
        center.jobs.resume()
        return "no luck"
      })
    try await center.enqueue(Work("a"))
    while let event = await events.next() {
      guard case .storeFailed(let text, _) = event.kind else { continue }
      #expect(text == "no luck")
      break
    }
    #expect(center.jobs.stores.map(\.problem) == ["no luck"])
    await bench.time.advance(by: .seconds(1), driving: center)
    #expect(bench.probe.notes == ["a"])
  }

  @Test(.timeLimit(.minutes(15)))
  func `an error of a store that asks for the jobs when nobody needs it any more holds up nothing`() async throws {
    let (bench, flaky) = try JobBench.flaky(Work.self)
    let (center, probe) = (bench.center, bench.probe)
    @Sendable func parting() -> any Error {
      Parting {
        _ = center.jobs.stores
        probe.note("let go")
      }
    }
    let gate = Gate()
    probe.on("a") { _ in await gate.pass() }
    await bench.run()
    var events = center.jobs.events().makeAsyncIterator()
    // The store's trouble, which is over a moment later.
    flaky.fail("exchange", with: parting())
    try await center.enqueue(Work("a"))
    while let event = await events.next() { if case .storeFailed = event.kind { break } }
    bench.time.advance(by: .milliseconds(100))
    #expect(Set(await probe.notes(2)) == ["a", "let go"])
    // One of an end together with others, and one of it by itself.
    flaky.fail("exchange", with: parting(), parting())
    gate.open()
    #expect(await probe.notes(4).suffix(2) == ["let go", "let go"])
    await center.jobs.idle()
    #expect(try await bench.states() == [])
  }

  @Test func `a job whose value ends by asking for jobs may be refused by the store`() async throws {
    let bench = try JobBench(Clingy.self)
    let (gate, center) = (Gate(), bench.center)
    bench.probe.on("clingy") { _ in
      await gate.pass()
      throw Failure()
    }
    let id = try await center.enqueue(Clingy())
    center.start()
    await gate.arrivals(1)
    let second = try JobBench(store: MemoryStore(sharing: bench.store))
    #expect(try await second.center.jobs.delete(id))
    Clingy.atEnd.withLock { $0 = { _ = center.jobs.stores } }
    defer { Clingy.atEnd.withLock { $0 = nil } }
    var events = center.jobs.events().makeAsyncIterator()
    gate.open()
    while let event = await events.next() { if case .refused(id, _, _) = event.kind { break } }
    await center.jobs.idle()
    #expect(try await center.jobs.count() == 0)
  }
}

/// A job whose end does something.
private struct Clingy: DurableTask {
  final class Part: Codable, Sendable {
    init() {}
    deinit { Clingy.atEnd.withLock { $0 }?() }
  }

  static let atEnd = Mutex<(@Sendable () -> Void)?>(nil)
  var part = Part()

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "clingy", type: Self.self, collected: (), at: ("Tests/clingy.swift", 1, 1),
      options: JobOptions(attempts: 1),
      run: { _, context in try await context.center[Probe.Key.self]?.run("clingy", context) })
  }
}

/// An error of a store of somebody's own.
private struct Asking: Error, CustomStringConvertible {
  let words: @Sendable () -> String

  init(_ words: @escaping @Sendable () -> String) { self.words = words }

  var description: String { words() }
}

/// One that does something at its end.
private final class Parting: Error {
  private let atEnd: @Sendable () -> Void

  init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

  deinit { atEnd() }
}
