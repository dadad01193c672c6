#if Durable && !os(Windows)
import Dispatch
import Foundation
import GRDB
import Synchronization
import TaskKit

/// Writes an SQLite file for one owner: what is asked for while a commit is on its way to the disk rides in the next one.
final class SQLiteWriter: Sendable {
  /// Something to do in a transaction.
  struct Operation: Sendable {
    /// Whether a power cut may undo it.
    let isRelaxed: Bool
    /// Does it; what is returned is called when it is on the disk.
    let run: @Sendable (SQLiteTransaction) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
  }

  private struct State {
    var operations: [Operation] = []
    /// Whether a block on the queue will look at this.
    var isBusy = false
    /// Whether somebody may have changed the file.
    var mustLook = false
    /// Whether an owner may have died.
    var mustLookForOwners = true
    /// When so many operations are there, `gathered` is signalled.
    var awaited: Int?
    var isClosed = false
  }

  /// What only blocks on the queue use, one at a time.
  private struct Memory {
    var caches = SQLiteCaches()
    var dataVersion: Int?
    /// Whether commits wait for the disk.
    var isRelaxed: Bool?
    var lastLookForOwners: StoreTime?
    /// How many operations the last commit had, and how long it took, in nanoseconds.
    var lastCommit = (count: 0, duration: UInt64(0))
  }

  /// The most operations in one commit, so that none waits for too many others.
  private static let largestCommit = 256
  /// Owners are looked for at this distance where nobody tells of their death.
  private static let ownerInterval = Duration.seconds(3)

  let path: String
  let database: any DatabaseWriter
  private let now: @Sendable () -> Date
  private let owner: Int64
  private let locks: OwnerLocks
  private let ownLock: Mutex<OwnerLock?>
  /// False for a database of somebody else, whose settings are theirs.
  private let isOwned: Bool
  private let file: FileIdentity
  private let queue: DispatchQueue
  private let state = Mutex(State())
  private let memory = Mutex(Memory())
  private let signal: AsyncStream<Void>.Continuation
  private let gathered = DispatchSemaphore(value: 0)
  #if os(Linux)
  /// Set once, when the store is open.
  private let watch = Mutex<FileWatch?>(nil)

  func setWatch(_ watch: FileWatch) { self.watch.withLock { $0 = watch } }
  #endif

  // MARK: Opening

  /// Becomes an owner. Blocks its thread, which must be the queue's.
  ///
  /// - Parameters:
  ///   - isOwned: whether the database is opened for this store alone.
  ///   - makeDatabase: opens it.
  static func open(
    at path: String, isOwned: Bool, environment: StoreEnvironment, queue: DispatchQueue,
    signal: AsyncStream<Void>.Continuation, _ makeDatabase: () throws -> any DatabaseWriter
  ) throws -> (SQLiteWriter, StoreOpening) {
    let locks = try OwnerLocks(forDatabaseAt: path)
    let lock = try locks.take(store: path)
    var opened: (database: any DatabaseWriter, owner: Int64, identity: UUID, file: FileIdentity)?
    do {
      // In a turn: SQLite does not wait for others who make or recover the file at the same moment.
      opened = try locks.turn.take {
        let database = try makeDatabase()
        do {
          guard let file = FileIdentity(at: path) else {
            throw JobStoreError(.invalid, store: path, detail: "jobs need a database in a file")
          }
          let (owner, identity) = try begin(
            database, path: path, isOwned: isOwned, name: environment.owner, lock: lock.name)
          return (database, owner, identity, file)
        } catch {
          if isOwned { try? database.close() }
          throw error
        }
      }
    } catch {
      locks.remove(lock.name)
      throw error
    }
    let (database, owner, identity, file) = opened!
    let writer = SQLiteWriter(
      database, path: path, isOwned: isOwned, now: environment.now, owner: owner, locks: locks, lock: lock, file: file,
      queue: queue, signal: signal)
    var rescued: [RescuedJob] = []
    do {
      try writer.commit(isRelaxed: false) { transaction in rescued = try writer.rescue(transaction) }
    } catch {
      writer.end(removesLock: true)
      if isOwned { try? database.close() }
      throw error
    }
    return (writer, StoreOpening(identity: identity, rescued: rescued))
  }

