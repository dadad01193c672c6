import TaskGraph

/// One occurrence of an event while it runs: which task stands where, and what the end of one means for the others.
///
/// Part of the center's state machine: no await, no lock, no clock, no closure of a user. Whoever calls says what
/// time it is. Nodes are ranks of the plan (see ``EventPlan``).
///
/// A class, so that the machine does not count the references to all its parts at every look.
// Changes only under the lock of its center. After the run's end only `overdue` does, and nothing that holds the state
// then reads that; see `FinishedRun`.
final class RunState: @unchecked Sendable {
  /// What releases the start of a task, for the critical path.
  struct Times {
    var ready: Int64 = 0
    /// Chosen by the scheduler; the body begins later where a thread or the main actor has to be waited for.
    var chosen: Int64 = 0
    var begun: Int64 = 0
    /// Of the first attempt, where there are several.
    var firstChosen: Int64 = 0
    var firstBegun: Int64 = 0
    var ended: Int64 = 0
    var retryDelay: Int64 = 0
    /// The prerequisite whose end made the task ready, ``otherEvent``, or -1.
    var readiedBy: Int32 = -1
    /// The task whose end left the worker or the slot free that this one got, or -1.
    var freedBy: Int32 = -1

    /// In place of a prerequisite: one that belongs to another event.
    static let otherEvent: Int32 = -2

    /// The first start: the body begins now unless somebody says otherwise.
    @inline(__always)
    mutating func start(at now: Int64, freedBy node: Int32) {
      chosen = now
      begun = now
      firstChosen = now
      firstBegun = now
      freedBy = node
    }
  }

  let id: UInt64
  let plan: EventPlan
  /// Changes only where it is that of schedules, whose runs are counted when they begin.
  var payload: any Sendable
  /// Whether times are taken.
  let isTimed: Bool
  /// Whether a task may have had to wait for a slot.
  let isLimited: Bool
  let origin: Int64

  let memory: RunMemory
  var status: UnsafeMutablePointer<NodeStatus> { memory.status }
  private var missing: UnsafeMutablePointer<Int32> { memory.missing }
  /// Nodes without an end.
  private(set) var unended: Int {
    get { memory.counters.pointee.unended }
    set { memory.counters.pointee.unended = newValue }
  }
  /// Nodes whose body runs and counts.
  private(set) var running: Int {
    get { memory.counters.pointee.running }
    set { memory.counters.pointee.running = newValue }
  }
  var readySynchronous: ReadySet { memory.counters.pointee.readySynchronous }
  var readyMain: ReadySet { memory.counters.pointee.readyMain }
  var readyAsynchronous: ReadySet { memory.counters.pointee.readyAsynchronous }

  /// In the order of their starts.
  var started: UnsafeBufferPointer<Int32> {
    UnsafeBufferPointer(start: memory.started, count: memory.counters.pointee.startedCount)
  }
  private(set) var errors: [Int32: any Error] = [:]
  /// What they say of themselves.
  private var errorWords: [Int32: String] = [:]
  /// Which attempt of a node the error is of.
  private var failedAttempts: [Int32: Int] = [:]
  private(set) var outputs: [Int32: any Sendable] = [:]
  private(set) var culprits: [Int32: TaskName] = [:]
  /// How many attempts of a node have failed before its last one.
  private(set) var attempts: [Int32: Int] = [:]
  /// The times between the attempts of a node.
  private(set) var retryPauses: [Int32: [(since: Int64, until: Int64)]] = [:]
  /// For nodes that waited for their lane: the node of this run that left it, or -1, and when.
  private(set) var laneReleases: [Int32: (node: Int32, at: Int64)] = [:]
  /// Tasks that ended while their body still runs.
  var overdue: Set<Int32> = []

  /// A node of another run that waits for one of this.
  typealias ExternalDependent = (run: RunHandle, node: Int32, kind: DependencyGraph.EdgeKind)

  /// Nodes of other runs that wait for a node of this one.
  var externalDependents: [Int32: [ExternalDependent]] = [:]
  /// Nodes whose end the center wants to know at once: externals, waiting outputs, observers.
  var ended: [Int32] = []
  var reportsEnds = false

  private(set) var isStopped = false
  /// Until all externals have been looked at, nothing becomes ready: a later one may have to be waited for.
  private var isOpen = false
  /// Where its ready tasks compete with those of other runs: under a limit, as long as it has a slot.
  private var competition: (handle: RunHandle, runs: ReadyRuns)?

