import Foundation
import TaskKit

/// Decides what becomes of the jobs of one store in this process: no waiting, no lock, no clock, no code of a user.
///
/// Each input is one function; what it wants done is taken with ``beginPerforming()`` and performed when the lock that
/// holds the machine is released. At most one exchange with the store is on its way: what gathers meanwhile, ends, notes and
/// free workers, goes into the next one.
struct JobMachine {
  enum Opening: Equatable {
    case not
    case underWay
    /// With the store's identity.
    case done(UUID)
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
    /// Whether it went on behind that while the workers ran. One that hangs has had its attempt then, though it was stopped before, or
    /// had lost what it needs.
    var hasHadItsTime = false
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
    /// The kinds for which it was not asked since something has happened; nil for all.
    var unasked: Set<String>?
    /// The number of the last time that somebody has named it.
    var named: UInt64 = 0
    /// The number of the last stir in it.
    var stirred: UInt64 = 0

    var mayHaveWork: Bool { unasked?.isEmpty != true }
  }

  /// Attempts that may still begin, for tests that run one at a time.
  struct Allowance {
    var count: Int
    /// Nil for any.
    var kind: String?
    var queue: String?

    func lets(queue name: String) -> Bool { count > 0 && (queue ?? name) == name }
  }

  /// What is read of the store beside the exchanges.
  enum Read: Hashable {
    /// Which queues have jobs.
    case queues
    /// Which held jobs may go on.
    case held
    /// Which slots of a schedule are due, by the number of its watch.
    case schedule(Int)
  }

  struct PendingNote {
    let key: AttemptKey
    let note: JobExchange.Note
    /// Nil where nobody waits for it, as for progress, or nobody does any more.
    let waiter: NoteWaiter?
  }

  struct PendingEnd {
    let key: AttemptKey
    let end: JobExchange.End
    let kind: String
    let queue: String
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
    let asker: Asker
    /// Whether it also waits until kinds were told that jobs have given up.
    var awaitsHooks = false
    /// The queue for which it waits; nil for all.
    var queue: String?
    /// How many exchanges had been asked for when it began to wait: what they say may be older than what it waits for.
    var since = 0
    /// What is known to be in its way, where nothing but attempts is.
    var obstacle: Obstacle?
  }

  /// An attempt that holds up somebody who waits for the workers: it waits for none of those, or no job waits for him.
  struct Obstacle {
    let token: AttemptToken
    /// By what the center knows it, where it waits for something else.
    var work: ObjectIdentifier?
  }

  /// What somebody is told who has waited for idle.
  enum IdleAnswer: Sendable {
    /// It was so. As long as there were no more stirs than that, nothing of this process has changed it.
    case idle(stirs: UInt64)
    /// The time was over, or everything was.
    case givenUp

    var isIdle: Bool { if case .idle = self { true } else { false } }
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
    case tellIdle(CheckedContinuation<IdleAnswer, Never>, IdleAnswer)
    /// The center is to be asked who waits for whom: the answer is ``answer(_:to:)``.
    case lookWhoWaits
    /// Those that have not returned.
    case tellHooks(CheckedContinuation<[Hook], Never>, [Hook])
    case tell(JobEvent.Kind)
    /// What the store has thrown is put into words without the lock: its error may be one of a user.
    case tellFailed(any Error, retryAfter: Duration)
    /// So many ends were lost: of one job, where it is named.
    case tellLost(Int, of: JobID?, any Error)
    /// The kind is told; when that has returned the hook of that number has.
    case didGiveUp(FailedJob, hook: UInt64)
    case didGiveUpInCrash(RescuedJob, hook: UInt64)
    /// They are of no use any more: nothing of a user's ends under the lock.
    case letGo([FailedJob])
    /// The same for what the store has thrown.
    case letGoErrors([any Error])
    /// Ends that the store will never take: the answer is ``substitute(_:)``.
    case substitute([RefusedEnd])
    /// Jobs may be held for what no longer keeps them: until constraints hold that do so now, or since another process could
    /// not read them. It counts as an errand.
    case releaseHeld
    /// Something that is seen from outside is another than before.
    case changed
    /// There are many queues: it is to be read which of them have jobs.
    case readQueues
    case becameQuiet
    /// The first attempt runs, or the last one has ended.
    case works(Bool)
    case close
  }

  // MARK: - Its life

  var phase = Phase.waiting
  var opening = Opening.not
  /// Whether the opening of the store is tried until it succeeds.
  var opensByItself = false
  /// Whether nobody was told yet which jobs wait for a kind that is not registered, as the opened store could not be read.
  var mustTellOrphans = false
  var background = Background()
  /// How often the store was asked for an exchange.
  var exchanges = 0

  // MARK: - What may run

