import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// What a lane tells: events, progress, its report, and who would wait for itself (A13, A17, At9, At13).
@Suite struct LaneTellingTests {
  @Test(arguments: [Int.max, 1])
  func `every start and end is observed exactly once, in order, At9`(limit: Int) async throws {
    let center = try TaskCenter.with([], limit: limit)
    let lane = center.lane(Lane("line", onFailure: .stop, opens: .whenOpened))
    let events = center.events.makeAsyncIterator()
    lane.enqueue("first") {}
    lane.enqueue("second") { throw Broken() }
    lane.enqueue("third") {}
    lane.enqueue("fourth") {}
    lane.open()
    try await lane.finished()
    lane.pause()
    try lane.pause("third")
    lane.resume()
    try await lane.center.lane(Lane("other")).finished()
    try lane.resume("third")
    try lane.remove("fourth")
    try await lane.finished()
    lane.enqueue("last") {}
    var words = await events.words(until: "taskEnded last: succeeded")
    // 'fourth' may have started before it was removed.
    words.removeAll { $0.contains("fourth") }
    #expect(
      words == [
        "taskEnqueued first line", "taskEnqueued second line", "taskEnqueued third line", "laneOpened line",
        "taskStarted first", "taskEnded first: succeeded", "taskStarted second", "taskEnded second: failed: broken",
        "laneStopped line by second", "lanePaused line", "taskPaused third", "laneResumed line", "taskResumed third",
        "taskStarted third", "taskEnded third: succeeded", "taskEnqueued last line", "taskStarted last",
        "taskEnded last: succeeded",
      ])
  }

  @Test func `progress counts what was put in and what has ended, now and at each change`() async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("line"))
    let updates = lane.progressUpdates
    #expect(lane.progress.fraction == 1)
    lane.pause()
    for number in 0..<4 { lane.enqueue("\(number)") { if number == 2 { throw Broken() } } }
    lane.enqueue("last") { await gate.pass() }
    var seen: [EventProgress] = []
    for await progress in updates {
      seen.append(progress)
      if seen.count == 1 { lane.resume() }
      if progress.ended == 4 { gate.open() }
      if progress.ended == progress.total { break }
    }
    #expect(seen.first.map { [$0.ended, $0.total] } == [0, 5])
    #expect(seen.last.map { [$0.ended, $0.total] } == [5, 5])
    #expect(seen.map(\.ended) == seen.map(\.ended).sorted())
    #expect(seen.contains { $0.ended == 4 && $0.total == 5 })
  }

  @Test(.timeLimit(.minutes(2))) func `waiting for progress ends with the task that waits`() async throws {
    let lane = TaskCenter().lane(Lane("line"))
    let gate = Gate()
    let reader = Task {
      for await _ in lane.progressUpdates { gate.open() }
      return Task.isCancelled
    }
    await gate.pass()
    reader.cancel()
    #expect(await reader.value)
  }

  @Test func `the gate of a loading screen opens only when everything has ended, At13`() async throws {
    let recorder = Recorder()
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("launch"))
    lane.enqueue("first") { recorder.note("first") }
    lane.enqueue("second") {
      await gate.pass()
      recorder.note("second")
    }
    let screen = Task {
      try await lane.finished()
      recorder.note("screen")
    }
    await gate.arrivals()
    lane.enqueue("third") { recorder.note("third") }
    gate.open()
    try await screen.value
    #expect(recorder.notes == ["first", "second", "third", "screen"])
  }

  @Test func `the report tells where the time went`() async throws {
    let clock = VirtualClock()
    let lane = try TaskCenter.with([], clock: clock).lane(Lane("line"))
    @Sendable func wait(_ seconds: Int) async throws {
      try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
    }
    lane.enqueue("first") { try await wait(2) }
    lane.enqueue("second") { try await wait(3) }
    await clock.step(to: .seconds(2))
    await clock.waitForSleeper(until: .seconds(5))
    lane.pause()
    lane.enqueue("third") { throw Broken() }
    await clock.step(to: .seconds(5))
    await waitUntil { lane.running == nil }
    clock.advance(by: .seconds(1))
    lane.resume()
    let report = try await lane.finished()
    #expect(report.duration == .seconds(6))
    #expect(report.tasks.map(\.name) == ["first", "second", "third"])
    #expect(report.tasks.map(\.started) == [.zero, .seconds(2), .seconds(6)])
    #expect(report.tasks.map(\.duration) == [.seconds(2), .seconds(3), .zero])
    #expect(report.tasks.map(\.waits.slot) == [.zero, .seconds(2), .zero])
    #expect(report.tasks.map(\.waits.pause) == [.zero, .zero, .seconds(4)])
    #expect(!report.isSuccess)
    #expect(
      report.description == """
        lane line: open
        line: completed, 3 tasks in 6.00 s, 1 failed
        task    outcome         started    took  waited for
        first   succeeded          0 ns  2.00 s
        second  succeeded        2.00 s  3.00 s  slot 2.00 s
        third   failed: broken   6.00 s    0 ns  pause 4.00 s
        """)
  }

  @Test func `where no times are taken, what never started has none either`() async throws {
    let clock = VirtualClock()
    let center = TaskCenter(configuration: .init(reporting: .problems), time: .virtual(clock))
    let lane = center.lane(Lane("line"))
    clock.advance(by: .seconds(100))
    lane.pause()
    let ticket = lane.enqueue("first") {}
    // From here on the clock is read.
    lane.enqueue("second", timeout: .seconds(1)) {}
    ticket.cancel()
    #expect(lane.report.tasks.map(\.name) == ["first"])
    #expect(lane.report.tasks.map { $0.waits.pause + $0.waits.slot } == [.zero])
    #expect(lane.report.duration == .zero)
  }

  @Test(arguments: ["open", "stopped"])
  func `the encoded form of a report says the same, and a later version is refused`(way: String) async throws {
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("line", onFailure: .stop))
    lane.enqueue("first") { if way == "stopped" { throw Broken() } }
    lane.enqueue("second") { await gate.pass() }
    lane.enqueue("third") {}
    if way == "open" { await gate.arrivals() } else { try await lane.finished() }
    let report = lane.report
    let data = try JSONEncoder().encode(report)
    let read = try JSONDecoder().decode(LaneReport.self, from: data)
    #expect(read.description == report.description)
    #expect(read.running == (way == "open" ? "second" : nil))
    #expect(read.status == (way == "open" ? .open : .stopped(by: "first")))
    let text = String(decoding: data, as: UTF8.self).replacing("\"version\":1", with: "\"version\":2")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(LaneReport.self, from: Data(text.utf8)) }
    gate.open()
    lane.resume()
    try await lane.finished()
  }

  @Test func `a lane keeps its last thousand ends or two, and says how many there were before`() async throws {
    let lane = try TaskCenter.with([]).lane(Lane("line"))
    for number in 0..<2500 { lane.enqueue("\(number)") {} }
    let report = try await lane.finished()
    #expect(report.omitted + report.tasks.count == 2500)
    #expect(report.tasks.count < 2000)
    #expect(report.tasks.last?.name == "2499")
  }

  @Test func `a failure that the report has no room for is no success all the same`() async throws {
    let lane = try TaskCenter.with([]).lane(Lane("line"))
    lane.enqueue("fails") { throw Broken() }
    for number in 0..<2000 { lane.enqueue("\(number)") {} }
    let report = try await lane.finished()
    #expect(report["fails"] == nil)
    #expect(report.omittedFailures == 1)
    #expect(!report.isSuccess)
    #expect(report.description.contains("\(report.omitted) more ended before these, 1 of them without success"))
    let decoded = try JSONDecoder().decode(LaneReport.self, from: JSONEncoder().encode(report))
    #expect(decoded.omittedFailures == 1)
  }

  @Test func `the report of a lane that nobody has used says how its gate stands`() async throws {
    for gate in [Lane.Gate.atOnce, .whenOpened, .after(.alpha), .after(.beta), .when("never") { false }] {
      let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
      await center.send(.alpha)
      let lane = center.lane(Lane("line", opens: gate))
      let told = lane.report.status
      #expect(told == lane.status)
    }
  }

  @Test func `who looks at a lane, or asks of it what changes nothing, leaves nothing behind`() async throws {
    let center = try TaskCenter.with([])
    for gate in [Lane.Gate.atOnce, .whenOpened, .after(.alpha), .when("never") { false }] {
      let lane = center.lane(Lane("line", opens: gate))
      _ = (lane.status, lane.waiting, lane.running, lane.progress, lane.report)
      for change in [lane.remove, lane.pause(_:), lane.resume(_:)] {
        #expect(throws: TaskError.self) { try change("nothing") }
      }
      lane.resume()
      lane.clear()
      lane.reset()
      try await lane.finished()
      #expect(center.knownLanes == 0)
      #expect(center.askedConditionCount == 0)
    }
    center.lane(Lane("line")).open()
    // The name is free for another one.
    #expect(await center.lane(Lane("line", timeout: .seconds(5))).enqueue("first") {}.outcome.isSuccess)
  }

  @Test func `of a lane whose progress nobody watches any more nothing is kept`() async throws {
    let center = TaskCenter()
    let reader = Task {
      for await _ in center.lane(Lane("line")).progressUpdates {}
    }
    await waitUntil { center.knownLanes == 1 }
    reader.cancel()
    await reader.value
    #expect(center.knownLanes == 0)
    #expect(await center.lane(Lane("line", timeout: .seconds(5))).enqueue("first") {}.outcome.isSuccess)
  }

  @Test func `occurrences that have ended leave nothing in a lane that is held up`() async throws {
    let (clock, gate) = (VirtualClock(), Gate())
    let line = Lane("line")
    let center = try TaskCenter.with([.event(.alpha, name: "task", lane: line) { _ in }], clock: clock)
    center.lane(line).enqueue("hangs") { await gate.pass() }
    await gate.arrivals()
    for second in 1...20 {
      let run = center.begin(.alpha, deadline: .seconds(1))
      await clock.step(to: .seconds(second))
      #expect(await run.report.status == .deadlineExceeded)
    }
    #expect(center.parkedCount(in: line) == 0)
    gate.open()
    try await center.lane(line).finished()
  }

  // MARK: - Waiting for itself

  @Test @MainActor func `who has awaited a lane that has come to rest waits for nothing that comes into it then`()
    async throws
  {
    let (main, gate) = (BlockingGate(), Gate())
    let statuses = Values<EventReport.Status>()
    let center = try TaskCenter.with([
      .event(.alpha, name: "awaits") { @MainActor context in
        try await context.center.lane(Lane("line")).finished()
      }
    ])
    let lane = center.lane(Lane("line"))
    let first = lane.enqueue("first") { await gate.pass() }
    let run = center.begin(.alpha)
    await gate.arrivals()
    await waitUntil { center.isAwaited(lane.lane) }
    // The main actor is busy while the lane comes to rest, and something else comes into it.
    let second = Task.detached {
      gate.open()
      _ = await first.outcome
      let outcome = await lane.enqueue("second") {
        main.open()
        statuses.append(await run.report.status)
      }.outcome
      return outcome.description
    }
    main.pass()
    #expect(await second.value == "succeeded")
    #expect(statuses.values == [.completed])
  }

  @Test func `a body that awaits what waits behind it is told at once, with the chain`() async throws {
    let lane = try TaskCenter.with([]).lane(Lane("line"))
    let answers = Recorder()
    let first = lane.enqueue("first") {
      let behind = lane.enqueue("behind") { 1 }
      let outcome = await behind.outcome
      if case .failed(let error as TaskError) = outcome { answers.note(error.description) }
      do { _ = try await behind.value } catch let error as TaskError { answers.note("\(error.code)") }
      do { try await lane.finished() } catch let error as TaskError { answers.note(error.description) }
    }
    #expect(await first.outcome.isSuccess)
    #expect(try await lane.finished()["behind"]?.outcome.isSuccess == true)
    #expect(
      answers.notes == [
        "awaiting 'behind' here would wait for itself: 'behind' waits for lane 'line', which 'first' holds, which awaits "
          + "it; await it after this task has ended",
        "waitsForItself",
        "awaiting lane 'line' here would wait for itself: 'line' waits for 'first', which awaits it; await it after this "
          + "task has ended",
      ])
  }

  @Test func `through another lane, and through an event`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "task", lane: Lane("one")) { _ in }
    ])
    let (one, two) = (center.lane(Lane("one")), center.lane(Lane("two")))
    let answers = Recorder()
    let first = one.enqueue("first") {
      let outcome = await two.enqueue("second") {
        let outcome = await one.enqueue("third") {}.outcome
        answers.note(outcome.description)
      }.outcome
      answers.note(outcome.description)
      answers.note("\(await center.send(.alpha).status)")
    }
    #expect(await first.outcome.isSuccess)
    try await one.finished()
    #expect(
      answers.notes == [
        "failed: awaiting 'third' here would wait for itself: 'third' waits for lane 'one', which 'first' holds waits for "
          + "'second', which awaits it; await it after this task has ended",
        "succeeded",
        "refused: sending 'alpha' here would wait for itself: 'alpha' waits for lane 'one', which 'first' holds, which "
          + "sends it; use begin(_:_:), which does not wait",
      ])
  }

  @Test func `a task of the event after which a lane opens is told that it waits for the gate`() async throws {
    let answers = Recorder()
    let late = Lane("late", opens: .after(.alpha))
    let center = try TaskCenter.with([
      .event(.alpha, name: "task") { context in
        answers.note("\(await context.center.send(.beta).status)")
        answers.note(await context.center.lane(late).enqueue("put in") {}.outcome.description)
      },
      .event(.beta, name: "late", lane: late) { _ in },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(
      answers.notes == [
        "refused: sending 'beta' here would wait for itself: 'beta' waits for lane 'late', which opens after 'alpha', which sends "
          + "it; use begin(_:_:), which does not wait",
        "failed: awaiting 'put in' here would wait for itself: 'put in' waits for lane 'late', which opens after 'alpha', which "
          + "awaits it; await it after this task has ended",
      ])
    try await center.lane(late).finished()
  }

  @Test(arguments: [Int.max, 1])
  func `a body may await another lane, and lends its slot`(limit: Int) async throws {
    let center = try TaskCenter.with([], limit: limit)
    let (one, two) = (center.lane(Lane("one")), center.lane(Lane("two")))
    let sum = one.enqueue("sum") {
      let numbers = (1...3).map { number in two.enqueue("\(number)") { number } }
      let sum = try await numbers.values().reduce(0, +)
      try await two.finished()
      return sum
    }
    #expect(try await sum.value == 6)
    await center.quiet()
    #expect(center.usedSlots == 0)
  }

  @Test(arguments: [Int.max, 1])
  func `bodies, and what they hold, may call everything that a lane offers`(limit: Int) async throws {
    final class Held: Sendable {
      let lane: LaneQueue
      init(_ lane: LaneQueue) { self.lane = lane }
      deinit { _ = lane.report }
    }
    let center = try TaskCenter.with([], limit: limit)
    let lane = center.lane(Lane("line", duplicates: .replace))
    let ticket = lane.enqueue("caller") { () -> Held in
      lane.pause()
      lane.enqueue("other") { _ = lane.waiting }
      try lane.pause("other")
      try lane.resume("other")
      try lane.remove("other")
      lane.enqueue("again", key: "k") { [held = Held(lane)] in _ = held }
      lane.enqueue("again", key: "k") { [held = Held(lane)] in _ = held }
      lane.clear()
      lane.open()
      lane.resume()
      _ = (lane.status, lane.running, lane.progress, lane.report)
      lane.enqueue("fails") { [held = Held(lane)] in
        _ = held
        throw Broken()
      }
      return Held(lane)
    }
    _ = try await ticket.value
    try await lane.finished()
    #expect(lane.report["fails"]?.outcome.description == "failed: broken")
  }

  @Test(.timeLimit(.minutes(15)))
  func `what a body held is let go of when it has ended, and its value with the ticket`() async throws {
    final class Held: Sendable {}
    let gate = Gate()
    let lane = try TaskCenter.with([]).lane(Lane("line"))
    weak var captured: Held?
    weak var value: Held?
    weak var waiting: Held?
    func enqueue() async throws {
      let (body, output, later) = (Held(), Held(), Held())
      (captured, value, waiting) = (body, output, later)
      let ticket = lane.enqueue("first") {
        _ = body
        return output
      }
      lane.enqueue("second") { await gate.pass() }
      let cleared = lane.enqueue("third") { _ = later }
      _ = try await ticket.value
      cleared.cancel()
    }
    try await enqueue()
    await gate.arrivals()
    await waitUntil { captured == nil && value == nil }
    #expect(captured == nil)
    #expect(value == nil)
    #expect(waiting == nil)
    gate.open()
    try await lane.finished()
  }
}
