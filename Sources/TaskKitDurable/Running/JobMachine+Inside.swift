import TaskKit

/// Who goes on although attempts are going: jobs, and tasks of the center for which jobs wait. They would wait for themselves, or
/// for each other.
///
/// Who waits for whom only the center knows. It is asked where attempts are all that somebody waits for, at that time: what an
/// attempt has waited for before counts for nothing. As long as one that was found to be in the way still is, nothing else is
/// looked at. So where many begin to wait, each of them costs one search, and not one for each other.
extension JobMachine {
  /// The attempts in which somebody waits for the workers.
  private var callers: Set<AttemptToken> {
    Set(idleWaiters.values.compactMap(\.asker.attempt) + stopWaiters.values.compactMap(\.asker.attempt))
  }

  /// The tasks of the center that wait, by the numbers of their waits.
  private var waitingBodies: [(number: UInt64, body: CallingBody)] {
    var bodies: [(number: UInt64, body: CallingBody)] = []
    for (number, waiter) in idleWaiters { if let body = waiter.asker.body { bodies.append((number, body)) } }
    for (number, waiter) in stopWaiters { if let body = waiter.asker.body { bodies.append((number, body)) } }
    return bodies
  }

  private var standing: WaitQuestion.Standing {
    WaitQuestion.Standing(begun: begun, running: attempts.count, exchanges: exchanges)
  }

  // MARK: - Who is held up

  /// Whether somebody would go on but for attempts, which may wait for him.
  private func isHeldByAttempts(_ waiter: Waiter<IdleAnswer>) -> Bool {
    waiter.asker.mayBeInside && !attempts.isEmpty && (waiter.queue == nil || hooks.isEmpty || !waiter.awaitsHooks)
      && isIdleButForAttempts(waiter.queue, since: waiter.since)
  }

  /// The same for a stop.
  private func isHeldByAttempts(_ waiter: Waiter<Void>) -> Bool {
    waiter.asker.mayBeInside && !attempts.isEmpty && phase.isStopping && inFlight == nil && apart == nil
      && notes.isEmpty && ends.isEmpty
  }

  /// One of the attempts because of which a queue, or nil for all, is not idle.
  private func attemptInTheWay(of queue: String?, besides others: Set<AttemptToken> = []) -> AttemptToken? {
    attempts.first { !others.contains($0.key) && isInTheWay($0.value, of: queue) }?.key
  }

  /// Whether it is known what is in somebody's way, and it still is: it may have ended, and an attempt of another queue is in
  /// nobody's way any more when the workers do not stop, or when they stop for good.
  private func isObstacleKnown<Answer>(of waiter: Waiter<Answer>) -> Bool {
    waiter.obstacle.flatMap { attempts[$0.token] }.map { isInTheWay($0, of: waiter.queue) } ?? false
  }

  /// What is in somebody's way is to be found out anew.
  mutating func forgetObstacles(where isMeant: (Obstacle) -> Bool = { _ in true }) {
    for (number, waiter) in idleWaiters where waiter.obstacle.map(isMeant) == true {
      idleWaiters[number]!.obstacle = nil
    }
    for (number, waiter) in stopWaiters where waiter.obstacle.map(isMeant) == true {
      stopWaiters[number]!.obstacle = nil
    }
  }

  // MARK: - Asking

  /// Somebody begins to wait for the workers.
  mutating func noteWaiter(_ asker: Asker) {
    waits += 1
    // What waits for his task, or is the attempt in which he waits, is in nobody's way any more.
    forgetObstacles { asker.body != nil || $0.token == asker.attempt }
  }

  /// Something has begun to wait for something of the center.
  ///
  /// - Parameter beginner: the attempt that has, if it is one of this store.
  /// - Returns: what is to be asked now.
  mutating func noteWait(of beginner: Obstacle?) -> WaitQuestion? {
    guard !idleWaiters.isEmpty || !stopWaiters.isEmpty else { return nil }
    waits += 1
    let callers = callers
    // Where somebody waits here it is in the way of those alone for whom no job waits, as one may from now on.
    forgetObstacles { callers.contains($0.token) }
    let beginner = beginner.flatMap { callers.contains($0.token) ? nil : $0 }
    for (number, waiter) in idleWaiters {
      idleWaiters[number]!.obstacle = isHeldByAttempts(waiter) ? obstacle(of: waiter, or: beginner) : nil
    }
    for (number, waiter) in stopWaiters {
      stopWaiters[number]!.obstacle = isHeldByAttempts(waiter) ? obstacle(of: waiter, or: beginner) : nil
    }
    return question()
  }

