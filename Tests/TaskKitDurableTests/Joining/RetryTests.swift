import TaskKit
import TaskKitDurable
import Testing

@Suite struct RetryTests {
  @Test func `a chain that broke is retried as a whole, and its children get what their parents return`() async throws {
    let bench = try JobBench(Fetch.self, Sum.self)
    var batch = JobBatch()
    let parts = (1...3).map { batch.add(Fetch(value: $0)) }
    batch.add(Sum(), after: parts)
    try await bench.center.enqueue(batch)
    bench.probe.on("fetch") { _ in throw Failure() }
    await bench.run()
    #expect(try await bench.states() == ["1 dead 1", "2 dead 1", "3 dead 1", "4 cancelled 0"])
    // The child alone has nothing to add up.
    #expect(try await !bench.center.jobs.retry(JobID(rawValue: 4)))
    #expect(try await bench.states().last == "4 cancelled 0")
    bench.probe.on("fetch") { _ in }
    #expect(try await bench.center.jobs.retry(where: JobSelection(states: [.dead, .cancelled])) == 4)
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.last == "1 2 3")
    #expect(try await bench.states() == [])
  }

  @Test func `a child that is retried when its parents have succeeded gets what they returned`() async throws {
    let bench = try JobBench(Fetch.self, Sum.self)
    var batch = JobBatch()
    batch.add(Sum(), after: [batch.add(Fetch(value: 7))])
    let ids = try await bench.center.enqueue(batch)
    bench.probe.on("fetch") { _ in throw Failure() }
    await bench.run()
    bench.probe.on("fetch") { _ in }
    #expect(try await bench.center.jobs.retry(ids[0]))
    await bench.center.jobs.idle()
    #expect(try await bench.states() == ["2 cancelled 0"])
    #expect(try await bench.center.jobs.retry(ids[1]))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes.last == "7")
  }
}

private struct Fetch: DurableTask {
  var value: Int

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "fetch", type: Self.self, collected: (), at: ("Tests/Fetch.swift", 1, 1),
      options: JobOptions(attempts: 1),
      output: { job, context in
        try await context.center[Probe.Key.self]?.run("fetch", context)
        return job.value
      })
  }
}

private struct Sum: DurableTask {
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "sum", type: Self.self, collected: (), at: ("Tests/Sum.swift", 1, 1),
      run: { _, context in
        let values = try context.results(as: Int.self)
        context.center[Probe.Key.self]?.note(values.map(String.init).joined(separator: " "))
      })
  }
}
