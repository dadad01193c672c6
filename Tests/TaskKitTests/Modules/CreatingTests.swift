import Foundation
import Synchronization
import TaskGraph
import TaskKit
import TaskKitTesting
import Testing

/// How instances come to be when several ask for them at once. The modules are registered as the macro would.
@Suite(.serialized) struct CreatingTests {
  @Test func `a method of the main actor waits for an instance that others are making`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Back.registration, Late.registration, Front.registration]))
    let runs = Values<EventRun>()
    // Its own module is half made: what is made elsewhere is there, and this is not. What is begun on another thread has
    // nothing to do with the initialiser.
    Late.whileMade.withLock { $0 = { beginOnThread(.alpha, in: center, runs) } }
    defer { Late.whileMade.withLock { $0 = nil } }
    #expect(try await center.module(creating: Front.self) != nil)
    let report = try #require(await runs.values.first?.report)
    #expect(report.outcomes == ["Front.work": "succeeded"])
  }

  /// Top asks for two at once, and one of them, which somebody else makes, for Top.
  @Test func `a circle through one of several that are asked for at once is found`() async throws {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Top.registration, Middle.registration, Patient.registration]))
    let course = Course(center)
    Course.current.withLock { $0 = course }
    defer { Course.current.withLock { $0 = nil } }
    let middle = Task { try await center.module(creating: Middle.self) }
    let slow = Task { try await center.module(creating: Patient.self) }
    await course.middle.arrivals()
    await course.slow.arrivals()
    let top = Task { try await center.module(creating: Top.self) }
    await course.top.arrivals()
    // Both are waited for by now, or will be found when they are.
    for _ in 0..<1000 { await Task.yield() }
    course.middle.open()
    await #expect(throws: TaskError.self) { try await middle.value }
    course.slow.open()
    #expect(try await slow.value != nil)
    _ = await top.result
  }

  /// First begins an event for which Second is made, which asks for First.
  @Test func `what an initialiser begins waits for its module, and is no circle`() async throws {
    let center = try makingCenter()
    let runs = Values<EventRun>()
    let hasAsked = Gate()
    First.making.whileMade {
      runs.append(center.begin(.alpha))
      await hasAsked.pass()
    }
    Second.making.whileMade {
      hasAsked.open()
      _ = try await center.module(creating: First.self)
    }
    #expect(try await center.module(creating: First.self) != nil)
    let report = try #require(await runs.values.first?.report)
    #expect(report.outcomes == ["First.work": "succeeded", "Second.work": "succeeded"])
  }

  @Test func `who needs a module whose initialiser awaits it is told so, by which way`() async throws {
    let center = try makingCenter()
    let reports = Values<EventReport>()
    First.making.whileMade { reports.append(await center.send(.alpha)) }
    Second.making.whileMade { _ = try await center.module(creating: First.self) }
    #expect(try await center.module(creating: First.self) != nil)
    let report = try #require(reports.values.first)
    #expect(report.names == ["First.work", "Second.work"])
    for outcome in report.outcomes.values {
      #expect(outcome.contains("module 'First' waits for 'alpha', which asks for it"), "\(outcome)")
    }
    #expect(await center.send(.alpha).outcomes == ["First.work": "succeeded", "Second.work": "succeeded"])
  }

  @Test func `an initialiser that awaits what waits for its module already is refused, and goes on`() async throws {
    let center = try makingCenter()
    let hasAsked = Gate()
    let (runs, reports) = (Values<EventRun>(), Values<EventReport>())
    First.making.whileMade {
      let run = center.begin(.alpha)
      await hasAsked.pass()
      // Waited for by now; if not, it will be told instead.
      for _ in 0..<1000 { await Task.yield() }
      runs.append(run)
      reports.append(await run.report)
    }
    Second.making.whileMade {
      hasAsked.open()
      _ = try await center.module(creating: First.self)
    }
    #expect(try await center.module(creating: First.self) != nil)
    #expect("\(reports.values.map(\.status))".contains("'alpha' waits for module '"), "\(reports.values)")
    let report = try #require(await runs.values.first?.report)
    #expect(report.outcomes == ["First.work": "succeeded", "Second.work": "succeeded"])
  }

  // MARK: - In one step on the main actor

  @Test(arguments: [false, true])
  @MainActor func `what an initialiser of the main actor begins waits for its module, too`(isInline: Bool)
    async throws
  {
    let center = try hostingCenter()
    let runs = Values<EventRun>()
    Host.whileMade { runs.append(center.begin(.alpha)) }
    if isInline { #expect(center.begin(.beta).progress.fraction == 1) }
    #expect(try await center.module(creating: Host.self) != nil)
    let report = try #require(await runs.values.first?.report)
    #expect(report.outcomes == ["Host.work": "succeeded", "Guest.work": "succeeded"])
  }

  @Test(arguments: [false, true])
  @MainActor func `who needs a module whose initialiser blocks for it is told so, by which way`(isInline: Bool)
    async throws
  {
    let center = try hostingCenter()
    let reports = Values<EventReport>()
    Host.whileMade { reports.append(center.sendAndWait(.alpha)) }
    if isInline { #expect(center.begin(.beta).progress.fraction == 1) }
    #expect(try await center.module(creating: Host.self) != nil)
    let report = try #require(reports.values.first)
    #expect(report.names == ["Host.work", "Guest.work"])
    for outcome in report.outcomes.values {
      #expect(outcome.contains("module 'Host' waits for 'alpha', which asks for it"), "\(outcome)")
    }
    #expect(await center.send(.alpha).outcomes == ["Host.work": "succeeded", "Guest.work": "succeeded"])
  }

  /// In one step, in another one's place on the main actor, and on it as part of what may suspend.
  @Test(arguments: ["Host", "Front", "First"])
  @MainActor func `who needs a module whose initialiser begins what blocks for it is told so, by which way`(
    module: String
  ) async throws {
    let reports = Values<EventReport>()
    let taskModules: [String: [ModuleRegistration]] = [
      "Host": [Host.registration, Guest.registration],
      "Front": [Back.registration, Late.registration, Front.registration],
      "First": [First.registration],
    ]
    let center = TaskCenter(registry: try TaskRegistry(taskModules: taskModules[module]!))
    try center.inject(
      .event(.gamma, name: "blocks") { context in
        // On the clock of the machine: the deadline is all that could free a main actor that waits in vain.
        reports.append(context.center.sendAndWait(.alpha, deadline: .seconds(5)))
      })
    switch module {
    case "Host":
      Host.whileMade { center.begin(.gamma) }
      #expect(try await center.module(creating: Host.self) != nil)
    case "Front":
      Front.whileMade.withLock { $0 = { center.begin(.gamma) } }
      defer { Front.whileMade.withLock { $0 = nil } }
      #expect(try await center.module(creating: Front.self) != nil)
    default:
      First.making.whileMade { await MainActor.run { _ = center.begin(.gamma) } }
      #expect(try await center.module(creating: First.self) != nil)
    }
    let report = try #require(reports.values.first)
    #expect(report.status == .completed)
    for outcome in report.outcomes.values {
      #expect(
        outcome.contains("module '\(module)' waits for 'gamma' waits for 'alpha', which asks for it"), "\(outcome)")
    }
  }

  /// The method waits for its instance, and so comes to the main actor from elsewhere.
  @Test @MainActor func `what a method that waited for its instance begins is refused where it blocks for the method`()
    async throws
  {
    let statuses = Values<EventReport.Status>()
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Back.registration, Late.registration, Front.registration]))
    try center.inject([
      .event(.beta, name: "blocks") { context in
        // On the clock of the machine: the deadline is all that could free a main actor that waits in vain.
        statuses.append(context.center.sendAndWait(.gamma, deadline: .seconds(5)).status)
      },
      .event(.gamma, name: "needy", dependencies: ["Front.work"]) { _ in await Task.yield() },
    ])
    Front.whileAtWork.withLock { $0 = { center.begin(.beta) } }
    defer { Front.whileAtWork.withLock { $0 = nil } }
    #expect(await center.send(.alpha).isSuccess)
    let status = try #require(statuses.values.first)
    #expect("\(status)".contains("'gamma' waits for 'alpha' waits for 'beta'"), "\(status)")
  }

  /// The initialiser blocks, and on the main actor goes on what others want there meanwhile: to make the module itself, and one
  /// that depends on it.
  @Test @MainActor func `who comes while an initialiser of the main actor blocks waits for it`() async throws {
    let center = try hostingCenter()
    let begun = Values<EventRun>()
    try center.inject(
      .event(.gamma, name: "needed") { context in
        begun.append(context.center.begin(.alpha))
        begun.append(context.center.begin(.numbered(1)))
        // They have come by now; if not, they come later.
        for _ in 0..<1000 { await Task.yield() }
      })
    Host.whileMade { #expect(center.sendAndWait(.gamma).isSuccess) }
    #expect(try await center.module(creating: Host.self) != nil)
    let runs = begun.values
    #expect(runs.count == 2)
    #expect(await runs.first?.report.outcomes == ["Host.work": "succeeded", "Guest.work": "succeeded"])
    #expect(await runs.last?.report.outcomes == ["Guest.look": "succeeded"])
  }

  /// The event is begun while nobody makes the module, and its turn on the main actor comes inside of the initialiser.
  @Test @MainActor func `a method that cannot wait for an initialiser that has begun meanwhile says so, once`()
    async throws
  {
    let center = try hostingCenter()
    let runs = Values<EventRun>()
    beginOnThread(.alpha, in: center, runs)
    let run = try #require(runs.values.first)
    let ended = Values<EventReport>()
    try center.inject(.event(.gamma, name: "needed") { _ in ended.append(await run.report) })
    Host.whileMade { #expect(center.sendAndWait(.gamma).isSuccess) }
    #expect(center.begin(.beta).progress.fraction == 1)
    #expect(center.module(Host.self) != nil)
    let report = try #require(ended.values.first)
    #expect(report.names == ["Host.work", "Guest.work"])
    for outcome in report.outcomes.values {
      #expect(
        outcome
          == "failed: the instance of module 'Host' has to be waited for, because the main actor has begun to make it since "
          + "the event was sent, and an initialiser blocks there; send the event again")
    }
    #expect(await center.send(.alpha).outcomes == ["Host.work": "succeeded", "Guest.work": "succeeded"])
  }

  @Test @MainActor func `modules of the main actor that depend on each other in a circle are told so`() async throws {
    var circle = ModuleTasks(module: "Farm", count: 0)
    circle.add(Hen.registration)
    circle.add(Egg.registration)
    let center = TaskCenter(registry: TaskRegistry(__proved: [circle]))
    let error = await #expect(throws: TaskError.self) { try await center.module(creating: Hen.self) }
    #expect(error?.code == .waitsForItself)
    #expect(center.module(Egg.self) == nil)
  }

  @Test func `what the build refuses of modules is refused where the program puts them together, all at once`() throws {
    let circle =
      "these modules wait for each other: 'Hen' needs 'Egg', 'Egg' needs 'Hen'; remove one of these dependencies"
    let twice = "two modules are named 'Hen'; give one of them another name with 'name:'"
    let all = #expect(throws: TaskGraphError.self) {
      try TaskRegistry(taskModules: [Hen.registration, Egg.registration, Rooster.registration])
    }
    #expect(all?.sentences.sorted() == [circle, twice])

    let center = TaskCenter(registry: try TaskRegistry(taskModules: [Hen.registration]))
    let added = #expect(throws: TaskGraphError.self) {
      try center.add(TaskRegistry(taskModules: [Egg.registration]))
    }
    #expect(added?.problems.map(\.code) == ["taskGraph.cycle"])
    let registered = #expect(throws: TaskGraphError.self) { try center.register(Rooster()) }
    #expect(registered?.sentences == [twice])
    #expect(center.module(Rooster.self) == nil)
    // It was refused as a whole, and is nobody's hindrance.
    try center.unregister(Hen.self)
    #expect(try center.register(Rooster()).isNew)
  }

  @Test @MainActor func `after a failed attempt a method runs inline if all that is missing is made on the main actor`()
    async throws
  {
    let center = TaskCenter(
      registry: try TaskRegistry(taskModules: [Back.registration, Shelf.registration, Shop.registration]))
    Shelf.failures = 1
    await #expect(throws: Broken.self) { try await center.module(creating: Shelf.self) }
    // What is made elsewhere is there.
    #expect(center.module(Back.self) != nil)
    let run = center.begin(.gamma)
    #expect(run.progress.fraction == 1)
    #expect(await run.report.outcomes == ["Shop.work": "succeeded"])
  }

  /// Begins an event as somebody does who has nothing to do with the calling thread, and is done when this returns.
  private func beginOnThread(_ event: LifecycleEvent<Void, Void>, in center: TaskCenter, _ runs: Values<EventRun>) {
    let hasBegun = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      runs.append(center.begin(event))
      hasBegun.signal()
    }
    hasBegun.wait()
  }

  private func hostingCenter() throws -> TaskCenter {
    Host.whileMade(nil)
    return TaskCenter(registry: try TaskRegistry(taskModules: [Host.registration, Guest.registration]))
  }

  // MARK: - Slots and ends

  @Test func `who waits for an instance lends its slot to what the initialiser awaits`() async throws {
    let center = try makingCenter(limit: 1)
    try center.inject(.event(.beta, name: "settings") { _ in })
    let course = Gate()
    First.making.whileMade {
      await course.pass()
      #expect(await center.send(.beta).outcomes == ["settings": "succeeded"])
    }
    let first = Task { try await center.module(creating: First.self) }
    await course.arrivals()
    let run = center.begin(.alpha)
    // The method waits by now, with the only slot.
    for _ in 0..<1000 { await Task.yield() }
    course.open()
    #expect(try await first.value != nil)
    #expect(await run.report.outcomes == ["First.work": "succeeded", "Second.work": "succeeded"])
  }

  @Test func `whoever is cancelled before an initialiser of the main actor has begun is told so, and makes nothing`()
    async throws
  {
    let center = try hostingCenter()
    let asking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await center.module(creating: Host.self) != nil
    }
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(center.module(Host.self) == nil)
    #expect(try await center.module(creating: Host.self) != nil)
  }

  private func makingCenter(limit: Int = .max) throws -> TaskCenter {
    First.making.whileMade(nil)
    Second.making.whileMade(nil)
    Needy.making.whileMade(nil)
    return TaskCenter(
      registry: try TaskRegistry(taskModules: [First.registration, Second.registration]),
      configuration: .init(maximumConcurrency: limit))
  }

  @Test(arguments: [false, true])
  func `a module goes on without one that is unregistered while it is made for it`(fails: Bool) async throws {
    let center = try makingCenter()
    try center.add(TaskRegistry(taskModules: [Needy.registration]))
    let gate = Gate()
    Second.making.whileMade {
      await gate.pass()
      if fails { throw Broken() }
    }
    let run = center.begin(.beta)
    await gate.arrivals()
    #expect(try center.unregister(Second.self, dependents: .detach))
    gate.open()
    #expect(await run.report.outcomes == ["Needy.work": "succeeded"])
    #expect(try await center.module(creating: Needy.self)?.hasSecond == false)
  }

  @Test func `whoever makes a module that is unregistered meanwhile is told that there is none, as those who wait`()
    async throws
  {
    let center = try makingCenter()
    let gate = Gate()
    Second.making.whileMade { await gate.pass() }
    let asking = (0..<2).map { _ in Task { try await center.module(creating: Second.self) } }
    await gate.arrivals()
    try center.unregister(Second.self)
    gate.open()
    for one in asking { #expect(try await one.value == nil) }
  }

  @Test func `no initialiser begins of a module that has been unregistered`() async throws {
    let center = try makingCenter()
    try center.add(TaskRegistry(taskModules: [Needy.registration]))
    let (gate, made) = (Gate(), Values<String>())
    Second.making.whileMade { await gate.pass() }
    Needy.making.whileMade { made.append("needy") }
    let asking = Task { try await center.module(creating: Needy.self) }
    await gate.arrivals()
    #expect(try center.unregister(Needy.self))
    gate.open()
    #expect(try await asking.value == nil)
    #expect(made.values == [])
    #expect(center.module(Second.self) != nil)
  }

  @Test func `no initialiser begins when the center has shut down, and what was made before is there`() async throws {
    let center = try makingCenter()
    try center.add(TaskRegistry(taskModules: [Needy.registration]))
    let (gate, made) = (Gate(), Values<String>())
    First.making.whileMade { made.append("first") }
    Second.making.whileMade { await gate.pass() }
    Needy.making.whileMade { made.append("needy") }
    let asking = Task { try await center.module(creating: Needy.self) }
    await gate.arrivals()
    await center.terminate()
    gate.open()
    let going = await #expect(throws: TaskError.self) { try await asking.value }
    #expect(going?.code == .hasShutDown)
    let late = await #expect(throws: TaskError.self) { try await center.module(creating: First.self) }
    #expect(late?.description == "module 'First' cannot be created: its center has shut down; make another center")
    #expect(made.values == [])
    #expect(try await center.module(creating: Second.self) != nil)
  }

  @Test func `no synchronous method begins when its module is there after the center has shut down`() async throws {
    let center = try makingCenter()
    let gate = Gate()
    First.making.whileMade { await gate.pass() }
    let before = First.worked.values.count
    let run = center.begin(.alpha)
    await gate.arrivals()
    await center.terminate(deadline: .zero)
    gate.open()
    #expect(try await center.module(creating: First.self) != nil)
    _ = await run.report
    #expect(First.worked.values.count == before)
  }

  @Test func `no initialiser of the main actor begins when the center has shut down`() async throws {
    let center = try hostingCenter()
    let made = Values<String>()
    Host.whileMade { made.append("host") }
    await center.terminate()
    let late = await #expect(throws: TaskError.self) { try await center.module(creating: Guest.self) }
    #expect(late?.code == .hasShutDown)
    #expect(made.values == [])
  }

  @Test func `an initialiser that throws what stands for a disabled task has failed, and is not missing`() async throws
  {
    let center = try makingCenter()
    try center.add(TaskRegistry(taskModules: [Needy.registration]))
    First.making.whileMade { throw TaskDisabled() }
    Second.making.whileMade { throw TaskDisabled() }
    let failure = await #expect(throws: TaskError.self) { try await center.module(creating: First.self) }
    #expect(
      failure?.description
        == "module 'First' cannot be created: its initialiser has thrown 'TaskDisabled', which stands for a task whose "
        + "'isEnabled' is false; throw another error")
    let outcomes = await center.send(.alpha).outcomes.mapValues { $0.prefix(7) }
    #expect(outcomes == ["First.work": "failed:", "Second.work": "failed:"])
    // It is not made without the one that is there and fails.
    await #expect(throws: TaskError.self) { try await center.module(creating: Needy.self) }
  }

  @MainActor
  @Test func `an initialiser of the main actor that throws what stands for a disabled task has failed, too`()
    async throws
  {
    let center = TaskCenter(registry: try TaskRegistry(taskModules: [Fickle.registration]))
    Fickle.whileMade = { throw TaskDisabled() }
    defer { Fickle.whileMade = nil }
    let failure = await #expect(throws: TaskError.self) { try await center.module(creating: Fickle.self) }
    #expect(failure?.code == .missingModule)
  }

  /// On the main actor, in one step.
  @MainActor
  @Test func `whoever makes a module gets the one that takes its place meanwhile`() async throws {
    let center = TaskCenter(registry: try TaskRegistry(taskModules: [Fickle.registration]))
    let other = Fickle()
    Fickle.whileMade = {
      Fickle.whileMade = nil
      try center.unregister(Fickle.self)
      try center.register(other)
    }
    #expect(try await center.module(creating: Fickle.self) === other)
    #expect(center.module(Fickle.self) === other)
  }

  @Test func `an instance whose registration is refused is let go of at once`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "taken") { _ in }])
    weak var reference: Refused?
    do {
      let refused = Refused()
      reference = refused
      #expect(throws: TaskGraphError.self) { try center.register(refused) }
    }
    #expect(reference == nil)
  }
}

