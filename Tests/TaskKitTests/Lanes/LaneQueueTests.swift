import TaskKit
import TaskKitTesting
import Testing

/// What is put into a lane: order, one at a time, results, cancellation (A9, S2, S7, At1-At8, St1, St3, St6).
@Suite struct LaneQueueTests {
  private static let lane = Lane("line")

  /// The lane of a center whose reports are noted.
  private static func lane(reportingTo reports: Recorder) -> LaneQueue {
    var configuration = TaskCenter.Configuration()
    configuration.report = { reports.note($0) }
    return TaskCenter(configuration: configuration).lane(lane)
  }

  @Test(arguments: [Int.max, 2, 1])
  func `five with random durations run in the order of submission, never overlapping, At1, At2, St1`(
    limit: Int
  ) async throws {
    var random = SeededGenerator(seed: 5)
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(LaneQueueTests.lane)
    let tickets = (0..<5).map { number in
      let yields = Int.random(in: 0...20, using: &random)
      return lane.enqueue("\(number)") {
        recorder.note("+\(number)")
        for _ in 0..<yields { await Task.yield() }
        recorder.note("-\(number)")
        return number
      }
    }
    #expect(try await tickets.values() == [0, 1, 2, 3, 4])
    #expect(recorder.notes == (0..<5).flatMap { ["+\($0)", "-\($0)"] })
  }

