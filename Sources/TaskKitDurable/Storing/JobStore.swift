public import Foundation

/// Where jobs are kept: in memory, in an SQLite file, on a PostgreSQL server, or in a store of your own.
///
/// A store decides nothing about policy and runs no user code: it keeps what it is told, gives out what is runnable in the
/// order of the law, and makes sure that of several attempts only one counts. `JobStoreConformance` of
/// TaskKitDurableTesting proves a store against these rules:
///
/// 1. What a method has returned is as durable as ``NewJob/durability`` says; what it threw for has not happened, unless the
///    store itself was away at that moment and comes back: then what was written down is there, jobs that were given out are
///    so again, ends that are said again count as taken, and the next exchange tells the attempts that were cancelled.
/// 2. ``exchange(_:)`` is one transaction, and so is each call of every other method.
/// 3. A claim takes, per queue, ready jobs by major and minor priority, then fewer attempts, then the lower id, among
///    the kinds asked for, whose payload is of no version that is left to others, whose constraints hold or are past
///    ``NewJob/constraintsUntil``, whose key's limit is not reached, whose queue, kind and limit's key are not paused. The
///    attempt is counted and the token given before it returns.
/// 4. Whatever an attempt writes must carry the token of the job's latest attempt, or it is refused.
/// 5. The jobs of an owner whose process has died are found and given back without waiting for a time where that is
///    possible; the attempt counts as a crash.
/// 6. All times are of the store's own clock. What comes in is relative or a date, what goes out is relative.
public protocol JobStore: Sendable {
  /// What it is called in errors and reports: the path of its file, the address of its server.
  var name: String { get }

  /// Opens the store, creates or migrates what it consists of, becomes an owner, and gives back what dead owners held.
  ///
  /// Called before everything else, and not again once it has returned. After an error it is called again later: what
  /// has thrown has left nothing behind, but for an owner that counts as dead and holds nothing.
  func open(_ environment: StoreEnvironment) async throws -> StoreOpening

  /// What the store's own clock says, by which its dates are; nil where that is the clock of its ``StoreEnvironment``, as for
  /// a store that says nothing else.
  func now() async throws -> Date?

  /// Ends the owner: what it still holds goes back, uncounted. What is called afterwards throws
  /// ``JobStoreError/Reason/closed``, as calls may be on their way; closing again does nothing.
  ///
  /// A class that was never asked to open is not closed: it should hold nothing before.
  func close() async

  /// Writes jobs down, all or nothing.
  func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob]

  /// Takes what attempts have to say, and gives out others: one transaction.
  func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer

  /// - Returns: how many were changed, and which attempts have to be told.
  func change(_ selection: JobSelection, _ change: JobChange) async throws -> JobChangeAnswer

  /// The jobs in the order of their ids.
  ///
  /// - Parameters:
  ///   - selection: which are meant.
  ///   - after: the id after which to go on.
  ///   - limit: how many at most.
  func jobs(_ selection: JobSelection, after: JobID?, limit: Int) async throws -> [JobSnapshot]

  /// How many there are, by queue, kind and state. Does not read the jobs themselves.
  func counts() async throws -> [JobCount]

  /// How many ready jobs of the queue come before that one in the order of the law, without aging, whether or not they could
  /// start now. None where it runs or has ended.
  func countAhead(of job: JobID) async throws -> Int

  /// The stored result of a step of a job, where it is there.
  func step(_ name: String, of job: JobID) async throws -> Data?

  /// Stops giving out jobs of a queue, a kind or a limit's key, in all processes, until it is resumed (Z30). The slots of a
  /// kind's schedule that passed in its pause are past when it is resumed: its record's ``ScheduleRecord/latest`` is that
  /// time.
  func setPaused(_ paused: Bool, _ subject: PauseSubject, by: String) async throws
  /// Everything that is paused now, by whom and since when.
  func pauses() async throws -> [JobPause]

  /// Declares how often jobs of a queue may start.
  func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws

  /// Declares how often jobs with a ``KeyLimit`` of that key may start.
  func setRate(_ rate: RateLimit?, ofKey key: String) async throws

  /// The declared rates, and what is left of them now.
  func rates() async throws -> [JobRate]

  /// What is known of a durable schedule. One that is new to the store begins at that date, by the store's own clock, for
  /// everybody.
  ///
  /// Its ``ScheduleRecord/latest`` is not later than what that clock says: what a clock has written down that was ahead says
  /// nothing about what passes when it is right again.
  func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord

  /// The same for who only asks, with the latest of all that was written down: nil for a schedule that has not begun.
  func schedule(_ name: String) async throws -> ScheduleRecord?

  /// Deletes ended jobs whose retention has passed, and keys whose period has.
  ///
  /// - Parameter limit: how many jobs at most.
  /// - Returns: how long until a job can be deleted; zero where some are left now, and it should go on at once; nil for never.
  func sweep(limit: Int) async throws -> Duration?

  /// Something has changed that another process may have done: an element for each time it should be looked again.
  /// Ends when the store is closed. Elements may be coalesced, never lost.
  func changes() -> AsyncStream<Void>
}

/// What a store may leave out. Who asks for rates by key or for schedules is told so.
///
/// `JobStoreConformance` and `JobStoreComparison` ask for both. Without `setRate(_:ofKey:)`, `rates()` and both
/// `schedule` methods, the checks fail that are about rates of a key, about what `rates()` says and about schedules, and a
/// comparison ends at the first operation that needs one of them.
extension JobStore {
  public func now() async throws -> Date? { nil }

  public func setRate(_ rate: RateLimit?, ofKey key: String) async throws {
    throw JobStoreError(.invalid, store: name, detail: "this store knows no rates by key")
  }

  public func rates() async throws -> [JobRate] { [] }

  public func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    throw JobStoreError(.invalid, store: self.name, detail: "this store keeps no schedules")
  }

  public func schedule(_ name: String) async throws -> ScheduleRecord? {
    throw JobStoreError(.invalid, store: self.name, detail: "this store keeps no schedules")
  }
}
