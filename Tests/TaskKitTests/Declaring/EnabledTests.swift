import TaskKit
import TaskKitTesting
import Testing

/// Injected tasks that are switched on and off: what `isEnabled` is to a type.
@Suite struct EnabledTests {
  static let kinds: [(String, @Sendable (Recorder) -> TaskDefinition)] = [
    ("synchronous", { recorder in .event(.alpha, name: "task") { _ in recorder.note("ran") } }),
    ("on the main actor", { recorder in .event(.alpha, name: "task") { @MainActor _ in recorder.note("ran") } }),
    (
      "asynchronous",
      { recorder in
        .event(.alpha, name: "task") { _ in
          await Task.yield()
          recorder.note("ran")
        }
      }
    ),
    ("plain", { recorder in .events(.alpha, .beta, name: "task") { recorder.note("ran") } }),
    (
      "asynchronous and plain",
      { recorder in
        .events(.alpha, .beta, name: "task") {
          await Task.yield()
          recorder.note("ran")
        }
      }
    ),
    (
      "with an output",
      { recorder in
        .event(
          .alpha, name: "task",
          returning: { _ in
            recorder.note("ran")
            return 1
          })
      }
    ),
  ]

  @Test(arguments: kinds)
  func `an injected task is asked at each occurrence whether it is switched on`(
    kind: (String, @Sendable (Recorder) -> TaskDefinition)
  ) async throws {
    let recorder = Recorder()
    let isEnabled = Values<Bool>()
    let center = try TaskCenter.with([
      kind.1(recorder).enabled { isEnabled.values.last == true },
      .event(.alpha, name: "needy", dependencies: ["task"]) { _ in },
    ])
    #expect(
      await center.send(.alpha).outcomes == [
        "task": "skipped: disabled", "needy": "skipped: 'task' did not end well",
      ])
    isEnabled.append(true)
    #expect(await center.send(.alpha).isSuccess)
    isEnabled.append(false)
    #expect(await center.send(.alpha).outcomes["task"] == "skipped: disabled")
    #expect(recorder.notes == ["ran"])
  }

  @Test func `of several conditions each has to hold, that of a type among them`() async throws {
    let (one, other) = (Values<Bool>(), Values<Bool>())
    let center = try TaskCenter.with([
      .task(Load.self).enabled { one.values.last == true }.enabled { other.values.last == true }
    ])
    for (first, second) in [(false, false), (true, false), (false, true), (true, true)] {
      one.append(first)
      other.append(second)
      let outcome = first && second ? "succeeded" : "skipped: disabled"
      #expect(await center.send(.alpha).outcomes == ["Tests.Load": outcome])
    }
  }

  @Test(arguments: [Int.max, 1])
  func `in the report what is switched off is where its turn had come, and has not started`(limit: Int) async throws {
    let center = try TaskCenter.with(
      [
        .event(.alpha, name: "low", priority: .low) { _ in },
        .event(.alpha, name: "off") { _ in }.enabled { false },
        .event(.alpha, name: "high", priority: .high) { _ in },
        .event(.alpha, name: "needy", priority: .low, dependencies: ["off"]) { _ in },
      ], limit: limit)
    let report = await center.send(.alpha)
    #expect(report.names == ["high", "off", "low", "needy"])
    #expect(report["off"]?.started == nil)
  }

  @Test func `one that runs once and was switched off has not run`() async throws {
    let isEnabled = Values<Bool>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "once", runs: .once) { _ in }.enabled { !isEnabled.values.isEmpty }
    ])
    #expect(await center.send(.alpha).outcomes == ["once": "skipped: disabled"])
    isEnabled.append(true)
    #expect(await center.send(.alpha).outcomes == ["once": "succeeded"])
    #expect(await center.send(.alpha).tasks.isEmpty)
  }

  @Test func `a schedule can be switched off as well`() async throws {
    let table = Timetable()
    let isEnabled = Values<Bool>()
    try table.center.inject(table.task(.init(every: .seconds(10))).enabled { isEnabled.values.last == true })
    table.center.start()
    for value in [false, true, false, true] {
      isEnabled.append(value)
      await table.pass(.seconds(10))
    }
    #expect(table.notes == ["tick 20", "tick 40"])
  }
}
