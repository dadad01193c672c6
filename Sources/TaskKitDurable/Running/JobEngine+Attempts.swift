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
    guard let center, let identity = inspect(\.identity) else {
      return receive { for job in jobs { $0.ended(job.token, .neverBegan) } }
    }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), jobs.count > 1 else {
      for job in jobs {
        guard let attempt = attempt(job, center, identity) else { continue }
        // Ends with the body, which is cancelled by a stop, the deadline or whoever cancels the job. It keeps the center.
        let task = _Concurrency.Task.detached { await self.run(attempt) }
        receive { $0.attach(task, to: job.token) }
      }
      return
    }
    let line = ClaimedLine(jobs)
    for _ in 0..<min(jobs.count, Self.places) {
      // Ends when all have begun.
      _Concurrency.Task.detached { await self.begin(line, center, identity) }
    }
  }

  /// Begins attempts of a line until none is left.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func begin(_ line: ClaimedLine, _ center: TaskCenter, _ identity: UUID) async {
    var since = center.continuousTime
    while let job = line.next() {
      guard let attempt = attempt(job, center, identity) else { continue }
      startHere(attempt)
      // Bodies that return at once are written down together, as a commit has a price of its own. Where they take longer than it, they
      // must not keep all threads from those who would write down what has ended: a crash would do it again.
      guard center.continuousTime - since > writingTime.withLock(\.self) else { continue }
      await _Concurrency.Task.yield()
      since = center.continuousTime
    }
  }

  /// - Returns: nil where the kind was forgotten meanwhile.
  private func attempt(_ job: ClaimedJob, _ center: TaskCenter, _ identity: UUID) -> RunningAttempt? {
    guard let kind = kinds[job.kind] else {
      receive { $0.ended(job.token, .neverBegan) }
      return nil
    }
    return RunningAttempt(job: job, kind: kind, engine: self, center: center, storeIdentity: identity)
  }

  /// Runs an attempt on this thread until it waits for something.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func startHere(_ attempt: RunningAttempt) {
    // The same as above.
    let task = _Concurrency.Task.immediateDetached { await self.run(attempt) }
    if !attempt.hasEnded.load(ordering: .acquiring) { receive { $0.attach(task, to: attempt.job.token) } }
  }

  private func run(_ attempt: RunningAttempt) async {
    let result = await result(of: attempt)
    attempt.hasEnded.store(true, ordering: .releasing)
    receive { $0.ended(attempt.job.token, result) }
  }

  private func result(of attempt: RunningAttempt) async -> AttemptResult {
    let token = attempt.job.token
    // Whoever cancelled it by now had no task to tell.
    guard !isCancelled(token) else { return .neverBegan }
    let value: any DurableTask
    do { value = try attempt.kind.registration.load(attempt.job.payload) } catch {
      let (kind, version) = (attempt.kind.registration, attempt.job.payload.version)
      let isOther = kind.versionProblem(version) != nil
      receive { $0.cannotRead(attempt.job.id, version: isOther ? version : nil, of: kind.kind, as: kind.type) }
      return .asked(.held(.unreadable(JobText.kept("\(error)"))))
    }
    let deadline = attempt.job.deadline.flatMap { delay in
      call(after: delay) { $0.receive { $0.deadlinePassed(token) } }
    }
    defer { deadline?.cancel() }
    return await run(value, attempt)
  }

  private func run(_ value: any DurableTask, _ attempt: RunningAttempt) async -> AttemptResult {
    func failed(_ error: any Error) -> FailedJob {
      let job = attempt.job
      return FailedJob(
        registration: attempt.kind.registration, job: value, id: job.id, attempt: job.attempt, error: error,
        text: JobText.kept("\(error)"))
    }
    do {
      let output = try await attempt.center.carryOut(attempt) {
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

/// Jobs whose attempts have not begun, in their order.
private final class ClaimedLine: Sendable {
  private let jobs: [ClaimedJob]
  private let taken = Atomic(0)

  init(_ jobs: [ClaimedJob]) { self.jobs = jobs }

  /// The next one that nobody has taken.
  func next() -> ClaimedJob? {
    let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return place < jobs.count ? jobs[place] : nil
  }
}
