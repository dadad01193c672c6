@testable import TaskKit
import TaskKitTesting
import Testing

/// Where one value goes that a program under test shares without saying so.
private enum Shelf: SharedKey {
  typealias Value = [String]
}

extension TaskRegistry {
  fileprivate init(_ definitions: [TaskDefinition]) throws {
    self = try TaskRegistry(tasks: definitions.map(\.registration))
  }
}

private func noting(
  _ name: TaskName, priority: Priority = .default, dependencies: [TaskDependency] = [], after: [TaskReference] = [],
  at event: LifecycleEvent<Void, Void> = .alpha, line: Int = #line
) -> TaskDefinition {
  .event(event, name: name, priority: priority, dependencies: dependencies, after: after, line: line) { context in
    context[Shelf.self, default: []].append(name.rawValue)
  }
}

extension TaskContext {
  fileprivate subscript(key: Shelf.Type, default value: [String]) -> [String] {
    get { self[key] ?? value }
    nonmutating set { self[key] = newValue }
  }
}

@Suite struct OrderDependenceTests {
  private static let many = (0..<30).map { noting(TaskName("t\($0)"), priority: [.low, .default, .critical][$0 % 3]) }

  @Test func `of thirty tasks the two are found that must not be exchanged`() async throws {
    var definitions = Self.many
    definitions[4] = noting("writes", priority: .high)
    definitions[21] = noting("reads")
    let found = try await TaskRegistry(definitions).orderDependence { center in
      await center.send(.alpha)
      let order = center[Shelf.self] ?? []
      // Whoever reads finds what was written, or nothing.
      if let reads = order.firstIndex(of: "reads"), let writes = order.firstIndex(of: "writes"), reads < writes {
        throw Broken()
      }
    }
    let dependence = try #require(found)
    #expect(dependence.first.name == "writes" && dependence.second.name == "reads")
    #expect(dependence.first.location != dependence.second.location)
    #expect(dependence.event == "alpha" && dependence.failure == "broken" && dependence.isRepeatable)
    let place = try #require(dependence.passing.firstIndex(of: "writes"))
    #expect(dependence.passing[place + 1] == "reads")
    var exchanged = dependence.passing
    exchanged.swapAt(place, place + 1)
    #expect(dependence.failing == exchanged)
    #expect(dependence.description.hasPrefix("at 'alpha', 'writes' ("))
    #expect(dependence.description.contains("has to start before 'reads' ("))
    #expect(dependence.description.contains("; name it in the dependencies of 'reads' (seed "))
  }

  @Test func `a dependency that is declared is kept in every order, and nothing is found`() async throws {
    let definitions: [TaskDefinition] = [
      noting("reads", priority: .critical, dependencies: ["writes"]), noting("writes", priority: .low),
      noting("follows", after: ["reads"]), noting("other"),
    ]
    let orders = Values<[String]>()
    let found = try await TaskRegistry(definitions).orderDependence { center in
      await center.send(.alpha)
      let order = center[Shelf.self] ?? []
      orders.append(order)
      return order.filter { $0 != "other" }
    }
    #expect(found == nil)
    #expect(orders.values.allSatisfy { $0.filter { $0 != "other" } == ["writes", "reads", "follows"] })
    #expect(Set(orders.values).count == 4, "every place of the other one was tried")
  }

  @Test func `every order that the dependencies allow is drawn, and no other`() async throws {
    let definitions = ["a", "b", "c", "d"].map { noting(TaskName($0), priority: $0 == "c" ? .critical : .low) }
    let orders = Values<[String]>()
    _ = try await TaskRegistry(definitions).orderDependence(runs: 400) { center in
      await center.send(.alpha)
      orders.append(center[Shelf.self] ?? [])
    }
    #expect(Set(orders.values).count == 24)
    #expect(orders.values.first == ["c", "a", "b", "d"], "the law's comes first")
  }

  @Test func `another result is a difference as well as an error, and the same seed finds the same`() async throws {
    let definitions = ["a", "b", "c"].map { noting(TaskName($0)) }
    func find(seed: UInt64, runs: Int = 20) async throws -> OrderDependence? {
      try await TaskRegistry(definitions).orderDependence(runs: runs, seed: seed) { center in
        await center.send(.alpha)
        return center[Shelf.self]?.last
      }
    }
    let found = try #require(try await find(seed: 0))
    #expect(found.second.name == "c")
    #expect(found.failure.contains("instead of Optional(\"c\")"))
    #expect(try await find(seed: found.seed, runs: 1)?.failing == found.failing)
  }

