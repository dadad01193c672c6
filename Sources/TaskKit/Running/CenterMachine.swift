import Foundation
import TaskGraph

/// Everything that changes in a center, and every decision about what runs next.
///
/// A pure state machine: no await, no lock, no clock, no closure of a user. Each input is a function; what is to be
/// done about it outside (start a worker, cancel one, resume somebody, set the alarm) is appended to `effects`, which
/// the center performs after it has released the lock. But for walks: `settle()` meets their threads; see ``Crossing``.
struct CenterMachine {
  /// What its first tasks are and wait for; held for their records.
  var registry: RegistryTable?
  var tasks: ContiguousArray<TaskRecord> = []
  /// By task, apart from `tasks` because every start reads it.
  var marks: ContiguousArray<TaskMarks> = []
  /// By task, where times are taken; made with the first of them.
  var statistics: ContiguousArray<TaskStatistics> = []
  var numbers = TaskNumbers()
  /// Names and types to numbers, made at the first look-up: a launch needs none.
  var directory: TaskDirectory?
  /// Made before the first change.
  var links: TaskLinks?
  var modules: Set<String> = []
  /// By the type of an annotated class or actor: its methods.
  var moduleMethods: [ObjectIdentifier: TaskList] = [:]
  /// Another order than the law's, for tests.
  var startOrder: StartOrder?

  var events: [EventState] = []
  var eventNumbers: [String: Int] = [:]
  /// Places of events that were forgotten.
  var freeEvents: [Int] = []
  /// The event that was looked up last.
  var lastEvent = 0

  var runs: ContiguousArray<ActiveRun?> = []
  var freeSlots: [Int] = []
  /// Where each run is, by its id.
  var slotsOfRuns: [UInt64: Int] = [:]
  /// Occurrences that have not ended; one that has may keep its place while a body or a worker of it is still there.
  var goingCount = 0
  /// How many occurrences there have been: the same number means that nothing has begun since.
  var occurrenceCount: UInt64 = 0
  var nextRunID: UInt64 = 1
  /// How many runs have been given a place.
  var begunCount: UInt64 = 0
  /// Sends that wait behind an earlier one of their event, by run id.
  var queued: [UInt64: QueuedSend] = [:]
  /// The event of the occurrence that is walked through, or -1, and those of which finished ones have not been written
  /// down.
  var walkedEvent = -1
  var unfolded: [Int] = []
  /// Whether one of the two has to be dealt with before anything else may look at the state.
  var mustSettle = false
  /// Reports that somebody will come for, and how many.
  var unclaimed: [UInt64: (finished: FinishedRun, claims: Int)] = [:]
  /// Who waits for the report of a run, by run id.
  var reportWaiters: [UInt64: [CheckedContinuation<EventReport, Never>]] = [:]
  var outputWaiters: [Int32: [CheckedContinuation<Void, Never>]] = [:]
  /// Who waits until nothing is going and nothing is due.
  var settleWaiters: [CheckedContinuation<Void, Never>] = []
  var destructionWaiters: [Int32: [CheckedContinuation<Void, Never>]] = [:]
  var readyWaitersOfQueued: [UInt64: [(priority: Int, continuation: CheckedContinuation<Void, Never>)]] = [:]
  /// Bodies that lent their slot and want one again, in the order in which they asked first.
  var reclaimers = Line<Reclaimer>()
  /// Destroyed tasks whose body has not returned, by name.
  var lingering: [TaskName: [Int32]] = [:]
  /// Tasks that may start only after the body of the one whose place they took, and what they held back.
  var predecessors: [Int32: Int32] = [:]
  var heldBack: [Int32: SweptList<(run: RunHandle, node: Int32)>] = [:]
  /// Bodies that await something of this center: who waits, and for what.
  var awaiting = AwaitingTable()
  /// The same for what runs beside it.
  var companionWaits = CompanionWaits()

  /// Started, unfinished bodies.
  var used = 0
  let limit: Int
  let coreCount: Int
  let isTimed: Bool
  var isLimited: Bool { limit != .max }

  /// Of the runs that have a slot, if there is a limit.
  let readyRuns = ReadyRuns()
  /// Slots may be free: they are given out at the end of the input, when nothing is in the middle of anything.
  var slotsAreDue: Int64?
  /// The task that has timed out last, until the slots have been given out that are free since then.
  var slotLeftBy: (run: RunHandle, node: Int32)?

  /// Whether a task was ever marked.
  var hasMarks = false

