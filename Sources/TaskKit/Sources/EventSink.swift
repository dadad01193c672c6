/// Where a source of events sends to.
///
/// Once the shutdown of the center has begun, nothing that is sent here runs, and the report says that it was refused.
public struct EventSink: Sendable {
  /// The center that runs the source.
  public let center: TaskCenter

  let source: Int

  /// Sends an event and returns when its tasks have ended: a source that awaits this sends no faster than the tasks run.
  @concurrent
  @discardableResult
  public func send<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, deadline: Duration? = nil
  ) async -> EventReport {
    if let refusal = refusal(of: event) { return refusal }
    return await center.send(event, payload, deadline: deadline)
  }

  /// Sends an event without a payload. See ``send(_:_:deadline:)``.
  @concurrent
  @discardableResult
  public func send<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>, deadline: Duration? = nil) async
    -> EventReport
  {
    await send(event, (), deadline: deadline)
  }

  /// Sends an event and returns at once.
  @discardableResult
  public func begin<Payload: Sendable, Reply: Sendable>(
    _ event: LifecycleEvent<Payload, Reply>, _ payload: Payload, deadline: Duration? = nil
  ) -> EventRun {
    if let refusal = refusal(of: event) {
      return EventRun(center: center, id: 0, event: event.name, report: refusal)
    }
    return center.begin(event, payload, deadline: deadline)
  }

  /// Sends an event without a payload and returns at once. See ``begin(_:_:deadline:)``.
  @discardableResult
  public func begin<Reply: Sendable>(_ event: LifecycleEvent<Void, Reply>, deadline: Duration? = nil) -> EventRun {
    begin(event, (), deadline: deadline)
  }

  /// Asks the center to shut down. Returns at once; only the first request counts.
  ///
  /// - Parameter reason: why, in a word or two: it is in the report.
  public func shutDown(because reason: String) {
    center.requestShutdown(.source(center.name(ofSource: source), reason))
  }

  /// Adds a sentence to the source's report: what it cannot do, or does in another way.
  public func note(_ text: String) {
    center.note(text, ofSource: source)
  }

  private func refusal<Payload, Reply>(of event: LifecycleEvent<Payload, Reply>) -> EventReport? {
    guard center.isShuttingDown else { return nil }
    return EventReport(event: event.name, status: .refused(TaskCenter.closedText))
  }
}
