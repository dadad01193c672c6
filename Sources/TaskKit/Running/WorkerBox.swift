import CTaskKit
import Synchronization

/// Where a body of a center is running, for calls into the center from inside it.
///
/// A body that may suspend is found through its task, a synchronous one through its thread, which costs next to nothing:
/// the only thing that such a body can wait for by itself is ``TaskCenter/sendAndWait(_:_:deadline:)``.
final class WorkerBox: Sendable {
  let center: ObjectIdentifier
  let worker: Int
  private let slot: Int
  /// The run that is served, or the attempt to make a module, whose initialiser runs here; 0 for a piece of work.
  private let run: Atomic<UInt64>
  /// Where the initialiser of a module was called; nil for everything else.
  private let outer: WorkerBox?
  /// Whether `outer` is a synchronous body, further up on its thread.
  private let isBlocking: Bool
  /// The piece of work of a companion that runs here; nil for everything else. It is no body, and what the center starts while
  /// it calls has a box of its own.
  private let work: (any CompanionWork)?
  /// The node whose body runs, or -1.
  let node = Atomic<Int32>(-1)
  /// The same if that body may suspend.
  private let suspendable = Atomic<Int32>(-1)

  init(center: TaskCenter, handle: RunHandle, worker: Int) {
    self.center = ObjectIdentifier(center)
    slot = handle.slot
    run = Atomic(handle.id)
    outer = nil
    isBlocking = false
    work = nil
    self.worker = worker
  }

  /// For a piece of work of a companion.
  init(of work: any CompanionWork, in center: TaskCenter) {
    self.center = ObjectIdentifier(center)
    slot = -1
    run = Atomic(0)
    outer = nil
    isBlocking = false
    self.work = work
    worker = -1
  }

  /// For the initialiser of a module, which is who waits for what it awaits; what is begun in it has a box of its own.
  init(making attempt: UInt64, in center: TaskCenter) {
    self.center = ObjectIdentifier(center)
    slot = .max
    run = Atomic(attempt)
    outer = WorkerBox.current
    isBlocking = false
    work = nil
    worker = -1
  }

  /// For an initialiser that runs in one step, by a call from a synchronous body or for somebody who awaits that.
  init(makingInOneStep attempt: UInt64, in center: TaskCenter) {
    self.center = ObjectIdentifier(center)
    slot = .max
    run = Atomic(attempt)
    let body = WorkerBox.blocking
    outer = body ?? WorkerBox.current
    isBlocking = body != nil
    work = nil
    worker = -1
  }

  var handle: RunHandle { RunHandle(slot: slot, id: run.load(ordering: .relaxed)) }

  /// Serves another run, in the same place.
  func start(_ id: UInt64, node first: Int32) {
    run.store(id, ordering: .relaxed)
    node.store(first, ordering: .relaxed)
  }

  // MARK: - Bodies that may suspend

  @TaskLocal static var current: WorkerBox?

  /// A body that may suspend begins in a task that has this box as its ``current``.
  func beginSuspendable(_ node: Int32) { suspendable.store(node, ordering: .relaxed) }

  func endSuspendable() { suspendable.store(-1, ordering: .relaxed) }

  /// The body that awaits something, if it is one of the given center.
  ///
  /// A task that a body starts without awaiting it inherits this; it is taken for the body that runs on this worker, be it
  /// that one or a later one: a box for each body would cost each of them a task-local value, 70 ns.
  /// ``TaskCenter/begin(_:_:)`` is the form for sends that nobody waits for. A task that a synchronous body starts is nothing
  /// that the body could await, and is taken for none; see ``apart(from:_:)``.
  static func caller(in center: TaskCenter) -> Caller? { current?.caller(in: center) }

  /// The same for a box that is the ``current`` one.
  func caller(in center: TaskCenter) -> Caller? { caller(in: ObjectIdentifier(center)) }

  private func caller(in center: ObjectIdentifier) -> Caller? {
    guard slot == .max else { return self.center == center ? caller(of: suspendable.load(ordering: .relaxed)) : nil }
    let body = isBlocking ? outer?.blockingCaller(in: center) : outer?.caller(in: center)
    guard self.center == center else { return body }
    let attempt = run.load(ordering: .relaxed)
    guard var body else { return Caller(frame: .outside(making: attempt), worker: worker) }
    body.frame.making = attempt
    return body
  }

  // MARK: - Companions

  /// Whether it is that of a piece of work of a companion.
  var isOfCompanion: Bool { work != nil }

  /// The piece of work that awaits something, if it is one of the given center, in the initialiser of a module too.
  static func work(in center: TaskCenter) -> (any CompanionWork)? { current?.work(in: ObjectIdentifier(center)) }

  private func work(in center: ObjectIdentifier) -> (any CompanionWork)? {
    if slot == .max { return outer?.work(in: center) }
    return self.center == center ? work : nil
  }

  // MARK: - Synchronous bodies

  /// Runs synchronous bodies where a body that may suspend goes on, or has gone on before: tasks that they start inherit
  /// nothing of that one.
  ///
  /// - Parameter outer: the ``current`` box.
  @inline(__always)
  static func apart<Result>(from outer: WorkerBox?, _ bodies: () throws -> Result) rethrows -> Result {
    if outer == nil { return try bodies() }
    return try $current.withValue(nil, operation: bodies)
  }

  /// Runs synchronous bodies on this thread: what they call finds them.
  @inline(__always)
  func onThread<Result, Failure>(_ bodies: () throws(Failure) -> Result) throws(Failure) -> Result {
    let outer = taskkit_exchange_worker(Unmanaged.passUnretained(self).toOpaque())
    defer { _ = taskkit_exchange_worker(outer) }
    return try bodies()
  }

  /// Runs something on the thread of a synchronous body that waits, which has nothing to do with it.
  static func offThread<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = taskkit_exchange_worker(nil)
    defer { _ = taskkit_exchange_worker(outer) }
    return try body()
  }

  /// Whether the calling thread is inside of a synchronous body of it.
  var isOnThisThread: Bool { taskkit_worker() == Unmanaged.passUnretained(self).toOpaque() }

  /// The body that blocks its thread, if it is one of the given center: a synchronous one, or one that may suspend and
  /// calls a function that may not.
  static func blockingCaller(in center: TaskCenter) -> Caller? {
    guard let box = blocking else { return caller(in: center) }
    return box.blockingCaller(in: ObjectIdentifier(center))
  }

  /// The synchronous body, or the initialiser in one step, in which the calling thread is, if it is one of the given center.
  static func threadCaller(in center: TaskCenter) -> Caller? {
    blocking?.blockingCaller(in: ObjectIdentifier(center))
  }

  /// That of the synchronous body, or of the initialiser in one step, in which the calling thread is.
  private static var blocking: WorkerBox? {
    guard let pointer = taskkit_worker() else { return nil }
    // It is there until `onThread`, which is further up on this thread's stack, has returned.
    return Unmanaged<WorkerBox>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The same for such a box.
  private func blockingCaller(in center: ObjectIdentifier) -> Caller? {
    guard slot != .max else { return caller(in: center) }
    return self.center == center ? caller(of: node.load(ordering: .relaxed)) : nil
  }

  private func caller(of node: Int32) -> Caller? {
    guard node >= 0 else { return nil }
    let handle = handle
    return Caller(frame: FrameIdentity(run: handle.id, slot: handle.slot, node: node), worker: worker)
  }
}
