#if Durable && !os(Windows)
import Dispatch
public import Foundation
public import GRDB
import Synchronization

/// Jobs in an SQLite file, which any number of processes of one machine may share.
///
/// What a method has returned survives the death of the process, of the system, and a power cut, if the drive does what
/// it says. Jobs whose ``NewJob/durability`` is relaxed survive the death of the process: a power cut may take those of
/// the last moments, and their ids may be given out again.
///
/// A process that dies is found by the others and at the next start: each holds a kernel lock on a file in the folder
/// `<database>-owners`, which the kernel frees. Others hear of it at once on Linux, and look every three seconds where
/// the system does not tell. If somebody deletes that folder the owners that live put their locks back, so those that do
/// not are found only after ten seconds.
///
/// A later version of TaskKit may change the tables. When a process of that version has opened the file, those of an older
/// version that have it open write and read nothing more: each call throws ``JobStoreError/Reason/newer(version:known:)``. What
/// they hold goes back when they end.
///
/// Symbolic links to the file, or to a folder that it is in, may be used beside its name: what SQLite keeps beside the file lies
/// where the file is. A hard link may not: SQLite damages a file that is open by two of its names. Network file systems
/// often do not keep locks: do not use one.
public final class SQLiteStore: JobStore {
  private enum Place {
    case file(URL)
    case shared(any DatabaseWriter)
  }

  private enum Life {
    case new
    case opening
    case open(SQLiteWriter)
    case closed
  }

  /// Databases that a store of this process shares.
  private static let shared = Mutex<Set<ObjectIdentifier>>([])

  private let place: Place
  private let life = Mutex(Life.new)
  private let queue = DispatchQueue(label: "org.taskkit.sqlite-store")
  private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  /// What tells that others have written. Ended by `close`, by `die` and with the store.
  private let watches = Mutex<[Task<Void, Never>]>([])

  public let name: String
  private let patience: TimeInterval
  private let hearing: SQLiteHearing

  /// A store in a file of its own, made when it is opened. Its folder has to be there.
  public convenience init(at file: URL) { self.init(at: file, patience: 10) }

  /// - Parameter patience: for how many seconds it waits for other programs that hold the file.
  init(at file: URL, patience: TimeInterval, hearing: SQLiteHearing = SQLiteHearing()) {
    place = .file(file)
    name = file.path(percentEncoded: false)
    self.patience = patience
    self.hearing = hearing
  }

  /// A store in the tables `taskkit_…` of a database that the program uses for other things too, so that jobs can be
  /// enqueued in its transactions: see ``enqueue(_:in:)``.
  ///
  /// The database must be a file in WAL mode, as GRDB's `DatabasePool` makes it. Its `synchronous` setting is the caller's:
  /// GRDB's default for a pool, NORMAL, makes every job as relaxed as ``JobDurability/relaxed`` says. Its `busyMode` is the
  /// caller's, too: where several processes use the database it should wait for others, `.timeout(10)`; with GRDB's default
  /// whatever meets a transaction of another process fails at once, as locked.
  ///
  /// One store shares it in a process: a second one would not see what the first writes by the same connection, so it cannot be
  /// opened until that is closed.
  ///
  /// Each opening flushes what was committed before, and leaves out a million ids and tokens: an id, and with it a
  /// ``DurableContext/idempotencyKey``, is not given out again after a power cut that took the job, unless that took a
  /// million of them.
  public init(sharing database: any DatabaseWriter) {
    place = .shared(database)
    name = database.path
    patience = 0
    hearing = SQLiteHearing()
  }

  deinit { die() }

  // MARK: Opening and closing

  public func open(_ environment: StoreEnvironment) async throws -> StoreOpening {
    let isNew = life.withLock { life in
      guard case .new = life else { return false }
      life = .opening
      return true
    }
    guard isNew else { throw JobStoreError(.closed, store: name, detail: "a store is opened once") }
    do {
      let (writer, opening) = try await onQueue { [self] in try openFile(environment) }
      let isWanted = life.withLock { life in
        guard case .opening = life else { return false }
        life = .open(writer)
        return true
      }
      guard isWanted else {
        await close(writer)
        throw JobStoreError(.closed, store: name, detail: "it was closed while it was opened")
      }
      watch(writer)
      return opening
    } catch {
      life.withLock { life in if case .opening = life { life = .new } }
      throw JobStoreError(error, path: name)
    }
  }

  private func openFile(_ environment: StoreEnvironment) throws -> (SQLiteWriter, StoreOpening) {
    let path = FileName.resolved(name)
    switch place {
    case .shared(let database):
      guard Self.shared.withLock({ $0.insert(ObjectIdentifier(database)).inserted }) else {
        throw JobStoreError(.invalid, store: name, detail: "another store of this process shares the database already")
      }
      do {
        try checkIsFile(database)
        return try SQLiteWriter.open(
          at: path, isOwned: false, environment: environment, queue: queue, signal: signal.continuation
        ) { database }
      } catch {
        endSharing()
        throw error
      }
    case .file:
      try checkFolder(of: path)
      var configuration = Configuration()
      configuration.label = "TaskKit"
      configuration.busyMode = .timeout(patience)
      configuration.maximumReaderCount = 2
      return try SQLiteWriter.open(
        at: path, isOwned: true, environment: environment, queue: queue, signal: signal.continuation, hearing: hearing
      ) { try DatabasePool(path: path, configuration: configuration) }
    }
  }

