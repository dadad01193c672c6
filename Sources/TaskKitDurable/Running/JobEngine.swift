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
  private let machine = Mutex(JobMachine())
  private let opener = Mutex<_Concurrency.Task<StoreOpening, any Error>?>(nil)
  let identity = Mutex<UUID?>(nil)
  private let dueCall = Mutex<ScheduledCall?>(nil)
  let sweeping = Mutex(Sweeping())
  /// What is known of the kinds' schedules.
  let watches = Mutex(ScheduleWatches())
  private let queueReader = Mutex(QueueReader.resting)
  private let listening = Mutex<_Concurrency.Task<Void, Never>?>(nil)
  let environment: StoreEnvironment
  /// Whether it keeps the jobs of kinds that name no store.
  private let isFirst: Bool
  private let report: @Sendable (String) -> Void
  private let queues: @Sendable (String) -> QueueOptions
  weak let center: TaskCenter?

  init(
    name: String, store: any JobStore, isFirst: Bool, kinds: KindBox, events: Broadcast<JobEvent>,
    environment: StoreEnvironment, report: @escaping @Sendable (String) -> Void,
    queues: @escaping @Sendable (String) -> QueueOptions, center: TaskCenter
  ) {
    self.name = name
    self.store = store
    self.isFirst = isFirst
    self.kinds = kinds
    self.events = events
    self.environment = environment
    self.report = report
    self.queues = queues
    self.center = center
  }

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

  var isQuiet: Bool { inspect { $0.isQuiet } && !sweeping.withLock { $0.isGoing } }

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
    case .tellIdle(let waiter, let isIdle): waiter.resume(returning: isIdle)
    case .tell(let kind): tell(kind)
    case .didGiveUp(let failed):
      // Ends with the hook of the kind, which nobody waits for.
      if let center { _Concurrency.Task.detached { await failed.tell(center) } }
    case .substitute(let refused):
      // Ends when the kinds have said how long the jobs wait.
      _Concurrency.Task.detached { self.substitute(refused) }
    case .letGo: break
    case .releaseHeld(let satisfied): releaseHeld(by: satisfied)
    case .changed: changes.send(())
    case .becameQuiet: center?.companionBecameQuiet()
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
    do {
      let answer = try await store.exchange(exchange)
      let now = center?.continuousTime ?? .zero
      receive { $0.answered(answer, now: now) }
      if !exchange.ends.isEmpty { jobsEnded() }
    } catch {
      receive { $0.failed(error) }
      if center == nil { receive { $0.close() } }
    }
  }

  /// Calls something later on the center's clock, unless the center goes before.
  @discardableResult
  func call(after delay: Duration, _ body: @escaping @Sendable (JobEngine) -> Void) -> ScheduledCall? {
    center?.after(delay) { [weak self] in
      if let self { body(self) }
    }
  }

  /// Half of it is left to chance, so that processes which a store has failed together do not come back together.
  private func spread(_ delay: Duration) -> Duration { delay * (1 - 0.5 * (center?.chance ?? 0)) }

  private func setDue(_ delay: Duration?) {
    let next = delay.flatMap { delay in
      // A store that says 'now' has been asked for it now: it is looked again after a breath, not at once for ever.
      call(after: max(delay, .milliseconds(1))) { engine in
        engine.receive { machine in
          machine.wakeQueues()
          machine.mustTellChange = true
        }
      }
    }
    let old = dueCall.withLock { call in
      defer { call = next }
      return call
    }
    old?.cancel()
  }

  // MARK: - Opening and closing

  /// Opens the store, if that has not been done; everything waits for that.
  ///
  /// - Throws: what the store throws. The next call tries again.
  func open() async throws {
    if inspect({ $0.opening == .done }) { return }
    _ = try await beginOpening().value
  }

  @discardableResult
  private func beginOpening() -> _Concurrency.Task<StoreOpening, any Error> {
    opener.withLock { opener in
      if let opener { return opener }
      machine.withLock { $0.setOpening(.underWay) }
      // Ends when the store has answered; everybody who needs it awaits it.
      let task = _Concurrency.Task.detached {
        do {
          let opening = try await self.store.open(self.environment)
          await self.opened(opening)
          return opening
        } catch {
          // Together, so that nobody sees one without the other and begins another opening in between.
          self.opener.withLock { opener in
            opener = nil
            self.machine.withLock { $0.setOpening(.not) }
          }
          self.receive { machine in
            machine.problem = error
            // The center has gone meanwhile, and waits for that.
            if machine.phase == .closed { machine.emit(.close) }
          }
          throw error
        }
      }
      opener = task
      return task
    }
  }

  private func opened(_ opening: StoreOpening) async {
    identity.withLock { $0 = opening.identity }
    let changes = store.changes()
    // Ends when the store is closed, or with the engine.
    let task = _Concurrency.Task.detached { [weak self] in
      for await _ in changes { self?.storeChanged() }
    }
    listening.withLock { $0 = task }
    let counts = try? await store.counts()
    receive { machine in
      machine.opening = .done
      if machine.problem != nil { machine.emit(.tell(.storeRecovered)) }
      machine.problem = nil
      machine.wake(Set((counts ?? []).map(\.queue)), workers: self.newQueue)
      machine.wakeQueues()
      for rescued in opening.rescued { machine.tell(.rescued(rescued)) }
      for (kind, count) in self.orphans(among: counts ?? []) {
        machine.tell(.orphaned(kind: kind, count: count))
      }
      machine.emit(.changed)
      if !machine.satisfied.isEmpty { machine.emit(.releaseHeld(machine.satisfied)) }
      if machine.phase == .closed { machine.emit(.close) }
    }
    if counts == nil { readQueues() }
    lookAtSchedules()
    sweep()
  }

  private func storeChanged() {
    let mustTime = receive { machine in
      machine.wakeQueues()
      defer { machine.isLookTimed = true }
      return !machine.isLookTimed
    }
    changes.send(())
    // What is rare does not cost something at each change of a busy store.
    if mustTime { call(after: .milliseconds(100)) { $0.lookAtOthers() } }
  }

  /// Others may have cancelled what runs here, or made queues that nobody here knows.
  private func lookAtOthers() {
    receive { machine in
      machine.isLookTimed = false
      machine.mustListen = true
    }
    readQueues()
    releaseHeldByOthers()
  }

  /// Another process may have held jobs until something holds that does so here. Nobody tells which, so all are looked
  /// at, not more often than every ten seconds: nor may two processes that see it otherwise give a job to each other all
  /// the time.
  private func releaseHeldByOthers() {
    let mustTime = receive { machine in
      guard !machine.satisfied.isEmpty, !machine.isReleaseTimed else { return false }
      machine.isReleaseTimed = true
      return true
    }
    guard mustTime else { return }
    call(after: .seconds(10)) { engine in
      engine.receive { $0.isReleaseTimed = false }
      engine.releaseHeld(by: engine.inspect { $0.satisfied })
    }
  }

  /// Learns of queues that others have made: their jobs would wait for ever. What comes while they are read is read after
  /// it, once.
  private func readQueues(failures: Int = 0) {
    let begins = queueReader.withLock { reader in
      defer { reader = reader == .resting ? .reading : .readingAgain }
      return reader == .resting
    }
    guard begins else { return }
    // Ends when the store has answered.
    errand {
      repeat {
        guard let counts = try? await self.store.counts() else {
          // Nobody may change the store for long.
          self.call(after: JobMachine.storeDelay(after: failures + 1)) { $0.readQueues(failures: failures + 1) }
          continue
        }
        let names = Set(counts.lazy.filter { !$0.state.isFinal }.map(\.queue))
        self.receive { machine in
          machine.wake(names.filter { machine.queues[$0] == nil }, workers: self.newQueue)
        }
      } while self.queueReader.withLock { reader in
        defer { reader = reader == .readingAgain ? .reading : .resting }
        return reader == .readingAgain
      }
    }
  }

  /// Does something that may bring jobs: nobody is told before that all is done.
  func errand(_ body: @escaping @Sendable () async -> Void) {
    receive { $0.errands += 1 }
    _Concurrency.Task.detached {
      await body()
      self.receive { $0.errands -= 1 }
    }
  }

  /// Lets those go on that are held until what holds now.
  private func releaseHeld(by satisfied: Set<String>, failures: Int = 0) {
    guard inspect({ $0.opening == .done && $0.phase != .closing && $0.phase != .closed }) else { return }
    // Ends when the store has answered.
    errand {
      do {
        // Those of other kinds are for processes that run them.
        try await self.change(JobSelection(kinds: self.kinds.all.map(\.kind), states: [.held]), .release) { job in
          job.hold.map { JobExchange.End.held($0).isReleased(by: satisfied) } ?? false
        }
      } catch {
        let delay = JobMachine.storeDelay(after: failures + 1)
        self.tell(.storeFailed("\(error)", retryAfter: delay))
        self.call(after: delay) { engine in
          engine.releaseHeld(by: engine.inspect { $0.satisfied }, failures: failures + 1)
        }
      }
    }
  }

  func orphans(among counts: [JobCount]) -> [(kind: String, count: Int)] {
    let orphans = counts.filter { !$0.state.isFinal && kinds[$0.kind] == nil }
    return Dictionary(grouping: orphans, by: \.kind).map { ($0.key, $0.value.reduce(0) { $0 + $1.count }) }
      .sorted { $0.kind < $1.kind }
  }

  func newQueue(_ name: String) -> JobMachine.Queue {
    let options = queues(name)
    return JobMachine.Queue(workers: options.workers, aging: options.aging)
  }

  /// Starts the workers; a store that cannot be opened yet is tried again on the center's clock.
  func start() {
    receive { $0.start() }
    openInBackground()
    lookAtSchedules()
  }

  func openInBackground() {
    let begins = receive { machine in
      guard machine.opening != .done, machine.phase != .closed, !machine.opensByItself else { return false }
      machine.opensByItself = true
      return true
    }
    if begins { goOnOpening(failures: 0) }
  }

  /// Joins an opening that somebody else has begun: that may fail.
  private func goOnOpening(failures: Int) {
    guard inspect({ $0.phase != .closed }) else { return }
    let opening = beginOpening()
    // Ends when the store is open, or has failed to.
    _Concurrency.Task.detached {
      do {
        _ = try await opening.value
        self.receive { $0.opensByItself = false }
      } catch {
        let delay = JobMachine.storeDelay(after: failures + 1)
        self.call(after: self.spread(delay)) { $0.goOnOpening(failures: failures + 1) }
        self.tell(.storeFailed("\(error)", retryAfter: delay))
        guard failures == 0 else { return }
        self.report(
          """
          store '\(self.name)' cannot be opened, and its jobs wait: \(error). It is tried again until it can be, at least \
          every half minute
          """)
      }
    }
  }

  /// What is to be written down is written down, then the store is closed. Nothing may be asked of it afterwards.
  func close() { receive { $0.close() } }

  private func closeStore() async {
    endSchedules()
    listening.withLock { $0 }?.cancel()
    endSweeping()
    dueCall.withLock { $0 }?.cancel()
    await store.close()
    closed.open()
    changes.finish()
  }

  /// Opens when the store is closed.
  let closed = Latch()

  func register(_ registration: DurableRegistration) {
    receive { machine in
      machine.kinds[registration.kind] = JobMachine.Kind(
        limit: registration.limit, cancelsWhenLost: registration.cancelsWhenLost, location: registration.location)
      machine.wake([registration.queue], workers: self.newQueue)
      machine.wakeQueues()
    }
    look(at: registration)
  }

  func unregister(_ kind: String) {
    receive { $0.kinds[kind] = nil }
    forgetSchedule(of: kind)
  }

  // MARK: - Waiting

  /// - Returns: when it has ended, or the share is over; from inside of a job of this store when all others have.
  func stop(within share: Duration?) async {
    let number = receive { $0.waiterNumber() }
    let deadline = share.flatMap { share in call(after: share) { $0.receive { $0.giveUpStop(number) } } }
    let own = RunningAttempt.own(in: self)
    receive { $0.stop() }
    await withCheckedContinuation { waiter in
      let isOver = receive { $0.awaitStop(number, waiter, from: own) }
      if isOver { waiter.resume() }
    }
    deadline?.cancel()
    receive { _ = $0.expiredWaiters.remove(number) }
  }

  /// - Returns: false if the deadline passed. From inside of a job of this store that one does not count.
  func idle(within deadline: Duration?) async -> Bool {
    let number = receive { $0.waiterNumber() }
    let timer = deadline.flatMap { deadline in call(after: deadline) { $0.receive { $0.giveUpIdle(number) } } }
    let own = RunningAttempt.own(in: self)
    let isIdle = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if let answer = receive({ $0.awaitIdle(number, waiter, from: own) }) { waiter.resume(returning: answer) }
      }
    } onCancel: {
      receive { $0.giveUpIdle(number) }
    }
    timer?.cancel()
    receive { _ = $0.expiredWaiters.remove(number) }
    return isIdle
  }

  /// Bodies that have not returned.
  func unfinished() -> [UnfinishedTask] {
    let now = center?.continuousTime ?? .zero
    let attempts = inspect { machine in machine.attempts.values.map { ($0.job, $0.started, $0.location) } }
    return attempts.sorted { $0.0.id < $1.0.id }.map { job, started, location in
      UnfinishedTask(TaskName("\(job.kind) job \(job.id)"), at: location, for: now - started)
    }
  }
}
