import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// A stop with ten workers whose bodies take their time to end.
///
/// ZLTaskManager had a stop that returned at once and called back, and one that blocked its thread. Decided otherwise: `stop`
/// is one that can be awaited, or not, and the shutdown of the center does the same; what its network-cancel block did is the
/// cancellation of the bodies' tasks.
@Suite struct SlowStopTests {
  /// A center with ten workers, all of them busy with a body that ends so many seconds after it was cancelled as its name
  /// says: those of odd numbers without success.
  private func makeBench() async throws -> JobBench {
    let bench = try JobBench(
      Work.self, jobs: JobConfiguration(defaultQueue: QueueOptions(workers: 10), monitors: []))
    let gate = Gate()
    let (probe, clock) = (bench.probe, bench.time.continuous)
    for seconds in 1...10 {
      probe.on("\(seconds)") { _ in
        await #expect(throws: CancellationError.self) { try await gate.passUnlessCancelled() }
        probe.note("cancelled")
        // In a task that is not cancelled, for which this waits: nobody talks it out of its time.
        try await Task { try await clock.sleep(for: .seconds(seconds)) }.value
        probe.note("\(seconds) gone")
        if seconds % 2 == 1 { throw CancellationError() }
      }
      try await bench.center.enqueue(Work("\(seconds)"))
    }
    bench.center.start()
    await gate.arrivals(10)
    return bench
  }

  /// Returns when all ten bodies wind down.
  private func windDown(_ bench: JobBench) async {
    await bench.probe.notes(20)
    for seconds in 1...10 { await bench.time.continuous.waitForSleeper(until: .seconds(seconds)) }
  }

  /// Lets everything run that can.
  private func settle() async { for _ in 0..<200 { await Task.yield() } }

  @Test(arguments: ["stop", "shutdown"])
  func `ten slow bodies are all cancelled at once, and then waited for until the last is gone (Zt4, Zt5)`(
    how: String
  ) async throws {
    let bench = try await makeBench()
    let (time, probe, center) = (bench.time, bench.probe, bench.center)
    // Ends when the last body has ended.
    let stopping = Task {
      let unfinished =
        if how == "stop" { await center.jobs.stop() } else {
          await center.terminate(deadline: .seconds(60)).unfinished
        }
      probe.note("stopped, without \(unfinished.count)")
    }
    await windDown(bench)
    let id = try await center.enqueue(Work("meanwhile"))
    #expect(id == JobID(rawValue: 11))
    for seconds in 1...10 {
      await settle()
      time.advance(by: .seconds(1))
      await probe.notes(20 + seconds)
    }
    await stopping.value
    #expect(Set(probe.notes.prefix(10)) == Set((1...10).map { "\($0)" }))
    #expect(probe.notes.dropFirst(10).prefix(10) == ArraySlice(repeating: "cancelled", count: 10))
    #expect(probe.notes.dropFirst(20).map { $0 } == (1...10).map { "\($0) gone" } + ["stopped, without 0"])
    // What ended well is gone, what did not is ready with no attempt used, and nothing else has begun.
    let left = try JobBench(Work.self, store: MemoryStore(sharing: bench.store))
    #expect(try await left.states() == (1...11).filter { $0 % 2 == 1 }.map { "\($0) ready 0" })
  }

  @Test func `a stop with a deadline names, of ten slow bodies, those that are not gone (Zt5)`() async throws {
    let bench = try await makeBench()
    async let stopped = bench.center.jobs.stop(deadline: .milliseconds(5500))
    await windDown(bench)
    await bench.time.continuous.waitForSleeper(until: .milliseconds(5500))
    for seconds in 1...5 {
      bench.time.advance(by: .seconds(1))
      await bench.probe.notes(20 + seconds)
    }
    await settle()
    bench.time.advance(by: .milliseconds(500))
    #expect(Set(await stopped.map(\.name)) == Set((6...10).map { "work job \($0)" }))
    bench.time.advance(by: .seconds(10))
    await bench.center.jobs.stop()
    #expect(try await bench.states() == [1, 3, 5, 7, 9].map { "\($0) ready 0" })
  }
}
