import TaskKit
import TaskKitTesting
import Testing

/// One line for tasks of events and what is put in at run time (At11, St4).
@Suite struct LaneLineTests {
  /// The tasks of an event in a lane of the main actor, each in another form.
  private static func tasks(_ isOnMain: Values<Bool>, _ recorder: Recorder) -> [TaskDefinition] {
    let lane = Lane("main", isolation: .mainActor)
    @Sendable func note(_ name: TaskName) {
      isOnMain.append(isOnMainActor)
      recorder.note(name.rawValue)
    }
    return [
      .event(.alpha, name: "low", priority: .low, lane: lane) { context in note(context.name) },
      .event(.alpha, name: "high", priority: .high, lane: lane) { context in note(context.name) },
      .event(.alpha, name: "asynchronous", lane: lane) { context in
        note(context.name)
        await Task.yield()
        isOnMain.append(isOnMainActor)
      },
      .event(
        .alpha, name: "returning", priority: .critical, lane: lane,
        returning: { context -> Int in
          note(context.name)
          return 1
        }),
    ]
  }

  @Test(arguments: [Int.max, 1], [true, false])
  func `tasks that name no actor run where their lane says, in the order of the law, St6`(
    limit: Int, fromMain: Bool
  ) async throws {
    let isOnMain = Values<Bool>()
    let recorder = Recorder()
    let center = try TaskCenter.with(Self.tasks(isOnMain, recorder), limit: limit)
    let run = fromMain ? await MainActor.run { center.begin(.alpha) } : center.begin(.alpha)
    let report = await run.report
    #expect(report.isSuccess)
    #expect(recorder.notes == ["returning", "high", "asynchronous", "low"])
    #expect(isOnMain.values == Array(repeating: true, count: 5))
    #expect(report.names == ["returning", "high", "asynchronous", "low"])
    #expect(center.order(of: .alpha) == ["returning", "high", "asynchronous", "low"])
    #expect(
      try center.why("high", before: "low", at: .alpha)
        == "'high' starts before 'low', because 'high' has priority 750 and 'low' has 250")
  }

  @Test func `an annotated task that names no actor runs where its lane says, St6`() async throws {
    let isOnMain = Values<Bool>()
    let center = TaskCenter(registry: TaskRegistry(__proved: [.of("One", [.task(LaneTasks.OnMain.self)])]))
    center[LaneTasks.Log.self] = isOnMain
    #expect(await center.send(LifecycleEvent<Void, Void>("LaneTasks")).isSuccess)
    #expect(isOnMain.values == [true])
  }

  private static let lane = Lane("line")

  private static func center(_ definitions: [TaskDefinition], limit: Int = .max) throws -> (TaskCenter, LaneQueue) {
    let center = try TaskCenter.with(definitions, limit: limit)
    return (center, center.lane(lane))
  }

  @Test(arguments: [Int.max, 3, 1])
  func `tasks of events and what is put in never overlap, At11`(limit: Int) async throws {
    let meter = Meter()
    @Sendable func work() async {
      meter.enter()
      for _ in 0..<3 { await Task.yield() }
      meter.leave()
    }
    let (center, lane) = try LaneLineTests.center(
      [
        .event(.alpha, name: "a", lane: LaneLineTests.lane) { _ in await work() },
        .event(.beta, name: "b", lane: LaneLineTests.lane) { _ in await work() },
        .event(.beta, name: "c", lane: LaneLineTests.lane) { @MainActor _ in
          meter.enter()
          meter.leave()
        },
      ], limit: limit)
    for round in 0..<20 {
      let runs = [center.begin(.alpha), center.begin(.beta)]
      let ticket = lane.enqueue("\(round)") { await work() }
      for run in runs { #expect(await run.report.isSuccess) }
      #expect(await ticket.outcome.isSuccess)
    }
    #expect(meter.maximum == 1)
  }

  @Test(arguments: [Int.max, 2, 1])
  func `the higher priority goes first, then what came first, whether a task of an event or put in`(
    limit: Int
  ) async throws {
    let gate = Gate()
    let recorder = Recorder()
    func task(_ event: LifecycleEvent<Void, Void>, _ name: TaskName, _ priority: Priority) -> TaskDefinition {
      .event(event, name: name, priority: priority, lane: LaneLineTests.lane) { _ in recorder.note(name.rawValue) }
    }
    let (center, lane) = try LaneLineTests.center(
      [
        task(.alpha, "alpha high", .high), task(.alpha, "alpha", .default),
        task(.beta, "beta", .default), task(.beta, "beta critical", .critical),
      ], limit: limit)
    lane.enqueue("holder") { await gate.pass() }
    await gate.arrivals()
    lane.enqueue("1", priority: .default) { recorder.note("1") }
    let alpha = center.begin(.alpha)
    lane.enqueue("2", priority: .default) { recorder.note("2") }
    let beta = center.begin(.beta)
    lane.enqueue("3", priority: .default) { recorder.note("3") }
    lane.enqueue("high", priority: .high) { recorder.note("high") }
    // With one slot nobody asks for work before the holder is done.
    await waitUntil { limit == 1 || center.parkedCount(in: LaneLineTests.lane) >= 4 }
    let order: [String] = ["beta critical", "alpha high", "high", "1", "alpha", "2", "beta", "3"]
    #expect(lane.waiting == order.map { TaskName($0) })
    gate.open()
    #expect(await alpha.report.isSuccess)
    #expect(await beta.report.isSuccess)
    try await lane.finished()
    #expect(recorder.notes == order)
  }

  @Test(arguments: [Int.max, 1])
  func `of thousands that wait for another attempt each comes in its place in the line when its time has come`(
    limit: Int
  ) async throws {
    let (clock, recorder) = (VirtualClock(), Recorder())
    let lane = try TaskCenter.with([], limit: limit, clock: clock).lane(LaneLineTests.lane)
    lane.pause()
    let tickets = (0..<5000).map { number in
      lane.enqueue(
        "\(number)", priority: Priority(1 + number % 3), retry: .attempts(2, backoff: .fixed(.seconds(10)))
      ) {
        guard clock.now.offset > .zero else { throw Broken() }
        recorder.note("\(number)")
      }
    }
    lane.resume()
    // The first comes when all have failed; each goes past all of them.
    for number in 0..<100 {
      let other = lane.enqueue("other \(number)", priority: Priority(0)) { recorder.note("other \(number)") }
      #expect(await other.outcome.isSuccess)
    }
    try lane.remove("7")
    try lane.pause("8")
    await clock.step(to: .seconds(10))
    for (number, ticket) in tickets.enumerated() where number != 8 {
      #expect(await ticket.outcome.description == (number == 7 ? "cancelled" : "succeeded"))
    }
    try lane.resume("8")
    #expect(await tickets[8].outcome.isSuccess)
    let order = [2, 1, 0].flatMap { rest in (0..<5000).filter { $0 % 3 == rest && $0 != 7 && $0 != 8 } } + [8]
    #expect(recorder.notes == (0..<100).map { "other \($0)" } + order.map { "\($0)" })
    try await lane.finished()
  }

  @Test func `what is paused keeps its place in the line, and is taken out of it like the rest`() async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(LaneLineTests.lane)
    lane.pause()
    let tickets = (0..<6).map { number in
      lane.enqueue("\(number)", priority: Priority(number % 2)) { recorder.note("\(number)") }
    }
    for key in ["1", "2", "3"] { try lane.pause(key) }
    #expect(lane.waiting == ["1", "3", "5", "0", "2", "4"])
    try lane.remove("3")
    try lane.resume("2")
    lane.resume()
    for number in [5, 0, 2, 4] { #expect(await tickets[number].outcome.isSuccess) }
    #expect(await tickets[3].outcome.description == "cancelled")
    #expect(recorder.notes == ["5", "0", "2", "4"])
    #expect(lane.waiting == ["1"])
    try lane.resume("1")
    try await lane.finished()
    #expect(recorder.notes == ["5", "0", "2", "4", "1"])
  }

  @Test(arguments: [1, 16, 17, 200])
  func `as many as are paused together keep their places in the line`(count: Int) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(LaneLineTests.lane)
    lane.pause()
    for number in 0..<count {
      for key in ["some", "others"] {
        _ = lane.enqueue("\(key) \(number)", key: key, priority: Priority(number % 3)) {
          recorder.note("\(key) \(number)")
        }
      }
    }
    let all = lane.waiting
    let some = all.filter { $0.rawValue.hasPrefix("some") }
    let others = all.filter { $0.rawValue.hasPrefix("others") }
    #expect(some.count == count)
    try lane.pause("some")
    #expect(lane.waiting == all)
    try lane.resume("some")
    #expect(lane.waiting == all)
    try lane.pause("some")
    lane.resume()
    await waitUntil { recorder.notes.count == count }
    #expect(recorder.notes == others.map(\.rawValue))
    #expect(lane.waiting == some)
    try lane.resume("some")
    try await lane.finished()
    #expect(recorder.notes == (others + some).map(\.rawValue))
  }

  @Test(arguments: [1, 16, 17, 200])
  func `as many as are taken out together leave the others in their places, paused or not`(count: Int) async throws {
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(LaneLineTests.lane)
    lane.pause()
    func put(_ key: String, _ number: Int) -> LaneTicket<Void> {
      lane.enqueue("\(key) \(number)", key: key, priority: Priority(number % 3)) { recorder.note("\(key) \(number)") }
    }
    var others = (0..<count).map { put("others", $0) }
    var some = (0..<count).map { put("some", $0) }
    try lane.pause("some")
    some += (count..<2 * count).map { put("some", $0) }
    others += (count..<2 * count).map { put("others", $0) }
    let left = lane.waiting.filter { $0.rawValue.hasPrefix("others") }
    try lane.remove("some")
    #expect(lane.waiting == left)
    #expect(throws: TaskError.self) { try lane.remove("some") }
    for ticket in some { #expect(await ticket.outcome.description == "cancelled") }
    lane.resume()
    for ticket in others { #expect(await ticket.outcome.isSuccess) }
    #expect(recorder.notes == left.map(\.rawValue))
    #expect([lane.progress.ended, lane.progress.total] == [4 * count, 4 * count])
  }

  /// Many threads at once: nothing is lost, nothing overlaps, each thread's own order is kept.
  @Test(arguments: [Int.max, 4, 1])
  func `concurrent adds from many tasks: none lost, none overlapping, St4`(limit: Int) async throws {
    let meter = Meter()
    let recorder = Recorder()
    let (center, lane) = try LaneLineTests.center(
      [
        .event(.alpha, name: "task", lane: LaneLineTests.lane) { _ in
          meter.enter()
          meter.leave()
        }
      ], limit: limit)
    await withTaskGroup { group in
      for writer in 0..<16 {
        group.addTask {
          for number in 0..<50 {
            lane.enqueue("\(writer) \(number)") {
              meter.enter()
              if number % 7 == 0 { await Task.yield() }
              recorder.note("\(writer) \(number)")
              meter.leave()
            }
            if number % 10 == 0 { await center.send(.alpha) }
            if number % 25 == 0 {
              lane.pause()
              lane.resume()
            }
          }
        }
      }
    }
    try await lane.finished()
    #expect(meter.maximum == 1)
    #expect(recorder.notes.count == 800)
    for writer in 0..<16 {
      #expect(recorder.notes.filter { $0.hasPrefix("\(writer) ") } == (0..<50).map { "\(writer) \($0)" })
    }
    #expect([lane.progress.ended, lane.progress.total] == [800, 800])
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func `whatever is done to it meanwhile, all that was put in ends, and one at a time, St4`(seed: UInt64) async throws {
    let meter = Meter()
    let center = try TaskCenter.with(
      [.event(.alpha, name: "task", lane: Lane("stress", duplicates: .replace)) { _ in await Task.yield() }],
      limit: seed % 2 == 0 ? 2 : .max)
    let lane = center.lane(Lane("stress", duplicates: .replace))
    let ended = Values<String>()
    await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(writer))
          for _ in 0..<40 {
            let key = "\(Int.random(in: 0..<10, using: &random))"
            let ticket = lane.enqueue(
              TaskName(key), priority: Priority(Int.random(in: 0..<3, using: &random)),
              retry: .attempts(Int.random(in: 1...2, using: &random))
            ) {
              meter.enter()
              defer { meter.leave() }
              await Task.yield()
              if key == "3" { throw Broken() }
            }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: ticket.cancel()
            case 1: try? lane.remove(key)
            case 2: lane.clear()
            case 3: lane.pause()
            case 4: lane.resume()
            case 5: await center.send(.alpha, deadline: .seconds(1))
            case 6: try? lane.pause(key)
            case 7: lane.reset()
            default: break
            }
            if ticket.hasEnded { ended.append(key) }
            lane.resume()
            for other in 0..<10 { try? lane.resume("\(other)") }
          }
        }
      }
    }
    lane.resume()
    for key in 0..<10 { try? lane.resume("\(key)") }
    try await lane.finished()
    #expect(meter.maximum == 1)
    #expect(lane.waiting == [])
    #expect(await lane.enqueue("last") {}.outcome.isSuccess)
  }

  /// What waits in the model of a line.
  private struct Entry {
    var name: String
    var key: String
    var priority: Int
    var arrival: Int
    var tickets: [LaneTicket<Void>]
  }

  @Test(arguments: [Lane.DuplicateRule.both, .keepFirst, .replace], [1, 2, 3] as [UInt64])
  func `the line is what a list sorted anew would be, whatever comes and goes`(
    rule: Lane.DuplicateRule, seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let recorder = Recorder()
    let lane = try TaskCenter.with([]).lane(Lane("line", duplicates: rule))
    lane.pause()
    var entries: [Entry] = []
    var ran: [String] = []
    for step in 0..<400 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0...4:
        let (key, priority) = ("\(Int.random(in: 0..<12, using: &random))", Int.random(in: 0..<3, using: &random))
        let ticket = lane.enqueue(TaskName("\(step)"), key: key, priority: Priority(priority)) {
          recorder.note("\(step)")
          lane.pause()
        }
        let other = rule == .both ? nil : entries.firstIndex { $0.key == key }
        if rule == .keepFirst, let other {
          entries[other].tickets.append(ticket)
        } else {
          let arrival = other.map { entries.remove(at: $0).arrival } ?? step
          entries.append(
            Entry(name: "\(step)", key: key, priority: priority, arrival: arrival, tickets: [ticket]))
        }
      case 5:
        guard let index = entries.indices.randomElement(using: &random) else { continue }
        let ticket = Int.random(in: 0..<entries[index].tickets.count, using: &random)
        entries[index].tickets.remove(at: ticket).cancel()
        if entries[index].tickets.isEmpty { entries.remove(at: index) }
      case 6:
        guard let key = entries.randomElement(using: &random)?.key else { continue }
        try lane.remove(key)
        entries.removeAll { $0.key == key }
      default:
        guard !entries.isEmpty else { continue }
        let first = entries.removeFirst()
        ran.append(first.name)
        lane.resume()
        #expect(await first.tickets[0].outcome.isSuccess)
      }
      entries.sort { $0.priority != $1.priority ? $0.priority > $1.priority : $0.arrival < $1.arrival }
      #expect(lane.waiting.map(\.rawValue) == entries.map(\.name))
    }
    #expect(recorder.notes == ran)
    #expect(ran.count > 20)
  }
}
