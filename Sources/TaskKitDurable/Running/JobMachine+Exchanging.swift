import TaskKit

/// What is said to the store and asked of it, and what it answers.
extension JobMachine {
  mutating func wakeQueues() {
    for name in queueOrder { queues[name]!.unasked = nil }
  }

  /// The same where something of this process may have let jobs of any queue run.
  mutating func stirQueues() {
    stirs += 1
    lastStirOfAll = stirs
    empty = []
    wakeQueues()
  }

  /// The same for one queue, also where a job of it begins.
  private mutating func stir(_ name: String) {
    stirs += 1
    queues[name]?.stirred = stirs
    empty.remove(name)
  }

  /// The number of the last stir in a queue, or of all where none is named: as long as it is the same, what was idle is so, but
  /// for what others do.
  func lastStir(in queue: String?) -> UInt64 {
    queue.map { max(lastStirOfAll, queues[$0]?.stirred ?? 0) } ?? stirs
  }

  mutating func wake(_ names: some Sequence<String>, workers: (String) -> Queue) {
    let count = queues.count
    namings += 1
    for name in names {
      if queues[name] == nil { queues[name] = workers(name) }
      queues[name]!.unasked = nil
      queues[name]!.named = namings
      stir(name)
    }
    guard queues.count != count else { return }
    queueOrder = queues.keys.sorted()
    if queues.count > roomForQueues { emit(.readQueues) }
  }

  /// How many queues are kept in mind whether they have jobs or not.
  static let fewQueues = 64

  /// It was read in which queues there are jobs that have not ended. Programs may name queues as they like, by the user for
  /// one, so those without any are forgotten, where there are many.
  ///
  /// - Parameters:
  ///   - names: queues with jobs, or with kinds.
  ///   - last: the naming before it was read.
  mutating func keepQueues(_ names: Set<String>, namedUntil last: UInt64, workers: (String) -> Queue) {
    // Somebody who reads later what was so before must not forget them.
    namings += 1
    for name in names { queues[name]?.named = namings }
    let new = names.filter { queues[$0] == nil }
    wake(new, workers: workers)
    guard queues.count > roomForQueues else { return }
    queues = queues.filter { name, queue in
      names.contains(name) || queue.named > last || queue.running > 0 || asked.contains(name)
    }
    queueOrder = queues.keys.sorted()
    roomForQueues = max(Self.fewQueues, queues.count * 2)
  }

  /// Asks for the next exchange, if there is something to say; otherwise tells those who wait for that. Ends each input.
  mutating func advance() {
    defer {
      askWhoWaits()
      noteQuiet()
    }
    answerHookWaiters()
    answerIdleWaiters()
    guard isOpen, phase != .closed, inFlight == nil, !isBackingOff else {
      if inFlight == nil { settle() }
      return
    }
    let listens = mustListen && !attempts.isEmpty
    if let apart {
      guard apart.step != .deciding else { return }
    } else {
      guard !notes.isEmpty || !ends.isEmpty || mustFlushProgress || mayClaim || listens else { return settle() }
    }
    inFlight = ([], [])
    exchanges += 1
    emit(.exchange)
  }

  /// What the next exchange says, decided when it goes: bodies that return before that ride along.
  ///
  /// - Returns: nil where it turns out that there is nothing to say.
  mutating func takeExchange() -> JobExchange? {
    if apart != nil { return takeApart() }
    let unasked = queueOrder.filter { queues[$0]!.unasked == nil }
    let claims = phase == .running ? takeClaims() : []
    asked = Set(claims.map(\.queue))
    askedWhole = Set(unasked.filter { queues[$0]!.unasked?.isEmpty == true })
    searched = errands == queueReads ? askedWhole : []
    stirsOfSearch = stirs
    if !notes.isEmpty || !ends.isEmpty || !claims.isEmpty || mustFlushProgress {
      notes += progress.values.map { PendingNote(key: $0.key, note: .progress($0.value), waiter: nil) }
      progress = [:]
      mustFlushProgress = false
    }
    let listens = mustListen && !attempts.isEmpty
    mustListen = false
    guard !notes.isEmpty || !ends.isEmpty || !claims.isEmpty || listens else {
      inFlight = nil
      doomed = []
      forgetAsked()
      return nil
    }
    inFlight = (notes, ends)
    defer { (notes, ends) = ([], []) }
    return JobExchange(notes: notes.map { ($0.key, $0.note) }, ends: ends.map { ($0.key, $0.end) }, claims: claims)
  }

