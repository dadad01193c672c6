#if Postgres
/// How long to wait between tries: from nothing on, twice as long each time, up to the longest.
struct Backoff {
  private let longest: Duration
  private let start = ContinuousClock.now
  private var last = Duration.zero

  init(longest: Duration = .seconds(2)) { self.longest = longest }

  /// Since the first try.
  var elapsed: Duration { ContinuousClock.now - start }

  mutating func next() -> Duration {
    var chance = SystemRandomNumberGenerator()
    return next(using: &chance)
  }

  mutating func next(using chance: inout some RandomNumberGenerator) -> Duration {
    defer { last = min(max(last * 2, .milliseconds(20)), longest) }
    // Not all at once, when a server comes back.
    return last * Double.random(in: 0.5...1, using: &chance)
  }
}
#endif
