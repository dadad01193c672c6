import Foundation
import Synchronization
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
/// When the system gives time, the workers run until nothing is left that could run now: they are started where the center
/// was not yet, and resumed where they were stopped in the background; of one store alone where it was asked for by
/// ``TaskKit/TaskCenter/jobs(in:)``. If the time is over before, they are stopped, with no attempt used; of several
/// times that are given at once when the last is over. Then time is asked for again, for what is left. To have the workers go on
/// in the foreground, also after such a stop, let them ``JobOperations/follow(_:in:by:)`` the app. What somebody has stopped
/// with ``JobOperations/stop(deadline:)`` stays stopped, and no further time is asked for.
public struct BackgroundJobs: Sendable {
  let operations: JobOperations
  let identifier: String
  let scheduler: any BackgroundScheduler
  let needsNetwork: Bool
  let needsPower: Bool
  let expiry: Duration

  /// Asks the system for time, if there is anything to do: at once where jobs could run, else when the first is due. What
  /// waits for somebody, a paused queue or kind, or a build that knows its kind or reads its payload, asks for none.
  ///
  /// A job whose constraints do not hold asks for time in a quarter of an hour, so that the system does not wake the program
  /// again and again for it; at once where the time comes with what it lacks, as with `needsNetwork`. One whose rate is used up
  /// asks for time when the next may start.
  ///
  /// Reads the jobs that are ready, up to one that could run; where none could, also those that are delayed or held. Several
  /// stores are read at the same time: what one of them keeps is asked for as soon as it has answered, and again where another
  /// one has something earlier, in the place of that.
  ///
  /// - Returns: whether there was anything, when each store has answered.
  /// - Throws: a ``JobStoreError``, or what the scheduler throws. Where one of several stores cannot be read, time is asked for
  ///   what the others keep before that is thrown.
  @discardableResult
  public func submit() async throws -> Bool { try await submit(for: operations.joined()) }

  /// - Parameter engines: whose jobs are to use it.
  @discardableResult
  private func submit(for engines: [JobEngine]) async throws -> Bool {
    try await withThrowingTaskGroup(of: (place: Int, use: Result<Date?, any Error>).self) { group in
      for (place, engine) in engines.enumerated() { group.addTask { (place, await firstUse(of: engine)) } }
      var first: Date?
      var problems: [Int: any Error] = [:]
      // One that cannot be asked, or does not answer, is no reason to give the others no time.
      for try await (place, use) in group {
        switch use {
        case .success(let use?) where first.map({ use < $0 && $0 > operations.runtime.now() }) ?? true:
          first = use
          try request(use)
        case .success: break
        case .failure(let problem): problems[place] = problem
        }
      }
      if let problem = problems.min(by: { $0.key < $1.key })?.value { throw problem }
      return first != nil
    }
  }

  private func request(_ use: Date) throws {
    let isNow = use <= operations.runtime.now()
    try scheduler.submit(
      BackgroundTimeRequest(
        identifier: identifier, earliest: isNow ? nil : use, needsNetwork: needsNetwork, needsPower: needsPower))
  }

  /// After how long it is looked again for constraints that do not hold.
  private static let patience: TimeInterval = 15 * 60

  private func firstUse(of engine: JobEngine) async -> Result<Date?, any Error> {
    do { return .success(try await earliestUse(of: engine)) } catch { return .failure(error) }
  }

  /// When what a store keeps could use time first, by the device's clock, on which the system gives it; nil for never.
  private func earliestUse(of engine: JobEngine) async throws -> Date? {
    try await engine.open()
    // What is paused in one store is not in another.
    let paused = Set(try await engine.store.pauses().map(\.subject))
    let kinds = operations.kinds
    // What is due is due by the clock of the store.
    let (now, ahead) = try await engine.time()
    var first: Date?
    func note(_ uses: some Sequence<Date>) {
      first = [first, uses.min().map { $0 - ahead }].compactMap(\.self).min()
    }
    let scheduled = kinds.filter { engine.keeps($0) && paused.isDisjoint(with: [.kind($0.kind), .queue($0.queue)]) }
    note(engine.watches.withLock { watches in scheduled.compactMap { watches.byKind[$0.kind]?.next } })
    let usedUp = try await engine.store.rates().filter { $0.free == 0 }
    func isNow() -> Bool { first.map { $0 <= now - ahead } ?? false }
    for states in Self.looks where !isNow() {
      let selection = JobSelection(kinds: kinds.map(\.kind), states: states)
      try await engine.forEachPart(of: selection, until: isNow) { part in
        note(part.lazy.filter { mayUse($0, paused) }.compactMap { use(of: $0, now, behind: usedUp) })
      }
    }
    return first
  }

