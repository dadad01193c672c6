import Foundation
import Synchronization
import TaskKit

/// The stores of a center, their engines, and what they share.
final class JobRuntime: CenterCompanion {
  let engines: [JobEngine]
  let kinds: KindBox
  let events: Broadcast<JobEvent>
  let configuration: JobConfiguration
  let constraints: ConstraintWatch
  /// The calendar's time.
  let now: @Sendable () -> Date
  private weak let center: TaskCenter?
  /// The stops that are under way.
  private let hookWaits = Mutex<[HookWait]>([])
  /// The kinds of which it was told that nobody watches what they require; nil before the workers run.
  private let toldUnwatched = Mutex<Set<String>?>(nil)

  init(
    center: TaskCenter, kinds: KindTable, stores: [DurableStore], configuration: JobConfiguration
  ) {
    let (box, events) = (KindBox(kinds), Broadcast<JobEvent>(gap: { JobEvent(kind: .lost($0), store: nil) }))
    self.kinds = box
    self.events = events
    self.configuration = configuration
    self.center = center
    now = center.wallClock
    let environment = StoreEnvironment(now: now, owner: configuration.owner)
    let engines = stores.enumerated().map { place, store in
      JobEngine(
        name: store.name, store: store.store, isFirst: place == 0, kinds: box, events: events, environment: environment,
        report: center.report, queues: { configuration.queues[$0] ?? configuration.defaultQueue }, center: center)
    }
    self.engines = engines
    constraints = ConstraintWatch(
      monitors: configuration.monitors,
      listens: { isWaiting in for engine in engines { engine.receive { $0.awaitsMonitors = isWaiting } } }
    ) { changed, watch in
      for engine in engines {
        let now = engine.center?.continuousTime ?? .zero
        engine.receive { $0.setSatisfied(watch.satisfied, now: now) }
      }
      // Who hears of it may count on what follows from it.
      for (constraint, state) in changed.sorted(by: { $0.key.name < $1.key.name }) {
        events.send(JobEvent(kind: .constraint(constraint, state), store: nil))
      }
    }
    for kind in box.all { for engine in engines { engine.register(kind) } }
  }

  /// For a center that keeps no jobs.
  init(without center: TaskCenter) {
    engines = []
    kinds = KindBox(KindTable())
    events = Broadcast()
    configuration = JobConfiguration(monitors: [])
    self.center = center
    now = center.wallClock
    constraints = ConstraintWatch(monitors: [], listens: { _ in }, changed: { _, _ in })
    events.finish()
  }

  /// - Parameter kind: the one whose declaration names the store; nil where a call does.
  func engine(named name: String, of kind: KnownKind? = nil) throws -> JobEngine {
    guard let engine = engines.first(where: { $0.name == name }) else {
      throw DurableError.unknownStore(name, known: engines.map(\.name), of: kind?.registration)
    }
    return engine
  }

  func engine(for kind: KnownKind) throws -> JobEngine {
    guard let name = kind.registration.store else { return engines[0] }
    return try engine(named: name, of: kind)
  }

  /// On the center's clock that does not stop; none when the center has gone.
  var continuousTime: Duration { center?.continuousTime ?? .zero }

