import Dispatch
@testable import TaskKit
import TaskKitTesting
import Testing

extension BlockingTests {
  /// Who comes for what is ready, without a limit (DESIGN 7: as many threads for synchronous bodies as there are cores).
  ///
  /// Bodies here block a thread until another one has begun, or for twenty seconds where nobody comes.
  @Suite struct WorkerTests {
    @Test func `suspended bodies leave the threads to synchronous ones`() async throws {
      var configuration = TaskCenter.Configuration()
      configuration.workerCount = 2
      let center = TaskCenter(configuration: configuration, time: .virtual(VirtualClock()))
      let gate = Gate()
      let (left, right) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let met = Values<Bool>()
      try center.inject([
        .event(.alpha, name: "waits", priority: .high) { _ in await gate.pass() },
        .event(.alpha, name: "waits too", priority: .high) { _ in await gate.pass() },
        .event(.alpha, name: "left") { _ in
          left.signal()
          met.append(right.wait(timeout: .now() + 20) == .success)
        },
        .event(.alpha, name: "right") { _ in
          right.signal()
          met.append(left.wait(timeout: .now() + 20) == .success)
        },
      ])
      let run = center.begin(.alpha)
      await waitUntil { run.progress.ended == 2 }
      gate.open()
      #expect(await run.report.isSuccess)
      #expect(met.values == [true, true])
    }

    /// What the center asks of the clock differs: with a report, and without one, where no task can be walked past.
    @Test(arguments: [TaskCenter.Configuration.Reporting.full, .problems], [FailurePolicy.ignore, .skipDependents])
    func `bodies that take their time are shared each time`(
      reporting: TaskCenter.Configuration.Reporting, policy: FailurePolicy
    ) async throws {
      let clock = VirtualClock()
      var configuration = TaskCenter.Configuration(reporting: reporting)
      configuration.workerCount = 2
      let center = TaskCenter(configuration: configuration, time: .virtual(clock))
      let (left, right) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let met = Values<Bool>()
      try center.inject([
        .event(.alpha, name: "left", onFailure: policy) { _ in
          left.signal()
          met.append(right.wait(timeout: .now() + 20) == .success)
          clock.advance(by: .seconds(1))
        },
        .event(.alpha, name: "right") { _ in
          right.signal()
          met.append(left.wait(timeout: .now() + 20) == .success)
          clock.advance(by: .seconds(1))
        },
      ])
      for _ in 0..<3 { #expect(await center.send(.alpha).isSuccess) }
      #expect(met.values == Array(repeating: true, count: 6))
    }

    @Test func `a task of no actor does not wait for those of the main actor, however short all were the last time`()
      async throws
    {
      let urgent = DispatchSemaphore(value: 0)
      let met = Values<Bool>()
      let center = try TaskCenter.with([
        .event(.alpha, name: "first") { @MainActor _ in },
        .event(.alpha, name: "urgent", priority: .critical, dependencies: ["first"]) { _ in urgent.signal() },
        .event(.alpha, name: "main") { @MainActor _ in met.append(urgent.wait(timeout: .now() + 20) == .success) },
      ])
      for _ in 0..<2 { #expect(await center.send(.alpha).isSuccess) }
      #expect(met.values == [true, true])
    }
  }
}
