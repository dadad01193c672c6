import TaskGraph

/// One occurrence of an event while it runs: which task stands where, and what the end of one means for the others.
///
/// Part of the center's state machine: no await, no lock, no clock, no closure of a user. Whoever calls says what
/// time it is. Nodes are ranks of the plan (see ``EventPlan``).
///
/// A class, so that the machine does not count the references to all its parts at every look.
// Changes only under the lock of its center. After the run's end only `overdue`, the payload and what others had come to
// do, and nothing that holds the state then reads those; see `FinishedRun`.
final class RunState: @unchecked Sendable {
  let id: UInt64
  /// Its place in the order in which runs have begun, which is not that of the sends.
  var turn: UInt64 = 0
  /// The same among all that stand in the lines of lanes: what is put in is counted alike.
  let arrival: UInt64
  let plan: EventPlan
  /// Changes only where it is that of schedules, whose runs are counted when they begin, and goes with the slot.
  var payload: any Sendable
  /// Whether times are taken.
  let isTimed: Bool

  /// What the report will tell.
  let record: RunRecord
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

  /// Which attempt of a node its error is of.
  private var failedAttempts: [Int32: Int] = [:]
  var errors: [Int32: any Error] { record.errors }
  var attempts: [Int32: Int] { record.attempts }
  private(set) var outputs: [Int32: any Sendable] = [:]
  /// Tasks that ended while their body still runs.
  var overdue: Set<Int32> = []
  /// Nodes without which dependents may go on, whatever their end is: they were detached, or have run before.
  private var dispensable: Set<Int32> = []

  /// A node of another run that waits for one of this.
  typealias ExternalDependent = (run: RunHandle, node: Int32, kind: DependencyGraph.EdgeKind)

  /// Nodes of other runs that wait for a node of this one.
  var externalDependents: [Int32: SweptList<ExternalDependent>] = [:]
  /// What tasks outside this run had come to when that let a node go on which requires them: it reads that, whatever they do
  /// from then on. By their places in the order of declaration: a number may belong to another task by then.
  var externalEnds: [Int64: CenterMachine.OutputState] = [:]
  /// Nodes whose end the center wants to know at once: externals, waiting outputs, observers.
  var ended: [Int32] = []
  var reportsEnds = false

  private(set) var isStopped = false
  /// Whether lanes have not been opened since, which some of what was stopped may have waited for.
  var mustOpenLanes = false
  /// Until all externals have been looked at, nothing becomes ready: a later one may have to be waited for.
  private var isOpen = false
  /// Where its ready tasks compete with those of other runs: under a limit, as long as it has a slot.
  var competition: (handle: RunHandle, runs: ReadyRuns)?
  /// Where it is the run of something that was put into a lane, as long as it has a slot.
  var candidacy: (entry: LaneEntry, candidates: LaneCandidates)?