  /// Before anything is put beside it: a database in memory has no place, and would get a folder where the program happens to be, or
  /// be refused for that.
  private func checkIsFile(_ database: any DatabaseWriter) throws {
    // It reads nothing of the file, which others may be making.
    let file = try database.writeWithoutTransaction { db in
      try Row.fetchOne(db, sql: "PRAGMA database_list").flatMap { $0["file"] as String? }
    }
    guard file?.isEmpty == false else {
      throw JobStoreError(
        .invalid, store: name, detail: "jobs need a database in a file, and this one is in memory, or temporary")
    }
  }

  /// Says what SQLite would only call a file that it cannot open.
  ///
  /// - Parameter path: the file's name without links: where those are is of no concern.
  private func checkFolder(of path: String) throws {
    let parent = (path as NSString).deletingLastPathComponent
    let folder = parent.isEmpty ? "." : parent
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else { throw JobStoreError(.missing, store: name, detail: "there is no folder \(folder)") }
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw JobStoreError(.invalid, store: name, detail: "there is a folder where the file should be")
    }
    // SQLite would open it, and leave files beside it that nobody may write when this one may be written again.
    for path in [folder, path] where access(path, W_OK) != 0 && errno != ENOENT {
      throw JobStoreError(code: errno, path: path, store: name)
    }
  }

  /// Runs something that waits for the disk, where it holds up no task.
  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  public func close() async {
    if let writer = end() { await close(writer) }
  }

  private func close(_ writer: SQLiteWriter) async {
    await writer.close()
    if case .file = place { try? await onQueue { try writer.closeDatabase() } }
    endSharing()
  }

  /// Lets another store share the database.
  private func endSharing() {
    if case .shared(let database) = place { _ = Self.shared.withLock { $0.remove(ObjectIdentifier(database)) } }
  }

  /// Ends the owner as the death of its process would: what it holds stays where it is until somebody finds it, and counts
  /// as a crash. For tests.
  public func die() {
    guard let writer = end() else { return }
    writer.die()
    endSharing()
  }

  /// Whether it still does what it was asked for, or looks what others have done. For tests.
  var isBusy: Bool { (try? writer().isBusy) ?? false }

  private func end() -> SQLiteWriter? {
    let last = life.withLock { life in
      defer { life = .closed }
      return life
    }
    for watch in watches.withLock({ $0 }) { watch.cancel() }
    guard case .open(let writer) = last else {
      signal.continuation.finish()
      return nil
    }
    return writer
  }

  private func watch(_ writer: SQLiteWriter) {
    watches.withLock { $0 = writer.watches() }
    // What others did before the watch was there.
    writer.fileMayHaveChanged()
  }

  private func writer() throws -> SQLiteWriter {
    guard case .open(let writer) = life.withLock({ $0 }) else {
      throw JobStoreError(.closed, store: name, detail: "it was not opened, or was closed")
    }
    return writer
  }

  private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    let writer = try writer()
    do {
      // Not `read`, which fails in a task that is cancelled, as if something were wrong with the file: an attempt that was
      // stopped may still ask, and so may a screen that closes.
      return try await withUnsafeThrowingContinuation { waiter in
        writer.database.asyncRead { [name] reader in
          waiter.resume(
            with: Result {
              let db = try reader.get()
              try SQLiteSchema.check(db, store: name)
              return try body(db)
            })
        }
      }
    } catch {
      throw JobStoreError(error, path: name)
    }
  }

  // MARK: Transactions

  public func enqueue(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
    let writer = try writer()
    // Here, and not on the thread for which all wait. Only of parents it has to be known there which jobs there are.
    for (place, job) in jobs.enumerated() {
      if let problem = job.problem(at: place, next: .max) {
        throw JobStoreError(.invalid, store: name, detail: problem)
      }
    }
    let operation = EnqueueOperation(jobs, store: name)
    try await writer.perform(operation)
    return operation.result
  }

  /// Enqueues jobs in a transaction of the caller: they are there if and when it is committed.
  ///
  /// ```swift
  /// try await database.write { db in
  ///   try order.insert(db)
  ///   try store.enqueue([job], in: db)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - jobs: all or none of them are written.
  ///   - db: a connection of the database that the store shares, inside a transaction.
  @discardableResult
  public func enqueue(_ jobs: [NewJob], in db: Database) throws -> [EnqueuedJob] {
    let writer = try sharedWriter(in: db)
    do {
      return try writer.perform(in: db) { try $0.enqueue(jobs, store: name) }
    } catch {
      throw JobStoreError(error, path: name)
    }
  }

  /// Whether its tables are in a database that the program uses for other things, too.
  var sharesDatabase: Bool { if case .shared = place { true } else { false } }

  /// Does a step of an attempt in a transaction of the caller: what its body writes there is kept with its result, or neither
  /// is.
  ///
  /// - Parameter body: gets what an earlier attempt has left; returns what is to be written down.
  /// - Throws: what the body throws, as it is.
  func step(
    _ step: String, by key: AttemptKey, in db: Database, _ body: (Data?) throws -> Data?
  ) throws {
    var thrown: (any Error)?
    do {
      try sharedWriter(in: db).perform(in: db) { transaction in
        guard try transaction.isHeld(by: key) else { throw DurableError.staleAttempt(key.job) }
        let known = try SQLiteTransaction.step(db, step, of: key.job)
        let new: Data?
        do { new = try body(known) } catch {
          thrown = error
          throw error
        }
        // The body may have cancelled or replaced the job itself.
        guard let new, try !transaction.take(.step(step, new), by: key) else { return }
        throw DurableError.staleAttempt(key.job)
      }
    } catch let error as DurableError {
      throw error
    } catch {
      throw thrown ?? JobStoreError(error, path: name)
    }
  }

  private func sharedWriter(in db: Database) throws -> SQLiteWriter {
    let writer = try writer()
    guard sharesDatabase, db.isInsideTransaction else {
      throw JobStoreError(.invalid, store: name, detail: "this is done in a transaction of the shared database only")
    }
    // What reads is a transaction, too. SQLite's own refusal would be taken for that of a file that may not be written.
    if try db.configuration.readonly || db.first("PRAGMA query_only", value: { $0[0] as Bool }) == true {
      throw JobStoreError(
        .invalid, store: name, detail: "the transaction only reads; do this in one that writes, as 'write' begins it")
    }
    return writer
  }

  public func exchange(_ exchange: JobExchange) async throws -> JobExchange.Answer {
    let writer = try writer()
    let operation = ExchangeOperation(exchange, isRelaxed: exchange.isRelaxed) { transaction in
      try writer.exchange(exchange, transaction)
    }
    try await writer.perform(operation)
    return operation.answer
  }

  public func change(_ selection: JobSelection, _ change: JobChange) async throws -> JobChangeAnswer {
    try await writer().perform(cancelled: \.cancelled) { try $0.change(selection, change) }
  }

  public func setPaused(_ paused: Bool, _ subject: PauseSubject, by name: String) async throws {
    try await writer().perform { try $0.setPaused(paused, subject, by: name) }
  }

  public func setRate(_ rate: RateLimit?, ofQueue queue: String) async throws {
    try await writer().perform { try $0.setRate(rate, of: .queue(queue)) }
  }

  public func setRate(_ rate: RateLimit?, ofKey key: String) async throws {
    try await writer().perform { try $0.setRate(rate, of: .key(key)) }
  }

  public func rates() async throws -> [JobRate] {
    // By the time of the store, which only its transactions know.
    try await writer().perform { try $0.rates() }
  }

  public func schedule(_ name: String, beginning date: Date) async throws -> ScheduleRecord {
    try await writer().perform { try $0.schedule(name, beginning: date) }
  }

  public func sweep(limit: Int) async throws -> Duration? {
    try await writer().perform { try $0.sweep(limit: limit) }
  }

  // MARK: Reading

  public func jobs(_ selection: JobSelection, after: JobID?, limit: Int) async throws -> [JobSnapshot] {
    try await read { try SQLiteTransaction.jobs($0, selection, after: after, limit: limit) }
  }

  public func counts() async throws -> [JobCount] {
    try await read(SQLiteTransaction.counts)
  }

  public func countAhead(of job: JobID) async throws -> Int {
    try await read { try SQLiteTransaction.countAhead($0, of: job) }
  }

  public func step(_ name: String, of job: JobID) async throws -> Data? {
    try await read { try SQLiteTransaction.step($0, name, of: job) }
  }

  public func schedule(_ name: String) async throws -> ScheduleRecord? {
    try await read { try SQLiteTransaction.schedule($0, name) }
  }

  public func pauses() async throws -> [JobPause] {
    try await read(SQLiteTransaction.pauses)
  }

  public func changes() -> AsyncStream<Void> { signal.stream }
}

extension SQLiteStore: DamagedStore {
  package var unreadable: [JobID] {
    guard case .open(let writer) = life.withLock({ $0 }) else { return [] }
    return writer.memory.withLock { $0.caches.unreadable }.sorted().map { JobID(rawValue: $0) }
  }
}

extension JobExchange {
  /// Whether a power cut may undo it: it only says how far attempts have come.
  fileprivate var isRelaxed: Bool {
    ends.isEmpty && claims.isEmpty && !notes.isEmpty
      && notes.allSatisfy { if case .progress = $0.1 { true } else { false } }
  }
}
#endif
