import Foundation
import TaskKit

/// Jobs in the time that the system gives in the background (Z43).
///
/// ```swift
/// // Before the launch is finished; the identifier stands in Info.plist under BGTaskSchedulerPermittedIdentifiers.
/// let background = try center.jobs.inBackground("org.example.jobs", by: SystemBackgroundScheduler())
/// // When the app leaves the foreground:
/// try await background.submit()
/// ```
///
/// When the system gives time, the workers are resumed and run until nothing is left that could run now. If the time is over
/// before, they are stopped, with no attempt used. Then time is asked for again, for what is left. To have the workers go
/// on in the foreground, also after such a stop, let them ``JobOperations/follow(_:in:)`` the app.
public struct BackgroundJobs: Sendable {
  let operations: JobOperations
  let identifier: String
  let scheduler: any BackgroundScheduler
  let needsNetwork: Bool
  let needsPower: Bool
  let expiry: Duration

  /// Asks the system for time, if there is anything to do: at once where jobs are ready, else when the first is due. What
  /// waits for somebody, or for a kind that this build does not know, asks for none.
  ///
  /// Reads the jobs that are delayed.
  ///
  /// - Returns: whether there was anything.
  /// - Throws: a ``JobStoreError``, or what the scheduler throws.
  @discardableResult
  public func submit() async throws -> Bool {
    let kinds = operations.kinds.map(\.kind)
    var earliest: Date?
    if try await operations.count(where: JobSelection(kinds: kinds, states: [.ready, .running])) == 0 {
      let delayed = try await operations.all(where: JobSelection(kinds: kinds, states: [.delayed])).compactMap(\.due)
      guard let first = try await (delayed + operations.schedules().compactMap(\.next)).min() else { return false }
      earliest = first
    }
    try scheduler.submit(
      BackgroundTimeRequest(
        identifier: identifier, earliest: earliest, needsNetwork: needsNetwork, needsPower: needsPower))
    return true
  }

  /// Uses time that was given.
  func use(_ time: any BackgroundTime) async {
    operations.resume()
    // Ends when nothing is left to run, or is cancelled when the time is over.
    let work = _Concurrency.Task { await operations.idle() }
    time.whenExpired { work.cancel() }
    let isDone = await work.value
    if !isDone { await operations.stop(deadline: expiry) }
    do { try await submit() } catch {
      operations.runtime.events.send(JobEvent(kind: .backgroundTimeRefused("\(error)"), store: nil))
    }
    time.complete(success: isDone)
  }
}

extension JobOperations {
  /// Lets jobs run in time that the system gives in the background; see ``BackgroundJobs``.
  ///
  /// - Parameters:
  ///   - identifier: under which the system knows it.
  ///   - scheduler: who gives the time.
  ///   - needsNetwork: whether to ask for time with a network only.
  ///   - needsPower: whether to ask for time on mains power only.
  ///   - expiry: how long bodies have to return when the time is over.
  /// - Throws: ``DurableError`` where the scheduler refuses the identifier.
  public func inBackground(
    _ identifier: String, by scheduler: some BackgroundScheduler, needsNetwork: Bool = false, needsPower: Bool = false,
    expiry: Duration = .seconds(2)
  ) throws -> BackgroundJobs {
    let jobs = BackgroundJobs(
      operations: self, identifier: identifier, scheduler: scheduler, needsNetwork: needsNetwork,
      needsPower: needsPower, expiry: expiry)
    let isRegistered = scheduler.register(identifier) { time in
      // Ends when the time is given back.
      _Concurrency.Task { await jobs.use(time) }
    }
    guard isRegistered else { throw DurableError.refusedInBackground(identifier) }
    return jobs
  }
}
