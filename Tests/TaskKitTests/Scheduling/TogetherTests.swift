import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Tasks that are due together, and the law of order among them.
@Suite struct TogetherTests {
  @Test func `priority decides among tasks that are due at the same instant, then the order of injection`() async throws
  {
    let table = Timetable(limit: 1)
    try table.center.inject([
      table.task(.init(every: .seconds(10)), name: "low", priority: .low),
      table.task(.init(every: .seconds(20)), name: "first"),
      table.task(.init(every: .seconds(10)), name: "second"),
      table.task(.init(at: 1_767_225_620), name: "critical", priority: .critical),
      table.task(.init(cron: "20 0 0 * * *", timeZone: .utc), name: "high", priority: .high),
    ])
    table.center.start()
    await table.pass(.seconds(20))
    #expect(
      table.notes == ["second 10", "low 10", "critical 20", "high 20", "first 20", "second 20", "low 20"])
  }

  @Test func `a dependency holds among tasks that are due together, and passes its output on`() async throws {
    let table = Timetable()
    try table.center.inject([
      .schedule(name: "needy", priority: .critical, every: .seconds(10), dependencies: ["giver"]) {
        [recorder = table.recorder] context in
        recorder.note("got \(try context.output(named: "giver", as: Int.self))")
      },
      .schedule(.init(every: .seconds(10)), name: "giver", returning: { $0.payload.number }),
    ])
    table.center.start()
    await table.pass(.seconds(30))
    #expect(table.notes == ["got 1", "got 2", "got 3"])
  }

  /// By less than the center calls a clock that was set: a slot is waited for then until it comes.
  @Test func `tasks of the calendar stay together where its clock went slower for a while`() async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(cron: "*/10 * * * * *", timeZone: .utc), name: "giver"),
      table.task(.init(at: 1_767_225_600 + 100), name: "needy", dependencies: ["giver"]),
    ])
    table.center.start()
    for (seconds, change) in [(5, -0.05), (10, 0.05)] {
      await table.pass(.seconds(seconds))
      table.time.setWall(to: table.time.wall.addingTimeInterval(change))
    }
    await table.pass(.seconds(86))
    #expect(table.notes == ["giver 10.05"] + (2...10).map { "giver \($0 * 10)" } + ["needy 100"])
  }

  @Test func `a dependency that is not due counts by its latest run, and without one the task is skipped`() async throws
  {
    let table = Timetable()
    let events = table.center.events.makeAsyncIterator()
    try table.center.inject([
      table.task(.init(every: .seconds(10), count: 3), name: "needy", dependencies: ["rare"]),
      table.task(.init(every: .seconds(15), count: 1), name: "rare"),
    ])
    table.center.start()
    await table.pass(.seconds(100))
    // The skipped slot is not counted.
    #expect(table.notes == ["rare 15", "needy 20", "needy 30", "needy 40"])
    let words = await events.words(until: "taskEnded needy: succeeded")
    #expect(words.contains("taskEnded needy: skipped: 'rare' has not run yet"))
  }

  @Test func `a dependency that is paused when it is due counts by its latest run`() async throws {
    let table = Timetable()
    try table.center.inject([
      table.task(.init(every: .seconds(10)), name: "giver"),
      table.task(.init(every: .seconds(10)), name: "needy", dependencies: ["giver"]),
    ])
    table.center.start()
    await table.pass(.seconds(10))
    try table.center.pause("giver")
    await table.pass(.seconds(10))
    try table.center.resume("giver")
    await table.pass(.seconds(10))
    #expect(table.notes == ["giver 10", "needy 10", "needy 20", "giver 30", "needy 30"])
  }

  @Test func `a schedule may wait for an event task: not before the database is open`() async throws {
    let table = Timetable()
    try table.center.inject([
      .event(.alpha, name: "OpenDatabase") { _ in },
      table.task(.init(every: .seconds(10)), name: "Sync", dependencies: ["OpenDatabase"]),
    ])
    table.center.start()
    await table.pass(.seconds(20))
    #expect(table.notes == [])
    await table.center.send(.alpha)
    await table.pass(.seconds(10))
    #expect(table.notes == ["Sync 30"])
  }

  @Test func `a task of an event cannot wait for a schedule`() throws {
    let table = Timetable()
    let error = #expect(throws: TaskGraphError.self) {
      try table.center.inject([
        table.task(.init(every: .seconds(10)), name: "Sync"),
        .event(.alpha, name: "needy", dependencies: ["Sync"]) { _ in },
      ])
    }
    #expect(error?.sentences.count == 1)
    #expect(error?.sentences.first?.contains("'Sync'") == true)
  }

  @Test func `of thousands that are due together each is told its own number and slot`() async throws {
    let table = Timetable()
    let seconds = (0..<3000).map { 10 * (1 + $0 % 3) }
    try table.center.inject(
      seconds.enumerated().map { index, seconds in
        .schedule(name: TaskName("task \(index)"), every: .seconds(seconds)) { [recorder = table.recorder] context in
          let slot = context.payload.scheduledFor.timeIntervalSince1970 - 1_767_225_600
          recorder.note("\(context.name): \(context.payload.number) at \(Int(slot))")
        }
      })
    table.center.start()
    await table.pass(.seconds(60))
    let expected = seconds.enumerated().flatMap { index, seconds in
      (1...60 / seconds).map { "task \(index): \($0) at \($0 * seconds)" }
    }
    #expect(table.notes.sorted() == expected.sorted())
  }

  @Test func `the failure of one is an outcome, and the next slot comes all the same`() async throws {
    struct Broken: Error {}
    let table = Timetable()
    try table.center.inject(
      .schedule(name: "broken", every: .seconds(10), count: 3) { [recorder = table.recorder] _ in
        recorder.note("tried")
        throw Broken()
      })
    table.center.start()
    await table.pass(.seconds(100))
    #expect(table.notes.count == 3)
    #expect(try table.center.statistics(of: "broken").lastOutcome?.contains("failed") == true)
  }

  @Test func `a million seconds of five schedules run in their order`() async throws {
    let table = Timetable(limit: 1)
    let intervals = [700, 6000, 86_400, 250_000, 360_000]
    try table.center.inject(
      intervals.map { interval in
        .schedule(.init(every: .seconds(interval)), name: TaskName("every \(interval)")) {
          [time = table.time, recorder = table.recorder] context in
          recorder.note(Timetable.note(context.name, at: time))
        }
      })
    table.center.start()
    await table.pass(.seconds(1_000_000))
    var expected: [(Int, Int)] = []
    for (position, interval) in intervals.enumerated() {
      for slot in stride(from: interval, through: 1_000_000, by: interval) {
        expected.append((slot, position))
      }
    }
    #expect(table.notes == expected.sorted { $0 < $1 }.map { "every \(intervals[$0.1]) \($0.0)" })
  }

  @Test func `time passes for a run that waits for its next attempt`() async throws {
    struct Broken: Error {}
    let table = Timetable()
    try table.center.inject(
      .schedule(name: "flaky", every: .seconds(100), count: 1, retry: .attempts(3, backoff: .fixed(.seconds(5)))) {
        [time = table.time, recorder = table.recorder] context in
        recorder.note(Timetable.note(context.name, at: time))
        if context.attempt < 3 { throw Broken() }
      })
    table.center.start()
    await table.pass(.seconds(200))
    #expect(table.notes == ["flaky 100", "flaky 105", "flaky 110"])
  }

  @Test func `after the shutdown every schedule is finished`() async throws {
    let schedules = [
      "interval": TaskSchedule(every: .seconds(10)), "delay": .init(every: .seconds(10), count: 5, pace: .fixedDelay),
      "sleepless": .init(every: .seconds(10), clock: .suspending), "date": .init(at: 1_767_225_700),
      "rule": .init(daily: "02:30"),
    ]
    let table = Timetable()
    try table.center.inject(schedules.map { table.task($1, name: TaskName($0)) })
    table.center.start()
    await table.pass(.seconds(15))
    _ = await table.center.terminate()
    for name in schedules.keys {
      let status = try table.center.schedule(of: TaskName(name))
      #expect(status.phase == .finished)
      #expect(status.next == nil)
    }
  }

  @Test func `after the shutdown nothing is due any more, and a lane takes nothing`() async throws {
    let table = Timetable()
    try table.center.inject(table.task(.init(every: .seconds(10))))
    table.center.start()
    await table.pass(.seconds(10))
    _ = await table.center.terminate()
    await table.pass(.seconds(100))
    #expect(table.notes == ["tick 10"])
    let ticket = table.center.lane(Lane("greetings")).enqueue("hello") {}
    let outcome = await ticket.outcome
    #expect(outcome.description == "failed: 'hello' cannot run: its center has shut down; make another center")
  }
}
