import Foundation
import TaskKit

/// What a body came to.
enum AttemptResult: Sendable {
  case succeeded(Data?)
  /// It threw; with the delay that its kind wants before the next attempt.
  case threw(text: String, delay: Duration, FailedJob)
  /// It asked for another time, or to be held.
  case asked(JobExchange.End)
  /// It asked for no further attempt.
  case gaveUp(text: String, FailedJob)
  /// It never began: the center has gone.
  case neverBegan
}

/// A job that may have to be told that it gave up.
struct FailedJob: Sendable {
  let registration: DurableRegistration
  let job: any DurableTask
  let id: JobID
  let attempt: Int
  let error: any Error
  var cause = AttemptFailure.Cause.error
  var text: String

  func tell(_ center: TaskCenter) async {
    await registration.didGiveUp(
      job, DurableFailure(id: id, attempts: attempt, cause: cause, text: text, error: error, center: center))
  }
}

/// What has become of a note.
enum NoteAnswer: Sendable {
  case written
  /// Another attempt holds the job, or nobody.
  case refused
  case failed(any Error)
}

typealias NoteWaiter = CheckedContinuation<NoteAnswer, Never>

extension JobMachine {
  /// The task of an attempt, to cancel it with.
  mutating func attach(_ task: _Concurrency.Task<Void, Never>, to token: AttemptToken) {
    // Given back meanwhile, by the end of the center: what has begun here may run elsewhere by now.
    guard attempts[token] != nil else { return emit(.cancel(task)) }
    attempts[token]!.task = task
    if attempts[token]!.cancellation != nil { emit(.cancel(task)) }
  }

  /// A body has returned: its worker is free at once, and what it came to goes with the next exchange.
  mutating func ended(_ token: AttemptToken, _ result: AttemptResult) {
    guard let attempt = attempts.removeValue(forKey: token) else { return }
    let job = attempt.job
    if !attempt.isOverdue { queues[job.queue]?.running -= 1 }
    runningOfKind[job.kind]! -= 1
    if runningOfKind[job.kind] == 0 { runningOfKind[job.kind] = nil }
    wakeQueues()
    let last = progress.removeValue(forKey: token)
    if attempt.cancellation == .lost {
      tell(.discarded(job.id, kind: job.kind, attempt: job.attempt))
      return emit(.changed)
    }
    let key = AttemptKey(job: job.id, token: token)
    if let last { notes.append(PendingNote(key: key, note: .progress(last.value), waiter: nil)) }
    let (end, failed) = end(of: attempt, result)
    ends.append(
      PendingEnd(
        key: key, end: end, kind: job.kind, attempt: job.attempt, failed: failed,
        refusable: end.saysSomething ? job : nil))
  }

  /// Cancellation is no attempt, whatever the body makes of it; the deadline is one. What succeeded has succeeded (Zw3).
  private func end(of attempt: Attempt, _ result: AttemptResult) -> (JobExchange.End, FailedJob?) {
    switch (result, attempt.cancellation) {
    case (.succeeded(let data), _): return (.succeeded(result: data), nil)
    // It sees it otherwise than the monitor does: it is not run in a circle.
    case (.asked(let end), _) where end.isReleased(by: satisfied): return (.snoozed(.after(.seconds(10))), nil)
    case (.asked(let end), _): return (end, nil)
    case (.gaveUp(let text, let failed), _): return (.gaveUp(.error, text), failed)
    case (.neverBegan, _), (.threw, .stop), (.threw, .constraintLost), (.threw, .lost): return (.interrupted, nil)
    case (.threw(var text, let delay, var failed), let cancellation):
      if cancellation == .deadline, let deadline = attempt.job.deadline {
        text = "its deadline of \(deadline) passed: \(text)"
        (failed.cause, failed.text) = (.deadline, text)
      }
      if let maximum = attempt.job.maximumAttempts, attempt.job.attempt >= maximum {
        return (.gaveUp(failed.cause, text), failed)
      }
      return (.failed(failed.cause, text, retryAfter: delay), nil)
    }
  }

  /// The attempt is cancelled, and its worker is free at once: a body that does not return holds up nothing but what must
  /// not run beside it, its own job and those of its kind's and its key's limits.
  mutating func deadlinePassed(_ token: AttemptToken) {
    guard let job = attempts[token]?.job else { return }
    cancel(token, because: .deadline)
    attempts[token]!.isOverdue = true
    queues[job.queue]?.running -= 1
    wakeQueues()
    emit(.tell(.overdue(job.id, kind: job.kind, attempt: job.attempt)))
    emit(.changed)
  }

  /// Somebody has cancelled, deleted or replaced the job of an attempt.
  mutating func cancel(_ token: AttemptToken) {
    if attempts[token] == nil, inFlight != nil { doomed.insert(token) }
    if attempts[token]?.cancellation != nil { attempts[token]!.cancellation = .lost }
    cancel(token, because: .lost)
  }