  /// What the free workers want. The queues of one exchange do not know of each other: a kind with a limit is asked for in as
  /// many of them as there is room for whatever they give. In the others it is asked for next, and it alone: otherwise each end
  /// of a job would cost as many claims as the square of the number of queues.
  mutating func takeClaims() -> [JobExchange.Claim] {
    guard !kinds.isEmpty, !queueOrder.isEmpty else { return [] }
    var claims: [JobExchange.Claim] = []
    var promised: [String: Int] = [:]
    var allowed = allowance?.count ?? .max
    firstQueue = (firstQueue + 1) % queueOrder.count
    for offset in queueOrder.indices {
      let name = queueOrder[(firstQueue + offset) % queueOrder.count]
      let queue = queues[name]!
      let free = min(queue.workers - queue.running, allowed)
      guard queue.mayHaveWork, free > 0, allowance?.lets(queue: name) ?? true else { continue }
      var wanted: [JobExchange.Claim.Kind] = []
      var unasked: Set<String> = []
      for kind in kindOrder where allowance?.kind == nil || allowance?.kind == kind {
        guard queue.unasked?.contains(kind) ?? true else { continue }
        var share = free
        if let limit = kinds[kind]!.limit {
          let room = limit - runningOfKind[kind, default: 0]
          share = min(free, room)
          if share <= 0 { continue }
          // Not the sum: a limit may be as large as a number can say.
          guard share <= room - promised[kind, default: 0] else {
            unasked.insert(kind)
            continue
          }
          promised[kind, default: 0] += share
        }
        wanted.append(JobExchange.Claim.Kind(kind, limit: share, unreadable: unread[kind]?.versions ?? []))
      }
      queues[name]!.unasked = unasked
      guard !wanted.isEmpty else { continue }
      if allowance != nil { allowed -= free }
      claims.append(
        JobExchange.Claim(queue: name, limit: free, kinds: wanted, satisfied: satisfied, aging: queue.aging))
    }
    return claims
  }

  // MARK: - What the store says

  /// A store says when something is due by itself, whatever it is asked for; but that it passed by a job which somebody else
  /// held, and that it is worth to look for that soon, it says only where it is asked for that job. So what has been said
  /// before holds until all of it was asked for again.
  private mutating func noteDue(_ delay: Duration?, now: Duration) {
    let next = delay.map { now + $0 }
    if let due, !askedWhole.isSuperset(of: queuesOfDue), next.map({ due <= $0 }) ?? true { return }
    due = next
    queuesOfDue = next == nil ? [] : asked
    emit(.setDue(delay))
  }

  /// Something is due by itself.
  mutating func dueArrived() {
    (due, queuesOfDue) = (nil, [])
    empty = []
    wakeQueues()
    mustTellChange = true
  }