/// Made elsewhere.
private actor Back: LifecycleModule {
  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Back", type: Back.self, collected: (), at: TaskLocation("Back.swift", 1, 1), make: make, methods: [])
  }

  @concurrent static func make(_ dependencies: ModuleDependencies) async throws -> Back { Back() }
}

/// Made on the main actor.
@MainActor private final class Late: LifecycleModule {
  nonisolated static let whileMade = Mutex<(@Sendable () -> Void)?>(nil)

  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Late", type: Late.self, collected: (), at: TaskLocation("Late.swift", 1, 1), make: make, methods: [])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Late {
    whileMade.withLock { $0 }?()
    return Late()
  }
}

/// Made on the main actor, of one that is made elsewhere and one that is not.
@MainActor private final class Front: LifecycleModule {
  nonisolated static let whileMade = Mutex<(@MainActor @Sendable () -> Void)?>(nil)
  nonisolated static let whileAtWork = Mutex<(@MainActor @Sendable () -> Void)?>(nil)

  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Front", type: Front.self, collected: (), at: TaskLocation("Front.swift", 1, 1),
      dependencies: [.init(__type: Back.self, "Back"), .init(__type: Late.self, "Late")], make: make,
      methods: [
        ModuleMethod(
          __method: "work", at: TaskLocation("Front.swift", 2, 1),
          occasions: [
            TaskOccasion(
              LifecycleEvent<Void, Void>.alpha,
              __runWithContext: { @MainActor (context: TaskContext<Void>) throws in
                _ = try context.__module(Front.self)
                whileAtWork.withLock { $0 }?()
              })
          ])
      ])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Front {
    whileMade.withLock { $0 }?()
    return Front()
  }
}

