import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// Centers that change for long: what is proved of a change, in what order its tasks come, and what is left of them.
@Suite struct ManyChangesTests {
  private static let names: [TaskName] = [
    "a", "b", "c", "d", "TaskKitTests.a", "TaskKitTests.b", "TaskKitTests.e", "TaskKitTests.f", "f",
  ]
  private static let mentioned: [TaskName] = names + ["e", "TaskKitTests.g", "g"]

  private static func definition(_ random: inout SeededGenerator, from names: [TaskName], _ mentioned: [TaskName])
    -> TaskDefinition
  {
    func some(_ count: Int) -> [TaskName] {
      (0..<Int.random(in: 0...count, using: &random)).map { _ in mentioned.randomElement(using: &random)! }
    }
    let priority: Priority = [.low, .default, .high].randomElement(using: &random)!
    let (dependencies, after) = (some(2).map { TaskDependency($0) }, some(2).map { TaskReference($0) })
    let name = names.randomElement(using: &random)!
    return switch Int.random(in: 0..<4, using: &random) {
    case 0:
      .schedule(.init(every: .seconds(1)), name: name, priority: priority, dependencies: dependencies, after: after) {
        _ in
      }
    case 1: .event(.beta, name: name, priority: priority, dependencies: dependencies, after: after) { _ in }
    default: .event(.alpha, name: name, priority: priority, dependencies: dependencies, after: after) { _ in }
    }
  }

