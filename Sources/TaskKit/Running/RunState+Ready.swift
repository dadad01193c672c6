/// What could start in a run, and how it competes with other runs for that.
extension RunState {
  /// The run takes part in the choice among all runs.
  func compete(as handle: RunHandle, in runs: ReadyRuns) {
    competition = (handle, runs)
    announceReady()
  }

  /// What is ready is there for everybody.
  func announceReady() {
    if let node = firstReady { competition?.runs.raise(competition!.handle, turn: turn, to: urgency(of: node)) }
  }

  /// The run has lost its slot.
  ///
  /// - Returns: what no body can ask for any more, as its payload. A report that nobody has read holds the state, and would
  ///   hold who has posted a notification with it.
  func retire() -> [any Sendable] {
    competition?.runs.remove(competition!.handle)
    competition = nil
    candidacy = nil
    var left: [any Sendable] = []
    if !(payload is Void) {
      left.append(payload)
      payload = ()
    }
    if !externalEnds.isEmpty {
      left.append(externalEnds)
      externalEnds = [:]
    }
    return left
  }

  /// Tells the lane where that stands which was put into it, if this is the run of it.
  func stand(_ standing: LaneEntry.Standing) {
    if let candidacy { candidacy.candidates.move(candidacy.entry, to: standing) }
  }

  /// Among the tasks of all runs: the priority with what it inherits.
  func urgency(of node: Int32) -> Int { plan.urgencies[Int(node)] }

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
    // Mostly it is the first of all that could start.
    guard let first = firstReady, first < node else { return false }
    return plan.lanes[lane]?.contains { $0 < node && status[Int($0)] == .ready } == true
  }

  private func smallest(_ left: Int32?, _ right: Int32?) -> Int32? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
  }

  // MARK: - Changes

  /// The node could start.
  func insertReady(_ node: Int32) {
    status[Int(node)] = .ready
    stand(.ready)
    switch plan.forms[Int(node)] {
    case .synchronous: memory.counters.pointee.readySynchronous.insert(node)
    case .main: memory.counters.pointee.readyMain.insert(node)
    case .asynchronous: memory.counters.pointee.readyAsynchronous.insert(node)
    }
    if let competition { competition.runs.raise(competition.handle, turn: turn, to: urgency(of: node)) }
  }

  /// The node starts, or will not.
  func removeReady(_ node: Int32) {
    stand(.apart)
    switch plan.forms[Int(node)] {
    case .synchronous: memory.counters.pointee.readySynchronous.remove(node)
    case .main: memory.counters.pointee.readyMain.remove(node)
    case .asynchronous: memory.counters.pointee.readyAsynchronous.remove(node)
    }
    // The law puts nothing more urgent behind this one; another order may.
    if competition != nil, plan.isReordered { announceReady() }
  }
}
