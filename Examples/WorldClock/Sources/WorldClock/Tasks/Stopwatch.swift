import TaskKit

/// Remembers when it all began. Needs nothing, so its `run` has no parameter.
@EventTask(priority: .critical, event: .willFinishLaunching)
enum Stopwatch {
  static func run() -> ContinuousClock.Instant { .now }
}
