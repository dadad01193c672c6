import Foundation
import TaskKit

extension LifecycleEvent<Void, Void> {
  fileprivate static var usual: Self { Self("usual") }
  fileprivate static func numbered(_ number: Int) -> Self { Self("event \(number)") }
}

extension TaskName {
  fileprivate static func numbered(_ number: Int) -> TaskName { TaskName("task \(number)") }
}

extension GrowthCase {
  static let all = [
    tasksOfOneEvent, chain, attempts, waitingBodies, destroyedBodies, replacedBodies, occurrences, manyEvents,
    limitedEvents, notifications, lane, pausedLane, sharedKey, tickets, schedules, observers, modules,
  ]

  private static let tasksOfOneEvent = GrowthCase { run in
    let (center, numbers) = (TaskCenter(), run.numbers)
    func inject(replacing: Bool) throws {
      for number in numbers {
        try center.inject(.event(.usual, name: .numbered(number)) { _ in }, replacing: replacing)
      }
    }
    try await run.step("inject a task") { try inject(replacing: false) }
    try await run.step("pause one") { for number in numbers { try center.pause(.numbered(number)) } }
    try await run.step("resume one") { for number in numbers { try center.resume(.numbered(number)) } }
    try await run.step("statistics of one") {
      for number in numbers { _ = try center.statistics(of: .numbered(number)) }
    }
    try await run.step("run one") { for number in numbers { _ = try await center.run(.numbered(number)) } }
    try await run.step("replace one") { try inject(replacing: true) }
    try await run.step("destroy one") { for number in numbers { try center.destroy(.numbered(number)) } }
  }

  private static let chain = GrowthCase { run in
    let (center, numbers) = (TaskCenter(), run.numbers)
    try await run.step("inject a task behind the last of a chain") {
      for number in numbers {
        let before = number == 0 ? [] : [TaskDependency(TaskName.numbered(number - 1))]
        try center.inject(.event(.usual, name: .numbered(number), dependencies: before) { _ in })
      }
    }
    await center.send(.usual)
    let report = await center.send(.usual)
    await run.step("a line of the report's table") { _ = report.description }
    try await run.step("destroy a chain with its first") { try center.destroy(.numbered(0), dependents: .include) }
  }

  private static let attempts = GrowthCase { run in
    struct Failure: Error {}
    let center = TaskCenter()
    try center.inject(.event(.usual, name: "fails", retry: .attempts(run.count)) { _ in throw Failure() })
    await run.step("try once more what fails") { await center.send(.usual) }
  }

  private static let waitingBodies = GrowthCase { run in
    let (center, gate, begun) = (TaskCenter(), Gate(), Countdown(run.count))
    try center.inject(
      run.numbers.map { number in
        .event(.usual, name: .numbered(number), timeout: .seconds(1000 + number)) { _ async in
          begun.count()
          await gate.wait()
        }
      })
    var occurrence: EventRun?
    await run.step("begin a body that waits, with a timeout") {
      occurrence = center.begin(.usual)
      await begun.ends()
    }
    await run.step("end a body that waits") {
      gate.open()
      _ = await occurrence?.report
    }
  }

  private static let destroyedBodies = GrowthCase { run in
    let (center, occurrence) = try await sleeping(run.count)
    let numbers = run.numbers
    try await run.step("destroy a task that runs") {
      for number in numbers { try center.destroy(.numbered(number)) }
      _ = await occurrence.report
    }
  }

  private static let replacedBodies = GrowthCase { run in
    let (center, occurrence) = try await sleeping(run.count)
    let numbers = run.numbers
    try await run.step("replace a task that runs") {
      for number in numbers { try center.inject(.event(.usual, name: .numbered(number)) { _ in }, replacing: true) }
      _ = await occurrence.report
    }
  }

  /// A center in which so many bodies sleep.
  private static func sleeping(_ count: Int) async throws -> (center: TaskCenter, occurrence: EventRun) {
    let (center, begun) = (TaskCenter(), Countdown(count))
    try center.inject(
      (0..<count).map { number in
        .event(.usual, name: .numbered(number)) { _ async in
          begun.count()
          try? await Task.sleep(for: .seconds(1000))
        }
      })
    let occurrence = center.begin(.usual)
    await begun.ends()
    return (center, occurrence)
  }

  private static let occurrences = GrowthCase { run in
    let (center, gate, numbers) = (TaskCenter(), Gate(), run.numbers)
    try center.inject(.event(.usual, name: "waits") { _ async in await gate.wait() })
    var occurrences: [EventRun] = []
    await run.step("begin an event that is going") { occurrences = numbers.map { _ in center.begin(.usual) } }
    await run.step("end an event, and begin it for the next send") {
      gate.open()
      for occurrence in occurrences { _ = await occurrence.report }
    }
  }

  private static let manyEvents = GrowthCase { run in try await begin(&run, TaskCenter(), "") }

  private static let limitedEvents = GrowthCase { run in
    try await begin(&run, TaskCenter(configuration: .init(maximumConcurrency: 2)), ", two bodies at a time")
  }

