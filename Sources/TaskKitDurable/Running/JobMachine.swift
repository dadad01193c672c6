import TaskKit

/// Decides what becomes of the jobs of one store in this process: no waiting, no lock, no clock, no code of a user.
///
/// Each input is one function; what it wants done is taken with ``beginPerforming()`` and performed when the lock that
/// holds the machine is released. At most one exchange with the store is on its way: what gathers meanwhile, ends, notes and
/// free workers, goes into the next one.
struct JobMachine {
  enum Phase {
    /// Not started.
    case waiting
    case running
    /// Attempts were cancelled and have not all been written down.
    case stopping
    case stopped
    /// As soon as everything is written down, the store is closed.
    case closing
    case closed
  }

  enum Opening {
    case not
    case underWay
    case done
  }

  /// Why an attempt was cancelled.
  enum Cancellation: Sendable {
    case stop
    case deadline
    case constraintLost
    /// The job was cancelled, deleted or replaced in the store: nothing that the attempt says counts.
    case lost
  }

  struct Attempt {
    let job: ClaimedJob
    /// On the center's continuous clock.
    let started: Duration
    let location: TaskLocation
    var task: _Concurrency.Task<Void, Never>?
    var cancellation: Cancellation?
    /// Whether its deadline has passed: it has no worker any more.
    var isOverdue = false
  }

  struct Kind {
    let limit: Int?
    let cancelsWhenLost: Bool
    let location: TaskLocation
  }

  struct Queue {
    var workers: Int
    var aging: Duration?
    var running = 0
    /// Whether something has happened since it was last asked for work.
    var mayHaveWork = true
  }

  /// Attempts that may still begin, for tests that run one at a time.
  struct Allowance {
    var count: Int
    /// Nil for any.
    var kind: String?
    var queue: String?

    func lets(queue name: String) -> Bool { count > 0 && (queue ?? name) == name }
  }

  struct PendingNote {
    let key: AttemptKey
    let note: JobExchange.Note
    /// Nil where nobody waits for it: progress.
    let waiter: NoteWaiter?
  }

  struct PendingEnd {
    let key: AttemptKey
    let end: JobExchange.End
    let kind: String
    let attempt: Int
    /// For the hook of the kind, once it is written down.
    let failed: FailedJob?
    /// What is needed to say something else, where a store may refuse what is said here.
    let refusable: ClaimedJob?
    /// Whether it stands for one that the store has refused.
    var isSubstitute = false
  }

  /// Somebody who waits for the workers.
  struct Waiter<Answer> {
    let continuation: CheckedContinuation<Answer, Never>
    /// The attempt that waits, where it is one: it would wait for itself.
    let own: AttemptToken?
  }

  enum Effect {
    /// With what ``takeExchange()`` gives then.
    case exchange
    case start([ClaimedJob])
    case cancel(_Concurrency.Task<Void, Never>)
    /// When a job is due without anybody doing anything; nil for never.
    case setDue(Duration?)
    case tryAgain(after: Duration)
    case flushProgress
    case answer(NoteWaiter, NoteAnswer)
    case resume(CheckedContinuation<Void, Never>)
    case tellIdle(CheckedContinuation<Bool, Never>, Bool)
    case tell(JobEvent.Kind)
    case didGiveUp(FailedJob)
    /// They are of no use any more: nothing of a user's ends under the lock.
    case letGo([FailedJob])
    /// Ends that the store will never take: the answer is ``substitute(_:)``.
    case substitute([RefusedEnd])
    /// Jobs are held until constraints hold that do so now.
    case releaseHeld(Set<String>)
    /// Something that is seen from outside is another than before.
    case changed
    case becameQuiet
    case close
  }

