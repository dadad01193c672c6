import Foundation

/// Calls an API that answers through a callback, and waits for its answer.
///
/// ```swift
/// let image = try await withCompletion(timeout: .seconds(10)) { completion in
///   let request = loader.load(url) { completion.finish(with: $0) }
///   completion.onCancel { request.cancel() }
/// }
/// ```
///
/// Ends with the first answer; at once when the calling task is cancelled (`CancellationError`) or the time has passed
/// (``TimeoutError``), whether or not the API heeds ``Completion/onCancel(_:)``; and with a ``CompletionError`` if the
/// token is dropped. An error that the body throws is its answer. Costs two small objects, and a child task where there
/// is a timeout.
///
/// - Parameters:
///   - type: what the answer is, where the compiler cannot infer it.
///   - timeout: how long to wait, counted from this call; nil for as long as it takes. A body that itself awaits is not
///     interrupted: what it has begun has to heed the cancellation.
///   - clock: the clock of the timeout.
///   - report: hears of an answer too many and of a dropped token, on the thread where it happens. By default a line is
///     written to standard error, as the runtime does for a continuation.
///   - fileID: where this is called, for the errors.
///   - line: its line.
///   - column: its column.
///   - body: begins the work. It runs on the actor that it declares, or else where the caller runs. The wait begins when it
///     has returned.
/// - Returns: the answer.
public func withCompletion<Output: Sendable>(
  of type: Output.Type = Output.self,
  timeout: Duration? = nil,
  clock: some Clock<Duration> = ContinuousClock(),
  onMisuse report: (@Sendable (CompletionError) -> Void)? = nil,
  fileID: String = #fileID,
  line: Int = #line,
  column: Int = #column,
  _ body: (Completion<Output>) async throws -> Void
) async throws -> Output {
  let location = TaskLocation(fileID, line, column)
  let state = CompletionState<Output>(
    location: location, report: report ?? { TaskCenter.Configuration.writeToStandardError("\($0)") })
  guard let timeout else { return try await state.answer(to: body) }
  let deadline = clock.now.advanced(by: timeout.asWait)
  // Ends with the wait: leaving the scope cancels it.
  async let _: Void = {
    // A clock throws when its sleeper is cancelled: the answer was there first.
    guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
    await state.expire(TimeoutError(timeout: timeout, location: location))
  }()
  return try await state.answer(to: body)
}
