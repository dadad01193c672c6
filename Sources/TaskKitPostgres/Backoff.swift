#if Postgres
/// How long to wait between tries: from nothing on, twice as long each time, up to two seconds.
struct Backoff {
  private let start = ContinuousClock.now
  private var last = Duration.zero

  /// Since the first try.
  var elapsed: Duration { ContinuousClock.now - start }

  mutating func next() -> Duration {
    defer { last = min(max(last * 2, .milliseconds(20)), .seconds(2)) }
    // Not all at once, when a server comes back.
    return last * Double.random(in: 0.5...1)
  }
}
#endif
