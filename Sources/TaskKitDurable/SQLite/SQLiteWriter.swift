#if Durable && !os(Windows)
import Dispatch
import Foundation
import GRDB
import Synchronization
import TaskKit

/// Writes an SQLite file for one owner: what is asked for while a commit is on its way to the disk rides in the next one.
final class SQLiteWriter: Sendable {
  struct State {
    var operations: [WriterOperation] = []
    /// Whether a block on the queue will look at this.
    var isBusy = false
    /// Whether somebody may have changed the file.
    var mustLook = false
    /// Whether it is looked again soon, as it could not be seen whether somebody has.
    var isLookTimed = false
    /// How often somebody has told that an owner may have died.
    var deathNotices: UInt64 = 0
    /// When so many operations are there, the writer goes on.
    var awaited: Int?
    /// Whether `gathered` has to be signalled for that.
    var isAsleep = false
    var isClosed = false
  }

  /// What only blocks on the queue use, one at a time.
  struct Memory {
    var caches = SQLiteCaches()
    var dataVersion: Int?
    /// At which of them the file's format was one that this build knows.
    var formatVersion: Int?
    /// Whether commits wait for the disk.
    var isRelaxed: Bool?
    /// The last look for dead owners; nil where there was none but that of the opening.
    var ownerLook: OwnerLook?
    /// Whether anything has been committed since it was last looked whether the log is to be moved.
    var hasWritten = false
    /// Whether that will be looked at.
    var isMoveTimed = false
    /// What was said of operations that have happened, and was not heard: their file was away when they had.
    var unheard: UnheardAnswers?
    /// How many operations the last commit had, and how long it took, in nanoseconds.
    var lastCommit = (count: 0, duration: UInt64(0))
  }

  let path: String
  /// The store's, which is written in the file.
  let identity: UUID
  /// Of the connection that writes, where nobody else uses it. Before the database, which would wait for them.
  let statements: StepStatements?
  let database: any DatabaseWriter
  let now: @Sendable () -> Date
  let owner: Int64
  /// What the owner is called, for people.
  let name: String
  let locks: OwnerLocks
  let ownLock: Mutex<OwnerLock?>
  let company = Mutex(SQLiteCompany())
  let hearing: SQLiteHearing
  /// False for a database of somebody else, whose settings are theirs.
  let isOwned: Bool
  let file: FileIdentity
  let queue: DispatchQueue
  let state = Mutex(State())
  let memory = Mutex(Memory())
  let signal: AsyncStream<Void>.Continuation
  let hasGathered = Atomic(false)
  let gathered = DispatchSemaphore(value: 0)
  #if os(Linux)
  /// Set once, when the store is open.
  let watch = Mutex<FileWatch?>(nil)

  func setWatch(_ watch: FileWatch) { self.watch.withLock { $0 = watch } }
  #endif

  init(
    _ database: any DatabaseWriter, path: String, identity: UUID, isOwned: Bool, environment: StoreEnvironment,
    owner: Int64, locks: OwnerLocks, lock: OwnerLock, file: FileIdentity, queue: DispatchQueue,
    signal: AsyncStream<Void>.Continuation, hearing: SQLiteHearing
  ) {
    self.database = database
    self.path = path
    self.identity = identity
    self.isOwned = isOwned
    statements = isOwned ? StepStatements() : nil
    now = environment.now
    self.owner = owner
    name = environment.owner
    self.locks = locks
    ownLock = Mutex(lock)
    self.file = file
    self.queue = queue
    self.signal = signal
    self.hearing = hearing
  }

  // MARK: Asking

  /// Does something in a transaction that others may share; returns when it is on the disk.
  ///
  /// - Parameters:
  ///   - isRelaxed: whether a power cut may undo it.
  ///   - cancelled: the attempts of this owner that it has cancelled.
  func perform<Value: Sendable>(
    isRelaxed: Bool = false, cancelled: @escaping @Sendable (Value) -> [AttemptToken] = { _ in [] },
    _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
  ) async throws -> Value {
    let operation = AskedOperation(isRelaxed: isRelaxed, cancelled: cancelled, body)
    try await perform(operation)
    return operation.value!
  }

