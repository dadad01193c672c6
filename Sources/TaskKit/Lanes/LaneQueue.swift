/// A lane of a center: what can be put into it, and what can be done with it while it works.
///
/// ```swift
/// let popups = center.lane(.popups)
/// popups.enqueue("upgrade", priority: .high) { … }
/// popups.pause()
/// popups.resume()
/// ```
///
/// One body at a time is in the lane, whether a task that names the lane or something that was put into it. All stand in one
/// line: the higher priority goes first, then what came first; a task of an event comes with its occurrence.
///
/// A value that may be copied, passed on and used from any thread and from inside bodies. What changes the lane has taken
/// effect when the call returns.
public struct LaneQueue: Sendable {
  /// As it was declared where it was asked for.
  public let lane: Lane
  /// Whose lane it is.
  public let center: TaskCenter

  // MARK: - Holding

  /// Keeps the lane from starting anything, tasks of events included. What runs goes on.
  public func pause() {
    let now = center.laneTime
    center.receive(at: now) { $0.pauseLane(lane, now: $1) }
  }

  /// Lets a lane go on that was paused, or that a failure has stopped.
  ///
  /// - Parameter point: where a stopped lane goes on: with the next one, or with what has failed, which then comes first of
  ///   all, unless a newer one of its key is there that takes its place. Its ticket has ended; the report lists the second run
  ///   as one of its own.
  public func resume(at point: LaneResumption = .next) {
    let now = center.laneTime
    center.receive(at: now) { $0.resumeLane(lane, at: point, now: $1) }
  }

  /// Opens the gate of the lane, if it has one that is closed.
  public func open() {
    let now = center.laneTime
    center.receive(at: now) { machine, now in
      machine.openGate(of: lane, now: now)
      if machine.isLimited { machine.fillSlots(now: now) }
    }
  }

  /// Keeps what waits under a key from starting; the rest of the line goes past it. What runs goes on.
  ///
  /// - Throws: ``TaskError`` if nothing of that key waits or runs in the lane.
  public func pause(_ key: String) throws {
    let now = center.laneTime
    try center.receive(at: now) { try $0.setPaused(true, key: key, in: lane, now: $1) }
  }

  /// Lets what was paused under a key start, in its place in the line.
  ///
  /// - Throws: ``TaskError`` if nothing of that key waits or runs in the lane.
  public func resume(_ key: String) throws {
    let now = center.laneTime
    try center.receive(at: now) { try $0.setPaused(false, key: key, in: lane, now: $1) }
  }

  // MARK: - Taking out

  /// Takes everything of a key out of the lane: what waits never starts, what runs is cancelled.
  ///
  /// What has been put in under no key has its name for one. What is taken out has not failed: a lane that stops after a
  /// failure (``Lane/FailureRule/stop``) goes on.
  ///
  /// - Throws: ``TaskError`` if nothing of that key waits or runs in the lane.
  public func remove(_ key: String) throws {
    let now = center.laneTime
    try center.receive(at: now) { try $0.removeEntries(of: key, in: lane, now: $1) }
  }

  /// Cancels everything that was put into the lane and has not started. What runs goes on, and tasks of events stay.
  public func clear() {
    let now = center.laneTime
    center.receive(at: now) { $0.clearLane(lane, reset: false, now: $1) }
  }

  /// Cancels everything that was put into the lane, what runs included; forgets a failure by which it had stopped, and
  /// counts the progress anew. It stays paused, or closed, if it was.
  public func reset() {
    let now = center.laneTime
    center.receive(at: now) { $0.clearLane(lane, reset: true, now: $1) }
  }

  // MARK: - Looking

  /// What keeps the lane from starting something.
  public var status: LaneStatus { center.inspect { $0.status(of: lane) } }

  /// What waits for the lane in the order of the line, tasks of events included; behind it what was put in, has failed and waits
  /// for another attempt.
  ///
  /// - Complexity: linear in what waits and in the occurrences that are going.
  public var waiting: [TaskName] { center.inspect { $0.waiting(in: lane) } }

  /// What is in the lane, a body included that has timed out and not returned.
  public var running: TaskName? { center.inspect { $0.running(in: lane) } }

  /// What was put into the lane so far, or since the last ``reset()``, and how much of it has ended, however it ended.
  public var progress: EventProgress { center.inspect { $0.progress(of: lane) } }

  /// The progress now and each time it changes, for a loading screen.
  ///
  /// A reader that is slow gets the newest. It does not end by itself: leave the loop when nothing is left, or cancel it, as
  /// after ``finished()``, which returns as well when a failure has stopped the lane and something is left.
  public var progressUpdates: LaneProgress { LaneProgress(center: center, lane: lane) }

  /// What was put into the lane and has ended, with the times, what runs and what waits.
  public var report: LaneReport { center.inspect { $0.report(of: lane) } }

  /// Returns when nothing is left of what was put into the lane, however it ended, or when a failure has stopped the lane:
  /// at once if that is so already (A17, At8).
  ///
  /// A paused lane and a closed one are waited for. A task that awaits it lends its slot. Cancelling the waiting task does not
  /// end the wait.
  ///
  /// - Throws: ``TaskError`` inside a body for which the lane itself would wait, with the chain.
  @discardableResult
  public func finished() async throws -> LaneReport {
    let caller = WorkerBox.caller(in: center)
    if let caller, try !center.beginWait(for: lane, by: caller) { return report }
    await center.waiting(for: .lane(lane), by: caller) {
      await withCheckedContinuation { continuation in
        let isOver = center.receive { !$0.awaitIdle(lane, continuation, by: caller?.frame) }
        if isOver { continuation.resume() }
      }
    }
    return report
  }
}

extension TaskCenter {
  /// A lane of this center.
  public func lane(_ lane: Lane) -> LaneQueue { LaneQueue(lane: lane, center: self) }

  /// The time of a change to a lane, where anybody wants to know it.
  var laneTime: Int64 { readsClock ? now : 0 }

  /// A body that awaits a lane lends its slot, and must not be what the lane waits for.
  ///
  /// - Returns: whether there is something to wait for.
  fileprivate func beginWait(for lane: Lane, by caller: Caller) throws -> Bool {
    try receive(at: now) { machine, now in
      guard let state = machine.lanes[lane], !state.isIdle, state.failed == nil else { return false }
      if let chain = machine.beginWait(for: .lane(lane), by: caller, now: now) {
        throw TaskError.waitsForItself(
          TaskName(lane.name), "awaiting lane '\(lane)'", chain: chain,
          "which awaits it; await it after this task has ended")
      }
      return true
    }
  }
}

extension CenterMachine {
  func progress(of lane: Lane) -> EventProgress {
    let state = lanes[lane]
    return EventProgress(ended: state?.ended ?? 0, total: state?.total ?? 0)
  }
}