  var kinds: [String: Kind] = [:] { didSet { kindOrder = kinds.keys.sorted() } }
  private(set) var kindOrder: [String] = []
  /// By kind, also of those that were unregistered.
  var unread: [String: UnreadJobs] = [:]
  /// Added to by ``wake(_:workers:)`` alone: an observer that compares would copy all of them at each change of one.
  var queues: [String: Queue] = [:]
  var queueOrder: [String] = []
  /// Those whose jobs the exchange asks for that is on its way.
  var asked: Set<String> = []
  /// The queues of which it asks for all that could run in them, which is nothing where others use up the limits.
  var askedWhole: Set<String> = []
  /// The same, if nothing was under way when it went that brings something to queues that are known.
  var searched: Set<String> = []
  /// How many stirs there were then.
  var stirsOfSearch: UInt64 = 0
  /// The queues of which the latest answer has said that nothing could run in them, but for those that were stirred since.
  var empty: Set<String> = []
  /// To which exchange that was.
  var exchangeOfEmpty = 0
  /// How often something was done in this process that may let jobs run.
  var stirs: UInt64 = 0
  /// The number of the last one that may have been in any queue.
  var lastStirOfAll: UInt64 = 0
  /// When a job is due without anybody doing anything, on the center's clock.
  var due: Duration?
  /// The queues for which the store has said so.
  var queuesOfDue: Set<String> = []
  /// How often queues were named.
  var namings: UInt64 = 0
  /// How many may be known before those are forgotten that have no jobs.
  var roomForQueues = JobMachine.fewQueues
  /// The queue that is asked first, so that one does not keep the others from a limited kind.
  var firstQueue = 0
  var satisfied: Set<String> = []
  /// Whether a monitor that was asked has not said anything yet: what it says may let jobs run.
  var awaitsMonitors = false
  /// Nil for no limit.
  var allowance: Allowance?

  // MARK: - What runs

  var attempts: [AttemptToken: Attempt] = [:]
  /// How many have begun so far.
  var begun = 0
  var runningOfKind: [String: Int] = [:]
  /// Attempts that were cancelled before the exchange that gave them out was answered.
  var doomed: Set<AttemptToken> = []
  /// The kinds that are being told that a job has given up.
  var hooks: [UInt64: Hook] = [:]
  var nextHook: UInt64 = 0
  /// Those with lower numbers were waited for by the stop of the shutdown, for as long as that had time.
  var awaitedHooks: UInt64 = 0

  // MARK: - What is to be written down

  var notes: [PendingNote] = []
  var ends: [PendingEnd] = []
  var progress: [AttemptToken: (key: AttemptKey, value: JobProgress)] = [:]
  var mustFlushProgress = false
  var isProgressTimed = false
  /// What goes with the exchange that is on its way, or nothing as long as that is only about to go.
  var inFlight: (notes: [PendingNote], ends: [PendingEnd])?
  /// What goes one by one; nothing else is said as long as it is there.
  var apart: Apart?
  /// How often in a row the store could not do what it was asked for.
  var storeFailures = 0
  /// Since when all that the store said is that its disk fails, on the center's continuous clock.
  var diskFailsSince: Duration?
  /// Whether the disk has failed for longer than a moment: what it refuses may be about what one attempt says. Until everybody
  /// has spoken together again.
  var doubtsDisk = false
  var isBackingOff = false
  /// Why the store could not be opened or used the last time, as long as that has not worked again.
  var problem: (any Error)? { didSet { if let oldValue { emit(.letGoErrors([oldValue])) } } }

  // MARK: - What others do

  /// Whether somebody else may have something to say to attempts of this process: the next exchange goes even if it wants
  /// nothing.
  var mustListen = false
  /// Whether it is looked soon what others have done.
  var isLookTimed = false
  /// When it is looked next which jobs others have held, on the center's continuous clock.
  var releaseLook: Duration?
  /// What is under way that may bring jobs: schedules that are looked at, held jobs that are released.
  var errands = 0
  /// Those of them that find out which queues there are: they bring nothing to one that is known.
  var queueReads = 0
  /// Those of them that have been done, and are done once more for what others have changed since.
  var repeatedErrands = 0
  /// What could not be read, and is tried again after a while: jobs may be there that could run, and nobody here knows of them.
  var failedReads: Set<Read> = []

  // MARK: - Who waits and looks on

  var idleWaiters: [UInt64: Waiter<IdleAnswer>] = [:]
  var stopWaiters: [UInt64: Waiter<Void>] = [:]
  var hookWaiters: [UInt64: HookWaiter] = [:]
  /// Those whose deadline passed, or who were cancelled, before they began to wait.
  var expiredWaiters: Set<UInt64> = []
  var nextWaiter: UInt64 = 0
  /// How often somebody has begun to wait, here or for something of the center: what was in somebody's way before need not be
  /// any more.
  var waits: UInt64 = 0
  /// Whether anybody wants to hear what happens.
  var isObserved = false
  /// Whether time has made jobs ready: whoever looks on is told when that is written down.
  var mustTellChange = false
  private var wasQuiet = true
  /// Whether the center was told that attempts run.
  private var isWorking = false

