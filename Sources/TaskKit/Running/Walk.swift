import Synchronization
import TaskGraph

/// The tasks of a plan in the order in which one worker starts them if nothing fails and nobody interferes: the law
/// decides that beforehand, so that following it takes no decision at run time.
final class Route: Sendable {
  let plan: EventPlan
  let count: Int
  /// How any task runs.
  let allForms: TaskBody.Forms
  /// What an occurrence without times comes to, if it is the same each time: not where a reply has to be merged.
  let report: EventReport?
  /// By place in the route.
  let nodes: ConstantTable<Int32>
  let bodies: ConstantTable<LentBody>
  /// Whether each task needs the one before: then nothing else could start while one waits.
  let isChain: Bool

  init(_ plan: EventPlan) {
    self.plan = plan
    count = plan.count
    allForms = plan.allForms
    report = plan.event.reply == nil ? EventReport(allSucceededIn: plan) : nil
    let nodes = ConstantTable(plan.startOrder)
    self.nodes = nodes
    isChain = (1..<max(1, count)).allSatisfy { place in
      let before = Int(nodes[place - 1])
      return (plan.dependentOffsets[before]..<plan.dependentOffsets[before + 1])
        .contains { plan.dependents[Int($0)] == nodes[place] }
    }
    bodies = ConstantTable(count: count) { LentBody(plan.bodies.body(Int(nodes[$0]))) }
  }

  /// Linear in the number of nodes.
  func place(of node: Int32) -> Int { (0..<count).first { nodes[$0] == node } ?? 0 }
}

/// One occurrence on its route: a run without a ``RunState``, as long as nobody takes a look.
///
/// Who walks publishes each task before its body begins and then asks whether the walk goes on; who takes a look says
/// first that it does not and then reads which task was published. So either the walker sees that it must stop, or the
/// other one sees the task as started; see ``Crossing``. What comes out is the state of a run that was chosen for step by
/// step; see ``CenterMachine/settle()``.
// `box` never changes, `isGoing`, `id`, `flavor`, `origin`, `isMeasured`, `task` and `waiter` only under the center's
// lock, or `waiter` by the walker after the end, when nobody else looks at it; an element of `ends` is written by the
// walker before it publishes the next task, and read by others only after they have read that, or after the end.
final class Walk: @unchecked Sendable {
  let route: Route
  let event: Int
  /// The identity of the bodies, and the task that has been published. Apart from the walk, because tasks that a body
  /// leaves behind hold on to it.
  var box: WorkerBox
  /// The same for who walks, without counting references.
  let borrowedBox: Unmanaged<WorkerBox>
  let slot: Int
  private(set) var id: UInt64 = 0
  let isInterrupted = Atomic(false)
  /// Set under the center's lock by the walker that has come to the end, for a sender that is not the walker.
  let hasArrived = Atomic(false)
  /// Whether nobody has taken a look yet, and it has not come to its end.
  var isGoing = false
  /// By place in the route; only where times are taken.
  let ends: UnsafeMutablePointer<Int64>?
  private let isLimited: Bool
  var flavor = WorkerFlavor.caller
  var origin: Int64 = 0
  /// Whether `origin` is a time.
  var isMeasured = false
  /// The walker, where it has a task of its own.
  var task: WalkerTask?
  /// Who waits for the end, where the walker has suspended.
  var waiter: CheckedContinuation<EventReport, Never>?

  /// - Parameter slot: a place in the center's runs that is kept for it.
  init(_ route: Route, event: Int, slot: Int, isTimed: Bool, isLimited: Bool, in center: TaskCenter) {
    self.route = route
    self.event = event
    self.isLimited = isLimited
    self.slot = slot
    ends = isTimed ? .allocate(capacity: route.count) : nil
    let box = WorkerBox(center: center, handle: RunHandle(slot: slot, id: 0), worker: 0)
    self.box = box
    borrowedBox = .passUnretained(box)
  }

  deinit { ends?.deallocate() }

  var handle: RunHandle { RunHandle(slot: slot, id: id) }

  /// Begins another occurrence.
  func start(_ id: UInt64) {
    self.id = id
    box.start(id, node: route.nodes[0])
  }

  func takeWaiter() -> CheckedContinuation<EventReport, Never>? {
    defer { waiter = nil }
    return waiter
  }

  /// When the last body returned; 0 where no times are taken.
  var ended: Int64 { ends?[route.count - 1] ?? 0 }

  /// What it has come to, when nobody has interrupted it.
  var report: EventReport {
    guard let ends else { return route.report ?? EventReport(allSucceededIn: route.plan) }
    return EventReport(
      allSucceededIn: route.plan, in: .nanoseconds(ends[route.count - 1] - origin), ReportContents(self))
  }

  /// The state of the run that had come to a node, as if each step had been decided when it was made; without a node,
  /// that of the whole run.
  func replay(to reached: Int32? = nil, payload: any Sendable = ()) -> RunState {
    let state = RunState(
      id: handle.id, plan: route.plan, payload: payload, isTimed: ends != nil, isLimited: isLimited, now: origin)
    state.open(now: origin)
    var time = origin
    var previous: Int32 = -1
    for place in 0..<route.count {
      let node = route.nodes[place]
      state.start(node, freedBy: previous, now: time)
      if node == reached { break }
      if let ends { time = ends[place] }
      state.end(node, .succeeded, now: time)
      previous = node
    }
    return state
  }
}

/// The task in which somebody walks, from the inside: before a body suspends, there is no other way to it.
// It is only ever cancelled from elsewhere, which any task may do to any other, and also one that has just ended: it counts
// as a reference. Swift 6.3 declares it as one, though it promises nothing outside of `withUnsafeCurrentTask`.
struct WalkerTask: @unchecked Sendable {
  let task: UnsafeCurrentTask
}

/// What the finished walks of an event say about its tasks, until somebody wants to know.
struct WalkTally {
  var count = 0
  /// By place in the route, in nanoseconds; empty where no times are taken.
  var last: ContiguousArray<Int64> = []
  var total: ContiguousArray<Int64> = []
  var maximum: ContiguousArray<Int64> = []

  mutating func add(_ walk: Walk) {
    count += 1
    guard let ends = walk.ends else { return }
    if total.isEmpty {
      total = ContiguousArray(repeating: 0, count: walk.route.count)
      last = total
      maximum = total
    }
    var start = walk.origin
    for place in 0..<walk.route.count {
      let duration = ends[place] - start
      start = ends[place]
      last[place] = duration
      total[place] += duration
      if duration > maximum[place] { maximum[place] = duration }
    }
  }
}
