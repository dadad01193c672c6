/// Measures a stretch of time.
struct Stopwatch {
  private let start = ContinuousClock.now

  /// Nanoseconds since it was made.
  var elapsed: Int64 {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