  // MARK: - What is to be done

  private var effects: [Effect] = []
  /// Whether somebody performs effects.
  private var isPerforming = false

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

  mutating func releaseHeld() {
    errands += 1
    emit(.releaseHeld)
  }

  // MARK: - What it is

  /// That of the store; nil where it was not opened.
  var identity: UUID? { if case .done(let identity) = opening { identity } else { nil } }

  /// Whether the store was opened.
  var isOpen: Bool { identity != nil }

  /// Whether nothing is going and nothing is about to: what is left waits for time, or for somebody.
  var isQuiet: Bool {
    attempts.isEmpty && hooks.isEmpty && inFlight == nil && apart == nil && opening != .underWay && errands == 0
      && (isBackingOff || opening == .not || (notes.isEmpty && ends.isEmpty && !mayClaim))
  }

  /// Whether nothing is left that could run in this process now, and everything that ended is written down.
  var isIdle: Bool { isIdle(nil) }

  /// The same for one queue, whatever is done in others; nil for all.
  ///
  /// - Parameter exchange: how many had been asked for when somebody began to wait for that. What a later one has just said of a
  ///   queue counts, though that may have to be asked again already, for others who change the store all the time or for jobs of
  ///   other queues that end: nobody waits until they rest.
  func isIdle(_ queue: String?, since exchange: Int = .max) -> Bool {
    isIdleButForAttempts(queue, since: exchange) && !attempts.values.contains { isInTheWay($0, of: queue) }
  }

  /// The same, but for attempts that are going.
  func isIdleButForAttempts(_ queue: String?, since exchange: Int = .max) -> Bool {
    let empty = exchange < exchangeOfEmpty ? empty : []
    guard let queue else { return isIdleButForAttempts(empty: empty) }
    let isKnown = queues[queue] != nil
    guard apart == nil, errands == (isKnown ? queueReads : repeatedErrands),
      empty.contains(queue) || !asked.contains(queue), !ends.contains(where: { $0.queue == queue }),
      !(inFlight?.ends.contains { $0.queue == queue } ?? false), !(attempts.isEmpty && resumes(queue))
    else { return false }
    guard phase == .running else { return true }
    return !isBlind(but: isKnown ? [.queues] : []) && (empty.contains(queue) || !mayClaim(in: queue))
  }

  /// The same for all queues.
  private func isIdleButForAttempts(empty: Set<String>) -> Bool {
    guard apart == nil, errands == repeatedErrands, notes.isEmpty, ends.isEmpty, !(attempts.isEmpty && phase.resumes)
    else { return false }
    guard phase == .running else { return inFlight == nil }
    // One that only asks again says nothing of that time.
    if let inFlight, empty.isEmpty || !inFlight.notes.isEmpty || !inFlight.ends.isEmpty || !asked.isSubset(of: empty) {
      return false
    }
    return !isBlind(but: []) && !mayClaim(but: empty)
  }

  /// Whether nobody knows for a while what could run.
  ///
  /// - Parameter reads: those that are not needed for that.
  private func isBlind(but reads: Set<Read>) -> Bool {
    !isOpen || isBackingOff || awaitsMonitors || !failedReads.isSubset(of: reads)
  }

  /// Whether a queue, or nil for all, is not idle as long as an attempt is going.
  func isInTheWay(_ attempt: Attempt, of queue: String?) -> Bool {
    queue.map { attempt.job.queue == $0 || resumes($0) } ?? true
  }

  /// Whether a queue is asked for work when the stop has ended that is under way: as soon as all attempts have.
  private func resumes(_ queue: String) -> Bool {
    phase.resumes && !kinds.isEmpty && queues[queue] != nil
  }

  var mayClaim: Bool { mayClaim(but: []) }

  private func mayClaim(but empty: Set<String>) -> Bool {
    phase == .running && !kinds.isEmpty
      && queues.contains { name, queue in !empty.contains(name) && mayClaim(in: name, queue) }
  }

  private func mayClaim(in name: String) -> Bool {
    !kinds.isEmpty && queues[name].map { mayClaim(in: name, $0) } ?? false
  }

  private func mayClaim(in name: String, _ queue: Queue) -> Bool {
    queue.mayHaveWork && queue.running < queue.workers && (allowance?.lets(queue: name) ?? true)
  }

  /// Without ``advance()``, for whoever holds another lock: an input has to follow.
  mutating func setOpening(_ opening: Opening) {
    self.opening = opening
    noteQuiet()
  }

  mutating func noteQuiet() {
    if attempts.isEmpty == isWorking {
      isWorking.toggle()
      effects.append(.works(isWorking))
    }
    let isQuiet = isQuiet
    if isQuiet, !wasQuiet { effects.append(.becameQuiet) }
    wasQuiet = isQuiet
  }
}
