// Where the isolation of a `run` that a macro refers to becomes the case of a body.
//
// `nonisolated(unsafe)` and `unsafeBitCast` are sound here because the function is a reference to a static method, which
// captures nothing but its type, or was `@Sendable` before (`TaskDefinition`): it may be sent. A value of an
// `@isolated(any)` type is called like any other function once its isolation is known, which is read first. The functions
// are cast as members of structs: a function that is itself the value of a generic parameter is called through a thunk
// for ever after.

private struct PlainAnywhere { let run: @isolated(any) () throws -> Void }
private struct PlainNowhere { let run: @Sendable () throws -> Void }
private struct PlainOnMain { let run: @MainActor @Sendable () throws -> Void }
private struct Anywhere<Output> { let run: @isolated(any) () throws -> Output }
private struct Nowhere<Output> { let run: @Sendable () throws -> Output }
private struct OnMain<Output> { let run: @MainActor @Sendable () throws -> Output }
private struct AnywhereWithInput<Input, Output> { let run: @isolated(any) (Input) throws -> Output }
private struct NowhereWithInput<Input, Output> { let run: @Sendable (Input) throws -> Output }
private struct OnMainWithInput<Input, Output> { let run: @MainActor @Sendable (Input) throws -> Output }
private struct Concurrent { let run: @concurrent () async throws -> Void }
private struct SentConcurrent { let run: @concurrent @Sendable () async throws -> Void }

extension TaskBody {
  /// A synchronous function that takes and returns nothing: on no actor it is held as it is.
  static func synchronous(_ run: @escaping @isolated(any) () throws -> Void) -> TaskBody {
    let isolation = run.isolation
    if isolation is MainActor {
      let run = unsafeBitCast(PlainAnywhere(run: run), to: PlainOnMain.self).run
      return .main { _ in try run() }
    }
    let run = unsafeBitCast(PlainAnywhere(run: run), to: PlainNowhere.self).run
    guard let isolation else { return .plain(run) }
    return .plainAsync { try await call(run, on: isolation) }
  }

  /// A synchronous function without a parameter.
  static func synchronous<Output: Sendable>(_ run: @escaping @isolated(any) () throws -> Output) -> TaskBody {
    let isolation = run.isolation
    if isolation is MainActor {
      let run = unsafeBitCast(Anywhere(run: run), to: OnMain<Output>.self).run
      return .main { _ in try run() }
    }
    let run = unsafeBitCast(Anywhere(run: run), to: Nowhere<Output>.self).run
    guard let isolation else { return .framed { _ in try run() } }
    return .framedAsync { _ in try await call(run, on: isolation) }
  }

  /// A synchronous function whose parameter comes from the frame.
  static func synchronous<Input: Sendable, Output: Sendable>(
    _ run: @escaping @isolated(any) (Input) throws -> Output, _ input: @escaping @Sendable (TaskFrame) -> Input
  ) -> TaskBody {
    let isolation = run.isolation
    if isolation is MainActor {
      let run = unsafeBitCast(AnywhereWithInput(run: run), to: OnMainWithInput<Input, Output>.self).run
      return .main { frame in try run(input(frame)) }
    }
    let run = unsafeBitCast(AnywhereWithInput(run: run), to: NowhereWithInput<Input, Output>.self).run
    guard let isolation else { return .framed { frame in try run(input(frame)) } }
    return .framedAsync { frame in
      let input = input(frame)
      return try await call({ try run(input) }, on: isolation)
    }
  }

  /// Calls a synchronous function on its actor.
  ///
  /// The hop may take its time where the actor is busy. What has been cancelled meanwhile never begins: it could not see that
  /// it comes too late, and in a shutdown what it uses may have been stopped by then.
  private static func call<Output: Sendable>(
    _ run: @Sendable () throws -> Output, on actor: isolated any Actor
  ) throws -> Output {
    try _Concurrency.Task.checkCancellation()
    return try run()
  }

  /// An asynchronous function that takes and returns nothing, on whatever actor.
  static func asynchronous(_ run: @escaping @concurrent () async throws -> Void) -> TaskBody {
    .plainAsync(unsafeBitCast(Concurrent(run: run), to: SentConcurrent.self).run)
  }

  /// An asynchronous function without a parameter.
  static func asynchronous<Output: Sendable>(_ run: @escaping @concurrent () async throws -> Output) -> TaskBody {
    // May be sent: see the head of this file.
    nonisolated(unsafe) let run = run
    return .framedAsync { _ in try await run() }
  }

  /// An asynchronous function whose parameter comes from the frame.
  static func asynchronous<Input: Sendable, Output: Sendable>(
    _ run: @escaping @concurrent (Input) async throws -> Output, _ input: @escaping @Sendable (TaskFrame) -> Input
  ) -> TaskBody {
    // May be sent: see the head of this file.
    nonisolated(unsafe) let run = run
    return .framedAsync { frame in try await run(input(frame)) }
  }
}
