import Synchronization

/// The fast way through an occurrence; see ``Walk``.
extension TaskCenter {
  /// Starts an occurrence as a walk if it can be one, from a thread that is not inside a task of this center.
  func startWalk(
    _ event: EventDescription, _ payload: any Sendable, by flavor: WorkerFlavor, maySuspend: Bool = false
  ) -> Walk? {
    // Where a second worker is to be thought of, the length of the walk says whether it would pay.
    let now = readsClock || configuration.maximumConcurrency > 1 ? self.now : nil
    let (walk, garbage) = machine.withLock { machine in
      let walk = machine.startWalk(
        event, payload: payload, by: flavor, maySuspend: maySuspend, in: self, now: now)
      return (walk, machine.takeGarbage())
    }
    withExtendedLifetime(garbage) {}
    return walk
  }

  /// A walk for a sender that awaits the report.
  ///
  /// - Parameter outer: the sender's box.
  func startWalk(
    _ event: EventDescription, _ payload: any Sendable, deadline: Duration?, outer: WorkerBox?,
    sender: Caller?
  ) -> Walk? {
    guard sender == nil, deadline == nil, !_Concurrency.Task.isCancelled else { return nil }
    // A walk does not say who awaits it.
    guard outer?.isOfCompanion != true else { return nil }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return startWalk(event, payload, by: .caller, maySuspend: true)
    } else {
      return startWalk(event, payload, by: .caller)
    }
  }

  /// Goes a walk in a child task, which runs here until a body really suspends.
  ///
  /// The group waits for the child, which ends when the run has nothing for it any more: no later than the report comes,
  /// as no task of a walk has a timeout. Swift 6.3 looks up the executor of an immediate task that belongs to no group
  /// under a lock at each call of an asynchronous function.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func followBeside(_ walk: Walk, payload: any Sendable) async -> EventReport {
    let id = walk.id
    return await withDiscardingTaskGroup { group in
      // Inside of the group: a cancellation is told from the inside out. So the run knows of it before the child's body,
      // after which nothing may start.
      await withTaskCancellationHandler {
        group.addImmediateTask { await self.followSuspending(walk, payload: payload) }
        if walk.hasArrived.load(ordering: .acquiring) { return walk.report }
        // Where nothing else could start while a body is suspended, it stays a walk.
        if configuration.maximumConcurrency == 1 || walk.route.isChain { return await report(of: walk) }
        // Else what suspends must not keep anything from starting.
        let now = stepTime
        guard receive(at: now, { $0.goOnBeside(walk, now: $1) }) else { return walk.report }
        return await report(of: id, sender: nil)
      } onCancel: {
        cancel(run: id)
      }
    }
  }

  /// Waits for the end of a walk that others go, or of the ordinary run that it becomes meanwhile.
  private func report(of walk: Walk) async -> EventReport {
    await withCheckedContinuation { continuation in
      if machine.withLock({ $0.awaitArrival(of: walk, continuation) }) { return }
      if walk.hasArrived.load(ordering: .acquiring) { return continuation.resume(returning: walk.report) }
      let id = walk.id
      if let finished = receive({ $0.claimReport(of: id, ReportWaiter(continuation: continuation)) }) {
        continuation.resume(returning: conclusion(of: finished))
      }
    }
  }

  /// Goes a walk on the calling thread.
  ///
  /// - Returns: nil if it has arrived: then the walk has the report, which is too large to be handed from one to the other.
  func followInline(_ walk: Walk, payload: any Sendable) -> WalkDetour? {
    walk.borrowedBox._withUnsafeGuaranteedRef { box in
      box.onThread {
        let end = pace(walk, box, payload: payload)
        return end == nil && finish(walk) ? nil : goOn(with: walk, box, after: end)
      }
    }
  }

  /// Goes on where a walk on this thread has ended before its time, or has become an ordinary run.
  @inline(never)
  private func goOn(with walk: Walk, _ box: WorkerBox, after end: WalkEnd?) -> WalkDetour {
    let handle = walk.handle
    return WalkDetour(
      finished: goOn(from: leave(walk, handle, at: end), handle, plan: walk.route.plan, worker: 0, box: box))
  }

  /// The report of a walk that has become an ordinary run.
  @inline(never)
  func report(of walk: Walk, after detour: WalkDetour) async -> EventReport {
    if let finished = detour.finished { return conclusion(of: finished) }
    let id = walk.id
    return await withTaskCancellationHandler {
      await report(of: id, sender: nil)
    } onCancel: {
      cancel(run: id)
    }
  }

  /// Runs the bodies of a walk in a task that may suspend.
  @concurrent
  private func followSuspending(_ walk: Walk, payload: any Sendable) async {
    await WorkerBox.$current.withValue(walk.box) {
      let handle = walk.handle
      let isCancelled = withUnsafeCurrentTask { current in
        current.map { current in
          let task = WalkerTask(task: current)
          return machine.withLock { $0.begin(walk, in: task) }
        } ?? false
      }
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      let end = await paceSuspending(walk, payload: payload)
      if end == nil, finish(walk) {
        // Nobody else has anything to do with a walk that has arrived.
        walk.takeWaiter()?.resume(returning: walk.report)
        return
      }
      await work(from: leave(walk, handle, at: end), handle, plan: walk.route.plan, worker: 0, box: walk.box)
    }
  }

  /// - Returns: nil when all bodies have returned.
  @concurrent
  private func paceSuspending(_ walk: Walk, payload: any Sendable) async -> WalkEnd? {
    let nodes = walk.route.nodes.elements
    let bodies = walk.route.bodies.elements
    let count = walk.route.count
    let ends = walk.ends
    let box = walk.box
    let isOneSided = Crossing.isOneSided
    var place = 0
    repeat {
      do {
        switch bodies[place] {
        case .plainAsync(let run):
          box.beginSuspendable(nodes[place])
          defer { box.endSuspendable() }
          try await run()
        case .framedAsync(let run):
          box.beginSuspendable(nodes[place])
          defer { box.endSuspendable() }
          let output = try await run(frame(walk, node: nodes[place], payload: payload))
          guard output is Void else { return WalkEnd(place, .output(output)) }
        case .plain(let run): try WorkerBox.apart(from: box) { try box.onThread { try run() } }
        case .framed(let run):
          let output = try WorkerBox.apart(from: box) {
            try box.onThread { try run(frame(walk, node: nodes[place], payload: payload)) }
          }
          guard output is Void else { return WalkEnd(place, .output(output)) }
        case .main: preconditionFailure("a body of the main actor was given to another thread")
        }
      } catch {
        return WalkEnd(place, TaskCenter.result(of: error))
      }
      if let ends { ends[place] = now }
      place += 1
      guard place < count else { return nil }
      Crossing.publish(nodes[place], in: box.node, isOneSided: isOneSided)
    } while !walk.isInterrupted.load(ordering: .sequentiallyConsistent)
    return WalkEnd(place - 1, hasPublishedNext: true, .returned)
  }

  /// Where a walk ends before its time: the body at a place has returned, and its end takes a decision.
  private struct WalkEnd {
    let place: Int
    let hasPublishedNext: Bool
    let result: BodyResult

    init(_ place: Int, hasPublishedNext: Bool = false, _ result: BodyResult) {
      self.place = place
      self.hasPublishedNext = hasPublishedNext
      self.result = result
    }
  }

  /// - Returns: nil when all bodies have returned.
  private func pace(_ walk: Walk, _ box: WorkerBox, payload: any Sendable) -> WalkEnd? {
    let nodes = walk.route.nodes.elements
    let bodies = walk.route.bodies.elements
    let count = walk.route.count
    let ends = walk.ends
    let isOneSided = Crossing.isOneSided
    var place = 0
    repeat {
      do {
        switch bodies[place] {
        case .plain(let run): try run()
        default:
          if let output = try runFramed(walk, place, payload: payload) { return WalkEnd(place, .output(output)) }
        }
      } catch {
        return WalkEnd(place, TaskCenter.result(of: error))
      }
      if let ends { ends[place] = now }
      place += 1
      guard place < count else { return nil }
      Crossing.publish(nodes[place], in: box.node, isOneSided: isOneSided)
    } while !walk.isInterrupted.load(ordering: .sequentiallyConsistent)
    return WalkEnd(place - 1, hasPublishedNext: true, .returned)
  }

  /// Apart from the loop, which it would burden with its variables.
  ///
  /// - Returns: the output, if there is one.
  @inline(never)
  private func runFramed(_ walk: Walk, _ place: Int, payload: any Sendable) throws -> (any Sendable)? {
    let frame = frame(walk, node: walk.route.nodes[place], payload: payload)
    let output: any Sendable
    switch walk.route.bodies.elements[place] {
    case .framed(let run): output = try run(frame)
    // Only the main actor walks through these.
    case .main(let run): output = try MainActor.assumeIsolated { try run(frame) }
    default: preconditionFailure("a body that may suspend was given to a thread")
    }
    return output is Void ? nil : output
  }

  private func frame(_ walk: Walk, node: Int32, payload: any Sendable) -> TaskFrame {
    TaskFrame(
      center: self, handle: walk.handle, plan: walk.route.plan, node: node, payload: payload, attempt: 1)
  }

  /// - Returns: false if the walk has become an ordinary run meanwhile.
  private func finish(_ walk: Walk) -> Bool {
    // Its length says whether a second worker would pay.
    let busy = walk.isMeasured ? (walk.ends == nil ? now : walk.ended) - walk.origin : nil
    return machine.withLock { $0.finishWalk(walk, busy: busy) }
  }

  private func leave(_ walk: Walk, _ handle: RunHandle, at end: WalkEnd?) -> Step {
    let now = stepTime
    let nodes = walk.route.nodes
    let last = nodes[end?.place ?? walk.route.count - 1]
    let next = end?.hasPublishedNext == true ? nodes[end!.place + 1] : -1
    let result = end?.result ?? .returned
    return receive { $0.leaveWalk(handle, after: last, next: next, result: result, now: now) }
  }
}

/// A walk that its thread has left: it has become an ordinary run.
final class WalkDetour: Sendable {
  /// Nil where others bring it to its end.
  let finished: FinishedRun?

  init(finished: FinishedRun?) {
    self.finished = finished
  }
}