  var lanes: [Lane: LaneState] = [:]
  /// Lanes whose gate opens after an event, by its name.
  var closedLanes: [String: [Lane]] = [:]
  /// The task that stands for everything that is put into lanes.
  var entryTask: Int32?
  /// Of the runs that are going, and of events between two runs.
  var timers = DueHeap<CenterTimer>()
  var schedules: ScheduleTable
  /// By task.
  var sequences: [Int32: SequenceStatus] = [:]
  var notifications: [Notification.Name: NotificationEvents] = [:]
  var observers = ObserverList()
  /// What a shutdown has to undo.
  var stops = StopList()
  /// Whether the center has shut down: nothing begins any more.
  var isClosed = false
  var quiet = QuietWatch()
  /// The latest time that an input has told.
  private var latestTime = Int64.min
  /// When the latest occurrence ended, as far as the clock was read.
  var latestEnd: Int64 = 0
  var effects: [Effect] = []
  /// What the center lets go of once the lock is released: payloads, outputs, errors and bodies, whose `deinit` is a
  /// user's code.
  var garbage: [any Sendable] = []

  init(limit: Int, coreCount: Int, isTimed: Bool, schedules: ScheduleTable) {
    self.schedules = schedules
    self.limit = limit
    self.coreCount = coreCount
    self.isTimed = isTimed
  }

  /// What the center does once the lock is released.
  enum Effect {
    /// Starts a worker for a run; with a node, that one has been chosen already.
    case startWorker(RunHandle, EventPlan, worker: Int, flavor: WorkerFlavor, node: Int32?)
    case cancel(_Concurrency.Task<Void, Never>)
    case cancelWalker(WalkerTask)
    case resume(CheckedContinuation<Void, Never>)
    case conclude(FinishedRun)
    /// Another timer than before is the earliest.
    case setAlarm
    /// The clock has to be read for the timeout of a body that has just begun.
    case setTimeout(RunHandle, node: Int32, worker: Int)
    /// The same for the deadline of an occurrence that has just had its turn.
    case setDeadline(RunHandle, Int64)
    /// The clocks have to be read for these scheduled tasks.
    case planSchedules([Int32])
    /// What gives occasions from there may have to begin or to end.
    case lookAtListener(ListenerSource)
    /// A lane was used for the first time whose gate opens on a condition.
    case awaitCondition(Lane, Lane.Condition)
    /// It has opened.
    case forgetCondition(Lane)
    case wake(ObserverWaiter)
    case settle(LaneAnswer, LaneAnswer.End)
    /// Who waits for a piece of work of a companion may be what that waits for, since a body has begun to wait.
    case lookWhoWaits(any CompanionWork)
    /// A module that somebody waits for has left.
    case giveUp(ModuleTable.Waiter)
    /// Somebody has to repair something.
    case report(String)
  }

  mutating func takeEffects() -> [Effect] {
    guard !effects.isEmpty else { return [] }
    defer { effects = [] }
    return effects
  }

  mutating func takeGarbage() -> [any Sendable] {
    guard !garbage.isEmpty else { return [] }
    defer { garbage = [] }
    return garbage
  }

  /// The time of an input as the state goes on with it: whoever has read the clock later may have had the lock before, and what has
  /// happened then is not in the future.
  ///
  /// - Parameter now: 0 where nobody has read the clock, as who began before anybody asked for times. Where all read it, that is
  ///   what a clock says which has just begun; and observers are told no time before that of their subscription.
  mutating func inOrder(_ now: Int64) -> Int64 {
    guard now != 0 || isTimed || !observers.isEmpty else { return 0 }
    latestTime = max(latestTime, now)
    return latestTime
  }

  func handle(ofRun id: UInt64) -> RunHandle? {
    slotsOfRuns[id].map { RunHandle(slot: $0, id: id) }
  }

  /// Whether the handle still names a run; a slot is used again after its run is gone.
  func isActive(_ handle: RunHandle) -> Bool {
    handle.slot < runs.count && runs[handle.slot]?.state.id == handle.id
  }
}

/// What keeps a task from being started, looked at before each start.
struct TaskMarks: OptionSet {
  let rawValue: UInt8
  static let paused = TaskMarks(rawValue: 1)
  static let pausedAndKept = TaskMarks(rawValue: 2)
  static let destroyed = TaskMarks(rawValue: 4)
  static let ranOnce = TaskMarks(rawValue: 8)
  /// Runs once, and its one run has been chosen in an occurrence that is still going.
  static let runningOnce = TaskMarks(rawValue: 16)
  /// Stands for what is put into lanes; nobody can name it.
  static let notATask = TaskMarks(rawValue: 32)
}

