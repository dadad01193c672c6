/// Takes what a system's delegate hears to a center, in the form that each kind of callback asks for.
///
/// Knows nothing of any system; the delegates only take the system's values apart and hand them over.
package struct CallbackBridge: Sendable {
  package let center: TaskCenter
  package let deadlines: CallbackDeadlines

  package init(_ center: TaskCenter, deadlines: CallbackDeadlines = CallbackDeadlines()) {
    self.center = center
    self.deadlines = deadlines
  }

  /// A callback that only tells.
  ///
  /// - Parameter leavesForeground: whether the system may suspend the program when it has returned, or soon after that, so that
  ///   what is still at work needs time.
  @MainActor package func tell<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, leavesForeground: Bool = false
  ) {
    let run = center.begin(event, payload)
    if leavesForeground { holdTime(for: run) }
  }

  @MainActor package func tell<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>) {
    tell(event, ())
  }

  /// The last callback, which must not return before the center has shut down, or the time for that is over.
  @MainActor package func end() { center.terminateAndWait(deadline: deadlines.termination) }

  /// A callback that returns an answer. Every task is asked; synchronous ones have answered when it returns, unless they wait
  /// for their lane or for a slot of the center, or an earlier occurrence of the event is still at work: then nobody has. One
  /// of no actor that has a time limit counts as asynchronous.
  ///
  /// - Parameter undecided: the answer while a task has not ended, here or in an earlier occurrence, and where nobody gives
  ///   one.
  @MainActor package func ask<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, undecided: Reply
  ) -> Reply {
    answered(event, payload) ?? undecided
  }

  /// The same; nil while a task has not ended, here or in an earlier occurrence, and where nobody gives an answer.
  @MainActor package func answered<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload
  ) -> Reply? {
    center.begin(event, payload).finishedReport?.reply(to: event)
  }

  /// A callback that returns an answer, or says that one will follow.
  ///
  /// - Parameters:
  ///   - fallback: the answer when nobody gives one.
  ///   - later: called on the main actor, exactly once, if the answer could not be given at once.
  /// - Returns: the answer, or nil if it follows.
  @MainActor package func ask<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, otherwise fallback: Reply,
    later: @escaping (Reply) -> Void
  ) -> Reply? {
    let report = conclude(event, payload) { later($0.reply(to: event) ?? fallback) }
    return report.map { $0.reply(to: event) ?? fallback }
  }

  /// A callback with a completion handler, which is called exactly once: with the merged reply when every task has ended,
  /// or with what there is at the deadline (E14).
  ///
  /// An occurrence that has to wait for an earlier one gets no more time: its deadline counts from now as well.
  ///
  /// - Parameters:
  ///   - fallback: the reply when nobody gives one.
  ///   - handler: called on the main actor.
  @MainActor package func answer<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, otherwise fallback: Reply,
    _ handler: @escaping (Reply) -> Void
  ) {
    if let reply = ask(event, payload, otherwise: fallback, later: handler) { handler(reply) }
  }

  /// A callback with a completion handler that only wants to hear of the end.
  @MainActor package func answer<Payload: Sendable>(
    _ event: LifecycleEvent<Payload, Void>, _ payload: Payload, _ handler: @escaping () -> Void
  ) {
    if conclude(event, payload, { _ in handler() }) != nil { handler() }
  }

  /// Begins an event.
  ///
  /// - Parameter handler: gets the report when it comes.
  /// - Returns: the report, if it is there at once; then the handler is not called.
  @MainActor private func conclude<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, _ handler: @escaping (EventReport) -> Void
  ) -> EventReport? {
    // The deadline of a send counts from its turn, the system's patience from now.
    let due = center.now.later(by: deadlines.reply.nanoseconds)
    let run = center.begin(event, payload, deadline: deadlines.reply)
    if let report = run.finishedReport { return report }
    // Ended by the report, which comes at the deadline at the latest.
    _Concurrency.Task { handler(await run.report(by: due)) }
    return nil
  }
}