  private static func begin(
    _ database: any DatabaseWriter, path: String, isOwned: Bool, name: String, lock: String
  ) throws -> (owner: Int64, identity: UUID) {
    var begun: (Int64, UUID)?
    try database.writeWithoutTransaction { db in
      if isOwned { try setDurability(db, isRelaxed: false) }
      try db.inTransaction(.immediate) {
        let identity = try SQLiteSchema.migrate(db, store: path)
        let owner = try Int64.fetchOne(db, sql: "SELECT next FROM taskkit_sequence WHERE name = 'owner'")!
        try db.execute(sql: "UPDATE taskkit_sequence SET next = next + 1 WHERE name = 'owner'")
        try db.execute(sql: "INSERT INTO taskkit_owner VALUES (?, ?, ?)", arguments: [owner, name, lock])
        begun = (owner, identity)
        return .commit
      }
    }
    return begun!
  }

  private init(
    _ database: any DatabaseWriter, path: String, isOwned: Bool, now: @escaping @Sendable () -> Date, owner: Int64,
    locks: consuming OwnerLocks, lock: consuming OwnerLock, file: FileIdentity, queue: DispatchQueue,
    signal: AsyncStream<Void>.Continuation
  ) {
    self.database = database
    self.path = path
    self.isOwned = isOwned
    self.now = now
    self.owner = owner
    self.locks = locks
    ownLock = Mutex(lock)
    self.file = file
    self.queue = queue
    self.signal = signal
  }

  /// GRDB sets NORMAL itself when it opens a pool, so this comes after it, and is read back.
  private static func setDurability(_ db: Database, isRelaxed: Bool) throws {
    try db.execute(sql: "PRAGMA synchronous = \(isRelaxed ? "NORMAL" : "FULL")")
    #if canImport(Darwin)
    try db.execute(sql: "PRAGMA fullfsync = \(isRelaxed ? 0 : 1); PRAGMA checkpoint_fullfsync = 1")
    #endif
    let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
    guard level == (isRelaxed ? 1 : 2) else {
      throw JobStoreError(
        .other, store: db.description, detail: "the database does not take the durability it is given")
    }
  }

  // MARK: Asking

  /// Does something in a transaction that others may share; returns when it is on the disk.
  ///
  /// - Parameter isRelaxed: whether a power cut may undo it.
  func perform<Value: Sendable>(
    isRelaxed: Bool = false, _ body: @escaping @Sendable (SQLiteTransaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let operation = Operation(isRelaxed: isRelaxed) { transaction in
        let value = try body(transaction)
        return { continuation.resume(returning: value) }
      } fail: { error in
        continuation.resume(throwing: error)
      }
      let (isRefused, mustStart) = state.withLock { state in
        guard !state.isClosed else { return (true, false) }
        state.operations.append(operation)
        if let awaited = state.awaited, state.operations.count >= awaited {
          state.awaited = nil
          gathered.signal()
        }
        defer { state.isBusy = true }
        return (false, !state.isBusy)
      }
      if isRefused { operation.fail(closed) }
      if mustStart { queue.async { self.work() } }
    }
  }

  /// Does something in a transaction of the database's owner, who decides whether it is committed.
  func perform<Value>(in db: Database, _ body: (SQLiteTransaction) throws -> Value) throws -> Value {
    // Names and shelves that are new may be rolled back, so nothing is remembered.
    let transaction = try SQLiteTransaction(db, now: StoreTime(now()), owner: owner, caches: SQLiteCaches())
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
    state.withLock { $0.mustLookForOwners = true }
    signal.yield()
  }

  // MARK: Working

  /// What is written here need not be heard of.
  private func setListening(_ isListening: Bool) {
    #if os(Linux)
    watch.withLock { $0 }?.setListening(isListening)
    #endif
  }

