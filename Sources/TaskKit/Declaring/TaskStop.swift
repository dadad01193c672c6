/// What a task undoes when its center shuts down: its `static func stop`, or the closure that a ``TaskDefinition`` is given by
/// `stopping`, with its isolation kept.
///
/// The public initialisers are for the macros' output only. They take `@isolated(any)` and `@concurrent` functions for the
/// reasons that ``TaskOccasion`` gives. The function may be sent: it is a reference to a static method, which captures
/// nothing but its type.
public struct TaskStop: Sendable {
  // As in `TaskBody`: what is known to be of the main actor is called as that, so that a thread which is there and waits for
  // the shutdown can call it.
  private struct Anywhere { let stop: @isolated(any) () throws -> Void }
  private struct OnMain { let stop: @MainActor @Sendable () throws -> Void }
  private struct AnywhereWithOutput<Output> { let stop: @isolated(any) (Output) throws -> Void }
  private struct OnMainWithOutput<Output> { let stop: @MainActor @Sendable (Output) throws -> Void }

  /// Takes the task's latest output, `()` where it has none.
  let run: @concurrent @Sendable (any Sendable) async throws -> Void

  public init(__stop stop: @escaping @isolated(any) () throws -> Void) {
    if stop.isolation is MainActor {
      let stop = unsafeBitCast(Anywhere(stop: stop), to: OnMain.self).stop
      run = { _ in try await MainActorWork.run(stop) }
      return
    }
    // May be sent: a static method.
    nonisolated(unsafe) let stop = stop
    run = { _ in try await stop() }
  }

  public init(__stop stop: @escaping @concurrent () async throws -> Void) {
    // May be sent: a static method.
    nonisolated(unsafe) let stop = stop
    run = { _ in try await stop() }
  }

  public init<Output: Sendable>(
    __stop stop: @escaping @isolated(any) (Output) throws -> Void, outputOf run: Output.Type
  ) {
    if stop.isolation is MainActor {
      let stop = unsafeBitCast(AnywhereWithOutput(stop: stop), to: OnMainWithOutput<Output>.self).stop
      self.run = { output in
        let output: Output = Self.typed(output)
        try await MainActorWork.run { try stop(output) }
      }
      return
    }
    // May be sent: a static method.
    nonisolated(unsafe) let stop = stop
    self.run = { try await stop(Self.typed($0)) }
  }

  public init<Output: Sendable>(
    __stop stop: @escaping @concurrent (Output) async throws -> Void, outputOf run: Output.Type
  ) {
    // May be sent: a static method.
    nonisolated(unsafe) let stop = stop
    self.run = { try await stop(Self.typed($0)) }
  }

  @available(*, unavailable, message: "'stop' has to take what 'run' returns, or nothing")
  @_disfavoredOverload
  public init<Output, Other>(
    __stop stop: @escaping @concurrent (Other) async throws -> Void, outputOf run: Output.Type
  ) {
    // Unavailable: no program that compiles gets here.
    fatalError()
  }

  init(_ stop: @escaping @Sendable () async throws -> Void) {
    run = { _ in try await stop() }
  }

  init(onMain stop: @escaping @MainActor @Sendable () throws -> Void) {
    run = { _ in try await MainActorWork.run(stop) }
  }

  /// - Parameter name: of the task, for the error where it returned something else.
  init<Output: Sendable>(of name: TaskName, _ stop: @escaping @Sendable (Output) async throws -> Void) {
    run = { try await stop(Self.output($0, of: name)) }
  }

  /// - Parameter name: of the task, for the error where it returned something else.
  init<Output: Sendable>(of name: TaskName, onMain stop: @escaping @MainActor @Sendable (Output) throws -> Void) {
    run = { output in
      let output: Output = try Self.output(output, of: name)
      try await MainActorWork.run { try stop(output) }
    }
  }

  private static func output<Output: Sendable>(_ output: any Sendable, of name: TaskName) throws -> Output {
    guard let output = output as? Output else {
      throw TaskError.missingOutput(of: name, because: "it returned \(type(of: output)), not \(Output.self)")
    }
    return output
  }

  private static func typed<Output: Sendable>(_ output: any Sendable) -> Output {
    guard let typed = output as? Output else {
      // The compiler has compared the two where the macro wrote them.
      preconditionFailure("a task was stopped with another output than \(Output.self)")
    }
    return typed
  }
}