  /// What is taken to be in the way until the center has been asked about it: where nothing is known, who has just begun to
  /// wait. Mostly it waits for something else.
  private func obstacle<Answer>(of waiter: Waiter<Answer>, or beginner: Obstacle?) -> Obstacle? {
    let known = isObstacleKnown(of: waiter) ? waiter.obstacle : nil
    guard let beginner, let attempt = attempts[beginner.token], isInTheWay(attempt, of: waiter.queue),
      known == nil || known?.token == beginner.token
    else { return known }
    return beginner
  }

  /// What is to be asked of the center; nil where whatever it answers lets nobody go on.
  func question() -> WaitQuestion? {
    let bodies = waitingBodies
    let idle = idleWaiters.values.filter { isHeldByAttempts($0) }
    let stops = stopWaiters.values.filter { isHeldByAttempts($0) }
    guard !bodies.isEmpty, !idle.isEmpty || !stops.isEmpty else { return nil }
    var suspects: Set<ObjectIdentifier>?
    if idle.allSatisfy({ isObstacleKnown(of: $0) }), stops.allSatisfy({ isObstacleKnown(of: $0) }) {
      suspects = Set(idle.compactMap(\.obstacle?.work) + stops.compactMap(\.obstacle?.work))
    }
    // None of those that are in the way waits for anything.
    guard suspects?.isEmpty != true else { return nil }
    let isOfQueue = idle.contains { $0.queue != nil }
    return WaitQuestion(
      bodies: bodies, suspects: suspects, least: isOfQueue ? 0 : attempts.count - callers.count, standing: standing,
      waits: waits)
  }

  /// Asks where attempts are all that somebody waits for, and nothing is known that is in his way. Ends each input.
  mutating func askWhoWaits() {
    guard
      idleWaiters.values.contains(where: { !isObstacleKnown(of: $0) && isHeldByAttempts($0) })
        || stopWaiters.values.contains(where: { !isObstacleKnown(of: $0) && isHeldByAttempts($0) })
    else { return }
    if waitingBodies.isEmpty { answer(WaitAnswer(), isCurrent: true) } else { emit(.lookWhoWaits) }
  }

  // MARK: - The answer

  mutating func answer(_ answer: WaitAnswer, to question: WaitQuestion) {
    // Otherwise the end of this input asks again.
    guard question.standing == standing else { return }
    self.answer(answer, isCurrent: question.waits == waits)
  }

  /// Those go on who wait from inside, where whatever is in the way waits for somebody who waits here, or is where he does.
  ///
  /// - Parameter isCurrent: whether nobody has begun to wait since the center was asked.
  private mutating func answer(_ answer: WaitAnswer, isCurrent: Bool) {
    let waiting = answer.waiting.union(callers)
    let idle = idleWaiters.filter { isHeldByAttempts($0.value) }
    let stops = stopWaiters.filter { isHeldByAttempts($0.value) }
    var queues = Set(idle.values.map(\.queue))
    if !stops.isEmpty { queues.insert(nil) }
    var tokens: [String?: AttemptToken] = [:]
    for queue in queues { tokens[queue] = attemptInTheWay(of: queue, besides: waiting) }

    // For whom no job waits, whatever is going is in the way.
    func foundObstacle(of queue: String?, ifNone isInside: Bool) -> Obstacle? {
      let token = tokens[queue] ?? (isInside ? nil : attemptInTheWay(of: queue))
      return token.map { Obstacle(token: $0, work: answer.works[$0]) }
    }
    var mustAskAgain = false
    for (number, waiter) in idle {
      let isInside = waiter.asker.isJob || answer.inside.contains(number)
      if let obstacle = foundObstacle(of: waiter.queue, ifNone: isInside) {
        // What waits for nothing may have begun to since; of what waits already the center is asked once more.
        idleWaiters[number]!.obstacle = isCurrent || obstacle.work != nil ? obstacle : nil
        mustAskAgain = !isCurrent
      } else {
        emit(.tellIdle(waiter.continuation, .idle(stirs: lastStir(in: waiter.queue))))
        idleWaiters[number] = nil
      }
    }
    for (number, waiter) in stops {
      let isInside = waiter.asker.isJob || answer.inside.contains(number)
      if let obstacle = foundObstacle(of: nil, ifNone: isInside) {
        stopWaiters[number]!.obstacle = isCurrent || obstacle.work != nil ? obstacle : nil
        mustAskAgain = !isCurrent
      } else {
        emit(.resume(waiter.continuation))
        stopWaiters[number] = nil
      }
    }
    if mustAskAgain { emit(.lookWhoWaits) }
  }
}
