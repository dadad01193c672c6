import TaskKit

extension JobEngine {
  /// - Parameters:
  ///   - wait: waits, as long as there is time, also for what kinds do because jobs have given up; nil for not.
  ///   - begin: begins the stop, if anybody wants it still.
  /// - Returns: when it has ended, or the share is over; from inside of a job, or of what one waits for, when all others have
  ///   that do not wait too. What kinds were doing then, if that was waited for.
  func stop(
    within share: Duration?, awaitingHooks wait: HookWait?, _ begin: @Sendable (inout JobMachine) -> Void
  ) async -> [JobMachine.Hook] {
    let number = receive { $0.waiterNumber() }
    let deadline = share.flatMap { share in call(after: share) { $0.receive { $0.giveUpStop(number) } } }
    let asker = Asker(of: self)
    receive { begin(&$0) }
    await withCheckedContinuation { waiter in
      let isOver = receive { $0.awaitStop(number, waiter, from: asker) }
      if isOver { waiter.resume() }
    }
    let hooks: [JobMachine.Hook] = if let wait { await untilHooksReturned(number, wait) } else { [] }
    deadline?.cancel()
    receive { _ = $0.expiredWaiters.remove(number) }
    return hooks
  }

  /// - Parameters:
  ///   - awaitsHooks: whether to wait also until kinds were told that jobs have given up.
  ///   - queue: the one that is waited for; nil for all.
  /// - Returns: whether it came to that. From inside of a job, or of what one waits for, that one does not count,
  ///   nor others that wait.
  func idle(
    within deadline: Duration?, awaitsHooks: Bool, queue: String? = nil
  ) async -> JobMachine.IdleAnswer {
    let number = receive { $0.waiterNumber() }
    let timer = deadline.flatMap { deadline in call(after: deadline) { $0.receive { $0.giveUpIdle(number) } } }
    let asker = Asker(of: self)
    let answer: JobMachine.IdleAnswer = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let answer = receive { $0.awaitIdle(number, waiter, from: asker, awaitsHooks: awaitsHooks, queue: queue) }
        if let answer { waiter.resume(returning: answer) }
      }
    } onCancel: {
      receive { $0.giveUpIdle(number) }
    }
    timer?.cancel()
    receive { _ = $0.expiredWaiters.remove(number) }
    return answer
  }

  /// Bodies that have not returned though they were cancelled. A stop cancels each that it meets; those that have begun since go on.
  func unfinished() -> [UnfinishedTask] {
    let now = center?.continuousTime ?? .zero
    let attempts = inspect { machine in
      machine.attempts.values.filter { $0.cancellation != nil }.map { ($0.job, $0.started, $0.location) }
    }
    return attempts.sorted { $0.0.id < $1.0.id }.map { job, started, location in
      UnfinishedTask(TaskName("\(job.kind) job \(job.id)"), at: location, for: now - started)
    }
  }

  /// The same of what kinds do because jobs have given up.
  func unfinished(_ hooks: [JobMachine.Hook]) -> [UnfinishedTask] {
    let now = center?.continuousTime ?? .zero
    return hooks.compactMap { hook in
      hook.location.map { location in
        UnfinishedTask(TaskName("didGiveUp of \(hook.kind) job \(hook.job)"), at: location, for: now - hook.began)
      }
    }
  }
}
