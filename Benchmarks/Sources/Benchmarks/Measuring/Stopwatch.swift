#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Measures a stretch of time.
struct Stopwatch {
  /// Whether the processor time of all threads is counted instead of the time that passes. On a machine that others use
  /// too, that leaves out the time in which they had the processor; of engines that use several threads it says what
  /// they cost, not how long they take.
  static let countsProcessorTime = CommandLine.arguments.contains("--cpu")

  private let start = Stopwatch.now

  /// Nanoseconds since it was made.
  var elapsed: Int64 { Stopwatch.now - start }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(countsProcessorTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
