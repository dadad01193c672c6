import Foundation
import Synchronization

/// The loops that run bodies, and what the state machine wants done.
extension TaskCenter {
  /// Gives the state machine an input and does what it wants done, after the lock is released.
  @discardableResult
  func receive<Result: Sendable>(_ input: (inout CenterMachine) throws -> sending Result) rethrows -> Result {
    do {
      let (result, effects, garbage) = try machine.withLock { machine in
        if machine.mustSettle { machine.settle() }
        let result = try input(&machine)
        machine.giveOutSlots()
        return (result, machine.takeEffects(), machine.takeGarbage())
      }
      follow(effects, garbage)
      return result
    } catch {
      // An input that is refused leaves something behind as well: what it had been given.
      let (effects, garbage) = machine.withLock { ($0.takeEffects(), $0.takeGarbage()) }
      follow(effects, garbage)
      throw error
    }
  }

  /// The same for an input that says what time it is, and is told that in order with those that came before.
  @discardableResult
  func receive<Result: Sendable>(
    at now: Int64, _ input: (inout CenterMachine, _ now: Int64) throws -> sending Result
  ) rethrows -> Result {
    try receive { machine in
      let now = machine.inOrder(now)
      return try input(&machine, now)
    }
  }

  @inline(__always)
  private func follow(_ effects: [CenterMachine.Effect], _ garbage: [any Sendable]) {
    if !effects.isEmpty { perform(effects) }
    // Here, with the lock released, everything in it may come to its end.
    withExtendedLifetime(garbage) {}
  }

  /// Looks at the state, for which a walk that is going becomes an ordinary run. Nothing else changes.
  func inspect<Result: Sendable>(_ question: (borrowing CenterMachine) throws -> sending Result) rethrows -> Result {
    try machine.withLock { machine in
      if machine.mustSettle { machine.settle() }
      return try question(machine)
    }
  }

