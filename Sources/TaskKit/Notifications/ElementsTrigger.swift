/// Which sequence a task runs at each element of.
struct ElementsTrigger: Sendable {
  /// Iterates, and gives each element on; returns when the sequence has ended, and throws what it threw.
  let iterate: @concurrent @Sendable (_ deliver: @Sendable (any Sendable) async -> Bool) async throws -> Void

  /// - Parameter elements: whose type is seen only where it is written: a generic one would have to say of itself and of its
  ///   iterator that they are no actor's, which a type that its author has hidden (`some AsyncSequence`) does not.
  init<Element: Sendable, Failure: Error>(
    _ elements: @escaping @Sendable () -> any AsyncSequence<Element, Failure>
  ) {
    iterate = { deliver in
      for try await element in elements() {
        guard await deliver(element) else { return }
      }
    }
  }
}

extension LifecycleEvent where Reply == Void {
  /// The occasion of a task that runs at the elements of a sequence. For the macros' output only.
  public nonisolated static func __elements<Failure: Error>(
    of elements: @autoclosure @escaping @Sendable () -> any AsyncSequence<Payload, Failure>, task: String,
    burst: BurstPolicy = .queue
  ) -> Self {
    Self(
      EventDescription(
        EventIdentity(name: "@SequenceTask(\(task))", payload: Payload.self, reply: nil, isOnce: false), burst: burst,
        reply: nil, trigger: .elements(ElementsTrigger(elements))))
  }
}

/// How the sequence stands whose elements a task runs at.
public enum SequenceStatus: Sendable {
  /// Its center was not started.
  case notStarted
  /// It is being iterated.
  case running
  /// It has ended.
  case ended
  /// It has thrown.
  case failed(any Error)
}