/// Made on the main actor, by what a test lets its initialiser do.
@MainActor private final class Host: LifecycleModule {
  nonisolated private static let work = Mutex<(@Sendable () -> Void)?>(nil)

  nonisolated static func whileMade(_ work: (@Sendable () -> Void)?) { Self.work.withLock { $0 = work } }

  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Host", type: Host.self, collected: (), at: TaskLocation("Host.swift", 1, 1), make: make,
      methods: [method("work", at: .alpha), method("open", at: .beta)])
  }

  private nonisolated static func method(_ name: String, at event: LifecycleEvent<Void, Void>) -> ModuleMethod {
    ModuleMethod(
      __method: name, at: TaskLocation("Host.swift", 2, 1),
      occasions: [
        TaskOccasion(
          event,
          __runWithContext: { @MainActor (context: TaskContext<Void>) throws in _ = try context.__module(Host.self) })
      ])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Host {
    work.withLock { $0 }?()
    return Host()
  }
}

/// Made on the main actor, too, and depends on the one above.
@MainActor private final class Guest: LifecycleModule {
  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Guest", type: Guest.self, collected: (), at: TaskLocation("Guest.swift", 1, 1),
      dependencies: [.init(__type: Host.self, "Host")], make: make,
      methods: [method("work", at: .alpha), method("look", at: .numbered(1))])
  }

  private nonisolated static func method(_ name: String, at event: LifecycleEvent<Void, Void>) -> ModuleMethod {
    ModuleMethod(
      __method: name, at: TaskLocation("Guest.swift", 2, 1),
      occasions: [
        TaskOccasion(
          event,
          __runWithContext: { @MainActor (context: TaskContext<Void>) throws in _ = try context.__module(Guest.self) })
      ])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Guest { Guest() }
}