  /// Does what has gathered, until nothing is left.
  private func work() {
    setListening(false)
    while true {
      let operations = takeOperations(atMost: Self.largestCommit)
      guard operations.isEmpty else {
        commit(operations)
        continue
      }
      // First it is listened, then looked for what was not heard.
      setListening(true)
      look()
      let isDone = state.withLock { state in
        guard state.operations.isEmpty, !state.mustLook else {
          state.mustLook = false
          return false
        }
        state.isBusy = false
        return true
      }
      if isDone { return }
      setListening(false)
    }
  }

  private func takeOperations(atMost count: Int) -> [Operation] {
    state.withLock { state in
      guard state.operations.count > count else {
        defer { state.operations = [] }
        return state.operations
      }
      defer { state.operations.removeFirst(count) }
      return Array(state.operations.prefix(count))
    }
  }

  /// Does operations in one transaction, with others that are asked for until it is committed.
  private func commit(_ operations: [Operation]) {
    var taken: [Operation] = []
    var finishes: [@Sendable () -> Void] = []
    let isRelaxed = operations.allSatisfy(\.isRelaxed)
    let start = DispatchTime.now().uptimeNanoseconds
    let last = memory.withLock { $0.lastCommit }
    var mayWait = true
    do {
      try commit(isRelaxed: isRelaxed) { transaction in
        var next = operations
        while !next.isEmpty {
          taken += next
          for operation in next {
            transaction.now = StoreTime(now())
            finishes.append(try operation.run(transaction))
          }
          // One that has to wait for the disk does not ride in a commit that does not.
          guard !isRelaxed else { break }
          next = takeOperations(atMost: Self.largestCommit - taken.count)
          if next.isEmpty, mayWait, taken.count < last.count {
            mayWait = false
            gather(last.count - taken.count, within: last.duration / 8)
            next = takeOperations(atMost: Self.largestCommit - taken.count)
          }
        }
      }
    } catch {
      // What was looked for was not committed.
      state.withLock { $0.mustLookForOwners = true }
      guard taken.count > 1 else {
        let error = JobStoreError(error, path: path)
        // None was taken where the transaction could not begin.
        for operation in taken.isEmpty ? operations : taken { operation.fail(error) }
        return
      }
      return commitApart(taken)
    }
    let duration = DispatchTime.now().uptimeNanoseconds - start
    memory.withLock { $0.lastCommit = (taken.count, duration) }
    guard finishes.count > 1 else {
      for finish in finishes { finish() }
      return
    }
    // Waking many takes as long as writing for some; meanwhile the next commit can begin. Ends when all are awake.
    Task.detached { [finishes] in for finish in finishes { finish() } }
  }

  /// Waits for those whom the last commit has answered, who nearly always ask again: they ride in this commit, instead
  /// of waiting for it and the next. A part of a commit's time at the most, and not at all where one asks after the
  /// other.
  private func gather(_ count: Int, within nanoseconds: UInt64) {
    let mustWait = state.withLock { state in
      guard state.operations.count < count else { return false }
      state.awaited = count
      return true
    }
    guard mustWait, gathered.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .timedOut else { return }
    // Signalled in the last moment: the signal must not meet the next one who waits.
    let isSignalled = state.withLock { state in
      defer { state.awaited = nil }
      return state.awaited == nil
    }
    if isSignalled { gathered.wait() }
  }

  /// The same where one of the operations fails: savepoints let the others happen. They cost as much as the operations
  /// themselves, so they are not there before.
  private func commitApart(_ operations: [Operation]) {
    var outcomes: [Result<@Sendable () -> Void, any Error>] = []
    do {
      try commit(isRelaxed: operations.allSatisfy(\.isRelaxed)) { transaction in
        for operation in operations {
          transaction.now = StoreTime(now())
          outcomes.append(try transaction.inSavepoint { try operation.run(transaction) })
        }
      }
    } catch {
      let error = JobStoreError(error, path: path)
      for operation in operations { operation.fail(error) }
      return
    }
    for (operation, outcome) in zip(operations, outcomes) {
      switch outcome {
      case .success(let finish): finish()
      case .failure(let error): operation.fail(JobStoreError(error, path: path))
      }
    }
  }

