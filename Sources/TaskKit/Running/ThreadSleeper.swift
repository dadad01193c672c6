import CTaskKit
import Dispatch
import Foundation

/// Lets a thread wait until another one wakes it. On the main thread the run loop goes on meanwhile.
final class ThreadSleeper: Sendable {
  private let signal = DispatchSemaphore(value: 0)
  #if os(Windows)
  private var turns: UnsafeMutableRawPointer? { nil }
  #else
  // Never changed, and what it points to may be used from every thread.
  nonisolated(unsafe) private let turns: UnsafeMutableRawPointer?
  #endif

  /// For the calling thread.
  init() {
    #if !os(Windows)
    // Where other threads serve the main actor, its run loop is nobody's.
    turns = MainThread.isCurrent && Thread.isMainThread ? taskkit_begin_main_turns() : nil
    #endif
  }

  deinit {
    #if !os(Windows)
    if let turns { taskkit_free_main_turns(turns) }
    #endif
  }

  /// Returns after ``wake()``, at a time of the machine's continuous clock, or without any reason.
  func sleep(until limit: Int64 = .max) {
    let left = limit == .max ? nil : Double(max(0, limit.earlier(by: MachineClock.now()))) / 1e9
    // A run loop that cannot be run must not be asked again and again.
    let date = left.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture
    if turns != nil, RunLoop.main.run(mode: .default, before: date) { return }
    if let left { _ = signal.wait(timeout: .now() + left) } else { signal.wait() }
  }

  func wake() {
    signal.signal()
    #if !os(Windows)
    if let turns { taskkit_end_main_turn(turns) }
    #endif
  }

  /// The thread will not sleep again; called on it.
  func end() {
    #if !os(Windows)
    if let turns { taskkit_end_main_turns(turns) }
    #endif
  }
}
