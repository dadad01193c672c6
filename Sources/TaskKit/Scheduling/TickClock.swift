import Synchronization

/// A clock that whoever owns it moves: the loop of a game, a timer of the hardware, the time in a recording (R48).
///
/// ```swift
/// let clock = TickClock(tick: .seconds(1) / 60)
/// let center = TaskCenter(registry: .generated, time: TimeSource(continuous: clock))
/// center.start()
/// while isPlaying {
///   clock.tick()  // schedules, delays and timeouts of the center count these
///   drawFrame()
/// }
/// ```
///
/// Times count to the nanosecond: sixty such ticks are a second, though each is cut off to be a little less than a sixtieth.
///
/// It stands still in between, and does nothing then. Whoever sleeps on it wakes when its time has come, in the order of
/// the times, and goes on where it belongs, not on the thread that moved the clock. A step costs as much as there are
/// sleepers; a center is one, whatever it has pending.
public final class TickClock: Clock, Sendable {
  /// A time of such a clock, from its beginning.
  public struct Instant: InstantProtocol, Sendable {
    /// How long after the beginning.
    public var offset: Duration

    /// - Parameter offset: how long after the beginning.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The time so much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long it is until another time; negative for an earlier one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// Whether it is a center that sleeps, for what is due next, and not somebody who has begun something.
  @TaskLocal static var isForCenter = false

  private let state = Mutex(TickClockState())

  /// How much time a tick is.
  public let minimumResolution: Duration

  /// - Parameter tick: how much time a tick is.
  /// - Precondition: it is more than zero.
  public init(tick: Duration) {
    precondition(tick > .zero, "a tick takes time, not \(tick)")
    minimumResolution = tick
  }

  /// The time of the latest tick.
  public var now: Instant { state.withLock { $0.now } }

  /// Moves the clock by one tick.
  public func tick() {
    advance(by: minimumResolution)
  }

  /// Moves the clock by any time, a tick or not, and wakes whoever has slept until then.
  ///
  /// - Precondition: the time is not negative.
  public func advance(by duration: Duration) {
    move(by: duration)()
  }

  /// Moves the clock, and says how to wake whoever has slept until then: for clocks that move together.
  package func move(by duration: Duration) -> () -> Void {
    precondition(duration >= .zero, "a clock does not go back by \(duration)")
    let (due, watchers) = state.withLock { $0.advance(by: duration) }
    return {
      for continuation in due { continuation.resume(returning: false) }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { $0.takeID() }
    let (isForCenter, run) = (Self.isForCenter, WorkerBox.current?.servedRun)
    let wasCancelled = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (immediate, watchers) = state.withLock {
          $0.add(id, until: deadline, isForCenter: isForCenter, run: run, continuation)
        }
        if let immediate { continuation.resume(returning: immediate) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let (sleeper, watchers) = state.withLock { $0.cancel(id) }
      sleeper?.resume(returning: true)
      for watcher in watchers { watcher.resume() }
    }
    state.withLock { $0.forget(id) }
    if wasCancelled { throw CancellationError() }
  }

  // MARK: - For tests

  /// What a test waits for: there are enough sleepers, one of them has that time, or there is none.
  package enum Expectation: Sendable {
    case sleepers(Int)
    case sleeper(until: Instant)
    /// Exactly one sleeps, until that time.
    case onlySleeper(until: Instant)
    /// One that is not a center, and did not sleep before the mark.
    case somebody(since: Mark)
    case noSleepers
  }

  /// Returns when it is met, or when the calling task is cancelled.
  package func wait(for expectation: Expectation) async {
    let id = state.withLock { $0.takeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if state.withLock({ $0.isMet(expectation, otherwise: continuation, id) }) { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.cancelWatcher(id) }?.resume()
    }
    state.withLock { $0.forget(id) }
  }

  /// A moment, for who wants to know who begins to sleep after it: of the bodies of a center those of later runs, whenever those
  /// of earlier ones begin, and those of what the shutdown awaits, whenever that has begun.
  package struct Mark: Sendable {
    let sleeper: Int
    let run: UInt64
    let runsOfShutdown: Set<UInt64>

    /// Before all.
    package static let beginning = Mark(sleeper: 0, run: 0, runsOfShutdown: [])

    func isBefore(_ sleeper: Int, of run: UInt64?) -> Bool {
      guard let run else { return sleeper >= self.sleeper }
      return run >= self.run || runsOfShutdown.contains(run)
    }
  }

  /// This moment.
  ///
  /// - Parameter center: whose bodies may sleep on the clock.
  package func mark(in center: TaskCenter) -> Mark {
    let (run, runsOfShutdown) = (center.nextRun, center.runsOfShutdown)
    return state.withLock { $0.mark(beforeRun: run, runsOfShutdown) }
  }

  /// When the next sleeper wakes; nil if nobody sleeps.
  package var nextDeadline: Instant? { state.withLock { $0.nextDeadline } }
}
