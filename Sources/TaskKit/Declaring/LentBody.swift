/// The same as a ``TaskBody`` in a table that outlives each call of it.
///
/// It cannot be copied, so that it is called where it is: taking a function out of a table and calling it counts
/// references up and down, which is more than the call.
enum LentBody: ~Copyable, Sendable {
  case plain(@Sendable () throws -> Void)
  case plainAsync(@concurrent @Sendable () async throws -> Void)
  case framed(@Sendable (TaskFrame) throws -> any Sendable)
  case framedAsync(@concurrent @Sendable (TaskFrame) async throws -> any Sendable)
  case main(@MainActor @Sendable (TaskFrame) throws -> any Sendable)

  init(_ body: TaskBody) {
    self =
      switch body {
      case .plain(let run): .plain(run)
      case .plainAsync(let run): .plainAsync(run)
      case .framed(let run): .framed(run)
      case .framedAsync(let run): .framedAsync(run)
      case .main(let run): .main(run)
      }
  }
}