  /// The same for an operation that nobody else has.
  func perform(_ operation: WriterOperation) async throws {
    // Resumed once: by `take`, or by the writer, which forgets an operation when it has resumed its waiter.
    try await withUnsafeThrowingContinuation { waiter in
      operation.setWaiter(waiter)
      take(operation)
    }
  }

  private func take(_ operation: WriterOperation) {
    let (isRefused, mustStart, mustSignal) = state.withLock { state in
      guard !state.isClosed else { return (true, false, false) }
      state.operations.append(operation)
      var mustSignal = false
      if let awaited = state.awaited, state.operations.count >= awaited {
        state.awaited = nil
        hasGathered.store(true, ordering: .releasing)
        swap(&mustSignal, &state.isAsleep)
      }
      defer { state.isBusy = true }
      return (false, !state.isBusy, mustSignal)
    }
    if isRefused { operation.fail(closed) }
    if mustSignal { gathered.signal() }
    if mustStart { queue.async { self.work() } }
  }

  /// Does something in a transaction of the database's owner, who decides whether it is committed.
  func perform<Value>(in db: Database, _ body: (SQLiteTransaction) throws -> Value) throws -> Value {
    // A program may share several databases, and a connection does not say whose it is. One that was never shared has
    // no such table.
    let found: String? =
      try db.tableExists("taskkit_format")
      ? db.first("SELECT identity FROM taskkit_format") { try $0.value(0, of: .format, "1") } : nil
    guard found == identity.uuidString else {
      throw JobStoreError(.invalid, store: path, detail: "the transaction is one of another database")
    }
    try SQLiteSchema.check(db, store: path)
    // Names and shelves that are new may be rolled back, so nothing is remembered, and nothing read that is not needed.
    let transaction = try SQLiteTransaction(
      db, now: StoreTime(now()), owner: owner, caches: SQLiteCaches(), knowsShelves: false)
    let result = try transaction.inSavepoint {
      let value = try body(transaction)
      try transaction.finish()
      return value
    }
    // Others see the file change; this process has to be told.
    db.afterNextTransaction { [signal] _ in signal.yield() }
    return try result.get()
  }

  private var closed: JobStoreError { JobStoreError(.closed, store: path, detail: "it was closed") }

  /// Somebody may have changed the file.
  func fileMayHaveChanged() {
    let mustStart = state.withLock { state in
      guard !state.isClosed else { return false }
      state.mustLook = true
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if mustStart { queue.async { self.work() } }
  }

  /// An owner may have died: the next exchange looks.
  func ownerMayHaveDied() {
    state.withLock { $0.deathNotices += 1 }
    signal.yield()
  }

  // MARK: Closing

  /// Ends the owner, after everything that was asked for before.
  func close() async {
    let isReleased: Void? = try? await perform { transaction in
      _ = try transaction.release(owner: self.owner, isCrash: false)
      self.company.withLock { $0.isLeaving = true }
    }
    // What cannot be given back now, for want of room for one, is found as that of an owner that is gone: its lock says that
    // it was no crash.
    if isReleased == nil { ownLock.withLock { $0?.lock.mark() } }
    end(removesLock: isReleased != nil)
  }

  /// Closes the database, in a turn, as the last who closes it moves everything into the file. Blocks its thread.
  func closeDatabase() throws {
    try locks.turn.take {
      // A pool closes its readers after its writer, and what only reads moves nothing. Nobody is waited for: whoever
      // else has the file open is not the last.
      try? database.writeWithoutTransaction { db in
        statements?.forget()
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        try db.checkpoint(.truncate)
      }
      try database.close()
    }
  }

  var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Ends the owner as the death of its process would.
  func die() { end(removesLock: false) }

  /// - Parameter endsSignal: false where the store goes on without it: nothing can be told by a signal that has ended.
  func end(removesLock: Bool, endsSignal: Bool = true) {
    let left = state.withLock { state in
      defer { state.operations = [] }
      state.isClosed = true
      return state.operations
    }
    for operation in left { operation.fail(closed) }
    if let lock = ownLock.withLock({ $0.take() }), removesLock { locks.remove(lock.name) }
    if endsSignal { signal.finish() }
  }
}
#endif
