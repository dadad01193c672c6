import TaskKit

extension JobEngine {
  /// How long a job waits after an attempt that failed.
  func delay(of kind: DurableRegistration, after attempt: Int, _ error: any Error) -> Duration {
    max(.zero, kind.delay(attempt, error, center?.chance ?? 0))
  }

  /// Tells a kind that a job of it has given up.
  func callHook(_ number: UInt64, _ tell: @escaping @Sendable (TaskCenter) async -> Void) {
    guard let center else { return receive { $0.hooks[number] = nil } }
    // Ends with the hook, for which a stop waits until its deadline.
    _Concurrency.Task.detached {
      // It throws nothing.
      try? await center.carryOut(RunningHook(number: number, engine: self, center: center)) { await tell(center) }
      self.receive { $0.hooks[number] = nil }
    }
  }

  /// Tells the kind of a job whose last attempt has died with its process, if this program knows it.
  func tellKind(of rescued: RescuedJob, _ center: TaskCenter) async {
    guard let gaveUp = rescued.gaveUp, let kind = kinds[rescued.kind]?.registration else { return }
    let died = DurableError.processDied
    do {
      let job = try kind.load(gaveUp.payload)
      let failed = FailedJob(
        registration: kind, job: job, id: rescued.id, attempt: gaveUp.attempts, error: died, cause: .crash,
        text: died.description)
      await failed.tell(center)
    } catch {
      let failure = DurableFailure(
        id: rescued.id, attempts: gaveUp.attempts, cause: .crash,
        text: "\(died), and this build cannot read it: \(error)",
        error: died, center: center)
      await kind.didGiveUpUnreadable(gaveUp.payload, failure)
    }
  }

  /// Decides what becomes of attempts whose ends the store will never take: they have failed, and what they are told says
  /// so.
  func substitute(_ refused: [JobMachine.RefusedEnd]) {
    var substitutes: [JobMachine.PendingEnd] = []
    var lost: [JobMachine.RefusedEnd] = []
    for refused in refused {
      guard !refused.end.isSubstitute, let job = refused.end.refusable else {
        lost.append(refused)
        continue
      }
      let kind = kinds[job.kind]?.registration
      let error = DurableError.refusedByStore(job.id, of: job.kind, name, refused.error)
      let text = JobText.kept(error.description)
      var failed = refused.end.failed
      // It was read once, when the attempt began.
      if failed == nil, let kind, let value = try? kind.load(job.payload) {
        failed = FailedJob(
          registration: kind, job: value, id: job.id, attempt: job.attempt, error: error, text: text)
      }
      var hasGivenUp = job.maximumAttempts.map { job.attempt >= $0 } ?? false
      if case .gaveUp = refused.end.end { hasGivenUp = true }
      substitutes.append(
        JobMachine.PendingEnd(
          key: refused.end.key,
          end: hasGivenUp
            ? .gaveUp(.error, text)
            : .failed(.error, text, retryAfter: kind.map { delay(of: $0, after: job.attempt, error) } ?? .zero),
          kind: job.kind, queue: job.queue, attempt: job.attempt, failed: hasGivenUp ? failed : nil, refusable: nil,
          isSubstitute: true))
    }
    receive { [substitutes, lost] in $0.substitute(substitutes, lost: lost) }
  }
}