@MainActor private final class Hen: LifecycleModule {
  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Hen", type: Hen.self, collected: (), at: TaskLocation("Hen.swift", 1, 1),
      dependencies: [.init(__type: Egg.self, "Egg")], make: make, methods: [])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Hen { Hen() }
}

@MainActor private final class Egg: LifecycleModule {
  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Egg", type: Egg.self, collected: (), at: TaskLocation("Egg.swift", 1, 1),
      dependencies: [.init(__type: Hen.self, "Hen")], make: make, methods: [])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Egg { Egg() }
}

/// Of the name of another one.
private final class Rooster: LifecycleModule, Sendable {
  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Hen", type: Rooster.self, collected: (), at: TaskLocation("Rooster.swift", 1, 1),
      creation: .byRegistering, methods: [])
  }
}

/// Made on the main actor, of one that is made elsewhere; not each time.
@MainActor private final class Shelf: LifecycleModule {
  static var failures = 0

  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Shelf", type: Shelf.self, collected: (), at: TaskLocation("Shelf.swift", 1, 1),
      dependencies: [.init(__type: Back.self, "Back")], make: make, methods: [])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Shelf {
    guard failures == 0 else {
      failures -= 1
      throw Broken()
    }
    return Shelf()
  }
}

/// Made on the main actor, of the one above.
@MainActor private final class Shop: LifecycleModule {
  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Shop", type: Shop.self, collected: (), at: TaskLocation("Shop.swift", 1, 1),
      dependencies: [.init(__type: Shelf.self, "Shelf")], make: make,
      methods: [
        ModuleMethod(
          __method: "work", at: TaskLocation("Shop.swift", 2, 1),
          occasions: [
            TaskOccasion(
              LifecycleEvent<Void, Void>.gamma,
              __runWithContext: { @MainActor (context: TaskContext<Void>) throws in _ = try context.__module(Shop.self)
              })
          ])
      ])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Shop { Shop() }
}