  var phase = Phase.waiting
  var opening = Opening.not
  /// Whether the workers start again when the stop that is under way has ended (Z41).
  var resumesAfterStop = false
  var kinds: [String: Kind] = [:] { didSet { kindOrder = kinds.keys.sorted() } }
  /// Nil for no limit.
  var allowance: Allowance?
  private(set) var kindOrder: [String] = []
  /// Added to by ``wake(_:workers:)`` alone: an observer that compares would copy all of them at each change of one.
  var queues: [String: Queue] = [:]
  private var queueOrder: [String] = []
  /// The queue that is asked first, so that one does not keep the others from a limited kind.
  private var firstQueue = 0
  var satisfied: Set<String> = []
  var attempts: [AttemptToken: Attempt] = [:]
  var runningOfKind: [String: Int] = [:]
  var notes: [PendingNote] = []
  var ends: [PendingEnd] = []
  var progress: [AttemptToken: (key: AttemptKey, value: JobProgress)] = [:]
  var mustFlushProgress = false
  var isProgressTimed = false
  /// Whether somebody else may have something to say to attempts of this process: the next exchange goes even if it wants
  /// nothing.
  var mustListen = false
  /// Whether it is looked soon what others have done.
  var isLookTimed = false
  /// Whether it is looked later which jobs others have held.
  var isReleaseTimed = false
  /// Whether the opening of the store is tried until it succeeds.
  var opensByItself = false
  /// What goes one by one; nothing else is said as long as it is there.
  var apart: Apart?
  /// What goes with the exchange that is on its way, or nothing as long as that is only about to go.
  var inFlight: (notes: [PendingNote], ends: [PendingEnd])?
  /// Attempts that were cancelled before the exchange that gave them out was answered.
  var doomed: Set<AttemptToken> = []
  /// How often in a row the store could not do what it was asked for.
  var storeFailures = 0
  var isBackingOff = false
  /// Why the store could not be opened or used the last time, as long as that has not worked again.
  var problem: (any Error)?
  var idleWaiters: [UInt64: Waiter<Bool>] = [:]
  var stopWaiters: [UInt64: Waiter<Void>] = [:]
  /// Those whose deadline passed, or who were cancelled, before they began to wait.
  var expiredWaiters: Set<UInt64> = []
  private var nextWaiter: UInt64 = 0
  /// What is under way that may bring jobs: schedules that are looked at, held jobs that are released.
  var errands = 0
  /// Whether anybody wants to hear what happens.
  var isObserved = false
  private var effects: [Effect] = []
  /// Whether somebody performs effects.
  private var isPerforming = false
  /// Whether time has made jobs ready: whoever looks on is told when that is written down.
  var mustTellChange = false
  private var wasQuiet = true

  /// What is to be performed now; nothing where somebody is at it, who takes this, too.
  mutating func beginPerforming() -> [Effect] {
    guard !isPerforming, !effects.isEmpty else { return [] }
    isPerforming = true
    defer { effects = [] }
    return effects
  }

  /// What has come meanwhile.
  mutating func goOnPerforming() -> [Effect] {
    isPerforming = !effects.isEmpty
    defer { effects = [] }
    return effects
  }

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  mutating func tell(_ event: @autoclosure () -> JobEvent.Kind) { if isObserved { effects.append(.tell(event())) } }

  mutating func waiterNumber() -> UInt64 {
    defer { nextWaiter += 1 }
    return nextWaiter
  }

  // MARK: - What it is

  /// Whether nothing is going and nothing is about to: what is left waits for time, or for somebody.
  var isQuiet: Bool {
    attempts.isEmpty && inFlight == nil && apart == nil && opening != .underWay && errands == 0
      && (isBackingOff || opening == .not || (notes.isEmpty && ends.isEmpty && !mayClaim))
  }

  /// Whether nothing is left that could run in this process now, and everything that ended is written down.
  var isIdle: Bool { isIdle(but: []) }

  /// - Parameter waiting: attempts that do not count.
  func isIdle(but waiting: Set<AttemptToken>) -> Bool {
    attempts.keys.allSatisfy(waiting.contains) && inFlight == nil && apart == nil && notes.isEmpty && ends.isEmpty
      && errands == 0
      && !(phase == .running && (opening != .done || isBackingOff || mayClaim))
  }

  private var mayClaim: Bool {
    phase == .running && !kinds.isEmpty
      && queues.contains { name, queue in
        queue.mayHaveWork && queue.running < queue.workers && (allowance?.lets(queue: name) ?? true)
      }
  }

  // MARK: - What moves it

  mutating func wakeQueues() {
    for name in queueOrder { queues[name]!.mayHaveWork = true }
  }

  mutating func wake(_ names: some Sequence<String>, workers: (String) -> Queue) {
    let count = queues.count
    for name in names {
      if queues[name] == nil { queues[name] = workers(name) }
      queues[name]!.mayHaveWork = true
    }
    if queues.count != count { queueOrder = queues.keys.sorted() }
  }

