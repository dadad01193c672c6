#if Postgres
/// Prolongs an owner's lease by the connection for writing, in case that the watch, which does it all the time, does not get
/// through.
struct PostgresPulse: Sendable {
  let lease: Duration
  /// Prolongs it. Says whether the owner was still one; nil when there is nobody to do it for.
  let beat: @Sendable () async -> Bool?
  /// Whether nobody looks at what others have done.
  let isBlind: @Sendable () -> Bool
  let signal: AsyncStream<Void>.Continuation

  /// Works until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      // Early enough for a second try before half of it has passed, however long the first one took: whoever is silent for so
      // long counts as cut off, and judges nobody.
      try? await Task.sleep(for: lease / 5)
      guard !Task.isCancelled, let isOwner = await beat() else { return }
      // Whoever works for the owner has to learn that it is none any more, and to look where nobody looks for it.
      if !isOwner || isBlind() { signal.yield() }
    }
  }
}
#endif
