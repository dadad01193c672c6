/// Which sequence a task runs at each element of.
struct ElementsTrigger: Sendable {
  /// Iterates, and gives each element on; returns when the sequence has ended, and throws what it threw.
  let iterate: @concurrent @Sendable (_ deliver: @Sendable (any Sendable) async -> Bool) async throws -> Void

  init<Elements: AsyncSequence & SendableMetatype>(_ elements: @escaping @Sendable () -> Elements)
  where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
    iterate = { deliver in
      for try await element in elements() {
        guard await deliver(element) else { return }
      }
    }
  }
}

extension LifecycleEvent where Reply == Void {
  /// The occasion of a task that runs at the elements of a sequence. For the macros' output only.
  public nonisolated static func __elements<Elements: AsyncSequence & SendableMetatype>(
    of elements: @autoclosure @escaping @Sendable () -> Elements, task: String, burst: BurstPolicy = .queue
  ) -> Self where Elements.Element == Payload, Elements.AsyncIterator: SendableMetatype {
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