/// Made on the main actor, where a test does something meanwhile.
@MainActor private final class Fickle: LifecycleModule {
  static var whileMade: (() throws -> Void)?

  nonisolated static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Fickle", type: Fickle.self, collected: (), at: TaskLocation("Fickle.swift", 1, 1), make: make,
      methods: [])
  }

  static func make(_ dependencies: ModuleDependencies) throws -> Fickle {
    try whileMade?()
    return Fickle()
  }
}

/// What a test lets the initialiser of a module do.
private final class Making: Sendable {
  private let work = Mutex<(@Sendable () async throws -> Void)?>(nil)

  func whileMade(_ work: (@Sendable () async throws -> Void)?) { self.work.withLock { $0 = work } }

  func run() async throws { try await work.withLock { $0 }?() }
}

private actor First: LifecycleModule {
  static let making = Making()
  static let worked = Values<Bool>()

  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "First", type: First.self, collected: (), at: TaskLocation("First.swift", 1, 1), make: make,
      methods: [
        ModuleMethod(
          __method: "work", at: TaskLocation("First.swift", 2, 1),
          occasions: [
            TaskOccasion(
              LifecycleEvent<Void, Void>.alpha,
              __runWithContext: { (context: TaskContext<Void>) throws in
                _ = try context.__module(First.self)
                worked.append(true)
              })
          ])
      ])
  }

  @concurrent static func make(_ dependencies: ModuleDependencies) async throws -> First {
    try await making.run()
    return First()
  }
}

