import TaskKit

/// Looks at something of the jobs again whenever it may have changed, and tells what is another than before.
struct StateWatch<State: Sendable & Equatable>: Sendable {
  private let operations: JobOperations
  private let look: @Sendable (JobOperations) async throws -> State
  /// One for each look that is wanted; those that come during a look are one.
  private let wishes: AsyncStream<Void>
  private let wish: AsyncStream<Void>.Continuation

  /// The first look is wanted at once.
  init(_ operations: JobOperations, _ look: @escaping @Sendable (JobOperations) async throws -> State) {
    (self.operations, self.look) = (operations, look)
    (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    wish.yield()
  }

  /// Ends with the signals, of which each wants a look.
  func run(_ signals: [AsyncStream<Void>], _ tell: @escaping @Sendable (State) -> Void) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await lookAgain(tell) }
      await listen(to: signals)
      wish.finish()
    }
  }

  private func listen(to signals: [AsyncStream<Void>]) async {
    await withDiscardingTaskGroup { group in
      for signal in signals { group.addTask { for await _ in signal { wish.yield() } } }
    }
  }

  private func lookAgain(_ tell: (State) -> Void) async {
    var last: State?
    var failures = 0
    for await _ in wishes {
      do {
        let state = try await look(operations)
        failures = 0
        // Only what is another than the last.
        if state != last { tell(state) }
        last = state
      } catch {
        // The observer has gone, and a store of one's own may have said that it was not waited for.
        guard !_Concurrency.Task.isCancelled else { return }
        // Nor has a store failed that the center has closed: the signals end as well.
        guard !operations.engines.contains(where: { $0.inspect { $0.phase == .closed } }) else { return }
        failures += 1
        lookLater(after: failures, error)
      }
    }
  }

  /// The store cannot be read: that is told, and looked again after a while.
  private func lookLater(after failures: Int, _ error: any Error) {
    let engines = operations.engines
    let delay = JobMachine.storeDelay(after: failures)
    operations.runtime.events.send(
      JobEvent(
        kind: .storeFailed("\(error)", retryAfter: delay), store: engines.count == 1 ? engines[0].name : nil))
    if let engine = engines.first { engine.call(after: engine.spread(delay)) { _ in wish.yield() } }
  }
}
