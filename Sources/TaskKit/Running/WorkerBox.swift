import CTaskKit
import Synchronization

/// Where a body of a center is running, for calls into the center from inside it.
///
/// A body that may suspend is found through its task, a synchronous one through its thread, which costs next to nothing:
/// the only thing that such a body can wait for by itself is ``TaskCenter/sendAndWait(_:_:deadline:)``.
final class WorkerBox: Sendable {
  private enum Role: Sendable {
    /// A worker of the run in a place, after which another run may follow there; see ``WorkerBox/start(_:node:)``.
    case worker(slot: Int, number: Int)
    /// A piece of work of a companion. It is no body, and what the center starts while it calls has a box of its own.
    case companion(any CompanionWork)
    /// The initialiser of a module: what it awaits is waited for by the module. What is begun in it has a box of its own.
    case making(attempt: UInt64, calledIn: Place)
  }

  /// Where an initialiser was called.
  private enum Place: Sendable {
    /// In nothing of a center.
    case outside
    /// In what may suspend.
    case task(WorkerBox)
    /// In a synchronous body, or an initialiser in one step, further up on the thread.
    case thread(WorkerBox)

    /// In what the calling task runs.
    static var currentTask: Place { WorkerBox.current.map { .task($0) } ?? .outside }

    func caller(in center: ObjectIdentifier) -> Caller? {
      switch self {
      case .outside: nil
      case .task(let box): box.caller(in: center)
      case .thread(let box): box.blockingCaller(in: center)
      }
    }

    /// An initialiser of that center which was called there.
    func caller(in center: ObjectIdentifier, making attempt: UInt64) -> Caller? {
      let caller = caller(in: center)
      return Caller(frame: FrameIdentity(body: caller?.frame.body, making: attempt), worker: caller?.worker)
    }
  }

  let center: ObjectIdentifier
  private let role: Role
  /// The run of a worker.
  private let run: Atomic<UInt64>
  /// The node whose body runs, or -1.
  let node = Atomic<Int32>(-1)
  /// The same if that body may suspend.
  private let suspendable = Atomic<Int32>(-1)
  /// The task that it was made for, which others may have inherited it from: by its hash, 0 where that is not known.
  private let task: Atomic<Int>

  init(center: TaskCenter, handle: RunHandle, worker: Int) {
    self.center = ObjectIdentifier(center)
    role = .worker(slot: handle.slot, number: worker)
    run = Atomic(handle.id)
    task = Atomic(0)
  }

  /// For a piece of work of a companion.
  init(of work: any CompanionWork, in center: TaskCenter) {
    self.center = ObjectIdentifier(center)
    role = .companion(work)
    run = Atomic(0)
    task = Atomic(0)
  }

  /// For the initialiser of a module, which the calling task awaits.
  init(making attempt: UInt64, in center: TaskCenter) {
    self.center = ObjectIdentifier(center)
    role = .making(attempt: attempt, calledIn: .currentTask)
    run = Atomic(0)
    task = Atomic(WorkerBox.currentTask)
  }

  /// For one that runs in one step, by a call from a synchronous body or for somebody who awaits that.
  init(makingInOneStep attempt: UInt64, in center: TaskCenter) {
    self.center = ObjectIdentifier(center)
    role = .making(attempt: attempt, calledIn: WorkerBox.blocking.map { .thread($0) } ?? .currentTask)
    run = Atomic(0)
    task = Atomic(0)
  }

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

  /// Its bodies that may suspend run in the calling task.
  func noteTask() { task.store(WorkerBox.currentTask, ordering: .relaxed) }

  /// Its bodies that may suspend run in a task.
  func note(_ walker: WalkerTask) { task.store(walker.task.hashValue, ordering: .relaxed) }

  /// The calling task, by its hash; 0 where there is none.
  private static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

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
    switch role {
    case .worker: self.center == center ? caller(running: suspendable.load(ordering: .relaxed)) : nil
    case .companion: nil
    case .making(let attempt, let place):
      self.center == center ? place.caller(in: center, making: attempt) : place.caller(in: center)
    }
  }

  /// The run whose bodies run in it; nil where those are none of a task's.
  var servedRun: UInt64? { if case .worker = role { run.load(ordering: .relaxed) } else { nil } }

  // MARK: - Companions

  /// Whether it is that of a piece of work of a companion.
  var isOfCompanion: Bool { if case .companion = role { true } else { false } }

  /// Whether something waits for what the calling thread does that is no body: a piece of work of a companion, or a module.
  ///
  /// - Parameter current: the ``current`` box.
  static func isInNoBody(_ current: WorkerBox?) -> Bool {
    guard let box = blocking ?? current else { return false }
    return if case .worker = box.role { false } else { true }
  }

  /// The piece of work that awaits something, if it is one of the given center, in the initialiser of a module too.
  static func work(in center: TaskCenter) -> (any CompanionWork)? { current?.work(in: ObjectIdentifier(center)) }

  private func work(in center: ObjectIdentifier) -> (any CompanionWork)? {
    switch role {
    case .worker: nil
    case .companion(let work): self.center == center ? work : nil
    case .making(_, calledIn: .outside): nil
    case .making(_, calledIn: .task(let box)), .making(_, calledIn: .thread(let box)): box.work(in: center)
    }
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

  /// The body, or the initialiser, that does not go on before the calling function returns, if it is one of the given center.
  ///
  /// One that may suspend goes on when a task does that it has left behind. A part of one that runs beside others is taken for
  /// such a task, too: the two look the same from the inside.
  static func heldCaller(in center: TaskCenter) -> Caller? {
    if let box = blocking { return box.blockingCaller(in: ObjectIdentifier(center)) }
    guard let box = current else { return nil }
    let task = box.task.load(ordering: .relaxed)
    return task != 0 && task == currentTask ? box.caller(in: center) : nil
  }

  /// That of the synchronous body, or of the initialiser, in which the calling thread is.
  private static var blocking: WorkerBox? {
    guard let pointer = taskkit_worker() else { return nil }
    // It is there until `onThread`, which is further up on this thread's stack, has returned.
    return Unmanaged<WorkerBox>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The same for such a box.
  private func blockingCaller(in center: ObjectIdentifier) -> Caller? {
    guard case .worker = role else { return caller(in: center) }
    return self.center == center ? caller(running: node.load(ordering: .relaxed)) : nil
  }

  /// The body of a node, on a worker.
  private func caller(running node: Int32) -> Caller? {
    guard node >= 0, case .worker(let slot, let number) = role else { return nil }
    let run = RunHandle(slot: slot, id: run.load(ordering: .relaxed))
    return Caller(frame: FrameIdentity(body: FrameIdentity.Body(run: run, node: node)), worker: number)
  }
}
