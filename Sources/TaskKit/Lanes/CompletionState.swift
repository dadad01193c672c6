import Synchronization

/// What the token and the one who waits for its answer share: the machine in its lock, and what it wants done.
final class CompletionState<Output: Sendable>: Sendable {
  typealias Machine = CompletionMachine<Output>

  /// Where the token was made.
  let location: TaskLocation
  private let report: @Sendable (CompletionError) -> Void
  private let machine: Mutex<Machine>
  /// Calls the handlers of a wait that was given up while the body had not returned.
  private let calling = Mutex<_Concurrency.Task<Void, Never>?>(nil)

  /// - Parameter report: hears of mistakes, on the thread that makes them, with no lock held.
  init(location: TaskLocation, report: @escaping @Sendable (CompletionError) -> Void) {
    self.location = location
    self.report = report
    machine = Mutex(Machine())
  }

  // MARK: - From the token

  func receive(_ result: Result<Output, any Error>, at place: TaskLocation) -> Bool {
    switch machine.withLock({ $0.receive(result, at: place) }) {
    case .counts(let waiter, let released):
      waiter?.resume(returning: Machine.Wakeup(answer: result))
      // Here, with the lock released, what the handlers hold may come to its end.
      withExtendedLifetime(released) {}
      return true
    case .late:
      return false
    case .again(let first, let isLate):
      report(.answeredAgain(location, first: first, second: place, isLate: isLate))
      return false
    }
  }

  func drop() {
    let error = CompletionError.dropped(location)
    guard let dropped = machine.withLock({ $0.drop(error) }) else { return }
    report(error)
    dropped.waiter?.resume(returning: dropped.wakeup)
    withExtendedLifetime(dropped.released) {}
  }

  func add(_ handler: CancellationHandler) {
    if machine.withLock({ $0.add(handler) }) { handler.callAtOnce() }
  }

  // MARK: - From the one who waits

  /// Hands the token to the body, lets go of it, and waits for the answer.
  ///
  /// - Parameter isolation: where the caller runs, and so the body. That a closure uses it keeps it there.
  func answer(
    isolation: isolated (any Actor)? = #isolation, to body: (Completion<Output>) async throws -> Void
  ) async throws -> Output {
    let wakeup = await withTaskCancellationHandler {
      _ = isolation
      await start(body)
      return await withCheckedContinuation { waiter in
        if let wakeup = machine.withLock({ $0.wait(waiter) }) { waiter.resume(returning: wakeup) }
      }
    } onCancel: {
      // The handlers are called by the one who is woken: here the runtime may hold a lock of its own.
      let (woken, handlers) = machine.withLock { ($0.giveUp(CancellationError()), $0.takeHandlers()) }
      if let (waiter, wakeup) = woken { waiter.resume(returning: wakeup) }
      // Nobody waits yet: the body has not returned, perhaps until one of them is called.
      if !handlers.isEmpty { callApart(handlers) }
    }
    for handler in wakeup.handlers { await handler.call() }
    await calling.withLock { $0 }?.value
    return try wakeup.answer.get()
  }

  private func callApart(_ handlers: [CancellationHandler]) {
    calling.withLock { calling in
      // Ends with the handlers, before the wait does. It belongs to no body, not even to one that cancels.
      calling = WorkerBox.apart(from: WorkerBox.current) {
        _Concurrency.Task { for handler in handlers { await handler.call() } }
      }
    }
  }

  /// Ends the wait, because its time has passed.
  func expire(_ error: TimeoutError) async {
    let (woken, handlers) = machine.withLock { ($0.giveUp(error), $0.takeHandlers()) }
    // Nobody waits yet, because the body has not returned.
    for handler in handlers { await handler.call() }
    if let (waiter, wakeup) = woken { waiter.resume(returning: wakeup) }
  }

  /// A function of its own, so that no copy of the token outlives the call.
  private func start(_ body: (Completion<Output>) async throws -> Void) async {
    let completion = Completion(self)
    do {
      try await body(completion)
    } catch {
      // That its task is cancelled can be seen before that is told here: what was begun is to be stopped all the same.
      if Task.isCancelled { _ = machine.withLock { $0.giveUp(CancellationError()) } }
      // What it throws after nobody waits any more is nobody's mistake.
      if machine.withLock({ $0.bodyThrew(error) }) { return }
      completion.fail(error, at: location)
    }
  }
}
