import Dispatch
import Foundation

/// Hands the jobs of an actor to a dispatch queue of its own, as the page about Bolts has it.
final class QueueExecutor: SerialExecutor {
  private static let mark = DispatchSpecificKey<Void>()
  private let queue = DispatchQueue(label: "journal")

  /// Whether the calling code runs on the queue of one.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

  init() { queue.setSpecific(key: Self.mark, value: ()) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// An actor whose work is that queue's.
@globalActor actor Journal {
  static let shared = Journal()
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

/// Hands the jobs of no actor to an operation queue, as the same page has it.
final class OperationExecutor: TaskExecutor {
  private let queue: OperationQueue

  /// Whether the calling code runs on the queue.
  var isCurrent: Bool { OperationQueue.current === queue }

  init(_ queue: OperationQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
