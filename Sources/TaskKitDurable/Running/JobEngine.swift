import Foundation
import Synchronization
import TaskKit

/// Runs the jobs of one store: gives the machine its inputs, and does what it wants done after the lock is released.
///
/// It holds its store and is held by its center, which it holds only while an attempt runs.
final class JobEngine: Sendable {
  let name: String
  let store: any JobStore
  let kinds: KindBox
  let events: Broadcast<JobEvent>
  /// Something that is seen from outside is another than before.
  let changes = Broadcast<Void>()
  /// Gets its inputs from ``receive(_:)``.
  let machine = Mutex(JobMachine())
  let opener = Mutex<_Concurrency.Task<StoreOpening, any Error>?>(nil)
  let dueCall = Mutex<ScheduledCall?>(nil)
  let sweeping = Mutex(Sweeping())
  /// What is known of the kinds' schedules.
  let watches = Mutex(ScheduleWatches())
  /// How long the store has taken for the last exchange in which no attempt was going.
  let writingTime = Mutex(Duration.zero)
  /// What is read of queues, of held jobs and of schedules.
  let looks = Mutex<[JobMachine.Read: Look]>([:])
  let listening = Mutex<_Concurrency.Task<Void, Never>?>(nil)
  let environment: StoreEnvironment
  /// Whether it keeps the jobs of kinds that name no store.
  private let isFirst: Bool
  let report: @Sendable (String) -> Void
  private let queues: @Sendable (String) -> QueueOptions
  weak let center: TaskCenter?
  /// Opens when the store is closed.
  let closed = Latch()
  /// The store, where it can lose a part of what it keeps.
  let damaged: (any DamagedStore)?
  private let isDamageTold = Atomic(false)

  init(
    name: String, store: any JobStore, isFirst: Bool, kinds: KindBox, events: Broadcast<JobEvent>,
    environment: StoreEnvironment, report: @escaping @Sendable (String) -> Void,
    queues: @escaping @Sendable (String) -> QueueOptions, center: TaskCenter
  ) {
    self.name = name
    self.store = store
    damaged = store as? any DamagedStore
    self.isFirst = isFirst
    self.kinds = kinds
    self.events = events
    self.environment = environment
    self.report = report
    self.queues = queues
    self.center = center
  }

  deinit { StoreClaims.release(store, by: self) }

  // MARK: - The machine

  @discardableResult
  func receive<Result: Sendable>(_ input: (inout JobMachine) -> sending Result) -> Result {
    let isObserved = events.isObserved
    var (result, effects) = machine.withLock { machine in
      machine.isObserved = isObserved
      let result = input(&machine)
      machine.advance()
      return (result, machine.beginPerforming())
    }
    // One thread at a time performs them, so that they happen in the order in which they were decided: what is due next
    // must not be followed by what was.
    while !effects.isEmpty {
      for effect in effects { perform(effect) }
      effects = machine.withLock { $0.goOnPerforming() }
    }
    return result
  }

  func inspect<Result: Sendable>(_ question: (borrowing JobMachine) -> sending Result) -> Result {
    machine.withLock { question($0) }
  }

  /// Whether jobs of a kind are kept here.
  func keeps(_ kind: DurableRegistration) -> Bool { kind.store.map { $0 == name } ?? isFirst }

  var isQuiet: Bool { inspect { $0.isQuiet } && sweeping.withLock { $0.pass == .resting } }

  /// Whether nothing that an attempt says counts any more.
  func isLost(_ token: AttemptToken) -> Bool {
    inspect { machine in machine.attempts[token].map { $0.cancellation == .lost } ?? true }
  }

  func isCancelled(_ token: AttemptToken) -> Bool {
    inspect { machine in machine.attempts[token].map { $0.cancellation != nil } ?? true }
  }

  private func perform(_ effect: JobMachine.Effect) {
    switch effect {
    case .exchange:
      // Ends when the store has answered.
      _Concurrency.Task.detached { await self.exchange() }
    case .start(let jobs): start(jobs)
    case .cancel(let task): task.cancel()
    case .setDue(let delay): setDue(delay)
    case .tryAgain(let delay):
      if call(after: spread(delay), { $0.receive { $0.tryAgain() } }) == nil { receive { $0.close() } }
    case .flushProgress: call(after: .seconds(1)) { $0.receive { $0.flushProgress() } }
    case .answer(let waiter, let answer): waiter.resume(returning: answer)
    case .resume(let waiter): waiter.resume()
    case .tellIdle(let waiter, let answer): waiter.resume(returning: answer)
    case .lookWhoWaits: if let question = machine.withLock({ $0.question() }) { ask(question) }
    case .tellHooks(let waiter, let hooks): waiter.resume(returning: hooks)
    case .tell(let kind): tell(kind)
    case .tellFailed(let error, let delay): tell(.storeFailed("\(error)", retryAfter: delay))
    case .tellLost(let count, let job, let error):
      tell(.endsLost(count, job.map { "job \($0): \(error)" } ?? "\(error)"))
    case .didGiveUp(let failed, let hook): callHook(hook) { await failed.tell($0) }
    case .didGiveUpInCrash(let rescued, let hook): callHook(hook) { await self.tellKind(of: rescued, $0) }
    case .substitute(let refused):
      // Ends when the kinds have said how long the jobs wait.
      _Concurrency.Task.detached { self.substitute(refused) }
    case .letGo, .letGoErrors: break
    case .releaseHeld:
      releaseHeld()
      receive { $0.errands -= 1 }
    case .changed: changes.send(())
    case .readQueues: readQueues()
    case .becameQuiet: center?.companionBecameQuiet()
    case .works(let isWorking): center?.companionWorks(isWorking)
    case .close:
      // Ends when the store is closed.
      _Concurrency.Task.detached { await self.closeStore() }
    }
  }

