import Synchronization
import TaskKitTesting

@testable import TaskKit

/// A center whose tasks are put in, replaced, destroyed, paused, switched off, held by their lane, cancelled and timed out at
/// random while they run at one event or two, and what its reports must not say then.
///
/// Each send carries its own number, and each body writes down that it ran. Nothing is done before everything that follows
/// from what was done last has come to rest, so that one seed is one story.
struct Meddling {
  struct Declared {
    let name: String
    var dependencies: [String] = []
    var after: [String] = []
    var onFailure = FailurePolicy.skipDependents
    var timeout: Duration?
    var runs = RunLimit.always
    var lane: Lane?
    var isSometimesOff = false
  }

  /// A body that has run, or runs.
  struct Body {
    let send: Int
    let task: Int
    let attempt: Int
    let begun: Int
    var ended = Int.max
    var hasFailed = false
  }

  struct Send {
    let run: EventRun
    let hasDeadline: Bool
    var cancelled: Int?
  }

  final class Diary: Sendable {
    private let pages = Mutex<(now: Int, bodies: [Body], asked: [Int: Int])>((0, [], [:]))

    var bodies: [Body] { pages.withLock { $0.bodies } }

    func tick() -> Int {
      pages.withLock { pages in
        pages.now += 1
        return pages.now
      }
    }

    /// How often a task has been asked before whether it is enabled.
    func ask(_ task: Int) -> Int {
      pages.withLock { pages in
        defer { pages.asked[task, default: 0] += 1 }
        return pages.asked[task, default: 0]
      }
    }

    func begin(_ task: Int, _ context: TaskContext<Int>) -> Int {
      let now = tick()
      return pages.withLock { pages in
        pages.bodies.append(Body(send: context.payload, task: task, attempt: context.attempt, begun: now))
        return pages.bodies.count - 1
      }
    }

    func end(_ body: Int, failing: Bool) throws {
      let now = tick()
      pages.withLock { pages in
        pages.bodies[body].ended = now
        pages.bodies[body].hasFailed = failing
      }
      if failing { throw Broken() }
    }
  }

  static let names = (0..<8).map { "t\($0)" }
  private static let lane = Lane("line")

  private var random: SeededGenerator
  private let center: TaskCenter
  private let clock = VirtualClock()
  private let beds = Beds()
  private let diary = Diary()
  private(set) var problems: [String] = []

