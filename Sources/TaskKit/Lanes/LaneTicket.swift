import Synchronization

/// Something that was put into a lane: what it comes to, and a way to cancel it.
///
/// Letting go of it changes nothing. It does not keep the center: with a center that goes, what waits in its lanes ends as
/// cancelled.
public final class LaneTicket<Value: Sendable>: Sendable {
  /// What was put in is called so.
  public let name: TaskName
  /// Where it was put in.
  public let lane: Lane
  private let id: UInt64
  private let answer: LaneAnswer
  private weak let center: TaskCenter?
  private let isCancelled = Atomic(false)

  init(id: UInt64, name: TaskName, lane: Lane, answer: LaneAnswer, center: TaskCenter) {
    self.id = id
    self.name = name
    self.lane = lane
    self.answer = answer
    self.center = center
  }

  /// Whether it has ended, however it ended.
  public var hasEnded: Bool { answer.end != nil }

  /// How it ended, when it has. May be awaited any number of times. Cancelling a task that awaits it does not end the wait:
  /// that is what ``cancel()`` is for.
  ///
  /// A task that awaits it lends its slot. Inside a body for which it waits itself, it is at once a failure with a
  /// ``TaskError`` that says by which chain; what was put into the lane goes on.
  public var outcome: TaskOutcome {
    get async {
      do { return try await end().outcome } catch { return .failed(error) }
    }
  }

  /// What the body returned, when it has.
  ///
  /// That an error beats a cancellation is about several things put together, as in `values()`: one body that was told to
  /// end counts as cancelled, whatever it throws then. The lane's report has that (``TaskReport/errorAfterCancellation``).
  ///
  /// - Throws: what the body threw; ``TimeoutError`` if it timed out; `CancellationError` if it was cancelled; ``TaskError``
  ///   inside a body for which it waits itself, and where the lane kept one of the same key that returns another type.
  public var value: Value {
    get async throws {
      let end = try await end()
      switch end.outcome {
      case .succeeded: return try typed(end.output)
      case .failed(let error): throw error
      case .timedOut: throw end.timeout ?? CancellationError()
      case .cancelled, .skipped: throw CancellationError()
      }
    }
  }

  /// Takes it out of the line, or cancels it if it runs. One that has ended stays as it is.
  ///
  /// Where the lane keeps the first of a key, what several tickets stand for is cancelled with the last of them. A lane that
  /// stops after a failure (``Lane/FailureRule/stop``) stops when what runs is cancelled; ``LaneQueue/remove(_:)`` takes out
  /// what nobody wants any more, and lets it go on.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .relaxed), let center else { return }
    let now = center.laneTime
    center.receive(at: now) { $0.cancelEntry(id, in: lane, now: $1) }
  }

  private func end() async throws -> LaneAnswer.End {
    if let end = answer.end { return end }
    let caller = center.flatMap { WorkerBox.caller(in: $0) }
    if let chain = center?.beginWait(for: .run(id), by: caller) {
      throw TaskError.waitsForItself(
        name, "awaiting '\(name)'", chain: chain, "which awaits it; await it after this task has ended")
    }
    // As in `waiting(for:by:_:)`, which would keep the center: where that goes, this ends.
    let wait = center?.beginCompanionWait(for: .run(id))
    let end = await answer.wait()
    center?.endCompanionWait(wait)
    await center?.endAwaiting(.run(id), by: caller)
    return end
  }

  private func typed(_ output: (any Sendable)?) throws -> Value {
    // Without an output, a cast to an optional type would find nil.
    if let output, let value = output as? Value { return value }
    if output == nil, let nothing = () as? Value { return nothing }
    let returned = output.map { "\(Swift.type(of: $0))" } ?? "nothing"
    throw TaskError.missingOutput(of: name, because: "it returned \(returned), not \(Value.self)")
  }
}

extension Sequence {
  /// What all of them returned, in the order of the tickets, when all have ended.
  ///
  /// - Throws: if any did not succeed, when all have ended: an error before a cancellation, one error as itself, several as
  ///   ``MultipleErrors`` in the order of the tickets, and a `CancellationError` where there was nothing worse.
  public func values<Value>() async throws -> [Value] where Element == LaneTicket<Value> {
    var results: [Result<Value, any Error>] = []
    for ticket in self {
      do { results.append(.success(try await ticket.value)) } catch { results.append(.failure(error)) }
    }
    if let failure = results.failure() { throw failure }
    return try results.map { try $0.get() }
  }
}
