/// Runs an operation, and cancels it when its time has passed.
///
/// ```swift
/// let feed = try await withTimeout(.seconds(10)) { try await loadFeed() }
/// ```
///
/// Throws ``TimeoutError`` if the time passed first, whatever became of the operation then; otherwise what the operation
/// threw. Cancelling the calling task cancels the operation, and what that throws is thrown. Returns when the operation has
/// ended: one that ignores its cancellation is waited for, because nothing is left behind. Costs two child tasks.
///
/// - Parameters:
///   - timeout: how long it may take, counted from this call; no time at all if negative. For a deadline:
///     `clock.now.duration(to: deadline)`.
///   - clock: what the time is measured with.
///   - fileID: where this is called, for the errors.
///   - line: its line.
///   - column: its column.
///   - operation: runs where it is declared to, otherwise off the caller's actor.
/// - Returns: what the operation returned.
public func withTimeout<Output: Sendable>(
  _ timeout: Duration,
  clock: some Clock<Duration> = ContinuousClock(),
  fileID: String = #fileID,
  line: Int = #line,
  column: Int = #column,
  _ operation: @escaping @Sendable () async throws -> Output
) async throws -> Output {
  let deadline = clock.now.advanced(by: timeout.asWait)
  let (result, isTimeUp) = await withTaskGroup(of: TimedEnding<Output>.self) { group in
    group.addTask {
      do { return .operation(.success(try await operation())) } catch { return .operation(.failure(error)) }
    }
    group.addTask {
      // A clock throws when its sleeper is cancelled: either the operation has ended, or it was cancelled as well.
      .alarm(isTimeUp: (try? await clock.sleep(until: deadline, tolerance: nil)) != nil)
    }
    var result: Result<Output, any Error>?
    var isTimeUp = false
    for await ending in group {
      switch ending {
      case .operation(let end): result = end
      case .alarm(let isFirst): isTimeUp = isFirst && result == nil
      }
      if isTimeUp || result != nil { group.cancelAll() }
    }
    return (result, isTimeUp)
  }
  guard !isTimeUp, let result else {
    throw TimeoutError(timeout: timeout, location: TaskLocation(fileID, line, column))
  }
  return try result.get()
}

/// Which of the two children has ended.
private enum TimedEnding<Output: Sendable>: Sendable {
  case operation(Result<Output, any Error>)
  case alarm(isTimeUp: Bool)
}