/// One event of the center.
struct EventState {
  var description: EventDescription
  var members = TaskList()
  var plan: EventPlan?
  var active: RunHandle?
  /// By their ids, which ascend.
  var queue = Line<UInt64>()
  /// Until it goes off, further sends may come, and what waits is not started.
  var quietTimer: DueHeap<CenterTimer>.Token?
  /// The queue is being worked off: an occurrence that ends as it starts leaves the next one to that.
  var isStartingQueued = false
  var hasHappened = false
  /// Whether an occurrence has come to its end.
  var hasEnded = false
  var latestPayload: (any Sendable)?
  /// Whether the tasks of the latest occurrence were too small to be worth a second worker.
  var isTiny = false
  /// Kept for the next occurrence that can be walked through.
  var walk: Walk?
  var tally = WalkTally()
  /// It stands for none, until another event gets its place.
  var isForgotten = false
}

/// A run that has a slot: its state and the workers that serve it.
///
/// A class, which never leaves the machine's lock: reaching into a large value inside an optional inside an array copies
/// it at every look.
final class ActiveRun {
  let state: RunState
  /// The event's number; nil for a run of single tasks.
  let event: Int?
  /// The number of the event whose missed occasion it delivers: to a task that was resumed, or to tasks that came after it.
  var delivers: Int?
  /// What was put into a lane, if it is a run of that.
  var entry: LaneEntry?
  var workers: [WorkerState] = []
  /// Places of workers that have left, of which nothing is to come any more.
  private var freeWorkers: [Int] = []
  /// Workers that were started and have not come yet: those of the background for work, under a limit all for their node.
  var pendingWorkers = 0
  /// Workers that are serving the run.
  var activeWorkers = 0
  /// How many of them run a body that may be suspended, as far as there is no limit.
  var asynchronousWorkers = 0
  var hasMainWorker = false
  /// Ended for everyone else; stays until the last body has returned.
  var isConcluded = false
  /// Raised, and never lowered again.
  var verdict = RunVerdict.completed
  /// Whether the one who sent it has cancelled it; whoever else does cannot reach a body on that one's thread.
  var isCancelledBySender = false
  var readyWaiters: [ReadyWaiter] = []
  /// What a node waits for the clock to do: one thing at a time. Those that have gone off may be among them.
  var timers: [Int32: DueHeap<CenterTimer>.Token] = [:]
  var deadline: DueHeap<CenterTimer>.Token?
  var refusesCallersThread = false
  /// By node, the workers that may have lent the slot of its body; nil if none ever has.
  var lenders: [Int32: [Int]]?
  /// The main actor is at work inside `begin`: synchronous bodies are its own until it has left.
  var hasMainCaller = false
  /// How many bodies were measured, and how long they took together.
  var measured = 0
  var busy: Int64 = 0
  /// How many hold a claim to the report.
  var claims = 0
  /// How many sends it stands for: several that were coalesced are cancelled only together.
  var senders = 1

  init(state: RunState, event: Int?) {
    self.state = state
    self.event = event
    state.plan.bodies.fill()
  }

  /// A place for a worker: of one that has left, if there is one, because each attempt of a task may bring another worker.
  func place(_ worker: WorkerState) -> Int {
    while let free = freeWorkers.popLast() {
      // What a body has left behind may still wait on its behalf.
      guard workers[free].loan == nil else { continue }
      workers[free] = worker
      return free
    }
    workers.append(worker)
    return workers.count - 1
  }

  /// A worker has left, and its task is known.
  func free(_ worker: Int) { freeWorkers.append(worker) }

  /// Whether the body of a worker has been cancelled: with the worker, or, on the thread of the one who sent, with that one.
  func wasToldToEnd(_ worker: Int) -> Bool {
    workers[worker].isSpent || (isCancelledBySender && workers[worker].flavor == .caller)
  }
}

/// What has become of a run as a whole, the worst last.
enum RunVerdict: Int8, Comparable {
  case completed, cancelled, deadlineExceeded

  var status: EventReport.Status {
    switch self {
    case .completed: .completed
    case .cancelled: .cancelled
    case .deadlineExceeded: .deadlineExceeded
    }
  }

