#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Measures a stretch of time.
package struct Stopwatch {
  /// Whether the processor time of all threads is counted instead of the time that passes. On a machine that others use
  /// too, that leaves out the time in which they had the processor; of engines that use several threads it says what
  /// they cost, not how long they take.
  package static let countsProcessorTime = CommandLine.arguments.contains("--cpu")

  private let start = Stopwatch.now

  package init() {}

  /// Nanoseconds since it was made.
  package var elapsed: Int64 { Stopwatch.now - start }

  private static var now: Int64 { countsProcessorTime ? processorTime : time }

  /// The time that passes, whatever is counted otherwise: nanoseconds.
  package static var time: Int64 { read(CLOCK_MONOTONIC) }

  /// Processor time of all threads: nanoseconds.
  package static var processorTime: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// Returns when no thread of the program works any more, for a hundredth of a second or nearly so.
  package static func processIsQuiet() async {
    var before = processorTime
    while true {
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
      let now = processorTime
      if now - before < 500_000 { return }
      before = now
    }
  }

  /// What a piece of work costs, and what it leaves to other threads: nanoseconds.
  ///
  /// Where processor time is counted that is what this thread needs for it, and what all others need until they have
  /// nothing more to do. Otherwise it is the time in which this thread gets through.
  package static func cost(of work: () -> Void) -> Int64 {
    guard countsProcessorTime else {
      let watch = Stopwatch()
      work()
      return watch.elapsed
    }
    let (own, others) = (read(CLOCK_THREAD_CPUTIME_ID), othersTime)
    work()
    let needed = read(CLOCK_THREAD_CPUTIME_ID) - own
    // This thread sleeps itself: a task that does would have others work for it, and be counted. Several looks, because
    // on a machine that others use too a thread that could work may have to wait for its turn.
    var before = othersTime
    var quietLooks = 0
    while quietLooks < 3 {
      usleep(10_000)
      let now = othersTime
      quietLooks = now - before < 10_000 ? quietLooks + 1 : 0
      before = now
    }
    return needed + before - others
  }

  /// Processor time of all threads but this one.
  private static var othersTime: Int64 { processorTime - read(CLOCK_THREAD_CPUTIME_ID) }

  /// Works until so much time has passed.
  package static func keepBusy(nanoseconds: Int64) {
    let end = time + nanoseconds
    while time < end {}
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