  /// All that were ever there, and which of them are.
  private var tasks: [Declared] = []
  private var present: [String: Int] = [:]
  /// When each of them went.
  private var gone: [Int: Int] = [:]
  private var paused: [String: Int] = [:]
  private var pauses: [(task: Int, since: Int, until: Int)] = []
  private var sends: [Send] = []

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let limit = [.max, 1, 2, 3].randomElement(using: &random) ?? .max
    center = try .with([], limit: limit, clock: clock)
  }

  // MARK: - The story

  mutating func play() async {
    for _ in 0..<Int.random(in: 20...80, using: &random) where problems.isEmpty {
      meddle()
      await rest()
    }
    for name in paused.keys.sorted() { resume(name) }
    center.lane(Self.lane).resume()
    for _ in 0..<500 where problems.isEmpty && (center.activeRuns > 0 || center.nextTimer != nil) {
      if Bool.random(using: &random) { beds.wakeOne(&random) } else { moveClock(by: .zero) }
      await rest()
    }
    guard problems.isEmpty else { return }
    if center.activeRuns > 0 { return problems.append("runs do not end") }
    if center.leftOfRuns > 0 { problems.append("something is left of runs") }
    for number in sends.indices { check(number, await sends[number].run.report) }
    checkBodies()
  }

  /// Waits until nothing is on its way.
  private mutating func rest() async {
    var calm = 0
    for _ in 0..<500_000 {
      let found = center.contradictions(asleep: { beds.count }, at: clock.now.offset)
      calm = found == nil ? 0 : calm + 1
      // Once more, and again: what is to be cancelled is so a moment after that was decided.
      if let found, calm == 4 { return problems += found }
      await Task.yield()
    }
    problems.append("it does not come to rest")
  }

  private mutating func meddle() {
    switch Int.random(in: 0..<22, using: &random) {
    case 0..<5:
      let event = Self.event(Int.random(in: 0..<3, using: &random))
      let deadline = Int.random(in: 0..<6, using: &random)
      let run = center.begin(event, sends.count, deadline: deadline > 0 ? nil : .seconds(4))
      sends.append(Send(run: run, hasDeadline: deadline == 0))
    case 5..<10: beds.wakeOne(&random)
    case 10..<13: moveClock(by: Bool.random(using: &random) ? .zero : .milliseconds(300))
    case 13..<16: inject()
    case 16: destroy()
    case 17:
      guard let name = present.keys.sorted().randomElement(using: &random), paused[name] == nil else { return }
      if (try? center.pause(TaskName(name))) != nil { paused[name] = diary.tick() }
    case 18: if let name = paused.keys.sorted().randomElement(using: &random) { resume(name) }
    case 19: center.lane(Self.lane).pause()
    case 20: center.lane(Self.lane).resume()
    default:
      guard let number = sends.indices.randomElement(using: &random), sends[number].cancelled == nil else { return }
      sends[number].run.cancel()
      sends[number].cancelled = diary.tick()
    }
  }

  /// - Parameter delay: how long after the next timer.
  private func moveClock(by delay: Duration) {
    guard let next = center.nextTimer else { return }
    clock.advance(by: max(.zero, .nanoseconds(next) + delay - clock.now.offset))
  }

  private mutating func inject() {
    let declared = declare()
    let definition = definition(of: declared)
    tasks.append(declared)
    let old = present[declared.name]
    guard (try? center.inject(definition, replacing: Bool.random(using: &random))) != nil else { return }
    if let old { leave(old) }
    present[declared.name] = tasks.count - 1
  }

  private mutating func destroy() {
    guard let name = present.keys.sorted().randomElement(using: &random) else { return }
    let policy: DependentsPolicy = [.refuse, .include, .detach].randomElement(using: &random) ?? .refuse
    guard (try? center.destroy(TaskName(name), dependents: policy)) != nil else { return }
    for (other, task) in present where (try? center.statistics(of: TaskName(other))) == nil { leave(task) }
  }

  private mutating func leave(_ task: Int) {
    let name = tasks[task].name
    gone[task] = diary.tick()
    present[name] = nil
    if let since = paused.removeValue(forKey: name) { pauses.append((task, since, diary.tick())) }
  }

  private mutating func resume(_ name: String) {
    guard let task = present[name], let since = paused.removeValue(forKey: name) else { return }
    pauses.append((task, since, diary.tick()))
    try? center.resume(TaskName(name))
  }

  // MARK: - Tasks

  private static func event(_ number: Int) -> LifecycleEvent<Int, Void> { .init("event \(number)") }

  /// One that waits for some of those with a smaller number: no circle comes of it.
  private mutating func declare() -> Declared {
    let number = Int.random(in: 0..<Self.names.count, using: &random)
    let smaller = Self.names.prefix(number).shuffled(using: &random)
    var declared = Declared(name: Self.names[number])
    declared.dependencies = smaller.prefix(Int.random(in: 0...2, using: &random)).filter { present[$0] != nil }
    declared.after = smaller.suffix(1).filter { !declared.dependencies.contains($0) }
    declared.onFailure =
      [.skipDependents, .skipDependents, .ignore, .stopEvent].randomElement(using: &random) ?? .ignore
    if Int.random(in: 0..<6, using: &random) == 0 { declared.runs = .once }
    if Int.random(in: 0..<3, using: &random) == 0 { declared.timeout = .seconds(Int.random(in: 1...5, using: &random)) }
    if Int.random(in: 0..<4, using: &random) == 0 { declared.lane = Self.lane }
    declared.isSometimesOff = Int.random(in: 0..<6, using: &random) == 0
    return declared
  }

  private mutating func definition(of declared: Declared) -> TaskDefinition {
    let (diary, beds, task) = (diary, beds, tasks.count)
    let events = (0..<3).shuffled(using: &random).prefix(Int.random(in: 0..<3, using: &random) == 0 ? 2 : 1)
    let priority: Priority = [.low, .default, .critical].randomElement(using: &random) ?? .default
    let backoff = RetryPolicy.Backoff.fixed(.seconds(Int.random(in: 0...2, using: &random)))
    let retry = RetryPolicy.attempts([1, 1, 2, 3].randomElement(using: &random) ?? 1, backoff: backoff)
    let failures = [0, 0, 0, 1, 2, 9].randomElement(using: &random) ?? 0
    let name = TaskName(declared.name)
    let dependencies = declared.dependencies.map { TaskDependency(TaskName($0)) }
    let after = declared.after.map { TaskReference(TaskName($0)) }
    let first = Int.random(in: 0..<3, using: &random)
    let isSometimesOff = declared.isSometimesOff
    /// As the macro asks the type of an annotated task whether it is enabled, before each attempt.
    @Sendable func begin(_ context: TaskContext<Int>) throws -> Int {
      if isSometimesOff, (first + diary.ask(task)).isMultiple(of: 3) { throw TaskDisabled() }
      return diary.begin(task, context)
    }
    @Sendable func run(_ context: TaskContext<Int>) throws {
      try diary.end(begin(context), failing: context.attempt <= failures)
    }
    let kind = Int.random(in: 0..<4, using: &random)
    let occasions = events.map(Self.event).map { event in
      switch kind {
      case 0: return TaskOccasion(event, __runWithContext: { context in try run(context) })
      case 1: return TaskOccasion(event, __runWithContext: { @MainActor context in try run(context) })
      default:
        return TaskOccasion(event, in: declared.lane) { context in
          let body = try begin(context)
          await beds.sleep(heedsCancellation: kind == 2)
          try diary.end(body, failing: context.attempt <= failures || (kind == 2 && Task.isCancelled))
        }
      }
    }
    return TaskDefinition(
      registration: TaskRegistration(
        name: name, location: TaskLocation("Tests/Meddling.swift", 1, 1), occasions: occasions, priority: priority,
        dependencies: dependencies, after: after, timeout: declared.timeout, retry: retry,
        onFailure: declared.onFailure, runs: declared.runs, lane: declared.lane))
  }

  // MARK: - What a report must not say

  private mutating func check(_ number: Int, _ report: EventReport) {
    let bodies = diary.bodies.filter { $0.send == number }
    func problem(_ words: String) { problems.append("send \(number): \(words)\n\(report)\n\(bodies)") }
    if report.criticalPath.duration != report.duration { problem("the critical path has gaps") }
    for task in report.tasks {
      let own = bodies.filter { tasks[$0.task].name == task.name.rawValue }
      if Set(own.map(\.task)).count > 1 { problem("'\(task.name)' are two") }
      if own.map(\.attempt) != Array(0..<task.attempts).map({ $0 + 1 }) { problem("'\(task.name)' ran otherwise") }
      if zip(own, own.dropFirst()).contains(where: { $0.ended > $1.begun }) {
        problem("'\(task.name)' ran beside itself")
      }
      if let reason = complaint(about: task, own.last, in: report, number) { problem("'\(task.name)': \(reason)") }
      let waits = task.waits
      if let started = task.started, waits.dependency + waits.slot + waits.mainActor + waits.pause != started {
        problem("the waits of '\(task.name)' do not add up")
      }
      if [waits.dependency, waits.slot, waits.mainActor, waits.pause, waits.retry].contains(where: { $0 < .zero }) {
        problem("a wait of '\(task.name)' is less than nothing")
      }
    }
    for body in bodies where body.attempt == 1 {
      for name in tasks[body.task].dependencies {
        if let words = complaint(about: body, requiring: name, in: report, bodies) { problem(words) }
      }
      for name in tasks[body.task].after {
        if isLate(name, for: body, in: report, bodies) { problem("'\(name)' came after what follows it") }
      }
    }
  }

  private func complaint(about task: TaskReport, _ last: Body?, in report: EventReport, _ number: Int) -> String? {
    let all = tasks.indices.filter { tasks[$0].name == task.name.rawValue }
    switch task.outcome {
    case .succeeded: return last.map { !$0.hasFailed && $0.ended < .max } == true ? nil : "did not succeed"
    case .failed: return last != nil ? nil : "did not fail"
    case .timedOut:
      return sends[number].hasDeadline || all.contains { tasks[$0].timeout != nil } ? nil : "has no limit of time"
    case .cancelled:
      return sends[number].cancelled != nil || all.contains { gone[$0] != nil } ? nil : "was not cancelled"
    case .skipped(.dependency(let culprit)):
      return report.tasks.contains { $0.name == culprit && $0.outcome.isSuccess } ? "'\(culprit)' ended well" : nil
    case .skipped(.paused): return pauses.contains { all.contains($0.task) } ? nil : "was not paused"
    case .skipped(.eventStopped):
      let stops = report.tasks.contains { other in
        tasks.contains { $0.name == other.name.rawValue && $0.onFailure == .stopEvent } && !other.outcome.isSuccess
      }
      return stops || report.status == .deadlineExceeded ? nil : "nothing stopped the event"
    case .skipped(.alreadyRan): return all.contains { tasks[$0].runs == .once } ? nil : "runs more than once"
    case .skipped(.dependencyNeverRan): return nil
    case .skipped(.disabled): return all.contains { tasks[$0].isSometimesOff } ? nil : "was not switched off"
    case .skipped(.noTimeLeft): return "is no stop"
    }
  }

  /// Whether something ran before another one had ended that comes before it. Of a name that was another task's meanwhile
  /// nothing can be said.
  private func isLate(_ name: String, for body: Body, in report: EventReport, _ bodies: [Body]) -> Bool {
    guard let other = report[TaskName(name)], !gone.keys.contains(where: { tasks[$0].name == name }) else {
      return false
    }
    switch other.outcome {
    case .succeeded, .failed: return bodies.contains { tasks[$0.task].name == name && $0.ended > body.begun }
    default: return false
    }
  }

  private func complaint(about body: Body, requiring name: String, in report: EventReport, _ bodies: [Body]) -> String?
  {
    if isLate(name, for: body, in: report, bodies) { return "'\(name)' came after what depends on it" }
    guard let other = report[TaskName(name)], !gone.keys.contains(where: { tasks[$0].name == name }) else { return nil }
    switch other.outcome {
    case .succeeded, .skipped(.alreadyRan): return nil
    case .failed, .timedOut, .cancelled:
      return tasks.contains { $0.name == name && $0.onFailure == .ignore } ? nil : "what depends on '\(name)' ran"
    case .skipped: return "what depends on '\(name)' ran, which was skipped"
    }
  }

  private mutating func checkBodies() {
    for body in diary.bodies {
      let name = tasks[body.task].name
      if let time = gone[body.task], body.begun > time { problems.append("'\(name)' ran after it had gone: \(body)") }
      if pauses.contains(where: { $0.task == body.task && $0.since < body.begun && body.begun < $0.until }) {
        problems.append("'\(name)' ran in a pause: \(body)")
      }
      if let time = sends[body.send].cancelled, body.begun > time {
        problems.append("'\(name)' ran after its send was cancelled: \(body)")
      }
    }
    for task in tasks.indices where tasks[task].runs == .once {
      let firsts = diary.bodies.filter { $0.task == task && $0.attempt == 1 }
      if firsts.count > 1 { problems.append("'\(tasks[task].name)' ran more than once: \(firsts)") }
    }
  }
}
