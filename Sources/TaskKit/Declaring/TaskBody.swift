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

  /// The forms of several bodies.
  struct Forms: OptionSet, Sendable {
    let rawValue: UInt8
    static let synchronous = Forms(rawValue: 1)
    static let main = Forms(rawValue: 2)
    static let asynchronous = Forms(rawValue: 4)
  }

  var form: Form {
    switch self {
    case .plain, .framed: .synchronous
    case .plainAsync, .framedAsync: .asynchronous
    case .main: .main
    }
  }
}

extension TaskBody.Forms {
  @inline(__always)
  init(_ form: TaskBody.Form) {
    self =
      switch form {
      case .synchronous: .synchronous
      case .main: .main
      case .asynchronous: .asynchronous
      }
  }
}

extension TaskBody {
  /// The same body where a lane wants it: a synchronous one that names no actor runs on the lane's.
  func inside(_ lane: Lane?) -> TaskBody {
    guard lane?.isolation == .mainActor else { return self }
    return switch self {
    case .plain(let run): .main { _ in try run() }
    case .framed(let run): .main { frame in try run(frame) }
    case .plainAsync, .framedAsync, .main: self
    }
  }

  /// The same body, run only where a closure returns true.
  func enabled(if isEnabled: @escaping @Sendable () -> Bool) -> TaskBody {
    @Sendable func check() throws { guard isEnabled() else { throw TaskDisabled() } }
    return switch self {
    case .plain(let run):
      .plain {
        try check()
        try run()
      }
    case .plainAsync(let run):
      .plainAsync {
        try check()
        try await run()
      }
    case .framed(let run):
      .framed { frame in
        try check()
        return try run(frame)
      }
    case .framedAsync(let run):
      .framedAsync { frame in
        try check()
        return try await run(frame)
      }
    case .main(let run):
      .main { frame in
        try check()
        return try run(frame)
      }
    }
  }

  /// A closure that may suspend, begun where a lane wants it; one that names an actor goes there.
  static func asynchronous<Output: Sendable>(
    in lane: Lane?, _ run: @escaping @Sendable (TaskFrame) async throws -> Output
  ) -> TaskBody {
    guard lane?.isolation == .mainActor else { return .framedAsync { frame in try await run(frame) } }
    return .framedAsync { frame in try await onMain(run, frame) }
  }

  @MainActor
  private static func onMain<Output: Sendable>(
    _ run: @escaping @Sendable (TaskFrame) async throws -> Output, _ frame: TaskFrame
  ) async throws -> Output {
    // Swift 6.3 leaves out the hop of a function that does nothing else on its actor.
    MainActor.preconditionIsolated()
    // Behind the hop, as for a synchronous body of another actor: what is cancelled while it waits for that never begins.
    try _Concurrency.Task.checkCancellation()
    return try await run(frame)
  }
}
