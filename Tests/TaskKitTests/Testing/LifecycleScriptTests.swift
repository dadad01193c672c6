import Foundation
import TaskKit
import TaskKitTesting
import Testing

@Suite struct LifecycleScriptTests {
  @Test func `a life from launch to end leaves each event with its tasks in the order of the law`() async throws {
    let center = try TaskCenter.with([
      .event(.willFinishLaunching, name: "configuration") { _ in },
      .event(.didFinishLaunching, name: "low", priority: .low) { _ in },
      .event(.didFinishLaunching, name: "fails", priority: .high) { _ in throw Broken() },
      .event(.didFinishLaunching, name: "waits", dependencies: ["fails"]) { _ in },
      .event(.didEnterBackground, name: "save") { _ in },
      .event(.openURL, name: "open") { _ in },
    ])
    let script: LifecycleScript = [
      .launch, .foreground, .background, .memoryWarning, .timeChange, .idle, .open(URL(string: "app:a")!), .launch,
      .terminate,
    ]
    let transcript = await script.run(in: center)
    #expect(
      transcript.description == """
        at 0.0 seconds: willFinishLaunching
          configuration: succeeded
        at 0.0 seconds: didFinishLaunching
          fails: failed: broken
          waits: skipped: 'fails' did not end well
          low: succeeded
        at 0.0 seconds: willEnterForeground
        at 0.0 seconds: didBecomeActive
        at 0.0 seconds: willResignActive
        at 0.0 seconds: didEnterBackground
          save: succeeded
        at 0.0 seconds: didReceiveMemoryWarning
        at 0.0 seconds: significantTimeChange
        at 0.0 seconds: idle
        at 0.0 seconds: openURL
          open: succeeded
        at 0.0 seconds: willFinishLaunching (already happened, and happens once)
        at 0.0 seconds: didFinishLaunching (already happened, and happens once)
        at 0.0 seconds: willTerminate
        """)
  }

  @Test func `what a task says on several lines is one line of the transcript`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "fail") { _ in throw Wordy() }])
    let script: LifecycleScript = [.send(.alpha)]
    let transcript = await script.run(in: center)
    #expect(transcript.lines == ["at 0.0 seconds: alpha", "  fail: failed: a b c d"])
  }

  @Test func `time passes in the steps in which somebody waits for it`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let attempts = Values<Duration>()
    try center.inject(
      .event(.didBecomeActive, name: "stubborn", retry: .attempts(4, backoff: .fixed(.seconds(10)))) { _ in
        attempts.append(time.continuous.now.offset)
        if attempts.values.count < 4 { throw Broken() }
      })
    let script: LifecycleScript = [
      .begin(.didBecomeActive), .pass(.seconds(15)), .call("look") { _ in attempts.append(.seconds(-1)) },
      .pass(.seconds(15)), .send(.didEnterBackground),
    ]
    let transcript = await script.run(in: center, time: time)
    #expect(attempts.values == [.zero, .seconds(10), .seconds(-1), .seconds(20)])
    #expect(
      transcript.lines == [
        "at 0.0 seconds: didBecomeActive", "  stubborn: succeeded", "at 15.0 seconds: look",
        "at 30.0 seconds: didEnterBackground",
      ])
  }

  @Test func `a task that joins while an event waits for its turn is there, behind those of when it was sent`()
    async throws
  {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject(
      .event(.alpha, name: "sleeps") { _ in try await time.continuous.sleep(until: .init(offset: .seconds(10))) })
    let script: LifecycleScript = [
      .begin(.alpha), .begin(.alpha),
      .call("inject") { center in
        try center.inject([.event(.alpha, name: "new") { _ in }, .event(.alpha, name: "another") { _ in }])
      }, .pass(.seconds(20)),
    ]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  sleeps: succeeded", "at 0.0 seconds: alpha", "  sleeps: succeeded",
        "  another: succeeded", "  new: succeeded", "at 0.0 seconds: inject",
      ])
  }

  @Test func `schedules run while time passes`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let ticks = Values<Duration>()
    try center.inject(
      .schedule(TaskSchedule(every: .seconds(10)), name: "tick") { _ in ticks.append(time.continuous.now.offset) })
    center.start()
    _ = await LifecycleScript([.pass(.seconds(35))]).run(in: center, time: time)
    #expect(ticks.values == [.seconds(10), .seconds(20), .seconds(30)])
  }

  @Test(arguments: [false, true])
  func `time stands still while a task runs that does not wait for it`(hasSchedule: Bool) async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject(
      .event(.alpha, name: "busy", timeout: .seconds(5)) { _ in
        for _ in 0..<500 { await Task.yield() }
      })
    if hasSchedule { try center.inject(.schedule(name: "tick", every: .seconds(1)) { _ in }) }
    center.start()
    let transcript = await LifecycleScript([.begin(.alpha), .pass(.seconds(10))]).run(in: center, time: time)
    #expect(transcript.lines == ["at 0.0 seconds: alpha", "  busy: succeeded"])
  }

  @Test func `while a task sleeps time goes on for those that wait for that task in their own way`() async throws {
    let (time, gate) = (VirtualTime(), Gate())
    let center = TaskCenter(time: time.source)
    try center.inject([
      .event(.alpha, name: "sleeps") { _ in
        try await time.continuous.sleep(until: .init(offset: .seconds(8)))
        gate.open()
      },
      .event(.alpha, name: "waits") { _ in await gate.pass() },
    ])
    let script: LifecycleScript = [.begin(.alpha), .pass(.seconds(10))]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  sleeps: succeeded", "  waits: succeeded",
      ])
  }

  @Test func `while a task sleeps no step of the time leaves somebody behind who waits for its end`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let waiters = Values<Int>()
    try center.inject([
      .event(.alpha, name: "sleeps") { _ in try await time.continuous.sleep(until: .init(offset: .seconds(150))) },
      .schedule(name: "tick", every: .seconds(1)) { _ in },
    ])
    center.start()
    let script: LifecycleScript = [
      .begin(.alpha), .pass(.seconds(100)), .call("look") { waiters.append($0.quietWaiters) }, .pass(.seconds(100)),
    ]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  sleeps: succeeded", "at 100.0 seconds: look",
      ])
    #expect(waiters.values.count == 1)
    #expect(waiters.values.allSatisfy { $0 <= 1 })
  }

  @Test func `time passes while a task waits for a lane that is closed`() async throws {
    let lane = Lane("popups", opens: .whenOpened)
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject(.event(.alpha, name: "waits", lane: lane) { _ in })
    let script: LifecycleScript = [
      .begin(.alpha), .pass(.seconds(10)), .call("open") { $0.lane(lane).open() }, .settle,
    ]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  waits: succeeded", "at 10.0 seconds: open",
      ])
  }

  @Test func `a launch starts the schedules, and the end of the program stops what is to be stopped`() async throws {
    let time = VirtualTime()
    let ticks = Values<Duration>()
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [
        .stopping("server", at: TaskOccasion(.didFinishLaunching, __run: {}), TaskStop(__stop: {}))
      ]), time: time.source)
    try center.inject([
      .schedule(name: "tick", every: .seconds(1000)) { _ in ticks.append(time.continuous.now.offset) },
      .event(.willTerminate, name: "farewell") { _ in },
    ])
    let script: LifecycleScript = [.launch, .pass(.seconds(3600)), .terminate, .foreground]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: willFinishLaunching", "at 0.0 seconds: didFinishLaunching", "  server: succeeded",
        "at 3600.0 seconds: willTerminate", "  farewell: succeeded", "  server stopped: succeeded",
        "at 3600.0 seconds: willEnterForeground (refused: the center is shutting down)",
        "at 3600.0 seconds: didBecomeActive (refused: the center is shutting down)",
      ])
    #expect(ticks.values == [.seconds(1000), .seconds(2000), .seconds(3000)])
  }

  @Test(arguments: [(2, "succeeded", "2.0"), (20, "timed out", "9.0")])
  func `at the end of the program time passes for a stop that sleeps, up to the deadline`(
    seconds: Int, outcome: String, end: String
  ) async throws {
    let time = VirtualTime()
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [
        .stopping(
          "server", at: TaskOccasion(.alpha, __run: {}),
          TaskStop(__stop: { try await time.continuous.sleep(until: .init(offset: .seconds(seconds))) }))
      ]), time: time.source)
    // What is due later is not waited for.
    try center.inject(.schedule(name: "tick", every: .seconds(1)) { _ in })
    center.start()
    let script: LifecycleScript = [.send(.alpha), .terminate, .call("after") { _ in }]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  server: succeeded", "at 0.0 seconds: willTerminate",
        "  server stopped: \(outcome)", "at \(end) seconds: after",
      ])
  }

  /// The second one to be stopped takes its time without sleeping, after the first has had its share.
  @Test func `at the end of the program no time passes for a busy stop behind one that sleeps for too long`()
    async throws
  {
    let time = VirtualTime()
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [
        .stopping(
          "busy", at: TaskOccasion(.alpha, __run: {}),
          TaskStop(__stop: { for _ in 0..<500 { await Task.yield() } })),
        .stopping(
          "sleeps", at: TaskOccasion(.alpha, __run: {}), dependencies: ["busy"],
          TaskStop(__stop: { try await time.continuous.sleep(until: .init(offset: .seconds(20))) })),
      ]), time: time.source)
    let script: LifecycleScript = [.send(.alpha), .terminate, .call("after") { _ in }]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  busy: succeeded", "  sleeps: succeeded", "at 0.0 seconds: willTerminate",
        "  sleeps stopped: timed out", "  busy stopped: succeeded", "at 4.5 seconds: after",
      ])
  }

  @Test func `at the end of the program no time passes for a busy stop behind a task that misses the deadline`()
    async throws
  {
    let time = VirtualTime()
    let center = TaskCenter(
      registry: try TaskRegistry(tasks: [
        .stopping(
          "busy", at: TaskOccasion(.alpha, __run: {}),
          TaskStop(__stop: { for _ in 0..<500 { await Task.yield() } }))
      ]), time: time.source)
    try center.inject(
      .event(.willTerminate, name: "sleeps") { _ in
        try await time.continuous.sleep(until: .init(offset: .seconds(20)))
      })
    let script: LifecycleScript = [.send(.alpha), .terminate, .call("after") { _ in }]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  busy: succeeded", "at 0.0 seconds: willTerminate (deadline exceeded)",
        "  sleeps: timed out", "  busy stopped: succeeded", "at 4.5 seconds: after",
      ])
  }

  @Test func `at the end of the program time passes for a task that sleeps, and for one that is tried again`()
    async throws
  {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject([
      .event(.willTerminate, name: "sleeps") { _ in
        try await time.suspending.sleep(until: .init(offset: .seconds(2)))
      },
      .event(
        .willTerminate, name: "flaky", dependencies: ["sleeps"],
        retry: .attempts(2, backoff: .fixed(.seconds(1)))
      ) { context in
        if context.attempt < 2 { throw Broken() }
      },
    ])
    let script: LifecycleScript = [.terminate, .call("after") { _ in }]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: willTerminate", "  sleeps: succeeded", "  flaky: succeeded", "at 3.0 seconds: after",
      ])
  }

  @Test(arguments: [Int.max, 1])
  func `at the end of the program time passes for a task that waits for one that sleeps`(limit: Int) async throws {
    let time = VirtualTime()
    let center = TaskCenter(configuration: .init(maximumConcurrency: limit), time: time.source)
    try center.inject([
      .event(.alpha, name: "sleeps") { _ in try await time.continuous.sleep(until: .init(offset: .seconds(3))) },
      .event(.willTerminate, name: "waits", dependencies: ["sleeps"]) { _ in },
    ])
    let script: LifecycleScript = [.begin(.alpha), .terminate, .call("after") { _ in }]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha", "  sleeps: succeeded", "at 0.0 seconds: willTerminate", "  waits: succeeded",
        "at 3.0 seconds: after",
      ])
  }

  @Test(.timeLimit(.minutes(2)))
  func `at the end of the program time passes for a task of its event that sleeps since before`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject(
      .event(.willTerminate, name: "sleeps") { _ in
        try await time.continuous.sleep(until: .init(offset: .seconds(2)))
      })
    let script: LifecycleScript = [.begin(.willTerminate), .terminate, .call("after") { _ in }]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: willTerminate", "  sleeps: succeeded", "at 0.0 seconds: willTerminate", "  sleeps: succeeded",
        "at 2.0 seconds: after",
      ])
  }

  @Test func `what sleeps since before the end of the program is cancelled by it, and no time passes`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    try center.inject([
      .event(.alpha, name: "sleeps") { _ in
        for second in 1...100 { try await time.continuous.sleep(until: .init(offset: .seconds(second))) }
      },
      .event(.willTerminate, name: "busy") { _ in
        for _ in 0..<500 { await Task.yield() }
      },
    ])
    let script: LifecycleScript = [.begin(.alpha), .terminate, .call("after") { _ in }]
    #expect(
      await script.run(in: center, time: time).lines == [
        "at 0.0 seconds: alpha (cancelled)", "  sleeps: cancelled", "at 0.0 seconds: willTerminate",
        "  busy: succeeded", "at 0.0 seconds: after",
      ])
  }

  @Test func `a call says what it did, and what went wrong`() async throws {
    let center = try TaskCenter.with([.event(.didBecomeActive, name: "task") { _ in }])
    let script = LifecycleScript([
      .call("pause") { try $0.pause("task") }, .foreground, .call("break") { _ in throw Broken() },
    ])
    #expect(
      await script.run(in: center).lines == [
        "at 0.0 seconds: pause", "at 0.0 seconds: willEnterForeground", "at 0.0 seconds: didBecomeActive",
        "  task: skipped: paused", "at 0.0 seconds: break: broken",
      ])
  }

  @Test func `two runs that differ in nothing but what ran side by side have one transcript`() async throws {
    var transcripts: Set<LifecycleTranscript> = []
    for round in 0..<20 {
      let center = try TaskCenter.with(
        (0..<8).map { number in
          .event(.didBecomeActive, name: TaskName("\(number)")) { _ in
            for _ in 0..<((number * 7 + round) % 5) { await Task.yield() }
          }
        })
      transcripts.insert(await LifecycleScript([.foreground]).run(in: center))
    }
    #expect(transcripts.count == 1)
  }
}

/// Described on several lines, each with another end.
private struct Wordy: Error, CustomStringConvertible {
  var description: String { "a\nb\r\nc\u{2028}d" }
}
