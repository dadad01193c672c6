import Synchronization

/// Asks until something is so, or the time of the test is over.
func waitUntil(_ isSo: () async throws -> Bool) async throws {
  while try await !isSo() {
    try Task.checkCancellation()
    await Task.yield()
  }
}

/// Something that goes on beside a test, which may ask whether it has ended without waiting for it.
final class OngoingCall<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, any Error>?>(nil)

  init(_ body: @escaping @Sendable () async throws -> Value) {
    // Ends with the body.
    Task {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
    }
  }

  var hasEnded: Bool { outcome.withLock { $0 != nil } }

  /// What it gives, as soon as it has ended.
  var value: Value {
    get async throws {
      try await waitUntil { hasEnded }
      return try outcome.withLock { $0 }!.get()
    }
  }
}
