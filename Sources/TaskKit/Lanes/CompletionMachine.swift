/// What has become of one wait for a callback: no lock, no await, and nobody's code is called here.
///
/// What a call takes out of it (handlers, a waiter) is the caller's to use and to let go after the lock is released.
struct CompletionMachine<Output: Sendable> {
  typealias Waiter = CheckedContinuation<Wakeup, Never>

  /// What a waiter is woken with: handlers to call, then the answer.
  struct Wakeup: Sendable {
    var handlers: [CancellationHandler] = []
    let answer: Result<Output, any Error>
  }

  /// What became of an answer.
  enum Reception {
    /// It counts: here is the waiter, if somebody waits already, and what is no longer needed.
    case counts(Waiter?, released: [CancellationHandler])
    /// Nobody waits for it any more, which is nobody's mistake.
    case late
    /// There was an answer before, given there, which counted, or came too late as well.
    case again(first: TaskLocation, isLate: Bool)
  }

  private var answer: Result<Output, any Error>?
  /// Where the token was answered, even if too late.
  private var answered: TaskLocation?
  private var isGivenUp = false
  private var handlers: [CancellationHandler] = []
  private var waiter: Waiter?

  mutating func receive(_ result: Result<Output, any Error>, at location: TaskLocation) -> Reception {
    if let answered { return .again(first: answered, isLate: isGivenUp) }
    answered = location
    guard answer == nil else { return .late }
    answer = result
    defer { (waiter, handlers) = (nil, []) }
    return .counts(waiter, released: handlers)
  }

  /// The last copy of the token is gone.
  /// - Returns: nil if there was an answer, or nobody waits for one any more; else who waits, and what for.
  mutating func drop(
    _ error: CompletionError
  ) -> (waiter: Waiter?, wakeup: Wakeup, released: [CancellationHandler])? {
    guard answer == nil else { return nil }
    answer = .failure(error)
    defer { (waiter, handlers) = (nil, []) }
    return (waiter, Wakeup(answer: .failure(error)), handlers)
  }

  /// The body has thrown. Where the wait was cancelled before, the error is its answer, unless the token was answered: it says more
  /// than that it was cancelled.
  ///
  /// - Returns: whether the wait was given up before, so that the error is no answer of the token.
  mutating func bodyThrew(_ error: any Error) -> Bool {
    guard isGivenUp else { return false }
    if answered == nil, case .failure(is CancellationError)? = answer { answer = .failure(error) }
    return true
  }

  /// The wait was cancelled, or its time has passed.
  /// - Returns: the waiter, and what to wake it with. Without one the handlers stay for the one who comes.
  mutating func giveUp(_ error: any Error) -> (waiter: Waiter, wakeup: Wakeup)? {
    guard answer == nil else { return nil }
    isGivenUp = true
    answer = .failure(error)
    guard let waiter else { return nil }
    self.waiter = nil
    return (waiter, Wakeup(handlers: takeHandlers(), answer: .failure(error)))
  }

  /// - Returns: what there is to do at once; nil if the waiter was kept.
  mutating func wait(_ waiter: Waiter) -> Wakeup? {
    if let answer { return Wakeup(handlers: takeHandlers(), answer: answer) }
    self.waiter = waiter
    return nil
  }

  /// - Returns: whether the handler is to be called at once.
  mutating func add(_ handler: CancellationHandler) -> Bool {
    if isGivenUp { return true }
    if answer == nil { handlers.append(handler) }
    return false
  }

  /// The handlers of a wait that was given up, once.
  mutating func takeHandlers() -> [CancellationHandler] {
    guard isGivenUp else { return [] }
    defer { handlers = [] }
    return handlers
  }
}