  static func < (one: RunVerdict, other: RunVerdict) -> Bool { one.rawValue < other.rawValue }
}

/// Somebody who waits until every task of at least some priority has ended.
struct ReadyWaiter {
  /// Nodes of at least that effective priority are waited for.
  let priority: Int
  var left: Int
  let continuation: CheckedContinuation<Void, Never>
}

/// Who runs bodies, and which ones it may.
enum WorkerFlavor: Sendable {
  /// The thread that sent the event: synchronous bodies only, which need no task of their own to be cancelled.
  case caller
  /// The main actor, inside `begin` or `sendAndWait`: synchronous bodies, its own and those of no actor.
  case mainCaller
  case background
  case main

  var acceptsSynchronous: Bool { self != .main }
  var acceptsMain: Bool { self == .main || self == .mainCaller }
  var acceptsAsynchronous: Bool { self == .background }

  func accepts(_ form: TaskBody.Form) -> Bool {
    switch form {
    case .synchronous: acceptsSynchronous
    case .main: acceptsMain
    case .asynchronous: acceptsAsynchronous
    }
  }
}

/// Somebody who serves a run, and how far that is.
struct WorkerState {
  enum Stage: Equatable {
    /// It has no node.
    case idle
    /// It was started for a node, and has not come for it.
    case assigned(Int32)
    case running(Int32)
    case left

    /// The node that it has.
    var node: Int32? {
      switch self {
      case .assigned(let node), .running(let node): node
      case .idle, .left: nil
      }
    }
  }

  /// What its bodies can be cancelled through.
  enum Canceller {
    /// Its task is not known yet; a caller has none, and one that has left needs none.
    case none
    case task(_Concurrency.Task<Void, Never>)
    /// The same from the inside, as long as nobody else has it.
    case walker(WalkerTask)
  }

  /// The slot of a body that awaits something, which is somebody else's meanwhile.
  struct Loan {
    var node: Int32
    /// How many things the body awaits at once.
    var count = 0
    /// What in the body goes on when it has a slot again: there is something as long as it waits for one.
    var reclaiming: [CheckedContinuation<Void, Never>] = []

  }

  let flavor: WorkerFlavor
  var stage = Stage.idle
  /// When the node was given to it.
  var since: Int64 = 0
  var canceller = Canceller.none
  /// The task was cancelled for the sake of one body: it must not run another.
  var isSpent = false
  var loan: Loan?
  var isReclaiming: Bool { loan?.reclaiming.isEmpty == false }

  /// The body of its node awaits one thing more.
  mutating func lend(slotOf node: Int32) {
    if loan == nil { loan = Loan(node: node) }
    loan!.node = node
    loan!.count += 1
  }

  /// Where nothing in the body awaits anything, nor waits for a slot, it has its slot or needs none.
  mutating func endLoanIfOver() {
    if let loan, loan.count == 0, loan.reclaiming.isEmpty { self.loan = nil }
  }

  /// - Returns: whether its task has become known.
  mutating func leave() -> Bool {
    defer {
      stage = .left
      canceller = .none
    }
    return if case .task = canceller { true } else { false }
  }
}

/// Whose body lent its slot and wants one again.
struct Reclaimer {
  let run: RunHandle
  let worker: Int
}

/// A send that waits its turn.
struct QueuedSend {
  let id: UInt64
  let event: Int
  var payload: any Sendable
  var deadline: Int64?
  var claims: Int
  var senders = 1
}

/// What a worker is told to do next.
enum Step {
  case run(Int32)
  /// Nothing for this worker now; others go on.
  case leave
  /// The run is over, and this worker saw it end.
  case finished(FinishedRun)
}

/// A run that has ended, on its way to become a report.
struct FinishedRun {
  let state: RunState
  /// Tasks that have ended while their body still runs.
  let overdue: Set<Int32>
  let status: EventReport.Status
  let ended: Int64
  var waiters: [CheckedContinuation<EventReport, Never>]
  var readyWaiters: [CheckedContinuation<Void, Never>]

  /// The same for somebody who comes later: those who waited are resumed by whoever saw the end, and only by them.
  var withoutWaiters: FinishedRun {
    var copy = self
    copy.waiters = []
    copy.readyWaiters = []
    return copy
  }
}

/// What a body came to.
enum BodyResult: Sendable {
  case returned
  case output(any Sendable)
  /// The words are the error's own, which its code makes: not under the lock.
  case failed(any Error, words: String)
  case disabled
}