  @Test(arguments: [Int.max, 1])
  func `the more urgent goes first, equals as they came`(limit: Int) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([], limit: limit).lane(LaneQueueTests.lane)
    lane.pause()
    for (name, priority) in [("a", 500), ("b", 250), ("c", 1000), ("d", 500), ("e", 1000), ("f", 250)] {
      lane.enqueue(TaskName(name), priority: Priority(priority)) { recorder.note(name) }
    }
    #expect(lane.waiting == ["c", "e", "a", "d", "b", "f"])
    lane.resume()
    try await lane.finished()
    #expect(recorder.notes == ["c", "e", "a", "d", "b", "f"])
  }

  @Test func `the first starts at once, without being told to, S2`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    lane.enqueue("first") { await gate.pass() }
    lane.enqueue("second") {}
    await gate.arrivals()
    #expect(lane.running == "first")
    #expect(lane.waiting == ["second"])
    gate.open()
    try await lane.finished()
    #expect(lane.running == nil)
    #expect(lane.waiting == [])
  }

  @Test func `what a running body puts in goes behind its equals, At5, St3`() async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    lane.pause()
    lane.enqueue("first") {
      recorder.note("first")
      lane.enqueue("added") { recorder.note("added") }
      lane.enqueue("urgent", priority: .high) { recorder.note("urgent") }
    }
    lane.enqueue("second") { recorder.note("second") }
    lane.resume()
    try await lane.finished()
    #expect(recorder.notes == ["first", "urgent", "second", "added"])
  }

  @Test func `a ticket tells how it ended, and its value`() async throws {
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    let number = lane.enqueue("number") { 42 }
    let nothing = lane.enqueue("nothing") { () -> Int? in nil }
    let broken = lane.enqueue("broken") { throw Broken() }
    let cancelled = lane.enqueue("cancelled") { () async throws -> Int in throw CancellationError() }
    #expect(try await number.value == 42)
    #expect(try await nothing.value == nil)
    await #expect(throws: Broken.self) { try await broken.value }
    #expect(await broken.outcome.description == "failed: broken")
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(number.hasEnded)
    #expect(number.name == "number")
  }

  @Test func `removing what waits prevents it, removing what runs cancels it, At6`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    let running = lane.enqueue("running") { try await gate.passUnlessCancelled() }
    let waiting = lane.enqueue("waiting") { recorder.note("waiting") }
    let last = lane.enqueue("last", key: "key of the last") { recorder.note("last") }
    await gate.arrivals()
    try lane.remove("waiting")
    #expect(await waiting.outcome.description == "cancelled")
    #expect(lane.waiting == ["last"])
    try lane.remove("running")
    #expect(await running.outcome.description == "cancelled")
    #expect(await last.outcome.isSuccess)
    #expect(recorder.notes == ["last"])
    #expect(throws: TaskError.self) { try lane.remove("last") }
  }

  @Test func `a key that nothing has is an error that suggests the nearest`() async throws {
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    lane.pause()
    lane.enqueue("upgrade") {}
    for change in [lane.remove, lane.pause(_:), lane.resume(_:)] {
      let error = #expect(throws: TaskError.self) { try change("upgrad") }
      #expect(error?.code == .unknownTask)
      #expect(
        error?.description == "nothing with key 'upgrad' waits or runs in lane 'line'; did you mean 'upgrade'?")
    }
  }

  @Test func `a ticket cancels what it stands for, once, waiting or running`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    let running = lane.enqueue("running") { try await gate.passUnlessCancelled() }
    let waiting = lane.enqueue("waiting") {}
    let last = lane.enqueue("last") {}
    await gate.arrivals()
    waiting.cancel()
    running.cancel()
    running.cancel()
    #expect(await running.outcome.description == "cancelled")
    #expect(await waiting.outcome.description == "cancelled")
    #expect(await last.outcome.isSuccess)
    last.cancel()
    #expect(await last.outcome.isSuccess)
  }

  @Test func `what runs and was told to end counts as cancelled, whatever it throws`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    let ticket = lane.enqueue("running") {
      do { try await gate.passUnlessCancelled() } catch { throw Broken() }
    }
    await gate.arrivals()
    ticket.cancel()
    await #expect(throws: CancellationError.self) { try await ticket.value }
    #expect(await ticket.outcome.description == "cancelled")
    #expect(lane.report["running"]?.errorAfterCancellation is Broken)
  }

  @Test func `clearing empties the rest and leaves what runs, St9`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    let running = lane.enqueue("running") { await gate.pass() }
    let others = (0..<3).map { lane.enqueue("\($0)") {} }
    await gate.arrivals()
    lane.clear()
    for other in others { #expect(await other.outcome.description == "cancelled") }
    #expect(lane.running == "running")
    gate.open()
    #expect(await running.outcome.isSuccess)
    #expect(await lane.enqueue("later") {}.outcome.isSuccess)
  }

  @Test func `reset empties the lane, nothing runs, and the end is still told, At7`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let center = try TaskCenter.with([])
    let lane = center.lane(LaneQueueTests.lane)
    let tickets = (0..<4).map { number in
      lane.enqueue("\(number)") {
        recorder.note("\(number)")
        try await gate.passUnlessCancelled()
      }
    }
    await gate.arrivals()
    lane.reset()
    for ticket in tickets { #expect(await ticket.outcome.description == "cancelled") }
    try await lane.finished()
    #expect(recorder.notes == ["0"])
    #expect(lane.progress.fraction == 1)
    #expect(lane.report.tasks.map(\.name).sorted() == ["0", "1", "2", "3"])
    #expect(await lane.enqueue("later") {}.outcome.isSuccess)
  }

  @Test func `an empty lane is finished at once, At8`() async throws {
    let lane = TaskCenter().lane(LaneQueueTests.lane)
    let report = try await lane.finished()
    #expect(report.tasks.isEmpty)
    #expect(report.isSuccess)
    #expect(report.description == "lane line: open")
    #expect([lane.progress.ended, lane.progress.total] == [0, 0])
  }

  @Test(arguments: [Lane("main", isolation: .mainActor), Lane("elsewhere", isolation: .concurrent)])
  func `bodies of every form run where the lane says, St6`(lane: Lane) async throws {
    let isOnMain = Values<Bool>()
    let queue = TaskCenter().lane(lane)
    func put() {
      queue.enqueue("synchronous") { isOnMain.append(isOnMainActor) }
      queue.enqueue("asynchronous") {
        isOnMain.append(isOnMainActor)
        await Task.yield()
        isOnMain.append(isOnMainActor)
      }
      queue.enqueue("calls back") { completion in
        isOnMain.append(isOnMainActor)
        completion.succeed()
      }
    }
    put()
    await MainActor.run { put() }
    try await queue.finished()
    #expect(isOnMain.values == Array(repeating: lane.isolation == .mainActor, count: 8))
  }

  @Test func `the values of several tickets come when all have ended, also where one failed before`() async throws {
    let gate = Gate()
    let center = try TaskCenter.with([])
    let fails = center.lane(Lane("one")).enqueue("fails") { () -> Int in throw Broken() }
    let slow = center.lane(Lane("other")).enqueue("slow") {
      await gate.pass()
      return 2
    }
    _ = await fails.outcome
    let isOver = Values<Bool>()
    async let values = {
      do { return try await [fails, slow].values() } catch {
        isOver.append(slow.hasEnded)
        throw error
      }
    }()
    for _ in 0..<1000 { await Task.yield() }
    gate.open()
    do {
      _ = try await values
      Issue.record("it did not throw")
    } catch { #expect(error is Broken) }
    #expect(isOver.values == [true])
  }

  /// By ticket, what becomes of it: succeeds, fails, is cancelled.
  @Test(arguments: [
    ("ss", "1 1"), ("sf", "broken"), ("cf", "broken"), ("fc", "broken"), ("cs", "CancellationError()"),
    ("cc", "CancellationError()"), ("ff", "2 errors: 1. broken; 2. broken"), ("cfcf", "2 errors: 1. broken; 2. broken"),
  ])
  func `of the values of several tickets an error beats a cancellation, Bw5`(
    ends: String, expected: String
  ) async throws {
    let lane = try TaskCenter.with([]).lane(LaneQueueTests.lane)
    lane.pause()
    let tickets = ends.map { end in
      let ticket = lane.enqueue("\(end)") { () -> Int in
        if end == "f" { throw Broken() }
        return 1
      }
      if end == "c" { ticket.cancel() }
      return ticket
    }
    lane.resume()
    let words: String
    do { words = try await tickets.values().map(String.init).joined(separator: " ") } catch { words = "\(error)" }
    #expect(words == expected)
  }

  @Test func `a closure that names the main actor runs there`() async throws {
    let isOnMain = Values<Bool>()
    let lane = TaskCenter().lane(LaneQueueTests.lane)
    lane.enqueue("synchronous") { @MainActor in isOnMain.append(isOnMainActor) }
    lane.enqueue("asynchronous") { @MainActor in
      await Task.yield()
      isOnMain.append(isOnMainActor)
    }
    try await lane.finished()
    #expect(isOnMain.values == [true, true])
  }

  @Test func `a callback ends it, and the next one starts only then, A10`() async throws {
    let kept = Values<Completion<Int>>()
    let recorder = Recorder()
    let lane = TaskCenter().lane(LaneQueueTests.lane)
    let first = lane.enqueue("first", completing: Int.self) { completion in
      kept.append(completion)
      recorder.note("begun")
    }
    let second = lane.enqueue("second") { recorder.note("second") }
    _ = await recorder.notes(1)
    #expect(!second.hasEnded)
    recorder.note("answered")
    kept.values[0].succeed(7)
    #expect(try await first.value == 7)
    #expect(await second.outcome.isSuccess)
    #expect(recorder.notes == ["begun", "answered", "second"])
  }

  @Test func `a second answer counts for nothing, and starts no second one, At10`() async throws {
    let meter = Meter()
    let lane = LaneQueueTests.lane(reportingTo: Recorder())
    let first = lane.enqueue("first", completing: Int.self) { completion in
      completion.succeed(1)
      completion.fail(Broken())
    }
    let others = (0..<3).map { number in
      lane.enqueue("\(number)") {
        meter.enter()
        for _ in 0..<3 { await Task.yield() }
        meter.leave()
      }
    }
    #expect(try await first.value == 1)
    _ = try await others.values()
    #expect(meter.maximum == 1)
  }

  @Test func `observers are told of a completion that is not answered exactly once`() async throws {
    let lane = LaneQueueTests.lane(reportingTo: Recorder())
    let events = lane.center.events.makeAsyncIterator()
    _ = await lane.enqueue("twice", completing: Int.self) { completion in
      completion.succeed(1)
      completion.succeed(2)
    }.outcome
    _ = await lane.enqueue("never") { _ in }.outcome
    var told: [String] = []
    while told.count < 2, let event = await events.next() {
      guard case .completionMisused(let name, let mistake) = event.kind else { continue }
      told.append("\(name)")
      #expect(mistake.contains(name == "twice" ? "only the first answer counts" : "was let go without an answer"))
      #expect(mistake.contains("LaneQueueTests.swift"))
    }
    #expect(told == ["twice", "never"])
  }

  @Test func `and it is reported, also where nobody observes`() async throws {
    let reports = Recorder()
    let lane = LaneQueueTests.lane(reportingTo: reports)
    let line = #line
    let twice = lane.enqueue("twice", completing: Int.self) { completion in
      completion.succeed(1)
      completion.succeed(2)
    }
    #expect(try await twice.value == 1)
    let never = lane.enqueue("never") { _ in }
    await #expect(throws: CompletionError.self) { try await never.value }
    _ = await lane.enqueue("once") { completion in completion.succeed() }.outcome
    let file = "TaskKitTests/LaneQueueTests.swift"
    #expect(reports.notes.count == 2)
    #expect(
      reports.notes.first?.hasPrefix("'twice' in lane 'line': the completion made at \(file):\(line + 1):") == true)
    #expect(reports.notes.first?.contains("was answered at \(file):\(line + 2):") == true)
    #expect(reports.notes.first?.contains("and again at \(file):\(line + 3):") == true)
    #expect(
      reports.notes.last?.hasPrefix("'never' in lane 'line': the completion made at \(file):\(line + 6):") == true)
    #expect(reports.notes.last?.contains("was let go without an answer") == true)
  }

  @Test func `a completion that is let go unanswered fails it, and the lane goes on, S4`() async throws {
    let lane = LaneQueueTests.lane(reportingTo: Recorder())
    let dropped = lane.enqueue("dropped") { _ in }
    let next = lane.enqueue("next") {}
    let error = await #expect(throws: CompletionError.self) { try await dropped.value }
    #expect(error?.code == .dropped)
    #expect(await next.outcome.isSuccess)
  }

  @Test func `retries come after their delays, and the lane is free meanwhile`() async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let lane = try TaskCenter.with([], clock: clock).lane(LaneQueueTests.lane)
    let flaky = lane.enqueue("flaky", retry: .attempts(2, backoff: .fixed(.seconds(3)))) {
      recorder.note("attempt")
      if recorder.notes.count == 1 { throw Broken() }
    }
    lane.enqueue("other") { recorder.note("other") }
    _ = await recorder.notes(2)
    await clock.step(to: .seconds(3))
    #expect(await flaky.outcome.isSuccess)
    #expect(recorder.notes == ["attempt", "other", "attempt"])
    #expect(lane.report["flaky"]?.attempts == 2)
    #expect(lane.report["flaky"]?.waits.retry == .seconds(3))
  }

  @Test func `with a center that goes, what waits ends as cancelled`() async throws {
    weak var gone: TaskCenter?
    func enqueue() -> LaneTicket<Int> {
      let center = TaskCenter()
      gone = center
      return center.lane(Lane("closed", opens: .whenOpened)).enqueue("never") { 1 }
    }
    let ticket = enqueue()
    #expect(gone == nil)
    #expect(await ticket.outcome.description == "cancelled")
    ticket.cancel()
  }

  @Test func `bodies count against the limit of their center, over all lanes`() async throws {
    let meter = Meter()
    let center = try TaskCenter.with([], limit: 2)
    let lanes = (0..<5).map { center.lane(Lane("\($0)")) }
    for lane in lanes {
      for number in 0..<4 {
        lane.enqueue("\(number)") {
          meter.enter()
          for _ in 0..<5 { await Task.yield() }
          meter.leave()
        }
      }
    }
    for lane in lanes { try await lane.finished() }
    #expect(meter.maximum == 2)
    await center.quiet()
    #expect(center.usedSlots == 0)
  }
}