  /// Asks for the next exchange, if there is something to say; otherwise tells those who wait for that. Ends each input.
  mutating func advance() {
    defer { noteQuiet() }
    guard opening == .done, phase != .closed, inFlight == nil, !isBackingOff else {
      if inFlight == nil { settle() }
      return
    }
    let listens = mustListen && !attempts.isEmpty
    if let apart {
      guard !apart.isDeciding else { return }
    } else {
      guard !notes.isEmpty || !ends.isEmpty || mustFlushProgress || mayClaim || listens else { return settle() }
    }
    inFlight = ([], [])
    effects.append(.exchange)
  }

  /// What the next exchange says, decided when it goes: bodies that return before that ride along.
  ///
  /// - Returns: nil where it turns out that there is nothing to say.
  mutating func takeExchange() -> JobExchange? {
    if apart != nil { return takeApart() }
    let claims = phase == .running ? takeClaims() : []
    if !notes.isEmpty || !ends.isEmpty || !claims.isEmpty || mustFlushProgress {
      notes += progress.values.map { PendingNote(key: $0.key, note: .progress($0.value), waiter: nil) }
      progress = [:]
      mustFlushProgress = false
    }
    let listens = mustListen && !attempts.isEmpty
    mustListen = false
    guard !notes.isEmpty || !ends.isEmpty || !claims.isEmpty || listens else {
      inFlight = nil
      doomed = []
      return nil
    }
    inFlight = (notes, ends)
    defer { (notes, ends) = ([], []) }
    return JobExchange(notes: notes.map { ($0.key, $0.note) }, ends: ends.map { ($0.key, $0.end) }, claims: claims)
  }

  /// Without ``advance()``, for whoever holds another lock: an input has to follow.
  mutating func setOpening(_ opening: Opening) {
    self.opening = opening
    noteQuiet()
  }

  private mutating func noteQuiet() {
    let isQuiet = isQuiet
    if isQuiet, !wasQuiet { effects.append(.becameQuiet) }
    wasQuiet = isQuiet
  }

  /// Nothing is to be written down: those who wait for that go on.
  private mutating func settle() {
    if apart == nil, notes.isEmpty, ends.isEmpty, phase == .stopping {
      if attempts.isEmpty { endStop() } else { answerStopsFromInside() }
    }
    if attempts.isEmpty, apart == nil, notes.isEmpty, ends.isEmpty {
      if phase == .closing {
        phase = .closed
        effects.append(.close)
      }
    }
    guard !idleWaiters.isEmpty else { return }
    if isIdle {
      for waiter in idleWaiters.values { effects.append(.tellIdle(waiter.continuation, true)) }
      idleWaiters = [:]
    } else if isIdle(but: waitingAttempts) {
      for (number, waiter) in idleWaiters where waiter.own != nil {
        effects.append(.tellIdle(waiter.continuation, true))
        idleWaiters[number] = nil
      }
    }
  }

  /// Those that wait for the workers from inside.
  private var waitingAttempts: Set<AttemptToken> {
    Set(idleWaiters.values.compactMap(\.own) + stopWaiters.values.compactMap(\.own))
  }

  private mutating func answerStopsFromInside() {
    guard !stopWaiters.isEmpty, attempts.keys.allSatisfy(waitingAttempts.contains) else { return }
    for (number, waiter) in stopWaiters where waiter.own != nil {
      effects.append(.resume(waiter.continuation))
      stopWaiters[number] = nil
    }
  }

  mutating func endStop() {
    phase = .stopped
    for waiter in stopWaiters.values { effects.append(.resume(waiter.continuation)) }
    stopWaiters = [:]
    guard resumesAfterStop else { return }
    resumesAfterStop = false
    phase = .running
    wakeQueues()
    advance()
  }

