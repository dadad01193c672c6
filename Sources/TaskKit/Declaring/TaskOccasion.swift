/// One event at which a task runs, with what it does there. Made by the macros and by ``TaskDefinition``.
///
/// The initialisers whose labels start with two underscores are for the macros' output only. Which of them is meant
/// says the label (does `run` take a payload or a context, does it return something); which isolation, the type of
/// the function: a synchronous one on the main actor, a synchronous one on no actor, an asynchronous one on any.
public struct TaskOccasion: Sendable {
  let event: EventDescription
  let body: TaskBody

  init(event: EventDescription, body: TaskBody) {
    self.event = event
    self.body = body
  }

  /// Makes two initialisers of one isolation each distinct declarations: overloads that differ in the isolation of
  /// a closure alone are one declaration to the compiler.
  public enum __MainActor: Sendable {
    case isolated
  }
}

// MARK: - run()

extension TaskOccasion {
  public init<P, R>(_ event: LifecycleEvent<P, R>, __run run: @escaping @Sendable () throws -> Void) {
    self.init(event: EventDescription(event), body: .plain(run))
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __run run: @escaping @MainActor @Sendable () throws -> Void,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { _ in try run() })
  }

  public init<P, R>(_ event: LifecycleEvent<P, R>, __run run: @escaping @Sendable () async throws -> Void) {
    self.init(event: EventDescription(event), body: .plainAsync(run))
  }
}

// MARK: - run(_ payload)

extension TaskOccasion {
  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithPayload run: @escaping @Sendable (P) throws -> Void
  ) {
    self.init(event: EventDescription(event), body: .framed { frame in try run(frame.typedPayload()) })
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithPayload run: @escaping @MainActor @Sendable (P) throws -> Void,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { frame in try run(frame.typedPayload()) })
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithPayload run: @escaping @Sendable (P) async throws -> Void
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { frame in try await run(frame.typedPayload()) })
  }
}

// MARK: - run(_ context)

extension TaskOccasion {
  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithContext run: @escaping @Sendable (TaskContext<P>) throws -> Void
  ) {
    self.init(event: EventDescription(event), body: .framed { frame in try run(frame.context()) })
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithContext run: @escaping @MainActor @Sendable (TaskContext<P>) throws -> Void,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { frame in try run(frame.context()) })
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithContext run: @escaping @Sendable (TaskContext<P>) async throws -> Void
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { frame in try await run(frame.context()) })
  }
}

// MARK: - run() -> Output

extension TaskOccasion {
  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __output run: @escaping @Sendable () throws -> O
  ) {
    self.init(event: EventDescription(event), body: .framed { _ in try run() })
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __output run: @escaping @MainActor @Sendable () throws -> O,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { _ in try run() })
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __output run: @escaping @Sendable () async throws -> O
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { _ in try await run() })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __output run: @escaping @Sendable () throws -> R
  ) {
    self.init(event: EventDescription(event), body: .framed { _ in try run() })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __output run: @escaping @MainActor @Sendable () throws -> R,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { _ in try run() })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __output run: @escaping @Sendable () async throws -> R
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { _ in try await run() })
  }
}

// MARK: - run(_ payload) -> Output

extension TaskOccasion {
  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithPayload run: @escaping @Sendable (P) throws -> O
  ) {
    self.init(event: EventDescription(event), body: .framed { frame in try run(frame.typedPayload()) })
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithPayload run: @escaping @MainActor @Sendable (P) throws -> O,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { frame in try run(frame.typedPayload()) })
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithPayload run: @escaping @Sendable (P) async throws -> O
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { frame in try await run(frame.typedPayload()) })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithPayload run: @escaping @Sendable (P) throws -> R
  ) {
    self.init(event: EventDescription(event), body: .framed { frame in try run(frame.typedPayload()) })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithPayload run: @escaping @MainActor @Sendable (P) throws -> R,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { frame in try run(frame.typedPayload()) })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithPayload run: @escaping @Sendable (P) async throws -> R
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { frame in try await run(frame.typedPayload()) })
  }
}

// MARK: - run(_ context) -> Output

extension TaskOccasion {
  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithContext run: @escaping @Sendable (TaskContext<P>) throws -> O
  ) {
    self.init(event: EventDescription(event), body: .framed { frame in try run(frame.context()) })
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithContext run: @escaping @MainActor @Sendable (TaskContext<P>) throws -> O,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { frame in try run(frame.context()) })
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithContext run: @escaping @Sendable (TaskContext<P>) async throws -> O
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { frame in try await run(frame.context()) })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithContext run: @escaping @Sendable (TaskContext<P>) throws -> R
  ) {
    self.init(event: EventDescription(event), body: .framed { frame in try run(frame.context()) })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithContext run: @escaping @MainActor @Sendable (TaskContext<P>) throws -> R,
    _: __MainActor = .isolated
  ) {
    self.init(event: EventDescription(event), body: .main { frame in try run(frame.context()) })
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithContext run: @escaping @Sendable (TaskContext<P>) async throws -> R
  ) {
    self.init(event: EventDescription(event), body: .framedAsync { frame in try await run(frame.context()) })
  }
}
