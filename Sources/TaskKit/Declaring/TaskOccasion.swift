/// One event at which a task runs, with what it does there. Made by the macros and by ``TaskDefinition``.
///
/// The initialisers whose labels start with two underscores are for the macros' output only. Which of them is meant
/// says the label: does `run` take a payload or a context, does it return something. Where `run` is isolated, a
/// synchronous one tells by its value (`@isolated(any)`): overloads that differ in isolation are ambiguous to the
/// type checker in language mode 5, where a main-actor function may still lose its actor. An asynchronous one is
/// `@concurrent`, which every function converts to; to a `nonisolated(nonsending)` parameter Swift 6.3 crashes.
///
/// The functions are not `@Sendable`, because a reference to a static method is that only in language mode 6. It
/// captures nothing but its type, and that is why `TaskBody` may send it all the same.
///
/// The unavailable ones are what the type checker falls back on when `run` does not fit the event, for their message.
public struct TaskOccasion: Sendable {
  let event: EventDescription
  let body: TaskBody

  init(event: EventDescription, body: TaskBody) {
    self.event = event
    self.body = body
  }

  /// What a closure of an injected task does that may suspend, in the lane of the task if it has one.
  init<P, R, O: Sendable>(
    _ event: LifecycleEvent<P, R>, in lane: Lane?, _ run: @escaping @Sendable (TaskContext<P>) async throws -> O
  ) {
    self.init(event: event.description, body: .asynchronous(in: lane) { frame in try await run(frame.context()) })
  }

  /// The same occasion in a lane.
  func inside(_ lane: Lane?) -> TaskOccasion { TaskOccasion(event: event, body: body.inside(lane)) }

  /// The same occasion with a body that throws.
  func failing(with error: TaskError) -> TaskOccasion { TaskOccasion(event: event, body: .plain { throw error }) }

  /// Makes two initialisers of one isolation each distinct declarations: overloads that differ in the isolation of
  /// a closure alone are one declaration to the compiler.
  public enum __MainActor: Sendable {
    case isolated
  }
}

// MARK: - run()

extension TaskOccasion {
  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __run run: @escaping @isolated(any) () throws -> Void
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run))
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __run run: @escaping @concurrent () async throws -> Void
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run))
  }
}

// MARK: - run(_ payload)

extension TaskOccasion {
  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithPayload run: @escaping @isolated(any) (P) throws -> Void
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run, { $0.typedPayload() }))
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithPayload run: @escaping @concurrent (P) async throws -> Void
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run, { $0.typedPayload() }))
  }

  @available(
    *, unavailable,
    message:
      "'run' has to take the payload of the event (at a schedule 'ScheduledRun', at a notification 'PostedNotification', at a sequence its element), or a 'TaskContext' that is called so and by no alias"
  )
  @_disfavoredOverload
  public init<P, R, Q>(
    _ event: LifecycleEvent<P, R>, __runWithPayload run: @escaping @concurrent (Q) async throws -> Void
  ) {
    // Unavailable: no program that compiles gets here.
    fatalError()
  }
}

// MARK: - run(_ context)

extension TaskOccasion {
  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithContext run: @escaping @isolated(any) (TaskContext<P>) throws -> Void
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run, { $0.context() }))
  }

  public init<P, R>(
    _ event: LifecycleEvent<P, R>, __runWithContext run: @escaping @concurrent (TaskContext<P>) async throws -> Void
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run, { $0.context() }))
  }

  @available(
    *, unavailable,
    message:
      "'run' has to take a context of the event's payload (at a schedule 'ScheduledRun', at a notification 'PostedNotification', at a sequence its element)"
  )
  @_disfavoredOverload
  public init<P, R, Q>(
    _ event: LifecycleEvent<P, R>, __runWithContext run: @escaping @concurrent (TaskContext<Q>) async throws -> Void
  ) {
    // Unavailable: no program that compiles gets here.
    fatalError()
  }
}

// MARK: - run() -> Output

extension TaskOccasion {
  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __output run: @escaping @isolated(any) () throws -> O
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run))
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __output run: @escaping @concurrent () async throws -> O
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run))
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __output run: @escaping @isolated(any) () throws -> R
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run))
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __output run: @escaping @concurrent () async throws -> R
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run))
  }

  @available(
    *, unavailable,
    message: "'run' has to return a Sendable value, which is the reply if the event wants one"
  )
  @_disfavoredOverload
  public init<P, R, O>(
    _ event: LifecycleEvent<P, R>, __output run: @escaping @concurrent () async throws -> O
  ) {
    // Unavailable: no program that compiles gets here.
    fatalError()
  }
}

// MARK: - run(_ payload) -> Output

extension TaskOccasion {
  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithPayload run: @escaping @isolated(any) (P) throws -> O
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run, { $0.typedPayload() }))
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithPayload run: @escaping @concurrent (P) async throws -> O
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run, { $0.typedPayload() }))
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithPayload run: @escaping @isolated(any) (P) throws -> R
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run, { $0.typedPayload() }))
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithPayload run: @escaping @concurrent (P) async throws -> R
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run, { $0.typedPayload() }))
  }

  @available(
    *, unavailable,
    message:
      "'run' has to take the payload of the event (at a schedule 'ScheduledRun', at a notification 'PostedNotification', at a sequence its element), or a 'TaskContext' that is called so and by no alias, and to return a Sendable value: the reply, if there is one"
  )
  @_disfavoredOverload
  public init<P, R, Q, O>(
    _ event: LifecycleEvent<P, R>, __outputWithPayload run: @escaping @concurrent (Q) async throws -> O
  ) {
    // Unavailable: no program that compiles gets here.
    fatalError()
  }
}

// MARK: - run(_ context) -> Output

extension TaskOccasion {
  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithContext run: @escaping @isolated(any) (TaskContext<P>) throws -> O
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run, { $0.context() }))
  }

  public init<P, O: Sendable>(
    _ event: LifecycleEvent<P, Void>, __outputWithContext run: @escaping @concurrent (TaskContext<P>) async throws -> O
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run, { $0.context() }))
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithContext run: @escaping @isolated(any) (TaskContext<P>) throws -> R
  ) {
    self.init(event: event.description, body: TaskBody.synchronous(run, { $0.context() }))
  }

  @_disfavoredOverload
  public init<P, R: Sendable>(
    _ event: LifecycleEvent<P, R>, __outputWithContext run: @escaping @concurrent (TaskContext<P>) async throws -> R
  ) {
    self.init(event: event.description, body: TaskBody.asynchronous(run, { $0.context() }))
  }

  @available(
    *, unavailable,
    message:
      "'run' has to take a context of the payload (at a schedule 'ScheduledRun', at a notification 'PostedNotification', at a sequence its element), and to return a Sendable value: the reply, if there is one"
  )
  @_disfavoredOverload
  public init<P, R, Q, O>(
    _ event: LifecycleEvent<P, R>, __outputWithContext run: @escaping @concurrent (TaskContext<Q>) async throws -> O
  ) {
    // Unavailable: no program that compiles gets here.
    fatalError()
  }
}