  /// - Parameter arrival: nil where it begins when it is given its number.
  init(
    id: UInt64, arrival: UInt64? = nil, plan: EventPlan, payload: any Sendable, isTimed: Bool, isLimited: Bool,
    now: Int64
  ) {
    self.id = id
    self.arrival = arrival ?? id
    self.plan = plan
    self.payload = payload
    self.isTimed = isTimed
    record = RunRecord(plan: plan, isTimed: isTimed, isLimited: isLimited, now: now)
    memory = record.memory
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

  /// A ready node waits for something outside this run after all.
  func putOff(_ node: Int32) {
    removeReady(node)
    status[Int(node)] = .waiting
    waitForExternal(node)
  }

  /// A prerequisite outside this run has ended.
  func externalEnded(_ node: Int32, kind: DependencyGraph.EdgeKind, well: Bool, name: TaskName, now: Int64) {
    guard !status[Int(node)].hasEnded else { return }
    if kind == .requires && !well {
      skip(node, .skippedForDependency, culprit: name, now: now)
    } else {
      missing[Int(node)] -= 1
      if missing[Int(node)] == 0 { makeReady(node, by: RunRecord.Times.otherEvent, now: now) }
    }
  }

  func makeReady(_ node: Int32, by prerequisite: Int32, now: Int64) {
    guard isOpen else { return }
    if isTimed, record.attempts.isEmpty || record.attempts[node] == nil {
      memory.times![Int(node)].ready = now
      memory.times![Int(node)].readiedBy = prerequisite
    } else {
      changeRetryPause(of: node) { $0.ready = now }
    }
    insertReady(node)
  }

  /// Whatever made the node ready did so before it was put aside.
  func unpark(_ node: Int32) {
    insertReady(node)
  }

  /// The lane is free again.
  ///
  /// - Parameters:
  ///   - holder: the node of this run that left it, or -1.
  ///   - held: for how long the lane has been held in all.
  func unpark(_ node: Int32, leftBy holder: Int32, held: Int64, now: Int64) {
    if isTimed, record.attempts.isEmpty || record.attempts[node] == nil {
      record.laneReleases[node] = (holder, now)
      record.laneHolds[node, default: 0] += held
    } else {
      changeRetryPause(of: node) { $0.laneRelease = (holder, now) }
    }
    unpark(node)
  }

  // MARK: - Starting

  /// Takes a ready node for running.
  func start(_ node: Int32, freedBy: Int32, now: Int64) {
    removeReady(node)
    status[Int(node)] = .running
    running += 1
    guard isTimed else { return }
    if record.attempts.isEmpty || record.attempts[node] == nil {
      memory.started![memory.counters.pointee.startedCount] = node
      memory.counters.pointee.startedCount += 1
      memory.times![Int(node)].start(at: now, freedBy: freedBy)
    } else {
      memory.times![Int(node)].chosen = now
      memory.times![Int(node)].begun = now
      changeRetryPause(of: node) {
        $0.chosen = now
        $0.freedBy = freedBy
      }
      endRetryPause(node, now: now)
    }
  }

  /// What was chosen has not begun, and may not any more: it is as ready as before.
  func takeBack(_ node: Int32, now: Int64) {
    running -= 1
    insertReady(node)
    guard isTimed, record.attempts.isEmpty || record.attempts[node] == nil else { return }
    memory.forgetStart(of: node)
    let times = memory.times![Int(node)]
    memory.times![Int(node)] = RunRecord.Times(ready: times.ready, readiedBy: times.readiedBy)
  }

  /// The body begins: later than the choice where a thread or an actor had to be waited for.
  func begin(_ node: Int32, now: Int64) {
    guard isTimed else { return }
    memory.times![Int(node)].begun = now
    if record.attempts.isEmpty || record.attempts[node] == nil {
      memory.times![Int(node)].firstBegun = now
    } else {
      endRetryPause(node, now: now)
    }
  }

  /// Changes the latest pause between two attempts, where times are taken.
  private func changeRetryPause(of node: Int32, _ change: (inout RunRecord.RetryPause) -> Void) {
    guard let last = record.retryPauses[node]?.indices.last else { return }
    change(&record.retryPauses[node]![last])
  }

  /// Ends the latest pause, or lets it end later than it was to: adding up all of them would take longer with each attempt.
  private func endRetryPause(_ node: Int32, now: Int64) {
    changeRetryPause(of: node) { pause in
      memory.times![Int(node)].retryDelay += now - pause.until
      pause.until = now
    }
  }

  /// Puts a ready node aside until its lane is free.
  ///
  /// - Parameter held: for how long the lane has been held in all; nil where it is something else that is waited for.
  func park(_ node: Int32, held: Int64? = nil) {
    removeReady(node)
    status[Int(node)] = .waitingForLane
    stand(.parked)
    // What later attempts wait for is told as a part of the pause before them.
    guard isTimed, let held, record.attempts[node] == nil else { return }
    record.laneHolds[node, default: 0] -= held
  }

  // MARK: - Ending

  /// Whatever the end of a node will be, dependents may go on then.
  func dispense(with node: Int32) { dispensable.insert(node) }

  /// Ends a node and tells its dependents: those may go on that the status and the task's policy allow to, or all where
  /// it was dispensed with.
  func end(_ node: Int32, _ ending: NodeStatus, now: Int64) {
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

    if endedWell(node) {
      releaseDependents(node, now: now)
    } else {
      blockDependents(node, now: now)
      if !isStopped, plan.demands[index].contains(.failureStopsEvent), status[index].isFailure {
        stop(.skippedStopped, now: now)
      }
    }
  }

  /// Ends a node whose task has turned out to be switched off, perhaps only since an attempt failed.
  func endDisabled(_ node: Int32, now: Int64) {
    guard let failure = lastFailure(of: node) else { return end(node, .skippedDisabled, now: now) }
    // What was begun is no attempt: the node ends as if it still waited for that.
    running -= 1
    status[Int(node)] = .waitingToRetry
    end(node, failure, now: now)
  }

  /// Whether an attempt of a node has failed and the next one has not begun.
  func isBetweenAttempts(_ node: Int32) -> Bool {
    let status = status[Int(node)]
    return record.attempts[node] != nil && !status.hasEnded && status != .running
  }

  /// What the latest attempt of a node came to, while it waits for another one.
  func lastFailure(of node: Int32) -> NodeStatus? {
    record.attempts[node].map { $0 == failedAttempts[node] ? .failed : .timedOut }
  }

  /// Ends a node whose body does not run: either it never did, or the attempt before was its last.
  private func endWithoutAttempt(_ node: Int32, _ ending: NodeStatus, now: Int64) {
    stand(.apart)
    guard let failed = record.attempts[node] else {
      status[Int(node)] = ending == .cancelled ? .cancelledUnstarted : ending
      return
    }
    record.attempts[node] = failed - 1
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
    let name = record.culprits[node] ?? plan.name(node)
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
    record.culprits[node] = culprit
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
    markSkipped(node, ending, by: RunRecord.Times.otherEvent, culprit: culprit, now: now)
    blockDependents(node, now: now)
  }

  /// Ends everything that has not started.
  ///
  /// - Parameter forgetsAttempts: whether what waits for another attempt ends as the rest does, and not as its last one did.
  func stop(_ ending: NodeStatus, forgetsAttempts: Bool = false, now: Int64) {
    isStopped = true
    mustOpenLanes = true
    for node in 0..<Int32(plan.count) {
      let index = Int(node)
      switch status[index] {
      case .ready: removeReady(node)
      case .waiting, .waitingForLane, .waitingToRetry: break
      default: continue
      }
      endWithoutAttempt(node, forgetsAttempts ? ending : lastFailure(of: node) ?? ending, now: now)
      unended -= 1
      if isTimed { memory.times![index].ended = now }
      if reportsEnds { ended.append(node) }
    }
  }

  // MARK: - What a task left behind

  func keep(error: any Error, words: String, of node: Int32) {
    record.errors[node] = error
    record.errorWords[node] = words
    // One that times out leaves none.
    failedAttempts[node] = record.attempts[node, default: 0] + 1
  }

  /// The first of several nodes that require the task decides for all.
  ///
  /// - Parameter sequence: negative where the task has left.
  func keep(_ end: CenterMachine.OutputState, ofExternal sequence: Int64) {
    if sequence >= 0, externalEnds[sequence] == nil { externalEnds[sequence] = end }
  }

  func keep(output: any Sendable, of node: Int32) {
    outputs[node] = output
  }

  /// Counts a failed attempt and puts the node aside until the next one.
  func failAttempt(_ node: Int32, now: Int64) {
    record.attempts[node, default: 0] += 1
    if isTimed { record.retryPauses[node, default: []].append(RunRecord.RetryPause(since: now, until: now)) }
    if status[Int(node)] == .running { running -= 1 }
    status[Int(node)] = .waitingToRetry
  }

  func outcomeWords(of node: Int32) -> String { record.outcomeWords(of: node) }

  func endedWell(_ node: Int32) -> Bool {
    let status = status[Int(node)]
    return status == .succeeded || (status.isFailure && plan.demands[Int(node)].contains(.failureIsIgnored))
      || dispensable.contains(node)
  }
}