  func perform(_ effects: [CenterMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .startWorker(let handle, let plan, let worker, let flavor, let node):
        start(handle, plan: plan, worker: worker, flavor: flavor, node: node)
      case .cancel(let task): task.cancel()
      case .cancelWalker(let walker): walker.task.cancel()
      case .resume(let continuation): continuation.resume()
      case .conclude(let finished): conclude(finished)
      case .answer(let waiter, let report): waiter.resume(returning: report)
      case .setAlarm: setAlarms()
      case .setTimeout(let handle, let node, let worker):
        let now = now
        receive(at: now) { $0.setTimeout(of: node, by: worker, in: handle, now: $1) }
      case .setDeadline(let handle, let deadline):
        let now = now
        receive(at: now) { $0.setDeadline(deadline, of: handle, now: $1) }
      case .planSchedules(let tasks):
        let instants = instants
        receive { $0.plan(tasks, at: instants) }
      case .lookAtListener(let source): lookAtListener(of: source)
      case .awaitCondition(let lane, let condition): awaitCondition(condition, of: lane)
      case .forgetCondition(let lane): forgetCondition(of: lane)
      case .wake(let waiter): waiter.resume()
      case .settle(let answer, let end): answer.settle(end)
      case .lookWhoWaits(let work): work.lookWhoWaits()
      case .giveUp(let waiter): waiter.resume(returning: nil)
      case .report(let sentence): configuration.report(sentence)
      }
    }
  }

  func conclude(_ finished: FinishedRun) {
    for waiter in finished.readyWaiters { waiter.resume() }
    guard !finished.waiters.isEmpty else { return }
    let report = EventReport(finished)
    for waiter in finished.waiters { waiter.resume(returning: report) }
  }

  var now: Int64 { time.continuous.now() }

  /// Whether anybody wants to know what time it is: a report with times, an observer, a timeout, a delay, a deadline.
  var readsClock: Bool { configuration.reporting == .full || needsTime.load(ordering: .relaxed) }

  // MARK: - Workers

  /// Starts a worker. It ends by itself when its run has nothing for it, and keeps the center alive until then.
  private func start(_ handle: RunHandle, plan: EventPlan, worker: Int, flavor: WorkerFlavor, node: Int32?) {
    switch flavor {
    case .main:
      MainActorWork.add {
        // The task of the main actor was started in that of whoever made place for this one.
        WorkerBox.apart(from: WorkerBox.current) {
          let finished = self.workInline(handle, plan: plan, worker: worker, first: node)
          if let finished { self.conclude(finished) }
        }
      }
    default:
      let box = WorkerBox(center: self, handle: handle, worker: worker)
      let task = _Concurrency.Task {
        await WorkerBox.$current.withValue(box) {
          await self.work(handle, plan: plan, worker: worker, first: node, box: box)
        }
      }
      receive { $0.attach(task, worker: worker, of: handle) }
    }
  }

  private func firstStep(_ handle: RunHandle, plan: EventPlan, worker: Int, node: Int32?) -> Step {
    let now = stepTime
    return receive { machine in
      if let node { return machine.beginAssigned(handle, worker: worker, node: node, now: now) }
      return machine.firstStep(handle, worker: worker, now: now)
    }
  }

  /// A background worker: runs bodies of every kind but those of the main actor, each inline.
  @concurrent
  private func work(_ handle: RunHandle, plan: EventPlan, worker: Int, first: Int32?, box: WorkerBox) async {
    box.noteTask()
    let step = firstStep(handle, plan: plan, worker: worker, node: first)
    await work(from: step, handle, plan: plan, worker: worker, box: box)
  }

  @concurrent
  func work(from first: Step, _ handle: RunHandle, plan: EventPlan, worker: Int, box: WorkerBox) async {
    var step = first
    while case .run(let node) = step {
      box.node.store(node, ordering: .relaxed)
      let begun = bodyTime
      let result: BodyResult
      switch plan.bodies[Int(node)] {
      case .plainAsync(let run):
        box.beginSuspendable(node)
        do {
          try await run()
          result = .returned
        } catch { result = TaskCenter.result(of: error) }
        box.endSuspendable()
      case .framedAsync(let run):
        box.beginSuspendable(node)
        do { result = TaskCenter.result(of: try await run(frame(handle, plan: plan, node: node))) } catch {
          result = TaskCenter.result(of: error)
        }
        box.endSuspendable()
      case let body:
        result = WorkerBox.apart(from: box) { box.onThread { runInline(body, handle, plan: plan, node: node) } }
      }
      box.node.store(-1, ordering: .relaxed)
      step = nextStep(handle, plan: plan, worker: worker, node: node, begun: begun, result: result)
    }
    if case .finished(let finished) = step { conclude(finished) }
  }

  /// A worker that keeps the calling thread: the sender's own, or one on the main actor. Runs the synchronous bodies that there
  /// are for it, one after the other.
  ///
  /// - Parameter first: the node that it was started for; nil for whichever comes first.
  /// - Returns: the finished run, if this thread saw its end.
  func workInline(_ handle: RunHandle, plan: EventPlan, worker: Int, first: Int32? = nil) -> FinishedRun? {
    let box = WorkerBox(center: self, handle: handle, worker: worker)
    let step = firstStep(handle, plan: plan, worker: worker, node: first)
    return box.onThread { goOn(from: step, handle, plan: plan, worker: worker, box: box) }
  }

  /// Runs synchronous bodies on a thread that knows of the box.
  func goOn(from first: Step, _ handle: RunHandle, plan: EventPlan, worker: Int, box: WorkerBox) -> FinishedRun? {
    var step = first
    while case .run(let node) = step {
      box.node.store(node, ordering: .relaxed)
      let begun = bodyTime
      let result = runInline(plan.bodies[Int(node)], handle, plan: plan, node: node)
      box.node.store(-1, ordering: .relaxed)
      step = nextStep(handle, plan: plan, worker: worker, node: node, begun: begun, result: result)
    }
    // Also of a walk that has left nothing to be run: that has published its last one.
    box.node.store(-1, ordering: .relaxed)
    if case .finished(let finished) = step { return finished }
    return nil
  }

  private func nextStep(
    _ handle: RunHandle, plan: EventPlan, worker: Int, node: Int32, begun: Int64?, result: BodyResult
  ) -> Step {
    let now = stepTime
    let chance = plan.demands[Int(node)].contains(.retry) ? configuration.chance() : 0
    return receive {
      $0.step(handle, worker: worker, node: node, begun: begun, result: result, now: now, chance: chance)
    }
  }

  /// The time of a step, where anybody wants to know it or it says whether a second worker pays.
  var stepTime: Int64 { readsClock || learns ? now : 0 }

  /// When a body begins, where that says whether a second worker pays; else nil.
  ///
  /// It was given to the worker before. But where what the two wait for each other counted as work, they would seem to pay just
  /// because they are in each other's way.
  private var bodyTime: Int64? { learns ? now : nil }

  private var learns: Bool { configuration.maximumConcurrency > 1 }

  // MARK: - Bodies

  private func runInline(_ body: TaskBody, _ handle: RunHandle, plan: EventPlan, node: Int32) -> BodyResult {
    do {
      switch body {
      case .plain(let run):
        try run()
        return .returned
      case .framed(let run):
        return TaskCenter.result(of: try run(frame(handle, plan: plan, node: node)))
      case .main(let run):
        // Only a worker on the main actor is given one.
        let frame = frame(handle, plan: plan, node: node)
        return TaskCenter.result(of: try MainActor.assumeIsolated { try run(frame) })
      case .plainAsync, .framedAsync:
        preconditionFailure("a body that may suspend was given to a thread")
      }
    } catch {
      return TaskCenter.result(of: error)
    }
  }

  private func frame(_ handle: RunHandle, plan: EventPlan, node: Int32) -> TaskFrame {
    let (payload, attempt) = machine.withLock { machine in
      guard machine.isActive(handle) else {
        preconditionFailure("a body runs whose occurrence is gone, though its worker keeps it")
      }
      let state = machine.runs[handle.slot]!.state
      return (state.payload, (state.attempts[node] ?? 0) + 1)
    }
    return TaskFrame(center: self, handle: handle, plan: plan, node: node, payload: payload, attempt: attempt)
  }

  static func result(of output: any Sendable) -> BodyResult {
    output is Void ? .returned : .output(output)
  }

  static func result(of error: any Error) -> BodyResult {
    if error is TaskDisabled { return .disabled }
    // Of one that is thrown for a cancelled body nobody reads the words, but where it comes too late.
    return .failed(error, words: error is CancellationError ? "CancellationError()" : "\(error)")
  }
}
