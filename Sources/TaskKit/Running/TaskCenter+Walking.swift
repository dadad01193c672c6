import Synchronization

/// The fast way through an occurrence; see ``Walk``.
extension TaskCenter {
  /// Starts an occurrence as a walk if it can be one, from a thread that is not inside a task of this center.
  func startWalk<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, by flavor: WorkerFlavor, maySuspend: Bool = false
  ) -> Walk? {
    // Where a second worker is to be thought of, the length of the walk says whether it would pay.
    let now = readsClock || configuration.maximumConcurrency > 1 ? self.now : nil
    let (walk, garbage) = machine.withLock { machine in
      let walk = machine.startWalk(
        event.description.identity, payload: payload, by: flavor, maySuspend: maySuspend, in: self, now: now)
      return (walk, machine.takeGarbage())
    }
    withExtendedLifetime(garbage) {}
    return walk
  }

  /// A walk for a sender that awaits the report.
  func startWalk<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload
  ) -> Walk? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      startWalk(event, payload, by: .caller, maySuspend: true)
    } else {
      startWalk(event, payload, by: .caller)
    }
  }

  /// Goes a walk in a child task, which runs here until a body really suspends.
  ///
  /// The group waits for the child, which ends when the run has nothing for it any more: no later than the report comes,
  /// as no task of a walk has a timeout. Swift 6.3 looks up the executor of an immediate task that belongs to no group
  /// under a lock at each call of an asynchronous function.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func followBeside(_ walk: Walk, payload: any Sendable) async -> EventReport {
    let id = walk.handle.id
    return await withDiscardingTaskGroup { group in
      // Inside of the group: a cancellation is told from the inside out. So the run knows of it before the child's body,
      // after which nothing may start.
      await withTaskCancellationHandler {
        group.addImmediateTask { await self.followSuspending(walk, payload: payload) }
        if walk.hasArrived.load(ordering: .acquiring) { return EventReport(walk) }
        // Where nothing else could start while a body is suspended, it stays a walk.
        if configuration.maximumConcurrency == 1 || walk.route.isChain { return await report(of: walk) }
        // Else what suspends must not keep anything from starting.
        let now = stepTime(walk.route.plan)
        guard receive({ $0.goOnBeside(walk, now: now) }) else { return EventReport(walk) }
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
      if walk.hasArrived.load(ordering: .acquiring) { return continuation.resume(returning: EventReport(walk)) }
      let id = walk.handle.id
      if let finished = receive({ $0.claimReport(of: id, continuation) }) {
        continuation.resume(returning: conclusion(of: finished))
      }
    }
  }

  /// Goes a walk on the calling thread.
  ///
  /// - Returns: the report, unless others bring the run to its end.
  func followInline(_ walk: Walk, payload: any Sendable) -> EventReport? {
    WorkerBox.$current.withValue(walk.box) {
      let handle = walk.handle
      let began = beginning(of: walk)
      let end = pace(walk, payload: payload)
      if case .arrived = end, finish(walk, since: began) { return EventReport(walk) }
      let step = leave(walk, handle, at: end)
      return goOn(from: step, handle, plan: walk.route.plan, worker: 0, box: walk.box).map(conclusion)
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
      let began = beginning(of: walk)
      let end = await paceSuspending(walk, payload: payload)
      if case .arrived = end, finish(walk, since: began) {
        // Nobody else has anything to do with a walk that has arrived.
        walk.takeWaiter()?.resume(returning: EventReport(walk))
        return
      }
      await work(from: leave(walk, handle, at: end), handle, plan: walk.route.plan, worker: 0, box: walk.box)
    }
  }

  @concurrent
  private func paceSuspending(_ walk: Walk, payload: any Sendable) async -> WalkEnd {
    let nodes = walk.route.nodes.elements
    let bodies = walk.route.bodies.elements
    let count = walk.route.count
    let ends = walk.ends
    let box = walk.box
    var place = 0
    repeat {
      do {
        switch bodies[place] {
        case .plainAsync(let run): try await run()
        case .framedAsync(let run):
          let output = try await run(frame(walk, node: nodes[place], payload: payload))
          guard output is Void else { return .left(place, hasPublished: false, .output(output)) }
        case .plain(let run): try run()
        case .framed(let run):
          let output = try run(frame(walk, node: nodes[place], payload: payload))
          guard output is Void else { return .left(place, hasPublished: false, .output(output)) }
        case .main: preconditionFailure("a body of the main actor was given to another thread")
        }
      } catch {
        return .left(place, hasPublished: false, TaskCenter.result(of: error))
      }
      if let ends { ends[place] = now }
      place += 1
      guard place < count else { return .arrived }
      box.node.store(nodes[place], ordering: .sequentiallyConsistent)
    } while !walk.isInterrupted.load(ordering: .sequentiallyConsistent)
    return .left(place - 1, hasPublished: true, .returned)
  }

  private enum WalkEnd {
    /// All bodies have returned.
    case arrived
    /// The body at that place has returned, and its end takes a decision; whether the next one has been published.
    case left(Int, hasPublished: Bool, BodyResult)
  }

  private func pace(_ walk: Walk, payload: any Sendable) -> WalkEnd {
    let nodes = walk.route.nodes.elements
    let bodies = walk.route.bodies.elements
    let count = walk.route.count
    let ends = walk.ends
    let box = walk.box
    var place = 0
    repeat {
      do {
        switch bodies[place] {
        case .plain(let run): try run()
        case .framed(let run):
          let output = try run(frame(walk, node: nodes[place], payload: payload))
          guard output is Void else { return .left(place, hasPublished: false, .output(output)) }
        case .main(let run):
          // Only the main actor walks through these.
          let frame = frame(walk, node: nodes[place], payload: payload)
          let output = try MainActor.assumeIsolated { try run(frame) }
          guard output is Void else { return .left(place, hasPublished: false, .output(output)) }
        case .plainAsync, .framedAsync: preconditionFailure("a body that may suspend was given to a thread")
        }
      } catch {
        return .left(place, hasPublished: false, TaskCenter.result(of: error))
      }
      if let ends { ends[place] = now }
      place += 1
      guard place < count else { return .arrived }
      box.node.store(nodes[place], ordering: .sequentiallyConsistent)
    } while !walk.isInterrupted.load(ordering: .sequentiallyConsistent)
    return .left(place - 1, hasPublished: true, .returned)
  }

  private func frame(_ walk: Walk, node: Int32, payload: any Sendable) -> TaskFrame {
    TaskFrame(
      center: self, handle: walk.handle, plan: walk.route.plan, node: node, payload: payload, attempt: 1)
  }

  /// When a walk begins, where its length says whether a second worker would pay.
  private func beginning(of walk: Walk) -> Int64? {
    walk.isMeasured ? walk.origin : nil
  }

  /// - Returns: false if the walk has become an ordinary run meanwhile.
  private func finish(_ walk: Walk, since began: Int64?) -> Bool {
    let busy = began.map { (walk.ends == nil ? now : walk.ended) - $0 }
    return machine.withLock { $0.finishWalk(walk, busy: busy) }
  }

  private func leave(_ walk: Walk, _ handle: RunHandle, at end: WalkEnd) -> Step {
    let now = stepTime(walk.route.plan)
    let nodes = walk.route.nodes
    switch end {
    case .arrived:
      let node = nodes[walk.route.count - 1]
      return receive { $0.leaveWalk(handle, after: node, next: -1, result: .returned, now: now) }
    case .left(let place, let hasPublished, let result):
      let next = hasPublished ? nodes[place + 1] : -1
      return receive { $0.leaveWalk(handle, after: nodes[place], next: next, result: result, now: now) }
    }
  }
}
