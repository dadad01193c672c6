import Synchronization
import TaskKit

/// Who waits for workers: a job, a task of the center, or somebody else.
///
/// What counts is who waits for whom, not what was started from where: what a job begins and does not await waits for that
/// job like anybody else.
struct Asker: Sendable {
  /// The attempt whose body calls, where it is of the store that is asked: it would wait for itself.
  let attempt: AttemptToken?
  /// Whether a job calls, of whatever store of the center: two of them would wait for each other.
  let isJob: Bool
  /// The task's body: jobs may wait for it, now or later.
  let body: CallingBody?
  /// Whether a job calls, or a task for which one may wait.
  var mayBeInside: Bool { isJob || body != nil }

  /// Whoever calls.
  init(of engine: JobEngine) {
    let caller = engine.center?.callingWork as? RunningAttempt
    attempt = caller.flatMap { $0.engine === engine ? $0.job.token : nil }
    isJob = caller != nil
    body = engine.center?.callingBody
  }
}

extension RunningAttempt: CompanionWork {
  func beganToWait() { center.jobRuntime?.lookWhoWaits(since: self) }

  func lookWhoWaits() { center.jobRuntime?.lookWhoWaits() }
}

extension TaskCenter {
  var jobRuntime: JobRuntime? { companion(as: JobRuntime.self) }
}

extension JobRuntime {
  /// Something has begun to wait in the center.
  ///
  /// - Parameter beginner: the attempt that has, if it is one.
  func lookWhoWaits(since beginner: RunningAttempt? = nil) {
    for engine in engines { engine.lookWhoWaits(since: beginner) }
    lookWhoAwaitsStops()
  }
}

extension JobEngine {
  /// Whether a job calls, or a task for which one waits.
  var isAskedFromInside: Bool {
    let asker = Asker(of: self)
    guard !asker.isJob, let body = asker.body else { return asker.isJob }
    return center?.companionLook(for: [body])?.waiting[0].contains { $0 is RunningAttempt } == true
  }

  /// Something has begun to wait in the center, and attempts with it: those may go on who wait for these.
  ///
  /// - Parameter beginner: the attempt that has begun to, if it is one.
  func lookWhoWaits(since beginner: RunningAttempt?) {
    let obstacle = beginner.flatMap { attempt in
      attempt.engine === self ? JobMachine.Obstacle(token: attempt.job.token, work: ObjectIdentifier(attempt)) : nil
    }
    guard let question = machine.withLock({ $0.noteWait(of: obstacle) }) else { return }
    ask(question)
  }

  /// Asks the center who waits for whom, unless what is known to be in the way still is.
  func ask(_ question: WaitQuestion) {
    guard let center else { return }
    let bodies = question.bodies.map(\.body)
    if let suspects = question.suspects {
      guard center.isAny(of: suspects, waitingFor: bodies) else { return }
      machine.withLock { $0.forgetObstacles() }
    }
    guard let look = center.companionLook(for: bodies, ifAtLeast: question.least) else { return }
    var answer = WaitAnswer()
    for (waiter, works) in zip(question.bodies, look.waiting) where works.contains(where: { $0 is RunningAttempt }) {
      answer.inside.insert(waiter.number)
      answer.waiting.formUnion(attempts(among: works).map(\.job.token))
    }
    for attempt in attempts(among: look.waiting.flatMap(\.self) + look.others) {
      answer.works[attempt.job.token] = ObjectIdentifier(attempt)
    }
    receive { $0.answer(answer, to: question) }
  }

  /// Those of this store.
  private func attempts(among works: some Sequence<any CompanionWork>) -> [RunningAttempt] {
    works.compactMap { $0 as? RunningAttempt }.filter { $0.engine === self }
  }
}
