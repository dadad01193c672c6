/// Asks until something is so of which nobody tells, or the time of the test is over.
func waitUntil(_ isSo: () async throws -> Bool) async throws {
  while try await !isSo() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