  /// What the free workers want. A kind with a limit is asked for in one queue at a time, since the queues of one
  /// exchange do not know of each other.
  private mutating func takeClaims() -> [JobExchange.Claim] {
    guard !kinds.isEmpty, !queueOrder.isEmpty else { return [] }
    var claims: [JobExchange.Claim] = []
    var limitedKinds: Set<String> = []
    var allowed = allowance?.count ?? .max
    firstQueue = (firstQueue + 1) % queueOrder.count
    for offset in queueOrder.indices {
      let name = queueOrder[(firstQueue + offset) % queueOrder.count]
      let queue = queues[name]!
      let free = min(queue.workers - queue.running, allowed)
      guard queue.mayHaveWork, free > 0, allowance?.lets(queue: name) ?? true else { continue }
      var wanted: [JobExchange.Claim.Kind] = []
      var mustAskAgain = false
      for kind in kindOrder where allowance?.kind == nil || allowance?.kind == kind {
        var room = free
        if let limit = kinds[kind]!.limit {
          room = min(free, limit - runningOfKind[kind, default: 0])
          if room <= 0 { continue }
          guard limitedKinds.insert(kind).inserted else {
            mustAskAgain = true
            continue
          }
        }
        wanted.append(JobExchange.Claim.Kind(kind, limit: room))
      }
      queues[name]!.mayHaveWork = mustAskAgain
      guard !wanted.isEmpty else { continue }
      if allowance != nil { allowed -= free }
      claims.append(
        JobExchange.Claim(queue: name, limit: free, kinds: wanted, satisfied: satisfied, aging: queue.aging))
    }
    return claims
  }

  // MARK: - What the store says

  mutating func answered(_ answer: JobExchange.Answer, now: Duration) {
    guard let sent = inFlight else { return }
    inFlight = nil
    if storeFailures > 0 { tell(.storeRecovered) }
    storeFailures = 0
    problem = nil
    for (note, isWritten) in zip(sent.notes, answer.notes) {
      if let waiter = note.waiter { effects.append(.answer(waiter, isWritten ? .written : .refused)) }
    }
    for (end, isWritten) in zip(sent.ends, answer.ends) { ended(end, isWritten: isWritten) }
    letGo(of: sent.ends)
    // The constraint may have come to hold before it was written down that a job waits for it.
    if sent.ends.contains(where: { $0.end.isReleased(by: satisfied) }) { effects.append(.releaseHeld(satisfied)) }
    for rescued in answer.rescued { tell(.rescued(rescued)) }
    for token in answer.toCancel { cancel(token) }
    let started = answer.claimed.filter { start($0, now: now) }
    doomed = []
    effects.append(.setDue(answer.nextDue))
    if !sent.ends.isEmpty || !sent.notes.isEmpty || !answer.claimed.isEmpty || !answer.rescued.isEmpty || mustTellChange
    {
      effects.append(.changed)
      mustTellChange = false
    }
    if !answer.rescued.isEmpty { wakeQueues() }
    if !started.isEmpty { effects.append(.start(started)) }
    apart?.isStoreSound = true
    endApart()
  }

  mutating func letGo(of ends: [PendingEnd]) {
    let failed = ends.compactMap(\.failed)
    if !failed.isEmpty { effects.append(.letGo(failed)) }
  }

  private mutating func ended(_ end: PendingEnd, isWritten: Bool) {
    guard isWritten else { return tell(.refused(end.key.job, kind: end.kind, attempt: end.attempt)) }
    tell(JobEvent.Kind(end))
    if let failed = end.failed { effects.append(.didGiveUp(failed)) }
  }

  /// - Returns: whether it begins.
  private mutating func start(_ job: ClaimedJob, now: Duration) -> Bool {
    guard doomed.remove(job.token) == nil else { return false }
    // Stopped, or the kind was unregistered, or what it needs was lost, while the store gave it out.
    guard phase == .running, let kind = kinds[job.kind],
      !kind.cancelsWhenLost || job.constraints.allSatisfy(satisfied.contains), job.damage == nil
    else {
      ends.append(
        PendingEnd(
          key: AttemptKey(job: job.id, token: job.token),
          end: job.damage.map { .held(.unreadable(JobText.kept($0))) } ?? .interrupted, kind: job.kind,
          attempt: job.attempt, failed: nil, refusable: nil))
      return false
    }
    attempts[job.token] = Attempt(job: job, started: now, location: kind.location)
    allowance?.count -= 1
    queues[job.queue]?.running += 1
    runningOfKind[job.kind, default: 0] += 1
    tell(.started(job.id, kind: job.kind, attempt: job.attempt))
    return true
  }

  mutating func tryAgain() { isBackingOff = false }

  /// It has done something else that was asked of it, so it need not be waited any longer.
  mutating func storeWorked() { isBackingOff = false }

  /// From a tenth of a second, each time twice as long, up to half a minute.
  static func storeDelay(after failures: Int) -> Duration {
    min(.seconds(30), .milliseconds(100) * (1 << min(failures - 1, 10)))
  }
}
