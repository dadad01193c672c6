#if os(Linux)
import CTaskKit
import Dispatch
import Synchronization

/// The thread of the process that sleeps until something is due in one of the centers on the machine's clock.
///
/// A timer of Dispatch, by which a sleeping task wakes too, wakes one thread that wakes another, each time half of the way
/// to what is due. Here the kernel wakes the thread that does it. All centers share one timer of the kernel, which is made
/// when the first of them has something to wait for.
///
/// What a center does may take long, because a call is a user's code. So nobody does anything while it keeps the watch: a
/// thread that is woken rings the center itself, once a second thread keeps the watch for the others. As long as one of the
/// two is still busy, the other leaves what is due to a queue of Dispatch. So there are two threads at most, however
/// many centers, and the second is made when there is something to wait for during a ringing.
///
/// Both are blocked in the kernel and in nobody's way: they are none of those that tasks run on, and a process ends without
/// waiting for them. They end with the process. A child of `fork` that goes on without `exec` has neither, as it has none of
/// Swift's threads and locks; its parent does not notice it.
final class AlarmThread: Sendable {
  /// Nil where the system had no timer to give. Everyone's, so that there is one thread and not one for each center.
  static let shared = AlarmThread()

  /// What somebody who waits is woken by.
  final class Bell: Sendable {
    fileprivate let ring: @Sendable (_ due: Int64, _ keepsWatch: Bool) -> Void

    /// - Parameter ring: is told when it was due, and whether the thread that calls keeps the watch from its return on:
    ///   whoever sets a bell then passes that on. Does not run while the bell is being set.
    init(_ ring: @escaping @Sendable (_ due: Int64, _ keepsWatch: Bool) -> Void) {
      self.ring = ring
    }
  }

  typealias Token = DueHeap<Bell>.Token

  fileprivate struct State {
    var bells = DueHeap<Bell>()
    var timer: Int32
    /// What that is set to, while it has not rung.
    var due: Int64?
    /// A thread waits for the timer, or is on its way.
    var isWatched = false
    /// One of the two threads is busy with a center.
    var isRinging = false
    /// The second thread waits until it is needed.
    var hasSpare = false
  }

  /// Leads to nobody else's lock.
  private let state: Mutex<State>
  private let spare = DispatchSemaphore(value: 0)

  private init?() {
    let timer = taskkit_alarm_timer()
    guard timer >= 0 else { return nil }
    state = Mutex(State(timer: timer))
  }

  /// Sets a bell, from any thread.
  ///
  /// - Parameters:
  ///   - due: nanoseconds on the continuous clock; nil for never.
  ///   - token: of what it was set to before.
  ///   - keepsWatch: see ``Bell``.
  func set(_ bell: Bell, to due: Int64?, insteadOf token: Token?, keepsWatch: Bool = false) -> Token? {
    state.withLock { state in
      if let token { _ = state.bells.remove(token) }
      let new = due.map { state.bells.add(bell, due: $0) }
      state.setTimer()
      if !keepsWatch, !state.isWatched, !state.bells.isEmpty { beginWatch(&state) }
      return new
    }
  }

  /// Somebody who waited is not there any more.
  func forget(_ token: Token) {
    state.withLock { state in
      _ = state.bells.remove(token)
      state.setTimer()
    }
  }

  // MARK: - The threads

  private func beginWatch(_ state: inout State) {
    state.isWatched = true
    if state.hasSpare {
      state.hasSpare = false
      spare.signal()
    } else {
      start()
    }
  }

  private func start() {
    let context = Unmanaged.passRetained(self)
    let answer = taskkit_start_named_thread(
      "TaskKit alarm",
      { context in
        guard let context else { return }
        Unmanaged<AlarmThread>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard answer != 0 else { return }
    context.release()
    // Dispatch has threads of its own, and tries again where the system has none left.
    DispatchQueue.global().async { self.run() }
  }

  /// What each of the two threads does.
  private func run() {
    let timer = state.withLock { $0.timer }
    while true {
      guard taskkit_wait_for_alarm(timer) == 0 else {
        preconditionFailure("somebody has closed a file of TaskKit's: the timer that all centers wait for")
      }
      guard let (bell, due) = takeDue() else { continue }
      bell.ring(due, true)
      if !resumeWatch() { spare.wait() }
    }
  }

  /// - Returns: what the thread that was woken is to ring itself, after which it resumes the watch; nil if it has kept it.
  private func takeDue() -> (Bell, due: Int64)? {
    let now = MachineClock.now()
    var own: (Bell, due: Int64)?
    var others: [(bell: Bell, due: Int64)] = []
    state.withLock { state in
      state.due = nil
      while let due = state.bells.earliest, let bell = state.bells.next(at: now) {
        if own == nil, !state.isRinging {
          own = (bell, due)
          state.isRinging = true
        } else {
          others.append((bell, due))
        }
      }
      state.setTimer()
      guard own != nil else { return }
      state.isWatched = false
      if !state.bells.isEmpty { beginWatch(&state) }
    }
    for (bell, due) in others { DispatchQueue.global().async { bell.ring(due, false) } }
    return own
  }

  /// - Returns: false if another thread keeps the watch.
  private func resumeWatch() -> Bool {
    state.withLock { state in
      state.isRinging = false
      guard state.isWatched else {
        state.isWatched = true
        return true
      }
      state.hasSpare = true
      return false
    }
  }
}

extension AlarmThread.State {
  fileprivate mutating func setTimer() {
    guard due != bells.earliest else { return }
    due = bells.earliest
    // Zero would mean never; whatever is past is due at once.
    taskkit_set_alarm_timer(timer, due.map { max(1, $0) } ?? 0)
  }
}
#endif