  /// One transaction, on the disk when it returns. Blocks its thread, which must be the queue's.
  private func commit(isRelaxed: Bool, _ body: (SQLiteTransaction) throws -> Void) throws {
    let time = StoreTime(now())
    try checkFile()
    var memory = memory.withLock { $0 }
    let known = memory.dataVersion
    try locks.turn.take {
      try database.writeWithoutTransaction { db in
        if isOwned, memory.isRelaxed != isRelaxed {
          try Self.setDurability(db, isRelaxed: isRelaxed)
          memory.isRelaxed = isRelaxed
        }
        try db.beginTransaction(.immediate)
        do {
          memory.dataVersion = try db.first("PRAGMA data_version") { $0[0] }
          let transaction = try SQLiteTransaction(db, now: time, owner: owner, caches: memory.caches)
          try body(transaction)
          try transaction.finish()
          try db.commit()
          memory.caches = transaction.caches
        } catch {
          if db.isInsideTransaction { try? db.rollback() }
          throw error
        }
      }
    }
    self.memory.withLock { stored in
      // What is remembered of owners and of the last commit is newer there.
      memory.lastLookForOwners = stored.lastLookForOwners
      memory.lastCommit = stored.lastCommit
      stored = memory
    }
    try checkFile()
    if let known, known != memory.dataVersion { signal.yield() }
  }

  /// Tells when another connection has written.
  private func look() {
    // What fails here fails for the next caller too, who is told.
    guard let version = try? database.writeWithoutTransaction({ try $0.first("PRAGMA data_version") { $0[0] as Int } })
    else { return }
    let hasChanged = memory.withLock { memory in
      defer { memory.dataVersion = version }
      return memory.dataVersion != version
    }
    if hasChanged { signal.yield() }
  }

  /// SQLite goes on writing a file that nobody will find again.
  private func checkFile() throws {
    guard FileIdentity(at: path) != file else { return }
    throw JobStoreError(.missing, store: path, detail: "the file, or the folder that it was in, was moved or deleted")
  }

  // MARK: Owners

  /// Gives back what dead owners held, if it is time to look for them.
  func rescueIfDue(_ transaction: SQLiteTransaction) throws -> [RescuedJob] {
    let wasTold = state.withLock { state in
      defer { state.mustLookForOwners = false }
      return state.mustLookForOwners
    }
    let last = memory.withLock { $0.lastLookForOwners }
    let isDue = last.map { transaction.now < $0 || $0 + Self.ownerInterval <= transaction.now } ?? true
    guard wasTold || isDue else { return [] }
    return try rescue(transaction)
  }

  private func rescue(_ transaction: SQLiteTransaction) throws -> [RescuedJob] {
    memory.withLock { $0.lastLookForOwners = transaction.now }
    let others = try transaction.db.list("SELECT id, lock FROM taskkit_owner WHERE id <> ? ORDER BY id", owner) {
      (id: $0[0] as Int64, lock: $0[1] as String)
    }
    var rescued: [RescuedJob] = []
    for other in others where locks.isDead(other.lock) {
      rescued += try transaction.release(owner: other.id, isCrash: true)
      // If this is not committed, a file that is not there says the same.
      locks.remove(other.lock)
    }
    return rescued
  }

  // MARK: Closing

  /// Ends the owner, after everything that was asked for before.
  func close() async {
    // What cannot be given back now is found as a dead owner's.
    _ = try? await perform { [owner] transaction in _ = try transaction.release(owner: owner, isCrash: false) }
    end(removesLock: true)
  }

  /// Closes the database, in a turn, as the last who closes it moves everything into the file. Blocks its thread.
  func closeDatabase() throws {
    try locks.turn.take {
      // A pool closes its readers after its writer, and what only reads moves nothing. Nobody is waited for: whoever
      // else has the file open is not the last.
      try? database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        try db.checkpoint(.truncate)
      }
      try database.close()
    }
  }

  /// Ends the owner as the death of its process would.
  func die() { end(removesLock: false) }

  private func end(removesLock: Bool) {
    let left = state.withLock { state in
      defer { state.operations = [] }
      state.isClosed = true
      return state.operations
    }
    for operation in left { operation.fail(closed) }
    if let lock = ownLock.withLock({ $0.take() }), removesLock { locks.remove(lock.name) }
    signal.finish()
  }
}
#endif
