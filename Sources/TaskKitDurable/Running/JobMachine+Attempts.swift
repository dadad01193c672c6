import Foundation
import TaskKit

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
    // It is that of an attempt that is going: written beside the end it would be gone with it.
    progress[token] = nil
    if attempt.cancellation == .lost {
      tell(.discarded(job.id, kind: job.kind, attempt: job.attempt))
      return emit(.changed)
    }
    let (end, failed) = end(of: attempt, result)
    ends.append(
      PendingEnd(
        key: AttemptKey(job: job.id, token: token), end: end, kind: job.kind, queue: job.queue, attempt: job.attempt,
        failed: failed, refusable: end.saysSomething ? job : nil))
  }

  /// Cancellation is no attempt, whatever the body makes of it; the deadline is one. What succeeded has succeeded (Zw3).
  private func end(of attempt: Attempt, _ result: AttemptResult) -> (JobExchange.End, FailedJob?) {
    // One that was stopped, or lost what it needs, and hung beyond its deadline, has had its attempt.
    let cancellation: Cancellation? = attempt.hasHadItsTime ? .deadline : attempt.cancellation
    switch (result, cancellation) {
    case (.succeeded(let data), _): return (.succeeded(result: data), nil)
    // It sees it otherwise than the monitor does: it is not run in a circle.
    case (.asked(let end), _) where end.isReleased(by: satisfied): return (.snoozed(.after(.seconds(10))), nil)
    case (.neverBegan, _), (.threw, .lost): return (.interrupted, nil)
    // It may mean the error that its cancellation has brought. What it means of its job it says in the next attempt as well.
    case (.threw, .stop), (.gaveUp, .stop), (.asked(.cancelled), .stop),
      (.threw, .constraintLost), (.gaveUp, .constraintLost), (.asked(.cancelled), .constraintLost):
      return (.interrupted, nil)
    case (.asked(let end), _): return (end, nil)
    case (.gaveUp(let text, let failed), _): return (.gaveUp(.error, text), failed)
    case (.threw(var text, let delay, var failed), _):
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
    attempts[token]!.hasHadItsTime = phase == .running
    queues[job.queue]?.running -= 1
    wakeQueues()
    emit(.tell(.overdue(job.id, kind: job.kind, attempt: job.attempt)))
    emit(.changed)
  }

  /// The process ends while the body of an attempt hangs beyond its deadline: that was an attempt.
  ///
  /// - Parameter delay: how long the job waits, as after any other failure.
  /// - Returns: false where it does not.
  mutating func endOverdue(_ token: AttemptToken, retryAfter delay: Duration) -> Bool {
    guard let attempt = attempts[token], attempt.hasHadItsTime, attempt.cancellation != .lost else { return false }
    let job = attempt.job
    let text = "its deadline of \(job.deadline ?? .zero) passed, and it had not returned when the process ended"
    let isLast = job.maximumAttempts.map { job.attempt >= $0 } ?? false
    ends.append(
      PendingEnd(
        key: AttemptKey(job: job.id, token: token),
        end: isLast ? .gaveUp(.deadline, text) : .failed(.deadline, text, retryAfter: delay), kind: job.kind,
        queue: job.queue, attempt: job.attempt, failed: nil, refusable: job))
    return true
  }

  /// Somebody has cancelled, deleted or replaced the job of an attempt.
  mutating func cancel(_ token: AttemptToken) {
    if attempts[token] == nil, inFlight != nil { doomed.insert(token) }
    if attempts[token]?.cancellation != nil { attempts[token]!.cancellation = .lost }
    cancel(token, because: .lost)
  }

  mutating func cancel(_ token: AttemptToken, because reason: Cancellation) {
    guard attempts[token] != nil, attempts[token]!.cancellation == nil else { return }
    attempts[token]!.cancellation = reason
    refuseNotes(of: token)
    if let task = attempts[token]!.task { emit(.cancel(task)) }
  }

  // MARK: - What it cannot read

  /// A type has the name of a kind from now on. What another one could not read it may.
  mutating func reads(_ kind: String, as type: ObjectIdentifier) {
    if unread[kind]?.type != type { unread[kind] = UnreadJobs(type: type) }
  }

  /// A type could not read a job. Where another one has the name of the kind meanwhile, that says nothing.
  ///
  /// - Parameter version: that of the payload, where it is to blame.
  mutating func cannotRead(_ job: JobID, version: Int?, of kind: String, as type: ObjectIdentifier) {
    guard unread[kind]?.type == type else { return }
    unread[kind]!.note(job)
    if let version { unread[kind]!.note(version: version) }
  }

  /// A job that is held as unreadable, of a version that the type reads which has its kind.
  typealias ReadableJob = (id: JobID, kind: String, type: ObjectIdentifier)

  /// Says which of them may be released.
  ///
  /// - Parameter now: on the center's continuous clock.
  /// - Returns: with them, after how long others may be; nil for never.
  mutating func releasable(of jobs: [ReadableJob], now: Duration) -> (jobs: [ReadableJob], next: Duration?) {
    for kind in unread.keys { unread[kind]!.forgetOld(now: now) }
    var next: Duration?
    var releasable: [ReadableJob] = []
    for job in jobs {
      guard let unread = unread[job.kind], unread.type == job.type else { continue }
      if unread.mayRelease(job.id, now: now, next: &next) { releasable.append(job) }
    }
    return (releasable, next)
  }

  /// They have been released.
  mutating func noteReleases(of jobs: [ReadableJob], now: Duration) {
    for job in jobs where unread[job.kind]?.type == job.type { unread[job.kind]!.noteRelease(of: job.id, now: now) }
  }

  // MARK: - Notes

  mutating func note(_ key: AttemptKey, _ note: JobExchange.Note, _ waiter: NoteWaiter) {
    guard let attempt = attempts[key.token], attempt.cancellation != .lost else {
      return emit(.answer(waiter, .refused))
    }
    // As for those that waited when it was cancelled: it is kept, and the body may end.
    if attempt.cancellation != nil, isBackingOff, let problem {
      notes.append(PendingNote(key: key, note: note, waiter: nil))
      return emit(.answer(waiter, .failed(problem)))
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

  // MARK: - What it needs

  mutating func setSatisfied(_ names: Set<String>, now: Duration) {
    let (lost, hasMore) = (satisfied.subtracting(names), !names.isSubset(of: satisfied))
    satisfied = names
    if hasMore { releaseHeld() }
    if !lost.isEmpty {
      for (token, attempt) in attempts.sorted(by: { $0.key < $1.key })
      where kinds[attempt.job.kind]?.cancelsWhenLost == true && !lost.isDisjoint(with: attempt.job.constraints)
        && attempt.job.constraintsFor.map({ now < attempt.started + $0 }) ?? true
      {
        cancel(token, because: .constraintLost)
      }
    }
    stirQueues()
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