private actor Second: LifecycleModule {
  static let making = Making()

  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Second", type: Second.self, collected: (), at: TaskLocation("Second.swift", 1, 1), make: make,
      methods: [
        ModuleMethod(
          __method: "work", at: TaskLocation("Second.swift", 2, 1),
          occasions: [
            TaskOccasion(
              LifecycleEvent<Void, Void>.alpha,
              __runWithContext: { (context: TaskContext<Void>) throws in _ = try context.__module(Second.self) })
          ])
      ])
  }

  @concurrent static func make(_ dependencies: ModuleDependencies) async throws -> Second {
    try await making.run()
    return Second()
  }
}

/// Needs the second one, if there is one.
private actor Needy: LifecycleModule {
  static let making = Making()
  let hasSecond: Bool

  private init(hasSecond: Bool) { self.hasSecond = hasSecond }

  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Needy", type: Needy.self, collected: (), at: TaskLocation("Needy.swift", 1, 1),
      dependencies: [.init(__type: Second.self, "Second")], make: make,
      methods: [
        ModuleMethod(
          __method: "work", at: TaskLocation("Needy.swift", 2, 1),
          occasions: [
            TaskOccasion(
              LifecycleEvent<Void, Void>.beta,
              __runWithContext: { (context: TaskContext<Void>) throws in _ = try context.__module(Needy.self) })
          ])
      ])
  }

  @concurrent static func make(_ dependencies: ModuleDependencies) async throws -> Needy {
    try await making.run()
    let second = dependencies.__optionalModule(Second.self)
    return Needy(hasSecond: second != nil)
  }
}