  mutating func answered(_ answer: JobExchange.Answer, now: Duration) {
    guard let sent = inFlight else { return }
    inFlight = nil
    noteDue(answer.nextDue, now: now)
    // What is given back may be ready by now.
    let searched = answer.rescued.isEmpty ? searched : []
    forgetAsked()
    if noteAnswer(answer) {
      if storeFailures > 0 { tell(.storeRecovered) }
      storeFailures = 0
      diskFailsSince = nil
      problem = nil
    }
    for (note, isWritten) in zip(sent.notes, answer.notes) {
      if let waiter = note.waiter { emit(.answer(waiter, isWritten ? .written : .refused)) }
    }
    for (end, isWritten) in zip(sent.ends, answer.ends) { ended(end, isWritten: isWritten, now: now) }
    letGo(of: sent.ends)
    // The constraint may have come to hold before it was written down that a job waits for it.
    if sent.ends.contains(where: { $0.end.isReleased(by: satisfied) }) { releaseHeld() }
    for rescued in answer.rescued { noteRescue(rescued, now: now) }
    for token in answer.toCancel { cancel(token) }
    let started = answer.claimed.filter { start($0, now: now) }
    doomed = []
    if !sent.ends.isEmpty || !sent.notes.isEmpty || !answer.claimed.isEmpty || !answer.rescued.isEmpty || mustTellChange
    {
      emit(.changed)
      mustTellChange = false
    }
    if !answer.rescued.isEmpty { wakeQueues() }
    if !started.isEmpty { emit(.start(started)) }
    endApart()
    // Those are stirred since that have given something, or where this process may have let something run.
    empty = searched.filter { queues[$0] != nil && lastStir(in: $0) <= stirsOfSearch }
    exchangeOfEmpty = exchanges
  }

  mutating func forgetAsked() { (asked, askedWhole, searched) = ([], [], []) }

  mutating func letGo(of ends: [PendingEnd]) {
    let failed = ends.compactMap(\.failed)
    if !failed.isEmpty { emit(.letGo(failed)) }
  }

  private mutating func ended(_ end: PendingEnd, isWritten: Bool, now: Duration) {
    guard isWritten else { return tell(.refused(end.key.job, kind: end.kind, attempt: end.attempt)) }
    tell(JobEvent.Kind(end))
    // It was read by a type in whose place another one has come since.
    if case .held(.unreadable) = end.end, unread[end.kind]?.jobs.contains(end.key.job) == false {
      wakeQueues()
      releaseHeld()
    }
    guard let failed = end.failed else { return }
    let hook = beginHook(of: failed.id, end.kind, at: failed.registration.location, now: now)
    emit(.didGiveUp(failed, hook: hook))
  }

  mutating func noteRescue(_ rescued: RescuedJob, now: Duration) {
    tell(.rescued(rescued))
    guard let gaveUp = rescued.gaveUp else { return }
    tell(.gaveUp(rescued.id, kind: rescued.kind, attempt: gaveUp.attempts, DurableError.processDied.description))
    let hook = beginHook(of: rescued.id, rescued.kind, at: kinds[rescued.kind]?.location, now: now)
    emit(.didGiveUpInCrash(rescued, hook: hook))
  }

  /// - Returns: whether it begins.
  private mutating func start(_ job: ClaimedJob, now: Duration) -> Bool {
    guard doomed.remove(job.token) == nil else { return false }
    // Stopped, or the kind was unregistered, or what it needs was lost, while the store gave it out.
    guard phase == .running, let kind = kinds[job.kind], job.constraints.allSatisfy(satisfied.contains),
      job.damage == nil
    else {
      if job.damage != nil { unread[job.kind]?.note(job.id) }
      ends.append(
        PendingEnd(
          key: AttemptKey(job: job.id, token: job.token),
          end: job.damage.map { .held(.unreadable(JobText.kept($0))) } ?? .interrupted, kind: job.kind,
          queue: job.queue, attempt: job.attempt, failed: nil, refusable: nil))
      return false
    }
    attempts[job.token] = Attempt(job: job, started: now, location: kind.location)
    begun += 1
    allowance?.count -= 1
    queues[job.queue]?.running += 1
    stir(job.queue)
    runningOfKind[job.kind, default: 0] += 1
    tell(.started(job.id, kind: job.kind, attempt: job.attempt))
    return true
  }

  mutating func tryAgain() { isBackingOff = false }

  /// It has done something else that was asked of it, so it need not be waited any longer.
  mutating func storeWorked() { isBackingOff = false }

  /// From a tenth of a second, each time twice as long, up to half a minute.
  static func storeDelay(after failures: Int) -> Duration {
    min(.seconds(30), .milliseconds(100) * (1 << min(failures - 1, 10)))
  }
}