  func tell(_ kind: JobEvent.Kind) { events.send(JobEvent(kind: kind, store: name)) }

  private func exchange() async {
    // Behind the bodies that are about to run: those that return at once are written down together.
    await _Concurrency.Task.yield()
    guard let exchange = receive({ $0.takeExchange() }) else { return }
    // Beside bodies that hold all threads the answer waits for one, and its time says nothing of the store.
    let isAlone = inspect(\.attempts.isEmpty)
    let begin = center?.continuousTime ?? .zero
    do {
      let answer = try await store.exchange(exchange)
      let now = center?.continuousTime ?? .zero
      if isAlone { writingTime.withLock { $0 = now - begin } }
      receive { $0.answered(answer, now: now) }
      tellDamage()
      if !exchange.ends.isEmpty || !answer.rescued.isEmpty { jobsEnded() }
    } catch {
      let now = center?.continuousTime ?? .zero
      receive { $0.failed(error, now: now) }
      if center == nil { receive { $0.close() } }
    }
  }

  /// Tells once that the store passes jobs by that it cannot read.
  private func tellDamage() {
    guard let damage = damaged?.damage, !isDamageTold.exchange(true, ordering: .relaxed) else { return }
    report("store '\(name)': \(damage)")
  }

  /// The calendar's time by which the dates of its jobs are.
  func now() async throws -> Date { try await store.now() ?? environment.now() }

  // MARK: - What is done later

  /// Calls something later on the center's clock, unless the center goes before.
  @discardableResult
  func call(after delay: Duration, _ body: @escaping @Sendable (JobEngine) -> Void) -> ScheduledCall? {
    center?.callCompanion(after: delay) { [weak self] in
      if let self { body(self) }
    }
  }

  /// Half of it is left to chance, so that processes which a store has failed together do not come back together.
  func spread(_ delay: Duration) -> Duration { delay * (1 - 0.5 * (center?.chance ?? 0)) }

  private func setDue(_ delay: Duration?) {
    let next = delay.flatMap { delay in
      // A store that says 'now' has been asked for it now: it is looked again after a breath, not at once for ever.
      call(after: max(delay, .milliseconds(1))) { engine in engine.receive { $0.dueArrived() } }
    }
    let old = dueCall.withLock { call in
      defer { call = next }
      return call
    }
    old?.cancel()
  }

  func newQueue(_ name: String) -> JobMachine.Queue {
    let options = queues(name)
    return JobMachine.Queue(workers: options.workers, aging: options.aging)
  }

  /// Does something that may bring jobs: nobody is told before that all is done.
  ///
  /// - Parameter readsQueues: whether it brings queues alone, nothing to one that is known.
  func errand(readsQueues: Bool = false, _ body: @escaping @Sendable () async -> Void) {
    countErrands(1, readsQueues)
    _Concurrency.Task.detached {
      await body()
      self.countErrands(-1, readsQueues)
    }
  }

  /// Notes whether something could be read. Where it cannot be for a while, who waits for idle waits until it can; what no trying
  /// again helps against nobody waits for.
  func note(_ read: JobMachine.Read, _ error: (any Error)? = nil) {
    let mayPass = error.map { ($0 as? JobStoreError)?.isTransient ?? true } ?? false
    receive { machine in
      machine.failedReads.remove(read)
      if mayPass { machine.failedReads.insert(read) }
    }
  }

  private func countErrands(_ number: Int, _ readsQueues: Bool) {
    receive { machine in
      machine.errands += number
      if readsQueues { machine.queueReads += number }
    }
  }

  // MARK: - Kinds

  func register(_ registration: DurableRegistration) {
    follow(registration.kind)
    lookAtSchedule(of: registration.kind)
  }

  func unregister(_ kind: String) {
    follow(kind)
    forgetSchedule(of: kind)
    lookAtSchedule(of: kind)
  }

  /// Takes over what the center knows of a kind by now: others may register and unregister it at the same time, and the one
  /// who comes here last need not be the last who has done so.
  private func follow(_ kind: String) {
    receive { machine in
      guard let registration = self.kinds[kind]?.registration else {
        machine.kinds[kind] = nil
        return
      }
      machine.kinds[kind] = JobMachine.Kind(
        limit: registration.limit, cancelsWhenLost: registration.cancelsWhenLost, location: registration.location)
      machine.reads(kind, as: registration.type)
      machine.wake([registration.queue], workers: self.newQueue)
      machine.stirQueues()
      // Jobs of it may be held until something holds that has done so since before it was known, or for what only others cannot
      // read: in each store, as it runs those of each.
      machine.releaseHeld()
    }
  }
}
