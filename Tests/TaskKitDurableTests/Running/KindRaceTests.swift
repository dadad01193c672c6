import Foundation
import TaskKit
import TaskKitTesting
@testable import TaskKitDurable
import Testing

/// A kind that is registered and unregistered at the same time.
@Suite struct KindRaceTests {
  @Test func `a kind that was unregistered before its registration has reached the workers is not claimed`()
    async throws
  {
    let bench = try JobBench(Work.self)
    try await bench.center.enqueue(Work("a"))
    #expect(bench.center.jobs.unregister(Work.self))
    // The second half of a registration.
    bench.center.jobs.engines[0].register(Work.registration)
    await bench.run()
    #expect(bench.probe.notes == [])
    #expect(try await bench.states() == ["1 ready 0"])
    try bench.center.jobs.register(Work.self)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a kind that was registered again before its removal has reached the workers is claimed`() async throws {
    let bench = try JobBench(Work.self)
    bench.center.jobs.engines[0].unregister("work")
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `a schedule that takes the place of another while that is looked at is the only one`() async throws {
    let memory = MemoryStore()
    let flaky = FlakyStore(memory)
    let bench = try JobBench(HalfHourly.self, store: memory, wrapping: { _ in flaky })
    let gate = Gate()
    flaky.holdEnqueueing(at: gate)
    bench.center.start()
    // The first look waits for the store. Another type takes the name, and is looked at, too.
    await gate.arrivals(1)
    #expect(bench.center.jobs.unregister(HalfHourly.self))
    try bench.center.jobs.register(TwoHourly.self)
    await gate.arrivals(2)
    gate.open()
    await bench.time.advance(by: .seconds(4 * 3600), driving: bench.center)
    #expect(bench.probe.notes == ["2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T04:00:00Z"])
  }
}

/// A kind whose name two types have, one after the other.
private protocol Report: DurableTask {
  init()
  static var schedule: TaskSchedule { get }
}

extension Report {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "report", type: Self.self, collected: (), at: ("Tests/Report.swift", 1, 1),
      options: JobOptions(backoff: .none), schedule: JobSchedule(__schedule: schedule, job: { Self() }),
      run: { _, context in
        context.center[Probe.Key.self]?.note(context.occurrence?.date.formatted(.iso8601) ?? "by hand")
      })
  }
}

private struct HalfHourly: Report {
  static let schedule = TaskSchedule(every: .seconds(1800), first: .immediately)
}

private struct TwoHourly: Report {
  static let schedule = TaskSchedule(every: .seconds(7200), first: .immediately)
}
