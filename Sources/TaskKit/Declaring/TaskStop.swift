/// What a task undoes when its center shuts down: its `static func stop`, with its isolation kept, or the closure that a
/// definition is given (``TaskDefinition/stopping(_:)-(()->Void)``).
///
/// The public initialisers are for the macros' output only. They take `@isolated(any)` and `@concurrent` functions for the
/// reasons that ``TaskOccasion`` gives. The function may be sent: it is a reference to a static method, which captures
/// nothing but its type.
public struct TaskStop: Sendable {
  /// Takes the task's latest output, `()` where it has none.
  let run: @concurrent @Sendable (any Sendable) async throws -> Void

  public init(__stop stop: @escaping @isolated(any) () throws -> Void) {
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

  /// - Parameter name: of the task, for the error where it returned something else.
  init<Output: Sendable>(of name: TaskName, _ stop: @escaping @Sendable (Output) async throws -> Void) {
    run = { output in
      guard let output = output as? Output else {
        throw TaskError.missingOutput(of: name, because: "it returned \(type(of: output)), not \(Output.self)")
      }
      try await stop(output)
    }
  }

  private static func typed<Output: Sendable>(_ output: any Sendable) -> Output {
    guard let typed = output as? Output else {
      // The compiler has compared the two where the macro wrote them.
      preconditionFailure("a task was stopped with another output than \(Output.self)")
    }
    return typed
  }
}
