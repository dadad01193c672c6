import Synchronization

extension LaneQueue {
  /// Puts something synchronous into the lane. It starts when it is the first of the line and the lane is free, or at once (S2).
  ///
  /// - Parameters:
  ///   - name: what it is called in reports and events.
  ///   - key: by what the lane knows it: for its rule about duplicates, and to take it out. The name when omitted.
  ///   - priority: its place in the line, before all of a lower one and behind its equals.
  ///   - timeout: the longest that one attempt may take; the lane's when omitted. When it has passed the body is cancelled
  ///     and counts as timed out. Nothing else in the lane starts before it returns. With one that is not more than zero, the
  ///     lane's included, nothing runs, and the ticket fails.
  ///   - retry: how often it is tried. Between two attempts the lane is free for others.
  ///   - fileID: where it is put in, for the report.
  ///   - line: the line there.
  ///   - column: the column there.
  ///   - body: what it does, where the lane says; a closure that names the main actor runs there. It must not call back: the
  ///     form for that takes a ``Completion``.
  /// - Returns: what it comes to, and a way to cancel it. It may be ignored: nothing is cancelled with it.
  @discardableResult
  public func enqueue<Value: Sendable>(
    _ name: TaskName, key: String? = nil, priority: Priority = .default, timeout: Duration? = nil,
    retry: RetryPolicy = .never, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
    _ body: @escaping @Sendable () throws -> Value
  ) -> LaneTicket<Value> {
    enqueue(
      LaneRequest(
        name, in: lane, key: key, priority: priority, timeout: timeout, retry: retry,
        location: TaskLocation("\(fileID)", line, column),
        TaskBody.framed { _ in try body() }.inside(lane)))
  }

  /// Puts something synchronous into the lane that runs on the main actor, wherever the lane's bodies do.
  ///
  /// The parameters are those of the form for other synchronous bodies.
  @discardableResult
  public func enqueue<Value: Sendable>(
    _ name: TaskName, key: String? = nil, priority: Priority = .default, timeout: Duration? = nil,
    retry: RetryPolicy = .never, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
    _ body: @escaping @MainActor @Sendable () throws -> Value, _: TaskOccasion.__MainActor = .isolated
  ) -> LaneTicket<Value> {
    enqueue(
      LaneRequest(
        name, in: lane, key: key, priority: priority, timeout: timeout, retry: retry,
        location: TaskLocation("\(fileID)", line, column), .main { _ in try body() }))
  }

  /// Puts something into the lane that may suspend. The next one starts only after it has returned.
  ///
  /// The parameters are those of the form for synchronous bodies. A closure that names a global actor runs there.
  @discardableResult
  public func enqueue<Value: Sendable>(
    _ name: TaskName, key: String? = nil, priority: Priority = .default, timeout: Duration? = nil,
    retry: RetryPolicy = .never, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
    _ body: @escaping @Sendable () async throws -> Value
  ) -> LaneTicket<Value> {
    enqueue(
      LaneRequest(
        name, in: lane, key: key, priority: priority, timeout: timeout, retry: retry,
        location: TaskLocation("\(fileID)", line, column), .asynchronous(in: lane) { _ in try await body() }))
  }

  /// Puts something into the lane that ends when its completion is answered, from whatever thread: the form for APIs
  /// that call back.
  ///
  /// The first answer counts. A token that is let go unanswered ends it as failed with a ``CompletionError``, and one that is
  /// never answered with its timeout (S4): then the lane goes on, whatever the API still does, and what it shows is taken
  /// away in ``Completion/onCancel(_:)``. The center's events tell of a token that was not answered exactly once
  /// (``CenterEvent/Kind-swift.enum/completionMisused(_:_:)``), and ``TaskCenter/Configuration/report`` hears of it even where
  /// nobody looks at events. The other parameters are those of the form for synchronous bodies.
  @discardableResult
  public func enqueue<Value: Sendable>(
    _ name: TaskName, key: String? = nil, priority: Priority = .default, timeout: Duration? = nil,
    retry: RetryPolicy = .never, completing type: Value.Type, fileID: StaticString = #fileID,
    line: Int = #line, column: Int = #column,
    _ body: @escaping @Sendable (Completion<Value>) async throws -> Void
  ) -> LaneTicket<Value> {
    // The center holds what waits in its lanes. An answer too many may come when it has gone.
    let say = center.configuration.report
    let report: @Sendable (CompletionError) -> Void = { [weak center, lane] mistake in
      center?.tell(.completionMisused(name, "\(mistake)"))
      say("'\(name)' in lane '\(lane)': \(mistake)")
    }
    return enqueue(
      LaneRequest(
        name, in: lane, key: key, priority: priority, timeout: timeout, retry: retry,
        location: TaskLocation("\(fileID)", line, column),
        .asynchronous(in: lane) { _ in
          try await withCompletion(
            of: type, onMisuse: report, fileID: "\(fileID)", line: line, column: column
          ) { try await body($0) }
        }))
  }

  /// Puts something into the lane that ends when its completion is answered, without a value. See
  /// ``enqueue(_:key:priority:timeout:retry:completing:fileID:line:column:_:)``.
  @discardableResult
  public func enqueue(
    _ name: TaskName, key: String? = nil, priority: Priority = .default, timeout: Duration? = nil,
    retry: RetryPolicy = .never, fileID: StaticString = #fileID, line: Int = #line, column: Int = #column,
    _ body: @escaping @Sendable (Completion<Void>) async throws -> Void
  ) -> LaneTicket<Void> {
    enqueue(
      name, key: key, priority: priority, timeout: timeout, retry: retry, completing: Void.self, fileID: fileID,
      line: line, column: column, body)
  }

  private func enqueue<Value: Sendable>(_ request: LaneRequest) -> LaneTicket<Value> {
    if request.registration.timeout != nil || request.registration.retry.attempts > 1 {
      center.needsTime.store(true, ordering: .relaxed)
    }
    let now = center.laneTime
    let (id, answer) = center.receive(at: now) { machine, now in
      let entry = machine.enqueue(request, now: now)
      return (entry.id, entry.answer)
    }
    return LaneTicket(id: id, name: request.registration.name, lane: lane, answer: answer, center: center)
  }
}
