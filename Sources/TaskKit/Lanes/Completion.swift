/// The one answer that a callback API owes.
///
/// The first of ``succeed(_:fileID:line:column:)``, ``fail(_:fileID:line:column:)``,
/// ``finish(with:fileID:line:column:)`` and ``cancel(fileID:line:column:)`` counts, from whatever thread it comes.
///
/// ```swift
/// let answer = try await withCompletion(of: Int.self, timeout: .seconds(30)) { completion in
///   alert.show { button in completion.succeed(button) }
/// }
/// ```
///
/// Nothing here crashes or hangs (B4, Bw6, Bw15). A second answer returns false and is reported with both places. A
/// token whose last copy is let go unanswered is reported too, and the wait for it fails with a ``CompletionError``. The
/// first answer that comes after the wait was cancelled, or after its time has passed, returns false and is nobody's
/// mistake.
public final class Completion<Output: Sendable>: Sendable {
  private let state: CompletionState<Output>

  init(_ state: CompletionState<Output>) {
    self.state = state
  }

  deinit {
    state.drop()
  }

  /// Where the token was made.
  public var location: TaskLocation { state.location }

  /// Answers with a value.
  /// - Returns: whether this answer counts.
  @discardableResult
  public func succeed(
    _ output: Output, fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) -> Bool {
    state.receive(.success(output), at: TaskLocation(fileID, line, column))
  }

  /// Answers with an error, which the wait throws.
  /// - Returns: whether this answer counts.
  @discardableResult
  public func fail(
    _ error: any Error, fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) -> Bool {
    state.receive(.failure(error), at: TaskLocation(fileID, line, column))
  }

  /// Answers for a body that threw.
  func fail(_ error: any Error, at place: TaskLocation) {
    _ = state.receive(.failure(error), at: place)
  }

  /// Answers that there will be no value: the wait throws a `CancellationError`.
  /// - Returns: whether this answer counts.
  @discardableResult
  public func cancel(fileID: String = #fileID, line: Int = #line, column: Int = #column) -> Bool {
    state.receive(.failure(CancellationError()), at: TaskLocation(fileID, line, column))
  }

  /// Answers with what many callbacks bring.
  /// - Returns: whether this answer counts.
  @discardableResult
  public func finish<Failure: Error>(
    with result: Result<Output, Failure>, fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) -> Bool {
    state.receive(result.mapError { $0 }, at: TaskLocation(fileID, line, column))
  }

  /// Calls the handler once if nobody waits for the answer any more, because the waiting task was cancelled or its time
  /// has passed; at once if that is so already (Bw1). The place to stop the work behind the callback.
  ///
  /// Several are called in the order in which they came, before the waiting task goes on, and never under a lock. An
  /// answer lets go of them. A handler that captures the token is a copy of it: cancel the work, not the token.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    state.add(.anywhere(handler))
  }

  /// The same for a handler of the main actor, as in `completion.onCancel { @MainActor in alert.dismiss() }`.
  ///
  /// One that comes too late is called at once on the main thread; elsewhere it follows when the main actor is free, or
  /// waits in ``TaskCenter/sendAndWait(_:_:deadline:)``, which calls handlers meanwhile.
  public func onCancel(
    _ handler: @escaping @MainActor @Sendable () -> Void, _: TaskOccasion.__MainActor = .isolated
  ) {
    state.add(.onMain(handler))
  }
}

extension Completion where Output == Void {
  /// Answers that the work is done.
  /// - Returns: whether this answer counts.
  @discardableResult
  public func succeed(fileID: String = #fileID, line: Int = #line, column: Int = #column) -> Bool {
    succeed((), fileID: fileID, line: line, column: column)
  }
}