  /// Calls something later, on that clock; never where the center has gone.
  func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    center?.callCompanion(after: delay, body)
  }

  /// Waits for jobs. A body of the center that does so lends its slot, which what they send may need.
  func waiting<Answer: Sendable>(_ wait: () async -> Answer) async -> Answer {
    // Who is no such body does not hold the center.
    let slot = center?.lendSlot()
    let answer = await wait()
    await slot?.reclaim()
    return answer
  }

  // MARK: - The life of the center

  func centerStarted() { start(engines) }

  /// Starts the workers of some stores, where they were not yet.
  func start(_ engines: [JobEngine]) {
    constraints.start()
    for engine in engines { engine.start() }
    workersRun()
  }

  /// Tells what keeps jobs from ever running, which was said by nobody as long as none could.
  func workersRun() {
    toldUnwatched.withLock { $0 = $0 ?? [] }
    for kind in kinds.all { tellUnwatched(by: kind) }
  }

  /// Tells once, where the workers run or as soon as they do, that jobs of a kind wait for what no monitor can tell of.
  private func tellUnwatched(by kind: DurableRegistration) {
    let names = kind.requires.filter { !constraints.isWatched($0) }.map { "'\($0.name)'" }
    guard !names.isEmpty, toldUnwatched.withLock({ $0?.insert(kind.kind).inserted ?? false }) else { return }
    let end = kind.requiresFor.map { "until their 'requiresFor:' of \($0) has passed" } ?? "for ever"
    center?.report(
      """
      kind '\(kind.kind)' requires \(names.joined(separator: " and ")), of which no monitor of the center can tell; its jobs wait \
      \(end). Add one that does: 'JobConfiguration(monitors: .system + […])'
        declared at \(kind.location)
      """)
  }

  func check(_ items: [any RegistryItem]) throws {
    let registrations = items.compactMap { $0 as? DurableRegistration }
    if let problem = DurableError.all(kinds.problems(of: registrations, stores: engines.map(\.name))) { throw problem }
  }

  func take(_ items: [any RegistryItem]) {
    for registration in items.compactMap({ $0 as? DurableRegistration }) {
      // It was looked at before; since then somebody may have registered another type of that name.
      do { try register(registration) } catch { center?.report("\(error)") }
    }
  }

  /// - Throws: ``DurableError`` if another type has its name, or its declaration makes no sense.
  func register(_ registration: DurableRegistration) throws {
    guard try kinds.add(registration) else { return }
    for engine in engines { engine.register(registration) }
    tellUnwatched(by: registration)
  }

  func clockChanged() { for engine in engines { engine.clockChanged() } }

  var isQuiet: Bool { engines.allSatisfy(\.isQuiet) }

  func beginStop() { for engine in engines { engine.receive { $0.stop(by: .shutdown) } } }

  func stop(within share: Duration) async -> [UnfinishedTask] {
    await stop(engines, within: share, awaitsHooks: true, isShutdown: true)
  }

  /// - Parameters:
  ///   - awaitsHooks: whether to wait, as long as there is time, also for what kinds do because jobs have given up.
  ///   - isShutdown: whether it is the stop of the shutdown.
  @discardableResult
  func stop(
    _ engines: [JobEngine], within share: Duration?, awaitsHooks: Bool, isShutdown: Bool = false,
    _ begin: @escaping @Sendable (JobEngine, inout JobMachine) -> Void = { $1.stop() }
  ) async -> [UnfinishedTask] {
    let wait = beginWait(for: engines, isShutdown: isShutdown)
    defer { end(wait) }
    let hooks = await withTaskGroup(of: (place: Int, hooks: [JobMachine.Hook]).self) { group in
      for (place, engine) in engines.enumerated() {
        group.addTask {
          (place, await engine.stop(within: share, awaitingHooks: awaitsHooks ? wait : nil) { begin(engine, &$0) })
        }
      }
      var all = engines.map { _ in [JobMachine.Hook]() }
      for await (place, hooks) in group { all[place] = hooks }
      return all
    }
    return zip(engines, hooks).flatMap { $0.unfinished() + $0.unfinished($1) }
  }

  /// Somebody is about to stop workers.
  private func beginWait(for engines: [JobEngine], isShutdown: Bool) -> HookWait {
    let wait = HookWait(for: engines, in: center?.callingBody, isShutdown: isShutdown)
    hookWaits.withLock { $0.append(wait) }
    if let work = center?.callingWork { wait.note([work]) }
    if wait.body != nil { lookWhoAwaitsStops() }
    return wait
  }

  private func end(_ wait: HookWait) {
    hookWaits.withLock { waits in waits.removeAll { $0 === wait } }
    wait.end()
  }

  /// Asks which jobs and hooks wait for tasks of the center in which somebody stops workers.
  func lookWhoAwaitsStops() {
    let waits = hookWaits.withLock { waits in waits.filter { $0.body != nil } }
    guard !waits.isEmpty, engines.contains(where: { !$0.inspect(\.hooks.isEmpty) }),
      let look = center?.companionLook(for: waits.compactMap(\.body))
    else { return }
    for (wait, works) in zip(waits, look.waiting) { wait.note(works) }
  }

  func close() async {
    // Nothing is chosen any more, and a store may never be closed.
    constraints.end()
    for engine in engines { engine.close() }
    for engine in engines { await engine.closed.wait() }
    // Until then it is told what could not be written down, also behind the deadline of the shutdown.
    events.finish()
    for engine in engines { await engine.untilLastHooksReturned() }
  }

  var unfinished: [UnfinishedTask] { engines.flatMap { $0.unfinished($0.inspect(\.lastHooks)) } }

  func centerEnded() {
    constraints.end()
    for engine in engines { engine.close() }
    events.finish()
  }
}
