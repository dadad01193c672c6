import Synchronization
public import TaskKit

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = VirtualClock()
/// let center = TaskCenter(registry: …, time: .virtual(clock))
/// let run = center.begin(.didBecomeActive)
/// await clock.waitForSleepers(1)
/// clock.advance(by: .seconds(5))
/// ```
public final class VirtualClock: Clock, Sendable {
  /// A time of a virtual clock, from its beginning.
  public struct Instant: InstantProtocol, Sendable {
    public var offset: Duration

    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Somebody who waits for sleepers: for a number of them, for one with that deadline, or for there being none.
  private struct Watcher {
    let count: Int?
    let deadline: Instant?
    let continuation: CheckedContinuation<Void, Never>

    func isSatisfied(by sleepers: [Int: Sleeper]) -> Bool {
      guard let deadline else { return count.map { sleepers.count >= $0 } ?? sleepers.isEmpty }
      return sleepers.values.contains { $0.deadline == deadline }
    }
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    var nextID = 0
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []

    mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
      let satisfied = watchers.filter { $0.isSatisfied(by: sleepers) }.map(\.continuation)
      watchers.removeAll { $0.isSatisfied(by: sleepers) }
      return satisfied
    }
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    let wasCancelled = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (immediate, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
          if state.cancelled.remove(id) != nil { return (true, []) }
          if deadline <= state.now { return (false, []) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return (nil, state.takeSatisfiedWatchers())
        }
        if let immediate { continuation.resume(returning: immediate) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let (sleeper, watchers) = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return (sleeper, state.takeSatisfiedWatchers())
      }
      sleeper?.continuation.resume(returning: true)
      for watcher in watchers { watcher.resume() }
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    if wasCancelled { throw CancellationError() }
  }

  /// Moves the clock and wakes, in the order of their times, all whose time has come.
  public func advance(by duration: Duration) {
    let (due, watchers) = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
        .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      for (id, _) in due { state.sleepers[id] = nil }
      return (due.map(\.value.continuation), state.takeSatisfiedWatchers())
    }
    for continuation in due { continuation.resume(returning: false) }
    for watcher in watchers { watcher.resume() }
  }

  /// Returns when at least that many sleep on this clock: nothing is polled, and no real time is waited for.
  public func waitForSleepers(_ count: Int = 1) async {
    await wait(count: count, deadline: nil)
  }

  /// Returns when somebody sleeps until exactly that time, counted from the beginning of the clock: for a timer that
  /// takes the place of another, whose number alone would not show it.
  public func waitForSleeper(until time: Duration) async {
    await wait(count: 1, deadline: Instant(offset: time))
  }

  /// Returns when nobody sleeps on this clock.
  public func waitForNoSleepers() async {
    await wait(count: nil, deadline: nil)
  }

  private func wait(count: Int?, deadline: Instant?) async {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        let watcher = Watcher(count: count, deadline: deadline, continuation: continuation)
        if watcher.isSatisfied(by: state.sleepers) { return true }
        state.watchers.append(watcher)
        return false
      }
      if isSatisfied { continuation.resume() }
    }
  }

  /// When the next sleeper wakes, from the beginning of the clock; nil if nobody sleeps.
  public var nextDeadline: Duration? {
    state.withLock { $0.sleepers.values.map(\.deadline).min()?.offset }
  }
}

extension TimeSource {
  /// Clocks that a test moves: continuous and suspending time follow the same virtual clock.
  ///
  /// The calendar is the machine's. ``VirtualTime`` moves all of them.
  public static func virtual(_ clock: VirtualClock) -> TimeSource {
    TimeSource(continuous: clock, suspending: clock)
  }
}