/// How far the three modules below may go.
private final class Course: Sendable {
  static let current = Mutex<Course?>(nil)
  let center: TaskCenter
  let (top, middle, slow) = (Gate(), Gate(), Gate())

  init(_ center: TaskCenter) {
    self.center = center
    top.open()
  }
}

private actor Top: LifecycleModule {
  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Top", type: Top.self, collected: (), at: TaskLocation("Top.swift", 1, 1), make: make, methods: [])
  }

  @concurrent static func make(_ dependencies: ModuleDependencies) async throws -> Top {
    let course = Course.current.withLock { $0! }
    async let middle = course.center.module(creating: Middle.self)
    async let slow = course.center.module(creating: Patient.self)
    await course.top.pass()
    _ = try await (middle, slow)
    return Top()
  }
}

private actor Middle: LifecycleModule {
  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Middle", type: Middle.self, collected: (), at: TaskLocation("Middle.swift", 1, 1), make: make,
      methods: [])
  }

  @concurrent static func make(_ dependencies: ModuleDependencies) async throws -> Middle {
    let course = Course.current.withLock { $0! }
    await course.middle.pass()
    _ = try await course.center.module(creating: Top.self)
    return Middle()
  }
}

private actor Patient: LifecycleModule {
  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Patient", type: Patient.self, collected: (), at: TaskLocation("Patient.swift", 1, 1), make: make,
      methods: [])
  }

  @concurrent static func make(_ dependencies: ModuleDependencies) async throws -> Patient {
    await Course.current.withLock { $0! }.slow.pass()
    return Patient()
  }
}

/// Its method has a name that the center knows already.
private final class Refused: LifecycleModule, Sendable {
  static var registration: ModuleRegistration {
    ModuleRegistration(
      __name: "Refused", type: Refused.self, collected: (), at: TaskLocation("Refused.swift", 1, 1),
      creation: .byRegistering,
      methods: [
        ModuleMethod(
          __method: "work", name: "taken", at: TaskLocation("Refused.swift", 2, 1),
          occasions: [
            TaskOccasion(LifecycleEvent<Void, Void>.alpha, __runWithContext: { (_: TaskContext<Void>) in })
          ])
      ])
  }
}
