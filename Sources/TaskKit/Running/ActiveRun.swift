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