  @Test(arguments: 0..<60)
  func `what is found sound without looking at the whole graph is sound, and nothing sound is refused`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let center = try TaskCenter.with([])
    for step in 0..<120 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        let policy: DependentsPolicy = [.refuse, .include, .detach].randomElement(using: &random)!
        try? center.destroy(Self.names.randomElement(using: &random)!, dependents: policy)
        continue
      }
      let definitions = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Self.definition(&random, from: Self.names, Self.mentioned)
      }
      let isReplacing = Bool.random(using: &random)
      let (plainly, wholly) = center.soundness(of: definitions, replacing: isReplacing)
      #expect(!plainly || wholly, "step \(step)")
      let isAccepted = (try? center.inject(definitions, replacing: isReplacing)) != nil
      #expect(isAccepted == wholly, "step \(step)")
      // Whoever made a plan of a circle would stop here.
      _ = center.order(of: .alpha)
      _ = center.order(of: .beta)
    }
  }

  @Test(arguments: 0..<40)
  func `after many changes the order is that of a center that was given the same tasks at once`(seed: UInt64) throws {
    let names: [TaskName] = ["a", "b", "c", "d", "TaskKitTests.e", "TaskKitTests.f", "TaskKitTests.g"]
    let mentioned: [TaskName] = names + ["e", "f", "h"]
    var random = SeededGenerator(seed: 1000 + seed)
    let center = try TaskCenter.with([])
    var present: [(name: TaskName, definition: TaskDefinition)] = []
    for step in 0..<80 {
      if Int.random(in: 0..<3, using: &random) == 0 {
        let name = names.randomElement(using: &random)!
        if (try? center.destroy(name)) != nil { present.removeAll { $0.name == name } }
      } else {
        let definition = Self.definition(&random, from: names, mentioned)
        let isReplacing = Bool.random(using: &random)
        guard let receipt = try? center.inject(definition, replacing: isReplacing) else { continue }
        present.removeAll { $0.name == receipt.name }
        present.append((receipt.name, definition))
      }
      let other = try TaskCenter.with(present.map(\.definition))
      #expect(center.order(of: .alpha) == other.order(of: .alpha), "step \(step)")
      #expect(center.order(of: .beta) == other.order(of: .beta), "step \(step)")
    }
  }

  @Test(arguments: [Int.max, 1])
  func `many threads inject, pause, resume and destroy at once while events are sent, and each finds what it did`(
    limit: Int
  ) async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "base") { _ in }], limit: limit)
    let problems = await withTaskGroup(of: String?.self) { group in
      for thread in 0..<8 {
        group.addTask { @concurrent in
          do {
            for turn in 0..<40 {
              let name = TaskName("\(thread)-\(turn)")
              try center.inject(.event(.alpha, name: name, dependencies: ["base"]) { _ in })
              try center.pause(name)
              let outcomes = await center.send(.alpha).outcomes
              guard outcomes[name.rawValue] == "skipped: paused" else { return "\(name): \(outcomes)" }
              try center.resume(name)
              guard await center.send(.alpha).outcomes[name.rawValue] == "succeeded" else {
                return "\(name) did not run"
              }
              if turn % 2 == 0 { try center.destroy(name) }
            }
            return nil
          } catch { return "\(error)" }
        }
      }
      return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
    }
    #expect(problems == [])
    let left = (0..<8).flatMap { thread in stride(from: 1, to: 40, by: 2).map { "\(thread)-\($0)" } }
    #expect(Set(await center.send(.alpha).names) == Set(left + ["base"]))
    #expect(center.usedSlots == 0)
  }

  @Test func `of tasks that have gone nothing is kept`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "base") { _ in }])
    center.start()
    func round(_ number: Int) async throws {
      let (line, gated) = (Lane("line \(number)"), Lane("gated \(number)", opens: .after(.beta)))
      try center.inject([
        .event(
          .alpha, name: "one \(number)", dependencies: ["base"], after: [TaskReference("gone \(number)")],
          returning: { _ in number }),
        .event(.alpha, name: "two \(number)", dependencies: [TaskDependency("one \(number)")]) { _ in },
        .event(.alpha, name: "once \(number)", runs: .once) { _ in },
        .event(.init("event \(number)"), name: "unsent \(number)", lane: gated) { (_: TaskContext<Void>) in },
        .event(.alpha, name: "in line \(number)", lane: line) { _ in },
        .schedule(.init(every: .seconds(60)), name: "schedule \(number)", dependencies: ["base"]) { _ in },
        .elements(of: AsyncStream<Int> { $0.finish() }, name: "sequence \(number)") { _ in },
      ])
      if number.isMultiple(of: 10) {
        await center.send(.alpha)
        // Until a worker has left, its run keeps the numbers of all of its tasks.
        await center.quiet()
      }
      try center.inject(.event(.alpha, name: "one \(number)") { _ in }, replacing: true)
      try center.destroy("one \(number)", dependents: .include)
      for name in ["unsent", "in line", "schedule", "sequence"] { try center.destroy("\(name) \(number)") }
      if !number.isMultiple(of: 10) { try center.destroy("once \(number)") }
    }
    for number in 0..<100 { try await round(number) }
    await center.quiet()
    let before = center.storedCount
    for number in 100..<2000 { try await round(number) }
    await center.quiet()
    #expect(center.storedCount <= before + 50)
    #expect(await center.send(.alpha).names == ["base"])
  }

  @Test(arguments: [
    ("x", "x"), ("TaskKitTests.x", "TaskKitTests.x"), ("TaskKitTests.x", "x"),
  ])
  func `of a task that comes after one that comes and goes nothing more is kept each time`(
    name: String, mentioned: String
  ) async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "follower", priority: .high, after: [TaskReference(TaskName(mentioned))]) { _ in }
    ])
    func round(_ number: Int) async throws {
      if number.isMultiple(of: 10) {
        try center.inject(.event(.alpha, name: TaskName(name), runs: .once) { _ in })
        #expect(await center.send(.alpha).names == [name, "follower"])
        await center.quiet()
      } else {
        try center.inject(.event(.alpha, name: TaskName(name)) { _ in })
        try center.destroy(TaskName(name))
      }
    }
    for number in 0..<100 { try await round(number) }
    let before = center.storedCount
    for number in 100..<2000 { try await round(number) }
    #expect(center.storedCount <= before + 50)
  }

  @Test func `a task comes after a name each time that somebody bears it, whole or behind a module`() throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "follower", priority: .high, after: ["x"]) { _ in }
    ])
    for _ in 0..<3 {
      for name: TaskName in ["x", "TaskKitTests.x"] {
        try center.inject(.event(.alpha, name: name) { _ in })
        #expect(center.order(of: .alpha) == [name, "follower"])
        try center.destroy(name)
        #expect(center.order(of: .alpha) == ["follower"])
      }
      // With both there and gone, the next round finds the name free.
      try center.inject(.event(.alpha, name: "TaskKitTests.x") { _ in })
      try center.inject(.event(.alpha, name: "x") { _ in })
      try center.destroy("x")
      try center.destroy("TaskKitTests.x")
    }
  }

  @Test func `what is destroyed while it runs gives its number away when it has returned`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "base") { _ in }])
    func round() async throws {
      let gate = Gate()
      try center.inject(.event(.alpha, name: "slow") { _ in await gate.pass() })
      let run = center.begin(.alpha)
      await gate.arrivals()
      try center.destroy("slow")
      try center.inject(.event(.alpha, name: "slow") { _ in })
      try center.inject(.event(.beta, name: "other") { _ in })
      #expect(await center.send(.beta).outcomes == ["other": "succeeded"])
      gate.open()
      await center.destroyed("slow")
      #expect(await run.report.names.sorted() == ["base", "slow"])
      #expect(await center.send(.alpha).outcomes == ["base": "succeeded", "slow": "succeeded"])
      try center.destroy("slow")
      try center.destroy("other")
    }
    for _ in 0..<10 { try await round() }
    await center.quiet()
    let before = center.storedCount
    for _ in 0..<100 { try await round() }
    await center.quiet()
    #expect(center.storedCount <= before + 20)
  }

  @Test func `statistics begin anew for a task of the same name, and for one that gets its number`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "task") { _ in }])
    await center.send(.alpha)
    #expect(try center.statistics(of: "task").count == 1)
    try center.destroy("task")
    try center.inject([.event(.alpha, name: "other") { _ in }, .event(.alpha, name: "task") { _ in }])
    #expect(try center.statistics(of: "task").count == 0)
    #expect(try center.statistics(of: "other").count == 0)
    #expect(try center.statistics(of: "other").lastOutcome == nil)
  }

  @Test func `a context that outlives its task reads what that had declared, whoever has its number now`() async throws
  {
    let contexts = Mutex<[TaskContext<Void>]>([])
    let center = try TaskCenter.with([
      .event(.alpha, name: "source", returning: { _ in 7 }),
      .event(.alpha, name: "reader", dependencies: ["source"], runs: .once) { context in
        contexts.withLock { $0.append(context) }
      },
    ])
    await center.send(.alpha)
    await center.quiet()
    try center.inject(.event(.beta, name: "heir") { _ in })
    let context = try #require(contexts.withLock { $0.first })
    #expect(try context.output(named: "source", as: Int.self) == 7)
  }

  @Test func `ten thousand schedules come in one by one or together, and go one by one`() async throws {
    let time = VirtualTime()
    let center = TaskCenter(time: time.source)
    let recorder = Recorder()
    center.start()
    func definition(_ number: Int) -> TaskDefinition {
      .schedule(.init(every: .seconds(10)), name: "schedule \(number)") { _ in recorder.note("\(number)") }
    }
    for number in 0..<5000 { try center.inject(definition(number)) }
    try center.inject((5000..<10_000).map { definition($0) })
    var random = SeededGenerator(seed: 1)
    var numbers = Array(0..<10_000)
    numbers.shuffle(using: &random)
    for number in numbers.dropLast(5) { try center.destroy("schedule \(number)") }
    await time.advance(by: .seconds(10), driving: center)
    #expect(recorder.notes.map { Int($0)! }.sorted() == numbers.suffix(5).sorted())
  }

  @Test func `many tasks that need one task leave it one by one, and then it may go`() throws {
    let center = try TaskCenter.with([.event(.alpha, name: "base") { _ in }])
    try center.inject((0..<2000).map { .event(.alpha, name: "task \($0)", dependencies: ["base"]) { _ in } })
    for number in 0..<2000 {
      if number.isMultiple(of: 500) {
        let error = #expect(throws: TaskError.self) { try center.destroy("base") }
        #expect(error?.code == .hasDependents)
      }
      try center.destroy("task \(number)")
    }
    try center.destroy("base")
    #expect(center.order(of: .alpha).isEmpty)
  }
}