  init(id: UInt64, plan: EventPlan, payload: any Sendable, isTimed: Bool, isLimited: Bool, now: Int64) {
    self.id = id
    self.plan = plan
    self.payload = payload
    self.isTimed = isTimed
    self.isLimited = isLimited
    origin = now
    memory = RunMemory(plan: plan, isTimed: isTimed)
  }

  // MARK: - What is ready

  /// The run takes part in the choice among all runs.
  func compete(as handle: RunHandle, in runs: ReadyRuns) {
    competition = (handle, runs)
    announceReady()
  }

  /// What is ready is there for everybody.
  func announceReady() {
    if let node = firstReady { competition?.runs.raise(competition!.handle, to: priority(of: node)) }
  }

  /// The run has lost its slot.
  func retire() {
    competition?.runs.remove(competition!.handle)
    competition = nil
  }

  /// With what it inherits.
  func priority(of node: Int32) -> Int { plan.effectivePriorities[Int(node)] }

  var hasReady: Bool { readySynchronous.count | readyMain.count | readyAsynchronous.count != 0 }

  /// The smallest rank that could start, of any form.
  var firstReady: Int32? {
    if readyMain.isEmpty && readyAsynchronous.isEmpty { return readySynchronous.first }
    return smallest(smallest(readySynchronous.first, readyMain.first), readyAsynchronous.first)
  }

  /// The smallest rank among the forms that a worker accepts.
  func firstReady(synchronous: Bool, main: Bool, asynchronous: Bool) -> Int32? {
    smallest(
      smallest(synchronous ? readySynchronous.first : nil, main ? readyMain.first : nil),
      asynchronous ? readyAsynchronous.first : nil)
  }

  /// Whether a task of the same lane that the law puts before this one could start as well, somewhere else.
  func hasReadyNode(before node: Int32, in lane: Lane) -> Bool {
    plan.lanes[lane]?.contains { $0 < node && status[Int($0)] == .ready } == true
  }

