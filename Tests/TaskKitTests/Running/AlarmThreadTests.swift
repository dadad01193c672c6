#if os(Linux)
import Foundation
import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// The thread that waits for all centers on the machine's clock. Time is real here, so nothing is said about how late.
@Suite struct AlarmThreadTests {
  private static let nobody = Duration.seconds(86_400)

  @Test func `what is set to an earlier time than what is waited for comes first, in any center and from any thread`()
    async
  {
    let recorder = Recorder()
    let centers = (0..<4).map { _ in TaskCenter() }
    centers[0].after(.seconds(Int64.max)) { recorder.note("never") }
    // Each is set while the one before is waited for.
    for (center, delay) in zip(centers, [Self.nobody, .seconds(3600), .seconds(600)]) {
      center.after(delay) { recorder.note("later") }
    }
    await Task.detached { _ = centers[3].after(.milliseconds(2)) { recorder.note("first") } }.value
    #expect(await recorder.notes(1) == ["first"])
    centers[1].after(.milliseconds(1)) { recorder.note("second") }
    #expect(await recorder.notes(2) == ["first", "second"])
  }

  @Test(.timeLimit(.minutes(1))) func `the thread is known by its name`() async {
    let center = TaskCenter()
    center.after(Self.nobody) {}
    await waitUntil {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return threads.contains { thread in
        (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "TaskKit alarm\n"
      }
    }
  }

  @Test func `what was first and is taken back holds up nothing behind it`() async {
    let recorder = Recorder()
    let center = TaskCenter()
    let first = center.after(.milliseconds(2)) { recorder.note("taken back") }
    center.after(.milliseconds(4)) { recorder.note("called") }
    // A thread that is put aside in between comes too late.
    let expected = first.cancel() ? ["called"] : ["taken back", "called"]
    #expect(await recorder.notes(expected.count) == expected)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a center that goes while it is waited for takes along what is its own, and nothing of others`() async {
    var first = 200
    while true {
      let recorder = Recorder()
      let start = ContinuousClock.now
      let staying = TaskCenter()
      var going = (0..<50).map { _ in TaskCenter() }
      for (number, center) in going.enumerated() {
        center.after(.milliseconds(first + number)) { recorder.note("gone") }
        staying.after(.milliseconds(first + number)) { recorder.note("stayed") }
      }
      going = []
      // Where the machine was so slow that one may have been called before, nothing is shown: once more, with more time.
      guard .now - start < .milliseconds(first) else {
        first *= 2
        continue
      }
      #expect(await recorder.notes(50) == Array(repeating: "stayed", count: 50))
      withExtendedLifetime(staying) {}
      return
    }
  }

  @Test func `thousands of centers are all waited for, and none of their calls comes early`() async {
    var chance = SeededGenerator(seed: 11)
    let wasDue = Mutex<[Bool]>([])
    let recorder = Recorder()
    let centers = (0..<2000).map { _ in TaskCenter() }
    for center in centers {
      for _ in 1...3 {
        let delay = Duration.microseconds(Int.random(in: 0..<60_000, using: &chance))
        let due = ContinuousClock.now + delay
        center.after(delay) {
          let isDue = ContinuousClock.now >= due
          wasDue.withLock { $0.append(isDue) }
          recorder.note("called")
        }
      }
    }
    _ = await recorder.notes(6000)
    #expect(wasDue.withLock { $0 } == Array(repeating: true, count: 6000))
    withExtendedLifetime(centers) {}
  }

  @Test func `an interval and a timeout come on the machine's clock`() async throws {
    let recorder = Recorder()
    let center = TaskCenter()
    try center.inject([
      .schedule(.init(every: .milliseconds(2), count: 3), name: "tick") { _ in recorder.note("tick") },
      .event(.didBecomeActive, name: "endless", timeout: .milliseconds(3)) { _ in try await Task.sleep(for: Self.nobody)
      },
    ])
    center.start()
    let report = await center.send(.didBecomeActive)
    #expect(report.outcomes == ["endless": "timed out"])
    #expect(await recorder.notes(3) == ["tick", "tick", "tick"])
  }

  @Test func `a process ends although calls are pending and one is being made`() async throws {
    let child = try ChildProcess("pendingCalls")
    #expect(await child.lines() == ["returns"])
    #expect(await child.exitCode() == 0)
  }
}

extension BlockingTests {
  @Test func `slow calls of some centers hold up no call and no timeout of others, nor of their own`() async throws {
    let recorder = Recorder()
    let gate = BlockingGate()
    let endless = TaskDefinition.event(.didBecomeActive, name: "endless", timeout: .milliseconds(1)) { _ in
      try await Task.sleep(for: .seconds(86_400))
    }
    let centers = (0..<3).map { _ in TaskCenter() }
    for center in centers { try center.inject(endless) }
    for number in 0..<2 {
      centers[number].after(.zero) {
        recorder.note("slow")
        gate.pass()
        recorder.note("done")
      }
      #expect(await recorder.notes(number + 1).count == number + 1)
    }
    centers[2].after(.milliseconds(1)) { recorder.note("quick") }
    #expect(await recorder.notes(3) == ["slow", "slow", "quick"])
    for center in centers {
      #expect(await center.send(.didBecomeActive).outcomes == ["endless": "timed out"])
    }
    gate.open()
    #expect(await recorder.notes(5).suffix(2) == ["done", "done"])
    // Both threads are there again.
    for number in 0..<2 { centers[number].after(.milliseconds(1)) { recorder.note("again") } }
    #expect(await recorder.notes(7).suffix(2) == ["again", "again"])
  }
}
#endif
