import Dispatch
import Synchronization

/// A task that sleeps until something is due, and does that on the thread that wakes it.
///
/// By itself, a task that has slept is put into a queue by the thread that its timer woke, and another thread has to wake
/// for it: that takes as long again as the first did. So the task brings an executor of its own, which runs it in place.
/// On a clock that is moved by hand it runs as any other, not inside of whatever moves the clock.
final class AlarmSleeper: Sendable {
  private let task: _Concurrency.Task<Void, Never>
  private let executor: AlarmExecutor?

  /// Detached, so that it does not run for ever in the name of whoever happened to set it.
  init(isOfMachine: Bool, _ body: @escaping @Sendable () async -> Void) {
    let executor = isOfMachine ? AlarmExecutor() : nil
    self.executor = executor
    task = _Concurrency.Task.detached(executorPreference: executor) {
      executor?.hasBegun()
      await body()
    }
  }

  /// Ends the sleep. Nothing of the task runs before this returns, other than on another thread.
  func cancel() {
    // Whoever cancels is inside of the runtime's bookkeeping about the task when that wakes.
    executor?.willEnd()
    task.cancel()
  }
}

/// Runs a task that mostly sleeps where it is woken.
private final class AlarmExecutor: TaskExecutor {
  /// Only the thread of the system that ends a sleep may go on with the task: whoever starts or cancels it is in the
  /// middle of something.
  private let mayRunInPlace = Atomic(false)
  private let isEnding = Atomic(false)

  func hasBegun() { mayRunInPlace.store(true, ordering: .relaxed) }
  func willEnd() { isEnding.store(true, ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    // The task owns its executor, and may come to its end in here.
    let owned = Unmanaged.passRetained(self)
    defer { owned.release() }
    guard mayRunInPlace.load(ordering: .relaxed), !isEnding.load(ordering: .relaxed) else {
      DispatchQueue.global().async { [job = UnownedJob(job)] in
        job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
      return
    }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
