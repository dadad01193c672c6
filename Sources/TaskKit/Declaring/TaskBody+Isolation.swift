// Where the isolation of a `run` that a macro refers to becomes the case of a body.
//
// `nonisolated(unsafe)` and `unsafeBitCast` are sound here because the function is a reference to a static method: it
// captures nothing but its type, so it may be sent; and a value of an `@isolated(any)` type is called like any other
// function once its isolation is known, which is read first.

extension TaskBody {
  /// A synchronous function that takes and returns nothing: on no actor it is held as it is.
  static func synchronous(_ run: @escaping @isolated(any) () throws -> Void) -> TaskBody {
    let isolation = run.isolation
    if isolation == nil { return .plain(unsafeBitCast(run, to: (@Sendable () throws -> Void).self)) }
    if isolation is MainActor {
      let run = unsafeBitCast(run, to: (@MainActor @Sendable () throws -> Void).self)
      return .main { _ in try run() }
    }
    // On another global actor a synchronous function is called with a hop.
    nonisolated(unsafe) let run = run
    return .plainAsync { try await run() }
  }

  /// A synchronous function without a parameter.
  static func synchronous<Output: Sendable>(_ run: @escaping @isolated(any) () throws -> Output) -> TaskBody {
    let isolation = run.isolation
    if isolation == nil {
      let run = unsafeBitCast(run, to: (@Sendable () throws -> Output).self)
      return .framed { _ in try run() }
    }
    if isolation is MainActor {
      let run = unsafeBitCast(run, to: (@MainActor @Sendable () throws -> Output).self)
      return .main { _ in try run() }
    }
    nonisolated(unsafe) let run = run
    return .framedAsync { _ in try await run() }
  }

  /// A synchronous function whose parameter comes from the frame.
  static func synchronous<Input: Sendable, Output: Sendable>(
    _ run: @escaping @isolated(any) (Input) throws -> Output, _ input: @escaping @Sendable (TaskFrame) -> Input
  ) -> TaskBody {
    let isolation = run.isolation
    if isolation == nil {
      let run = unsafeBitCast(run, to: (@Sendable (Input) throws -> Output).self)
      return .framed { frame in try run(input(frame)) }
    }
    if isolation is MainActor {
      let run = unsafeBitCast(run, to: (@MainActor @Sendable (Input) throws -> Output).self)
      return .main { frame in try run(input(frame)) }
    }
    nonisolated(unsafe) let run = run
    return .framedAsync { frame in try await run(input(frame)) }
  }

  /// An asynchronous function that takes and returns nothing, on whatever actor.
  static func asynchronous(_ run: @escaping @concurrent () async throws -> Void) -> TaskBody {
    .plainAsync(unsafeBitCast(run, to: (@concurrent @Sendable () async throws -> Void).self))
  }

  /// An asynchronous function without a parameter.
  static func asynchronous<Output: Sendable>(_ run: @escaping @concurrent () async throws -> Output) -> TaskBody {
    nonisolated(unsafe) let run = run
    return .framedAsync { _ in try await run() }
  }

  /// An asynchronous function whose parameter comes from the frame.
  static func asynchronous<Input: Sendable, Output: Sendable>(
    _ run: @escaping @concurrent (Input) async throws -> Output, _ input: @escaping @Sendable (TaskFrame) -> Input
  ) -> TaskBody {
    nonisolated(unsafe) let run = run
    return .framedAsync { frame in try await run(input(frame)) }
  }
}