  private func smallest(_ left: Int32?, _ right: Int32?) -> Int32? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
  }

  // MARK: - Becoming ready

  /// Makes everything ready that waits for nothing. To be called once, after the externals have been added.
  func open(now: Int64) {
    isOpen = true
    for node in 0..<Int32(plan.count) where missing[Int(node)] == 0 && status[Int(node)] == .waiting {
      makeReady(node, by: -1, now: now)
    }
  }

  /// Adds a prerequisite outside this run.
  func waitForExternal(_ node: Int32) {
    missing[Int(node)] += 1
  }

  /// A prerequisite outside this run has ended.
  func externalEnded(_ node: Int32, kind: DependencyGraph.EdgeKind, well: Bool, name: TaskName, now: Int64) {
    guard !status[Int(node)].hasEnded else { return }
    if kind == .requires && !well {
      skip(node, .skippedForDependency, culprit: name, now: now)
    } else {
      missing[Int(node)] -= 1
      if missing[Int(node)] == 0 { makeReady(node, by: Times.otherEvent, now: now) }
    }
  }

  func makeReady(_ node: Int32, by prerequisite: Int32, now: Int64) {
    guard isOpen else { return }
    if isTimed, attempts.isEmpty || attempts[node] == nil {
      memory.times![Int(node)].ready = now
      memory.times![Int(node)].readiedBy = prerequisite
    }
    insertReady(node)
  }

  /// Whatever made the node ready did so before it was put aside.
  func unpark(_ node: Int32) {
    insertReady(node)
  }

  /// The lane is free again.
  ///
  /// - Parameter holder: the node of this run that left it, or -1.
  func unpark(_ node: Int32, leftBy holder: Int32, now: Int64) {
    if isTimed { laneReleases[node] = (holder, now) }
    unpark(node)
  }

  private func insertReady(_ node: Int32) {
    status[Int(node)] = .ready
    switch plan.forms[Int(node)] {
    case .synchronous: memory.counters.pointee.readySynchronous.insert(node)
    case .main: memory.counters.pointee.readyMain.insert(node)
    case .asynchronous: memory.counters.pointee.readyAsynchronous.insert(node)
    }
    if let competition { competition.runs.raise(competition.handle, to: priority(of: node)) }
  }

  private func removeReady(_ node: Int32) {
    switch plan.forms[Int(node)] {
    case .synchronous: memory.counters.pointee.readySynchronous.remove(node)
    case .main: memory.counters.pointee.readyMain.remove(node)
    case .asynchronous: memory.counters.pointee.readyAsynchronous.remove(node)
    }
  }

  // MARK: - Starting

  /// Takes a ready node for running.
  func start(_ node: Int32, freedBy: Int32, now: Int64) {
    removeReady(node)
    status[Int(node)] = .running
    running += 1
    guard isTimed else { return }
    if attempts.isEmpty || attempts[node] == nil {
      memory.started![memory.counters.pointee.startedCount] = node
      memory.counters.pointee.startedCount += 1
      memory.times![Int(node)].start(at: now, freedBy: freedBy)
    } else {
      memory.times![Int(node)].chosen = now
      memory.times![Int(node)].begun = now
      endRetryPause(node, now: now)
    }
  }

  /// What was chosen has not begun, and may not any more: it is as ready as before.
  func takeBack(_ node: Int32, now: Int64) {
    running -= 1
    insertReady(node)
    guard isTimed, attempts.isEmpty || attempts[node] == nil else { return }
    memory.forgetStart(of: node)
    let times = memory.times![Int(node)]
    memory.times![Int(node)] = Times(ready: times.ready, readiedBy: times.readiedBy)
  }

  /// The body begins: later than the choice where a thread or an actor had to be waited for.
  func begin(_ node: Int32, now: Int64) {
    guard isTimed else { return }
    memory.times![Int(node)].begun = now
    if attempts.isEmpty || attempts[node] == nil {
      memory.times![Int(node)].firstBegun = now
    } else {
      endRetryPause(node, now: now)
    }
  }

  private func endRetryPause(_ node: Int32, now: Int64) {
    guard let last = retryPauses[node]?.indices.last else { return }
    retryPauses[node]![last].until = now
    memory.times![Int(node)].retryDelay = retryPauses[node]!.reduce(0) { $0 + $1.until - $1.since }
  }

  /// Puts a ready node aside until its lane is free.
  func park(_ node: Int32) {
    removeReady(node)
    status[Int(node)] = .waitingForLane
  }

  // MARK: - Ending

  /// Ends a node and tells its dependents.
  ///
  /// - Parameter well: whether dependents may go on; by default what the status and the task's policy say.
  func end(_ node: Int32, _ ending: NodeStatus, now: Int64, well: Bool? = nil) {
    let index = Int(node)
    switch status[index] {
    case .ready:
      removeReady(node)
      endWithoutAttempt(node, ending, now: now)
    case .running:
      running -= 1
      status[index] = ending
    default: endWithoutAttempt(node, ending, now: now)
    }
    unended -= 1
    if isTimed { memory.times![index].ended = now }
    if reportsEnds { ended.append(node) }

    if well ?? endedWell(node) {
      releaseDependents(node, now: now)
    } else {
      blockDependents(node, now: now)
      if plan.demands[index].contains(.failureStopsEvent), status[index].isFailure {
        stop(.skippedStopped, now: now)
      }
    }
  }

  /// Ends a node whose body does not run: either it never did, or the attempt before was its last.
  private func endWithoutAttempt(_ node: Int32, _ ending: NodeStatus, now: Int64) {
    guard let failed = attempts[node] else {
      status[Int(node)] = ending == .cancelled ? .cancelledUnstarted : ending
      return
    }
    attempts[node] = failed - 1
    if isTimed { endRetryPause(node, now: now) }
    status[Int(node)] = ending
  }

  private func releaseDependents(_ node: Int32, now: Int64) {
    var position = Int(plan.dependentOffsets[Int(node)])
    let end = Int(plan.dependentOffsets[Int(node) + 1])
    while position < end {
      let dependent = plan.dependents[position]
      let left = missing[Int(dependent)] - 1
      missing[Int(dependent)] = left
      if left == 0, status[Int(dependent)] == .waiting { makeReady(dependent, by: node, now: now) }
      position += 1
    }
  }

  /// Skips what requires the node, directly and through others, and releases what only comes after it.
  private func blockDependents(_ node: Int32, now: Int64) {
    let name = culprits[node] ?? plan.name(node)
    var blocked = [node]
    while let next = blocked.popLast() {
      for position in Int(plan.dependentOffsets[Int(next)])..<Int(plan.dependentOffsets[Int(next) + 1]) {
        let dependent = plan.dependents[position]
        guard !status[Int(dependent)].hasEnded else { continue }
        if plan.dependentKinds[position] == .requires {
          markSkipped(dependent, .skippedForDependency, by: next, culprit: name, now: now)
          blocked.append(dependent)
        } else {
          missing[Int(dependent)] -= 1
          if missing[Int(dependent)] == 0, status[Int(dependent)] == .waiting {
            makeReady(dependent, by: next, now: now)
          }
        }
      }
    }
  }

  private func markSkipped(
    _ node: Int32, _ ending: NodeStatus, by blocker: Int32, culprit: TaskName, now: Int64
  ) {
    culprits[node] = culprit
    status[Int(node)] = ending
    unended -= 1
    if isTimed {
      memory.times![Int(node)].ready = now
      memory.times![Int(node)].readiedBy = blocker
      memory.times![Int(node)].ended = now
    }
    if reportsEnds { ended.append(node) }
  }

  /// Skips a waiting node for a reason outside this run, and what requires it.
  func skip(_ node: Int32, _ ending: NodeStatus, culprit: TaskName, now: Int64) {
    markSkipped(node, ending, by: Times.otherEvent, culprit: culprit, now: now)
    blockDependents(node, now: now)
  }

  /// Ends everything that has not started.
  func stop(_ ending: NodeStatus, now: Int64) {
    isStopped = true
    for node in 0..<Int32(plan.count) {
      let index = Int(node)
      switch status[index] {
      case .ready: removeReady(node)
      case .waiting, .waitingForLane, .waitingToRetry: break
      default: continue
      }
      endWithoutAttempt(
        node, attempts[node].map { $0 == failedAttempts[node] ? .failed : .timedOut } ?? ending, now: now)
      unended -= 1
      if isTimed { memory.times![index].ended = now }
      if reportsEnds { ended.append(node) }
    }
  }

  // MARK: - What a task left behind

  func record(error: any Error, words: String, of node: Int32) {
    errors[node] = error
    errorWords[node] = words
    // One that times out leaves none.
    failedAttempts[node] = attempts[node, default: 0] + 1
  }

  func record(output: any Sendable, of node: Int32) {
    outputs[node] = output
  }

  /// Counts a failed attempt and puts the node aside until the next one.
  ///
  /// - Returns: how many attempts have failed.
  func failAttempt(_ node: Int32, now: Int64) -> Int {
    let failed = attempts[node, default: 0] + 1
    attempts[node] = failed
    if isTimed { retryPauses[node, default: []].append((since: now, until: now)) }
    if status[Int(node)] == .running { running -= 1 }
    status[Int(node)] = .waitingToRetry
    return failed
  }

  /// When what happened to a node; only of a timed run.
  func times(of node: Int32) -> Times {
    memory.times?[Int(node)] ?? Times()
  }

  func outcome(of node: Int32) -> TaskOutcome {
    switch status[Int(node)] {
    case .succeeded: .succeeded
    case .failed: errors[node].map(TaskOutcome.failed) ?? .cancelled
    case .timedOut: .timedOut
    case .skippedForDependency: .skipped(.dependency(culprits[node] ?? plan.name(node)))
    case .skippedNeverRan: .skipped(.dependencyNeverRan(culprits[node] ?? plan.name(node)))
    case .skippedPaused: .skipped(.paused)
    case .skippedDisabled: .skipped(.disabled)
    case .skippedAlreadyRan: .skipped(.alreadyRan)
    case .skippedStopped: .skipped(.eventStopped)
    case .cancelled, .cancelledUnstarted, .waiting, .ready, .waitingForLane, .running, .waitingToRetry: .cancelled
    }
  }

  /// The outcome's description. An error is not asked for its own: that is a user's code.
  func outcomeWords(of node: Int32) -> String {
    if status[Int(node)] == .failed, let words = errorWords[node] { return "failed: \(words)" }
    return outcome(of: node).description
  }

  func endedWell(_ node: Int32) -> Bool {
    let status = status[Int(node)]
    return status == .succeeded || (status.isFailure && plan.demands[Int(node)].contains(.failureIsIgnored))
  }
}

/// Names a run inside its center: the place where its state is, and a number that no other run ever has.
struct RunHandle: Sendable, Hashable {
  let slot: Int
  let id: UInt64
}
