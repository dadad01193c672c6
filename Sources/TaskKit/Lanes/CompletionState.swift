import Synchronization

/// What the token and the one who waits for its answer share: the machine in its lock, and what it wants done.
final class CompletionState<Output: Sendable>: Sendable {
  typealias Machine = CompletionMachine<Output>

  /// Where the token was made.
  let location: TaskLocation
  private let report: @Sendable (CompletionError) -> Void
  private let machine: Mutex<Machine>

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
    case .again(let first):
      report(.answeredAgain(location, first: first, second: place))
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
  func answer(to body: (Completion<Output>) async throws -> Void) async throws -> Output {
    await start(body)
    let wakeup = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if let wakeup = machine.withLock({ $0.wait(waiter) }) { waiter.resume(returning: wakeup) }
      }
    } onCancel: {
      // The handlers are called by the one who is woken: here the runtime may hold a lock of its own.
      if let (waiter, wakeup) = machine.withLock({ $0.giveUp(CancellationError()) }) {
        waiter.resume(returning: wakeup)
      }
    }
    for handler in wakeup.handlers { await handler.call() }
    return try wakeup.answer.get()
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
      // Cancelled while it awaited: what it has begun before is to be stopped, as if the wait had begun already.
      if Task.isCancelled, machine.withLock({ $0.giveUp(error) }) == nil { return }
      completion.fail(error, at: location)
    }
  }
}