  /// In which states jobs are looked for: the first look mostly finds some. The second one reads all states at once, since of
  /// two that were read one after the other a job might be in neither when that is read.
  private static let looks: [Set<JobState>] = [[.running, .ready], [.running, .ready, .delayed, .held]]

  /// Whether a job may use time, now or later.
  private func mayUse(_ job: JobSnapshot, _ paused: Set<PauseSubject>) -> Bool {
    switch job.state {
    // What runs goes on in a pause.
    case .running: true
    // Only constraints let go by themselves what is held.
    case .held where job.hold?.cause != .until: false
    default: isReadable(job) && paused.isDisjoint(with: job.pauseSubjects)
    }
  }

  /// Whether this build reads payloads of that version.
  private func isReadable(_ job: JobSnapshot) -> Bool {
    operations.runtime.kinds[job.kind]?.registration.versionProblem(job.payload.version) == nil
  }

  /// When a job could use time at the earliest, as far as anybody knows.
  private func use(of job: JobSnapshot, _ now: Date) -> Date {
    let due = job.state == .delayed ? job.due ?? now : now
    guard due <= now, job.state != .running, !comes(with: job.hold?.constraints ?? job.constraints) else { return due }
    let again = now + Self.patience
    // The end of what its kind requires lets nothing go that is held.
    guard job.hold == nil, let end = job.constraintsUntil else { return again }
    return max(now, min(end, again))
  }

  /// The same where some rates let none start now; nil for never.
  private func use(of job: JobSnapshot, _ now: Date, behind rates: [JobRate]) -> Date? {
    var first = use(of: job, now)
    guard job.state != .running else { return first }
    for rate in rates where rate.concerns(job) {
      // None ever may.
      guard let wait = rate.wait else { return nil }
      first = max(first, now + wait / .seconds(1))
    }
    return first
  }

  /// Whether constraints hold, or will when the system gives time.
  private func comes(with constraints: [String]) -> Bool {
    constraints.allSatisfy { name in
      operations.runtime.constraints.state(of: Constraint(name)) == .satisfied
        || (needsNetwork && name == Constraint.network.name) || (needsPower && name == Constraint.charging.name)
    }
  }

  /// Uses time that was given.
  func use(_ time: any BackgroundTime) async {
    // The system may have launched the program for it. What is in other stores was given no time.
    operations.runtime.start(operations.engines)
    // Before they are waked: a way into the background that comes in between would stop them.
    operations.beginGivenTime()
    let waking = operations.resumeFromBackground()
    guard operations.areRunning else {
      operations.endGivenTime()
      return time.complete(success: true)
    }
    // Ends when nothing is left to run, or is cancelled when the time is over.
    let work = _Concurrency.Task { await operations.idle() }
    let given = GivenTime(time)
    given.whenExpired {
      work.cancel()
      // Whatever the store does, which is asked what is left when the bodies have returned.
      operations.runtime.call(after: expiry + .seconds(1)) { given.giveBack(success: false) }
    }
    // Workers that somebody has stopped meanwhile have not done it.
    let isDone = await work.value && operations.areRunning
    operations.endGivenTime()
    if !isDone { await operations.stopInBackground(deadline: expiry, since: waking) }
    // Whose workers somebody has stopped would not use it.
    let engines = operations.engines.filter { !$0.inspect(\.phase.isStoppedBySomebody) }
    do { try await submit(for: engines) } catch {
      operations.runtime.events.send(JobEvent(kind: .backgroundTimeRefused("\(error)"), store: nil))
    }
    given.giveBack(success: isDone)
  }
}

extension JobOperations {
  /// Lets jobs run in time that the system gives in the background; see ``BackgroundJobs``.
  ///
  /// Called once for each identifier, before the launch is finished: Apple's systems end a program that registers later.
  ///
  /// - Parameters:
  ///   - identifier: under which the system knows it.
  ///   - scheduler: who gives the time.
  ///   - needsNetwork: whether to ask for time with a network only.
  ///   - needsPower: whether to ask for time on mains power only.
  ///   - expiry: how long bodies have to return when the time is over. A second later it is given back, whatever they and the
  ///     store do.
  /// - Throws: ``DurableError`` where the scheduler refuses the identifier: it is not permitted, or has somebody already.
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
