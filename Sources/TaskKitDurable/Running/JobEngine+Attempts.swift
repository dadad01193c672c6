import Foundation
import Synchronization
import TaskKit

extension JobEngine {
  /// How many attempts begin beside each other. Asked once: Linux reads files for it.
  private static let places = ProcessInfo.processInfo.activeProcessorCount

  /// Begins attempts. As many places as there are processors take them one after the other, and each attempt stays where
  /// it was taken until its body waits for something: a task that is handed to the system's queue costs more than most
  /// short bodies.
  func start(_ jobs: [ClaimedJob]) {
    var attempts: [RunningAttempt] = []
    attempts.reserveCapacity(jobs.count)
    let (center, identity) = (center, identity.withLock { $0 })
    for job in jobs {
      guard let center, let identity, let kind = kinds[job.kind] else {
        receive { $0.ended(job.token, .neverBegan) }
        continue
      }
      attempts.append(RunningAttempt(job: job, kind: kind, engine: self, center: center, storeIdentity: identity))
    }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), attempts.count > 1 else {
      for attempt in attempts {
        // Ends with the body, which is cancelled by a stop, the deadline or whoever cancels the job. It keeps the center.
        let task = _Concurrency.Task.detached { await self.run(attempt) }
        receive { $0.attach(task, to: attempt.job.token) }
      }
      return
    }
    let line = AttemptLine(attempts)
    for _ in 0..<min(attempts.count, Self.places) {
      // Ends when all have begun.
      _Concurrency.Task.detached { while let attempt = line.next() { self.startHere(attempt) } }
    }
  }

  /// Runs an attempt on this thread until it waits for something.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func startHere(_ attempt: RunningAttempt) {
    // The same as above.
    let task = _Concurrency.Task.immediateDetached { await self.run(attempt) }
    if !attempt.hasEnded.load(ordering: .acquiring) { receive { $0.attach(task, to: attempt.job.token) } }
  }

  private func run(_ attempt: RunningAttempt) async {
    let token = attempt.job.token
    // Whoever cancelled it before it began had no task to tell.
    if isCancelled(token) { withUnsafeCurrentTask { $0?.cancel() } }
    let result: AttemptResult
    do {
      let value = try attempt.kind.registration.load(attempt.job.payload)
      let deadline = attempt.job.deadline.flatMap { delay in
        call(after: delay) { $0.receive { $0.deadlinePassed(token) } }
      }
      result = await run(value, attempt)
      deadline?.cancel()
    } catch { result = .asked(.held(.unreadable(JobText.kept("\(error)")))) }
    attempt.hasEnded.store(true, ordering: .releasing)
    receive { $0.ended(token, result) }
  }

  private func run(_ value: any DurableTask, _ attempt: RunningAttempt) async -> AttemptResult {
    func failed(_ error: any Error) -> FailedJob {
      let job = attempt.job
      return FailedJob(
        registration: attempt.kind.registration, job: value, id: job.id, attempt: job.attempt, error: error,
        text: JobText.kept("\(error)"))
    }
    do {
      let output = try await RunningAttempt.$current.withValue(attempt) {
        try await attempt.kind.registration.run(value, DurableContext(attemptState: attempt))
      }
      return .succeeded(output)
    } catch AttemptRequest.end(let end) {
      return .asked(end)
    } catch AttemptRequest.giveUp(let error) {
      let failed = failed(error)
      return .gaveUp(text: failed.text, failed)
    } catch {
      let failed = failed(error)
      let delay = delay(of: attempt.kind.registration, after: attempt.job.attempt, error)
      return .threw(text: failed.text, delay: delay, failed)
    }
  }
}

/// Attempts that have not begun, in their order.
private final class AttemptLine: Sendable {
  private let attempts: [RunningAttempt]
  private let taken = Atomic(0)

  init(_ attempts: [RunningAttempt]) { self.attempts = attempts }

  /// The next one that nobody has taken.
  func next() -> RunningAttempt? {
    let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return place < attempts.count ? attempts[place] : nil
  }
}