  @Test func `each event is shuffled on its own, and gates go by the declared priority`() async throws {
    let definitions = [
      noting("a", priority: .critical), noting("b"), noting("a2", at: .beta), noting("b2", at: .beta),
    ]
    let found = try await TaskRegistry(definitions).orderDependence { center in
      let run = center.begin(.alpha)
      await run.ready(.critical)
      let isReady = center[Shelf.self]?.contains("a") == true
      let report = await run.report
      await center.send(.beta)
      if center[Shelf.self]?.suffix(2) == ["b2", "a2"] { throw Broken() }
      return [isReady, report["a"]?.effectivePriority == .critical, report["b"]?.effectivePriority == .default]
    }
    #expect(found?.event == "beta")
    #expect(found?.first.name == "a2" && found?.second.name == "b2")
    #expect(found?.failure == "broken")
  }

  @Test func `what goes wrong in the order of the law is no matter of order`() async throws {
    await #expect(throws: Broken.self) {
      try await TaskRegistry([noting("a")]).orderDependence { _ in throw Broken() }
    }
  }

  @Test func `a program that is moody is told apart`() async throws {
    let calls = Values<Int>()
    let found = try await TaskRegistry([noting("a"), noting("b")]).orderDependence(runs: 50) { center in
      await center.send(.alpha)
      calls.append(0)
      // Only the first order that is not the law's fails.
      if center[Shelf.self] == ["b", "a"], calls.values.count(where: { $0 == 1 }) == 0 {
        calls.append(1)
        throw Broken()
      }
    }
    #expect(found?.isRepeatable == false)
    #expect(found?.description.hasSuffix("tried again, the same orders gave something else") == true)
  }

  @Test func `what goes wrong in the order of the law after all does not end the search`() async throws {
    // With some of them the first order that is drawn is the law's.
    for seed in 0..<20 as Range<UInt64> {
      let lawful = Values<Int>()
      let found = try await TaskRegistry([noting("a"), noting("b")]).orderDependence(runs: 50, seed: seed) { center in
        await center.send(.alpha)
        guard center[Shelf.self] == ["a", "b"] else { throw Broken() }
        lawful.append(0)
        if lawful.values.count == 2 { throw Broken() }
      }
      #expect(found?.first.name == "a" && found?.second.name == "b")
    }
  }

  @Test func `who is cancelled in the middle of a search is told that, and of no two tasks`() async throws {
    let registry = try TaskRegistry([noting("a"), noting("b")])
    let calls = Values<Int>()
    let search = Task {
      try await registry.orderDependence(runs: 50) { center in
        calls.append(0)
        if calls.values.count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        try Task.checkCancellation()
        await center.send(.alpha)
      }
    }
    await #expect(throws: CancellationError.self) { _ = try await search.value }
    #expect(calls.values.count == 3)
  }

  @Test func `schedules that are due together are shuffled as well`() async throws {
    var time = VirtualTime()
    let registry = try TaskRegistry(tasks: [
      ScheduledTasks.OneOfTwo.registration, ScheduledTasks.OtherOfTwo.registration,
    ])
    let found = try await registry.orderDependence(
      runs: 20,
      time: {
        time = VirtualTime()
        return time.source
      }
    ) { center in
      let recorder = Recorder()
      center[ScheduledTasks.Log.self] = recorder
      center.start()
      await time.advance(by: .seconds(10), driving: center)
      return recorder.notes
    }
    #expect(found?.event == "@ScheduleTask")
    #expect(
      Set([found?.first.name, found?.second.name])
        == [ScheduledTasks.OneOfTwo.registration.name, ScheduledTasks.OtherOfTwo.registration.name])
  }

  @Test func `tasks that a program injects are exchanged, with those that are there and with each other`() async throws
  {
    let writes = noting("writes", priority: .high)
    let found = try await TaskRegistry([noting("other")]).orderDependence { center in
      await center.send(.alpha)
      try center.inject([writes, noting("reads")])
      center[Shelf.self] = []
      await center.send(.alpha)
      let order = center[Shelf.self] ?? []
      if order.firstIndex(of: "reads")! < order.firstIndex(of: "writes")! { throw Broken() }
    }
    #expect(found?.first.name == "writes" && found?.second.name == "reads")
    #expect(found?.first.location == writes.registration.location)
    #expect(found.map { Set($0.failing) } == ["other", "reads", "writes"])
    #expect(found?.isRepeatable == true)

    let older = try await TaskRegistry([noting("declared", priority: .critical)]).orderDependence { center in
      try center.inject(noting("injected", priority: .low))
      await center.send(.alpha)
      return center[Shelf.self]
    }
    #expect(older?.first.name == "declared" && older?.second.name == "injected")
  }

  @Test func `what depends on a task is never before it, whether it was injected or joined`() async throws {
    let orders = Values<[String]>()
    let further = try TaskRegistry([noting("joined")])
    let found = try await TaskRegistry([noting("declared")]).orderDependence { center in
      try center.add(further)
      try center.inject(noting("injected", dependencies: ["joined"]))
      await center.send(.alpha)
      orders.append(center[Shelf.self] ?? [])
    }
    #expect(found == nil)
    #expect(
      Set(orders.values) == [
        ["declared", "joined", "injected"], ["joined", "declared", "injected"], ["joined", "injected", "declared"],
      ])
    #expect(orders.values.first == ["declared", "joined", "injected"], "the law's comes first")
  }

  @Test func `a task that is replaced by one that waits for others is looked at where that stands, and as it waits`()
    async throws
  {
    let replacement = noting("c", dependencies: ["b"])
    let found = try await TaskRegistry([noting("a"), noting("b"), noting("c")]).orderDependence { center in
      await center.send(.alpha)
      try center.inject(replacement, replacing: true)
      center[Shelf.self] = []
      await center.send(.alpha)
      let order = center[Shelf.self] ?? []
      if order.firstIndex(of: "c")! < order.firstIndex(of: "a")! { throw Broken() }
    }
    let dependence = try #require(found)
    #expect(dependence.first.name == "a" && dependence.second.name == "c")
    #expect(dependence.second.location == replacement.registration.location)
    for order in [dependence.passing, dependence.failing] {
      #expect(try #require(order.firstIndex(of: "b")) < #require(order.firstIndex(of: "c")))
    }
  }

  @Test func `a task that is replaced by a more urgent one has another law`() async throws {
    let orders = Values<[String]>()
    let found = try await TaskRegistry([noting("a"), noting("b")]).orderDependence(runs: 20) { center in
      await center.send(.alpha)
      try center.inject(noting("b", priority: .critical), replacing: true)
      center[Shelf.self] = []
      await center.send(.alpha)
      orders.append(center[Shelf.self] ?? [])
      if center[Shelf.self] == ["a", "b"] { throw Broken() }
    }
    #expect(orders.values.first == ["b", "a"])
    #expect(found?.first.name == "b" && found?.second.name == "a")
    #expect(found?.isRepeatable == true)
  }

  @Test func `of two events at the same time, which one is sent first changes nothing for a seed`() async throws {
    let definitions = (0..<4).flatMap { [noting(TaskName("a\($0)")), noting(TaskName("b\($0)"), at: .beta)] }
    func find(
      _ first: LifecycleEvent<Void, Void>, _ second: LifecycleEvent<Void, Void>, seed: UInt64
    ) async throws -> OrderDependence? {
      try await TaskRegistry(definitions).orderDependence(seed: seed) { center in
        for run in [center.begin(first), center.begin(second)] { _ = await run.report }
        let order = center[Shelf.self] ?? []
        if order.last(where: { $0.hasPrefix("a") }) == "a0" || order.last(where: { $0.hasPrefix("b") }) == "b0" {
          throw Broken()
        }
      }
    }
    for seed in 0..<8 as Range<UInt64> {
      let one = try #require(try await find(.alpha, .beta, seed: seed))
      let other = try #require(try await find(.beta, .alpha, seed: seed))
      #expect(one.seed == other.seed && one.event == other.event)
      #expect(one.passing == other.passing && one.failing == other.failing)
    }
  }

  @Test func `tasks of two events that are going at the same time are exchanged, and the two are found`() async throws {
    let definitions =
      (0..<6).flatMap { [noting(TaskName("a\($0)")), noting(TaskName("b\($0)"), at: .beta)] } + [
        noting("writes", priority: .high), noting("reads", at: .beta),
      ]
    let found = try await TaskRegistry(definitions).orderDependence { center in
      for run in [center.begin(.alpha), center.begin(.beta)] { _ = await run.report }
      let order = center[Shelf.self] ?? []
      if order.firstIndex(of: "reads")! < order.firstIndex(of: "writes")! { throw Broken() }
    }
    let dependence = try #require(found)
    #expect(dependence.first.name == "writes" && dependence.first.event == "alpha")
    #expect(dependence.second.name == "reads" && dependence.second.event == "beta")
    #expect(dependence.event == "alpha" && dependence.failure == "broken" && dependence.isRepeatable)
    let place = try #require(dependence.passing.firstIndex(of: "writes"))
    #expect(dependence.passing.count == 14 && dependence.passing[place + 1] == "reads")
    var exchanged = dependence.passing
    exchanged.swapAt(place, place + 1)
    #expect(dependence.failing == exchanged)
    #expect(dependence.description.contains(") at 'beta', and nothing says so: broken; name it in the dependencies"))
    let advice = " where that may wait for it, or let 'beta' not begin before 'alpha' has ended (seed "
    #expect(dependence.description.contains(advice))
  }

  @Test func `what depends on a task of another event that is going is never before it`() async throws {
    let definitions = [
      noting("writes", priority: .low), noting("other"), noting("reads", dependencies: ["writes"], at: .beta),
      noting("another", at: .beta),
    ]
    let orders = Values<[String]>()
    let found = try await TaskRegistry(definitions).orderDependence(runs: 400) { center in
      for run in [center.begin(.alpha), center.begin(.beta)] { _ = await run.report }
      orders.append(center[Shelf.self] ?? [])
    }
    #expect(found == nil)
    #expect(orders.values.allSatisfy { $0.firstIndex(of: "writes")! < $0.firstIndex(of: "reads")! })
    // Of the 12 in which it does not, those are left out that begin with a task of 'beta': one of 'alpha' has begun before.
    #expect(Set(orders.values).count == 9, "every interleaving that is left was tried")
    #expect(orders.values.first == ["other", "another", "writes", "reads"], "the law's comes first")
  }

  @Test func `events that follow each other are not exchanged, and one that goes twice finds nothing that is none`()
    async throws
  {
    let definitions = [noting("a"), noting("b", at: .beta)]
    let registry = try TaskRegistry(definitions)
    let inTurn = try await registry.orderDependence { center in
      await center.send(.alpha)
      await center.send(.beta)
      if center[Shelf.self] != ["a", "b"] { throw Broken() }
    }
    #expect(inTurn == nil)
    let twice = try await registry.orderDependence { center in
      for run in [center.begin(.alpha), center.begin(.beta), center.begin(.alpha)] { _ = await run.report }
      if center[Shelf.self]?.filter({ $0 == "a" }).count != 2 { throw Broken() }
    }
    #expect(twice == nil)
  }

  @Test func `the orders of an event are the same for a seed, whatever other events there are`() async throws {
    let definitions = (0..<5).map { noting(TaskName("a\($0)")) } + [noting("b0", at: .beta), noting("b1", at: .beta)]
    func orders(_ events: [LifecycleEvent<Void, Void>]) async throws -> [[String]] {
      let orders = Values<[String]>()
      _ = try await TaskRegistry(definitions).orderDependence(runs: 10, seed: 7) { center in
        for event in events { await center.send(event) }
        orders.append((center[Shelf.self] ?? []).filter { $0.hasPrefix("a") })
      }
      return orders.values
    }
    let alone = try await orders([.alpha])
    #expect(Set(alone).count > 5)
    #expect(try await orders([.beta, .alpha]) == alone)
  }

  @Test func `an event that goes again after another one hides no order that matters`() async throws {
    let definitions = [
      noting("other"), noting("reads"), noting("another", at: .beta),
      noting("writes", dependencies: ["another"], at: .beta),
    ]
    let found = try await TaskRegistry(definitions).orderDependence { center in
      await center.send(.alpha)
      center[Shelf.self] = []
      // In the law's order what began first goes first, and planned first was the other one.
      for run in [center.begin(.beta), center.begin(.alpha)] { _ = await run.report }
      let order = center[Shelf.self] ?? []
      if order.firstIndex(of: "reads")! < order.firstIndex(of: "writes")! { throw Broken() }
    }
    #expect(found?.first.name == "writes" && found?.second.name == "reads")
    #expect(found?.failure == "broken")
  }

  @Test func `a task may wait for the more urgent ones of its event in every order`() async throws {
    let definitions: [TaskDefinition] = [
      .event(.alpha, name: "urgent", priority: .critical) { context in context[Shelf.self, default: []].append("urgent")
      },
      noting("other", priority: .high), noting("later"),
    ]
    let found = try await TaskRegistry(definitions).orderDependence(runs: 50) { center in
      let run = center.begin(.alpha)
      await run.ready(.critical)
      let isReady = center[Shelf.self]?.contains("urgent") == true
      let waiting = center.begin(.alpha)
      await waiting.ready(.high)
      let isSecondReady = (center[Shelf.self] ?? []).filter { $0 == "other" }.count == 2
      _ = await (run.report, waiting.report)
      return [isReady, isSecondReady]
    }
    #expect(found == nil)
  }
}
