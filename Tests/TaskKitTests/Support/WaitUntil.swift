import Testing

/// Returns when something is so of which nobody tells. However long that takes: how often a test is asked says nothing of how
/// often others had a thread. When the time of the test is over it has failed, and goes on, so that it can say what is not so.
func waitUntil(sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () throws -> Bool) async rethrows {
  while try !isSo() {
    guard !Task.isCancelled else {
      Issue.record("it has not come to that", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