  private mutating func cancel(_ token: AttemptToken, because reason: Cancellation) {
    guard attempts[token] != nil, attempts[token]!.cancellation == nil else { return }
    attempts[token]!.cancellation = reason
    refuseNotes(of: token)
    if let task = attempts[token]!.task { emit(.cancel(task)) }
  }

  // MARK: - Notes

  mutating func note(_ key: AttemptKey, _ note: JobExchange.Note, _ waiter: NoteWaiter) {
    guard let attempt = attempts[key.token], attempt.cancellation != .lost else {
      return emit(.answer(waiter, .refused))
    }
    notes.append(PendingNote(key: key, note: note, waiter: waiter))
  }

  /// The latest counts, and goes with the next exchange, or by itself after a second.
  mutating func progress(_ key: AttemptKey, _ value: JobProgress) {
    guard let attempt = attempts[key.token], attempt.cancellation != .lost else { return }
    progress[key.token] = (key, value)
    guard !isProgressTimed else { return }
    isProgressTimed = true
    emit(.flushProgress)
  }

  mutating func flushProgress() {
    isProgressTimed = false
    mustFlushProgress = !progress.isEmpty
  }

  // MARK: - From outside

  mutating func start() {
    switch phase {
    case .waiting:
      phase = .running
      wakeQueues()
    case .running, .stopping, .stopped, .closing, .closed: break
    }
  }

  mutating func resume() {
    switch phase {
    case .waiting, .stopped:
      phase = .running
      wakeQueues()
    case .stopping: resumesAfterStop = true
    case .running, .closing, .closed: break
    }
  }

  /// Nothing begins any more; what is going is cancelled.
  mutating func stop() {
    switch phase {
    case .waiting, .running, .stopped:
      phase = .stopping
      resumesAfterStop = false
      for token in attempts.keys.sorted() { cancel(token, because: .stop) }
    case .stopping: resumesAfterStop = false
    case .closing, .closed: break
    }
  }

  /// - Parameter own: the attempt that asks, where it is one.
  /// - Returns: whether there is nothing to wait for.
  mutating func awaitStop(
    _ number: UInt64, _ waiter: CheckedContinuation<Void, Never>, from own: AttemptToken?
  ) -> Bool {
    guard phase == .stopping else { return true }
    guard expiredWaiters.remove(number) == nil else {
      if stopWaiters.isEmpty { endStop() }
      return true
    }
    stopWaiters[number] = Waiter(continuation: waiter, own: own)
    return false
  }

  /// The deadline of a stop has passed: whoever waits for it goes on. When nobody waits any more, the stop is over, and
  /// bodies that ignore their cancellation go on as well.
  mutating func giveUpStop(_ number: UInt64) {
    guard let waiter = stopWaiters.removeValue(forKey: number) else {
      expiredWaiters.insert(number)
      return
    }
    emit(.resume(waiter.continuation))
    if stopWaiters.isEmpty { endStop() }
  }

  /// - Returns: the answer; nil if it comes later.
  mutating func awaitIdle(
    _ number: UInt64, _ waiter: CheckedContinuation<Bool, Never>, from own: AttemptToken?
  ) -> Bool? {
    if isIdle { return true }
    // After a shutdown nothing becomes of what is left.
    if expiredWaiters.remove(number) != nil || phase == .closing || phase == .closed { return false }
    idleWaiters[number] = Waiter(continuation: waiter, own: own)
    return nil
  }

  mutating func giveUpIdle(_ number: UInt64) {
    if let waiter = idleWaiters.removeValue(forKey: number) {
      emit(.tellIdle(waiter.continuation, false))
    } else {
      expiredWaiters.insert(number)
    }
  }

  mutating func close() {
    guard phase != .closed, phase != .closing else { return }
    if phase == .stopping { endStop() }
    defer {
      for waiter in idleWaiters.values { emit(.tellIdle(waiter.continuation, isIdle)) }
      idleWaiters = [:]
    }
    guard opening == .done else {
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
      cancel(token)
      attempts[token] = nil
    }
    runningOfKind = [:]
  }

  mutating func setSatisfied(_ names: Set<String>) {
    let (lost, hasMore) = (satisfied.subtracting(names), !names.isSubset(of: satisfied))
    satisfied = names
    if hasMore { emit(.releaseHeld(names)) }
    if !lost.isEmpty {
      for (token, attempt) in attempts.sorted(by: { $0.key < $1.key })
      where kinds[attempt.job.kind]?.cancelsWhenLost == true && !lost.isDisjoint(with: attempt.job.constraints) {
        cancel(token, because: .constraintLost)
      }
    }
    wakeQueues()
  }
}

extension JobExchange.End {
  /// Whether there is anything in it that a store may refuse.
  var saysSomething: Bool {
    switch self {
    case .succeeded(let result): result != nil
    case .failed, .gaveUp, .held: true
    case .interrupted, .snoozed, .cancelled: false
    }
  }

  /// Whether it holds a job until constraints hold that do so.
  func isReleased(by satisfied: Set<String>) -> Bool {
    if case .held(.until(let constraints, _)) = self { satisfied.isSuperset(of: constraints) } else { false }
  }
}