  private static func begin(_ run: inout GrowthRun, _ center: TaskCenter, _ title: String) async throws {
    let (gate, numbers) = (Gate(), run.numbers)
    try await run.step("inject a task into an event of its own" + title) {
      for number in numbers {
        try center.inject(.event(.numbered(number), name: .numbered(number)) { _ async in await gate.wait() })
      }
    }
    var occurrences: [EventRun] = []
    await run.step("begin one of many events" + title) {
      occurrences = numbers.map { center.begin(.numbered($0)) }
    }
    await run.step("end one of many events" + title) {
      gate.open()
      for occurrence in occurrences { _ = await occurrence.report }
    }
  }

  private static let notifications = GrowthCase { run in
    let (center, done, numbers) = (TaskCenter(), Countdown(run.count), run.numbers)
    try await run.step("inject a task of a notification") {
      for number in numbers {
        try center.inject(.notification("growth \(number)", name: .numbered(number)) { _ in done.count() })
      }
    }
    center.start()
    await run.step("post one, and run its task") {
      for number in numbers { NotificationCenter.default.post(name: .init("growth \(number)"), object: nil) }
      await done.ends()
    }
    try await run.step("destroy a task of a notification") {
      for number in numbers { try center.destroy(.numbered(number)) }
    }
  }

  private static let lane = GrowthCase { run in
    let (center, numbers) = (TaskCenter(), run.numbers)
    let lane = center.lane(Lane("growth"))
    lane.pause()
    await run.step("put something into a lane") {
      for number in numbers {
        lane.enqueue(.numbered(number), key: "\(number)", priority: Priority(rawValue: number % 7)) {}
      }
    }
    try await run.step("pause one of its keys") { for number in numbers { try lane.pause("\(number)") } }
    try await run.step("resume one of its keys") { for number in numbers { try lane.resume("\(number)") } }
    try await run.step("remove every other of its keys", times: run.count / 2) {
      for number in numbers where number % 2 == 0 { try lane.remove("\(number)") }
    }
    try await run.step("run the others", times: run.count / 2) {
      lane.resume()
      _ = try await lane.finished()
    }
  }

  private static let pausedLane = GrowthCase { run in
    let lane = TaskCenter().lane(Lane("growth"))
    lane.pause()
    for _ in run.numbers { lane.enqueue("paused") {} }
    try lane.pause("paused")
    let others = run.numbers.map { number in lane.enqueue(.numbered(number)) {} }
    await run.step("run one behind as many that are paused") {
      lane.resume()
      for other in others { _ = await other.outcome }
    }
  }

  private static let sharedKey = GrowthCase { run in
    let lane = TaskCenter().lane(Lane("growth"))
    lane.pause()
    lane.enqueue("first", priority: .critical) {}
    for number in run.numbers { lane.enqueue("many", priority: Priority(rawValue: number % 7)) {} }
    try await run.step("remove one of many that share a key") { try lane.remove("many") }
  }

  private static let tickets = GrowthCase { run in
    let lane = TaskCenter().lane(Lane("growth"))
    lane.pause()
    let tickets = run.numbers.map { number in lane.enqueue("waits") { number } }
    await run.step("cancel a ticket, the last one first") { for ticket in tickets.reversed() { ticket.cancel() } }
  }

  private static let schedules = GrowthCase { run in
    let (center, done, numbers) = (TaskCenter(), Countdown(run.count), run.numbers)
    center.start()
    try await run.step("inject a schedule") {
      for number in numbers {
        try center.inject(.schedule(.init(every: .seconds(1000)), name: .numbered(number)) { _ in })
      }
    }
    try await run.step("pause a schedule") { for number in numbers { try center.pause(.numbered(number)) } }
    try await run.step("resume a schedule") { for number in numbers { try center.resume(.numbered(number)) } }
    try await run.step("destroy a schedule") { for number in numbers { try center.destroy(.numbered(number)) } }
    let date = Date(timeIntervalSinceNow: 0.2 + Double(run.count) * 0.00004)
    try center.inject(
      numbers.map { number in .schedule(.init(at: date), name: .numbered(number)) { _ in done.count() } })
    // Awake when it is time.
    try? await Task.sleep(for: .seconds(max(0, date.timeIntervalSinceNow - 0.02)))
    while date.timeIntervalSinceNow > 0 {}
    await run.step("fire one of those that are due together") { await done.ends() }
  }

  private static let observers = GrowthCase { run in
    let center = TaskCenter()
    try center.inject(.event(.usual, name: "observed") { _ in })
    let iterators = run.numbers.map { _ in center.events.makeAsyncIterator() }
    await run.step("tell an observer of a send") { await center.send(.usual) }
    withExtendedLifetime(iterators) {}
  }

  private static let modules = GrowthCase { run in
    let center = TaskCenter()
    let types = run.numbers.map { digits(of: $0) }
    try await run.step("register a module") { for type in types { try type.register(in: center) } }
  }
}
