public import TaskKit

/// A kind of work that survives: its values are written down before they are promised, and run, also after a crash, until
/// they have succeeded or given up.
///
/// ```swift
/// @DurableTask(kind: "upload", requires: [.network], attempts: .unlimited)
/// struct Upload: Codable, Sendable {
///   var file: URL
///
///   func run(_ context: DurableContext) async throws {
///     try await context.once("send") { try await server.send(file, key: context.idempotencyKey) }
///   }
/// }
///
/// let id = try await center.enqueue(Upload(file: photo))
/// ```
///
/// The macro adds this conformance. A job runs at least once: a process may die after the work and before that is written
/// down. ``DurableContext/once(_:_:)->_`` and ``DurableContext/idempotencyKey`` are for what must not happen twice.
///
/// What is written down is the value as JSON. Its fields may change as `Codable` allows; for more than that see
/// ``payloadVersion``.
public protocol DurableTask: Codable, Sendable {
  /// What the annotation says, as a value.
  nonisolated static var registration: DurableRegistration { get }

  /// Which shape of the value this build writes; raise it when older ones can no longer be decoded.
  nonisolated static var payloadVersion: Int { get }

  /// How values of older shapes become today's. A job of a version that nothing leads from, or of a higher one, is held
  /// and reported, never dropped.
  nonisolated static var migrations: [PayloadMigration] { get }

  /// Called after it has been written down that a job has given up: its attempts are used up, or it said so itself.
  ///
  /// Where the last attempt ended with the death of its process it is called in the process that finds that, with the cause
  /// ``AttemptFailure/Cause/crash``, if that knows the kind. At most once for a job that gives up: not when the process dies
  /// at that moment. What has to follow for certain is better a job that is enqueued.
  ///
  /// Jobs do not wait for it. Only the shutdown of the center does, and a ``JobOperations/stop(deadline:)`` that has a deadline,
  /// each until its time is over: one that has not returned then is named among what is unfinished, and goes on. Nobody cancels it.
  /// It asks for the shutdown with `TaskCenter.shutDown(because:)`: one that awaits `TaskCenter.terminate(deadline:)` waits for
  /// itself until that time is over.
  nonisolated static func didGiveUp(_ job: Self, _ failure: DurableFailure) async

  /// The same for a job that cannot be read by the build that finds the death of its last attempt, because a later one has
  /// written it. Does nothing, unless a kind has its own.
  ///
  /// - Parameters:
  ///   - payload: the value as it is written down.
  ///   - failure: its text says why that cannot be read.
  nonisolated static func didGiveUp(unreadable payload: JobPayload, _ failure: DurableFailure) async
}

extension DurableTask {
  public nonisolated static var payloadVersion: Int { 1 }
  public nonisolated static var migrations: [PayloadMigration] { [] }
  public nonisolated static func didGiveUp(_ job: Self, _ failure: DurableFailure) async {}
  public nonisolated static func didGiveUp(unreadable payload: JobPayload, _ failure: DurableFailure) async {}

  /// For the macro's output only: a type that the build plugin collected has a member of this name of its own.
  @available(
    *, deprecated,
    message: """
      this kind of job is not collected into a registry: add plugins: [.plugin(name: "TaskKitPlugin", package: \
      "TaskKit")] to its target in Package.swift, or, in Xcode, TaskKitPlugin under Build Phases > Run Build Tool Plug-ins
      """
  )
  public nonisolated static var _isCollected: Void { () }
}

/// Why a job has given up.
public struct DurableFailure: Sendable {
  /// The job's.
  public let id: JobID
  /// How many attempts counted.
  public let attempts: Int
  /// What ended the last attempt.
  public let cause: AttemptFailure.Cause
  /// The error in words, as it is kept with the job.
  public let text: String
  /// What the last attempt threw; a ``DurableError`` where its process died.
  public let error: any Error
  /// The center that ran it.
  public let center: TaskCenter
}
