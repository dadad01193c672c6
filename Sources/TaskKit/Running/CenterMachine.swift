import Foundation

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
  var reportWaiters: [UInt64: [ReportWaiter]] = [:]
  var outputWaiters: [Int32: [CheckedContinuation<Void, Never>]] = [:]
  /// Who waits until nothing is going and nothing is due.
  var settleWaiters: [CheckedContinuation<Void, Never>] = []
  var destructionWaiters: [Int32: [CheckedContinuation<Void, Never>]] = [:]
  /// Who waits for the urgent tasks of a send that has not had its turn, and in which body.
  var readyWaitersOfQueued:
    [UInt64: [(priority: Int, frame: FrameIdentity?, continuation: CheckedContinuation<Void, Never>)]] = [:]
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
    /// Somebody waits for a report that does not come to him.
    case answer(CheckedContinuation<EventReport, Never>, EventReport)
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
