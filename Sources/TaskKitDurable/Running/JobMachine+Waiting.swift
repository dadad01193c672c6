import TaskKit

/// What lets the workers begin and end, and who waits for that.
extension JobMachine {
  mutating func start() {
    switch phase {
    case .waiting: run()
    case .running, .stopping, .stopped, .closing, .closed: break
    }
  }

  private mutating func run() {
    phase = .running
    // Those hang whose deadlines have passed meanwhile.
    for (token, attempt) in attempts where attempt.isOverdue { attempts[token]!.hasHadItsTime = true }
    stirQueues()
    releaseHeld()
  }

  mutating func resume() {
    guard phase.stopper != .shutdown else { return }
    switch phase {
    case .waiting, .stopped: run()
    case .stopping(let stopper, _): phase = .stopping(by: stopper, resumes: true)
    case .running, .closing, .closed: break
    }
  }

  /// Nothing begins any more; what is going is cancelled.
  mutating func stop(by stopper: Stopper = .somebody) {
    guard !phase.isOver else { return }
    let wasStopping = phase.isStopping
    // What the center has stopped it has for good, whoever does so as well.
    phase = .stopping(by: phase.stopper == .shutdown ? .shutdown : stopper, resumes: false)
    guard !wasStopping else { return }
    for token in attempts.keys.sorted() { cancel(token, because: .stop) }
  }

  /// - Parameter delays: how long jobs wait whose attempts hang beyond their deadlines, as their kinds say.
  mutating func close(_ delays: [AttemptToken: Duration] = [:]) {
    guard !phase.isOver else { return }
    endStop()
    // The center is about to make no calls any more, and their deadlines are calls.
    for number in hookWaiters.keys.sorted() { giveUpHooks(number) }
    defer {
      for waiter in idleWaiters.values {
        emit(
          .tellIdle(
            waiter.continuation, isIdle(waiter.queue) ? .idle(stirs: lastStir(in: waiter.queue)) : .givenUp))
      }
      idleWaiters = [:]
    }
    guard isOpen else {
      phase = .closed
      // One that is being opened is closed as soon as it is open.
      if opening == .not { emit(.close) }
      return
    }
    phase = .closing
    // One last try, whatever the store has said.
    isBackingOff = false
    // Those that have not returned: the store gives their jobs back, and what they say later is refused.
    for token in attempts.keys.sorted() {
      // One that hangs beyond its deadline has had its attempt, whoever ends the process.
      if !endOverdue(token, retryAfter: delays[token] ?? .zero) { cancel(token) }
      attempts[token] = nil
    }
    runningOfKind = [:]
  }

  // MARK: - Who waits

  mutating func waiterNumber() -> UInt64 {
    defer { nextWaiter += 1 }
    return nextWaiter
  }

  /// - Parameter asker: who asks.
  /// - Returns: whether there is nothing to wait for.
  mutating func awaitStop(
    _ number: UInt64, _ waiter: CheckedContinuation<Void, Never>, from asker: Asker
  ) -> Bool {
    guard phase.isStopping else { return true }
    guard !expiredWaiters.contains(number) else {
      if stopWaiters.isEmpty { endStop() }
      return true
    }
    noteWaiter(asker)
    stopWaiters[number] = Waiter(continuation: waiter, asker: asker)
    return false
  }

  /// The deadline of a stop has passed: whoever waits for it goes on, and waits for nothing else. When nobody waits any more, the
  /// stop is over, and bodies that ignore their cancellation go on as well.
  mutating func giveUpStop(_ number: UInt64) {
    expiredWaiters.insert(number)
    giveUpHooks(number)
    guard let waiter = stopWaiters.removeValue(forKey: number) else { return }
    emit(.resume(waiter.continuation))
    if stopWaiters.isEmpty { endStop() }
  }

  /// - Returns: the answer; nil if it comes later.
  mutating func awaitIdle(
    _ number: UInt64, _ waiter: CheckedContinuation<IdleAnswer, Never>, from asker: Asker, awaitsHooks: Bool,
    queue: String? = nil
  ) -> IdleAnswer? {
    if isIdle(queue), hooks.isEmpty || !awaitsHooks { return .idle(stirs: lastStir(in: queue)) }
    // After a shutdown nothing becomes of what is left.
    if expiredWaiters.remove(number) != nil || phase.isOver { return .givenUp }
    noteWaiter(asker)
    idleWaiters[number] = Waiter(
      continuation: waiter, asker: asker, awaitsHooks: awaitsHooks, queue: queue, since: exchanges)
    return nil
  }

  mutating func giveUpIdle(_ number: UInt64) {
    if let waiter = idleWaiters.removeValue(forKey: number) {
      emit(.tellIdle(waiter.continuation, .givenUp))
    } else {
      expiredWaiters.insert(number)
    }
  }

  /// Nothing is to be written down: those who wait for that go on.
  mutating func settle() {
    if apart == nil, notes.isEmpty, ends.isEmpty, attempts.isEmpty { endStop() }
    if attempts.isEmpty, apart == nil, notes.isEmpty, ends.isEmpty {
      if phase == .closing {
        phase = .closed
        emit(.close)
      }
    }
    answerIdleWaiters()
  }

  /// Those go on who wait until all is at rest, or one queue, whatever others do.
  mutating func answerIdleWaiters() {
    for (number, waiter) in idleWaiters where hooks.isEmpty || !waiter.awaitsHooks {
      guard isIdle(waiter.queue, since: waiter.since) else { continue }
      emit(.tellIdle(waiter.continuation, .idle(stirs: lastStir(in: waiter.queue))))
      idleWaiters[number] = nil
    }
  }

  /// Nothing is waited for any more in the stop that is under way, if one is.
  mutating func endStop() {
    guard case .stopping(let stopper, let resumes) = phase else { return }
    phase = .stopped(by: stopper)
    for waiter in stopWaiters.values { emit(.resume(waiter.continuation)) }
    stopWaiters = [:]
    guard resumes else { return }
    run()
    advance()
  }
}
