public import TaskKit

extension JobOperations {
  /// Stops the workers (Z38, Z39): nothing begins any more, what runs is cancelled, its jobs are ready again with no
  /// attempt used, and what ended well is written down before this returns (Zw18).
  ///
  /// Jobs may be enqueued meanwhile (Z40). The shutdown of a center does this by itself. A task of the center that awaits it lends
  /// its slot. In a job, and in a task of the center for which a job waits, that job is not waited for.
  ///
  /// With a deadline it is also waited for each ``DurableTask/didGiveUp(_:_:)`` that is going, but for one that calls this; in
  /// that, and in a job, not for others that call it, too.
  ///
  /// - Parameter deadline: how long to wait for bodies that ignore their cancellation, and for a store that cannot be written; nil
  ///   for as long as it takes.
  /// - Returns: the bodies that had not returned then. Those of jobs still hold them, until they return or the process ends.
  @discardableResult
  public func stop(deadline: Duration? = nil) async -> [UnfinishedTask] {
    await runtime.waiting { await runtime.stop(engines, within: deadline, awaitsHooks: deadline != nil) }
  }

  /// Lets the workers run again; while they stop, as soon as that has ended (Z41). Begins nothing any more when the shutdown of
  /// the center has stopped them.
  public func resume() {
    // Before the center is started, too: what runs then may need them.
    runtime.constraints.start()
    for engine in engines { engine.resume() }
    runtime.workersRun()
  }

  /// Returns when nothing is left that could run now: everything else waits for a time, a constraint, a parent, a kind that is
  /// not registered, or for somebody (Z42, Zw14). Nothing is polled, and nobody waits until other processes rest: of several
  /// stores there was a moment at which all were so, but for what others did meanwhile. While a store cannot be asked or read
  /// nobody knows what could run, and this waits until it can. A task of the center that awaits it lends its slot, and goes on
  /// when it has one again. In a job, and in a task of the center for which a job waits, that job does not count; one that has
  /// begun the task and does not await it does.
  ///
  /// - Returns: false if the deadline passed, the calling task was cancelled or the center was shut down before; after that
  ///   whether everything had been written down.
  @discardableResult
  public func idle(deadline: Duration? = nil) async -> Bool { await idle(deadline: deadline, awaitsHooks: false) }

  /// Returns when nothing is left in one queue that could run now, whatever is done in others, here or elsewhere; see
  /// ``idle(deadline:)``.
  ///
  /// What waits there for jobs of other queues, as for a parent or for a limit that they use up, could not run now.
  @discardableResult
  public func idle(queue: String, deadline: Duration? = nil) async -> Bool {
    await idle(queue: queue, deadline: deadline, awaitsHooks: false)
  }

  /// - Parameters:
  ///   - queue: the one that is waited for; nil for all.
  ///   - awaitsHooks: whether to wait also for ``DurableTask/didGiveUp(_:_:)``, which may enqueue something: for tests.
  @discardableResult
  package func idle(queue: String? = nil, deadline: Duration? = nil, awaitsHooks: Bool) async -> Bool {
    await runtime.waiting { await untilIdle(queue: queue, deadline: deadline, awaitsHooks: awaitsHooks) }
  }

  private func untilIdle(queue: String?, deadline: Duration?, awaitsHooks: Bool) async -> Bool {
    let end = deadline.map { $0 + runtime.continuousTime }
    while true {
      let left = end.map { max(.zero, $0 - runtime.continuousTime) }
      let answers = await withTaskGroup(of: (engine: JobEngine, answer: JobMachine.IdleAnswer).self) { group in
        for engine in engines {
          group.addTask { (engine, await engine.idle(within: left, awaitsHooks: awaitsHooks, queue: queue)) }
        }
        var answers: [(engine: JobEngine, answer: JobMachine.IdleAnswer)] = []
        for await answer in group { answers.append(answer) }
        return answers
      }
      let isIdle = answers.allSatisfy(\.answer.isIdle)
      // A job waits for others, and is itself in the way of a second look.
      if !isIdle || engines.count == 1 || engines.first?.isAskedFromInside == true
        || answers.allSatisfy({ $0.engine.isStill($0.answer, queue, awaitsHooks: awaitsHooks) })
      {
        return isIdle
      }
    }
  }

  // MARK: - One at a time

  /// Lets only so many attempts begin from now on; nil for any number.
  package func allow(_ count: Int?, ofKind kind: String? = nil, inQueue queue: String? = nil) {
    for engine in engines {
      engine.receive { machine in
        machine.allowance = count.map { JobMachine.Allowance(count: $0, kind: kind, queue: queue) }
        machine.stirQueues()
      }
    }
  }

  /// How many attempts have begun in this process so far.
  package var begun: Int { engines.reduce(0) { $0 + $1.inspect(\.begun) } }
}

extension JobEngine {
  /// Whether the store is idle still, but for what others do: one of which another one has heard may have been given something
  /// since. Where each of them is, they were idle together when the last one became it.
  fileprivate func isStill(_ answer: JobMachine.IdleAnswer, _ queue: String?, awaitsHooks: Bool) -> Bool {
    guard case .idle(let stirs) = answer else { return false }
    return inspect { machine in
      machine.phase.isOver || machine.lastStir(in: queue) == stirs && (machine.hooks.isEmpty || !awaitsHooks)
    }
  }

  func resume() {
    receive { $0.resume() }
    goOn()
  }

  /// What has to be done when the workers run again.
  func goOn() {
    openInBackground()
    lookAtSchedules()
  }
}
