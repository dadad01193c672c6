/// What a task does, with its payload and output erased and its isolation kept.
///
/// The cases without a frame exist because a scheduler that runs empty bodies must not spend more on erasure than on
/// scheduling: they hold the user's function itself.
enum TaskBody: Sendable {
  case plain(@Sendable () throws -> Void)
  case plainAsync(@concurrent @Sendable () async throws -> Void)
  case framed(@Sendable (TaskFrame) throws -> any Sendable)
  case framedAsync(@concurrent @Sendable (TaskFrame) async throws -> any Sendable)
  case main(@MainActor @Sendable (TaskFrame) throws -> any Sendable)

  /// Where and how a body can be run.
  enum Form: UInt8, Sendable {
    /// Synchronous, on no actor: whoever schedules can run it inline.
    case synchronous
    /// Synchronous on the main actor.
    case main
    /// May suspend.
    case asynchronous
  }

  var form: Form {
    switch self {
    case .plain, .framed: .synchronous
    case .plainAsync, .framedAsync: .asynchronous
    case .main: .main
    }
  }
}
