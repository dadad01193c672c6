#if Durable && !os(Windows)
import Foundation
import GRDB
import Synchronization

extension SQLiteWriter {
  /// Owners are looked for at this distance where nobody tells of their death.
  private static let ownerInterval = Duration.seconds(3)

  /// Gives back what dead owners held, if it is time to look for them.
  func rescueIfDue(_ transaction: SQLiteTransaction) throws -> [RescuedJob] {
    let look = OwnerLook(time: transaction.now, notices: state.withLock { $0.deathNotices })
    if let last = transaction.ownerLook, last.notices == look.notices,
      last.time <= look.time, look.time < last.time + Self.ownerInterval
    {
      return []
    }
    transaction.ownerLook = look
    return try rescue(transaction)
  }

  func rescue(_ transaction: SQLiteTransaction) throws -> [RescuedJob] {
    try keepPlace(transaction)
    let others = try others(transaction.db)
    var rescued: [RescuedJob] = []
    for dead in dead(among: others) {
      let other = dead.owner
      let tokens = try transaction.db.list("SELECT token FROM taskkit_running WHERE owner = ?", other.id) {
        $0[0] as Int64
      }
      rescued += try transaction.release(owner: other.id, isCrash: dead.isCrash)
      // It finds its lock gone after a power cut, and would count as crashed if it had its jobs then.
      if !tokens.isEmpty { transaction.mustBeFlushed = true }
      // What it could not give back is ready now, and no rescued job tells of it.
      if !dead.isCrash, !tokens.isEmpty { signal.yield() }
      // If it comes back, it hears that it has lost them.
      for token in tokens where !dead.isSure {
        try transaction.db.run("INSERT INTO taskkit_cancel VALUES (?, ?)", other.id, token)
      }
      company.withLock { $0.bury(other.lock) }
    }
    rescued += try transaction.releaseStrangers()
    if !rescued.isEmpty { transaction.mustBeFlushed = true }
    for lock in company.withLock({ $0.forgotten(others) }) { locks.remove(lock) }
    guardOthers()
    return rescued
  }

  private func others(_ db: Database) throws -> [SQLiteCompany.Owner] {
    try db.list("SELECT id, lock FROM taskkit_owner WHERE id <> ? ORDER BY id", owner) {
      let id: Int64 = $0[0]
      return try SQLiteCompany.Owner(id: id, lock: $0.value(1, of: .owner, "\(id)"))
    }
  }

  private func dead(among others: [SQLiteCompany.Owner]) -> [SQLiteCompany.Dead] {
    let now = hearing.now()
    return company.withLock { company in
      company.dead(among: others, at: now) { OwnerLocks.sign(of: $0, in: locks.folder, file: file) }
    }
  }

  // MARK: Its own place

  /// Does that where others have written since the last time: only they can have given this owner up.
  func keepPlace(_ transaction: SQLiteTransaction, version: Int?) throws {
    guard !isOwned || company.withLock({ $0.version != version || $0.isMisplaced }) else { return }
    try keepPlace(transaction)
  }

  /// Sees to it that this owner is in the file, with a lock that others find: nothing may be done for one that they take
  /// for dead. That is so when the transaction is committed, see ``notePlace(_:version:)``.
  func keepPlace(_ transaction: SQLiteTransaction) throws {
    transaction.keepsPlace = true
    // None is there any more when it ends.
    guard let lock = try lockInPlace() else { return }
    let stored = try transaction.db.first("SELECT lock FROM taskkit_owner WHERE id = ?", owner) {
      try $0.value(0, of: .owner, "\(owner)") as String
    }
    if stored != lock {
      try transaction.db.run("INSERT OR REPLACE INTO taskkit_owner VALUES (?, ?, ?)", owner, name, lock)
    }
  }

  private func lockInPlace() throws -> String? {
    try ownLock.withLock { lock in
      guard let held = lock, !company.withLock({ $0.isLeaving }) else { return nil }
      if !locks.isInPlace(held) {
        company.withLock { $0.isMisplaced = true }
        lock = try locks.takeAgain(for: file, store: path)
      }
      return lock?.name
    }
  }

  /// What a transaction has written is committed: where it is not, the owner is out of its place as before.
  func notePlace(_ transaction: SQLiteTransaction, version: Int?) {
    guard transaction.keepsPlace else { return }
    company.withLock { company in
      company.version = version
      company.isMisplaced = false
    }
  }

  // MARK: Looking

  var lockName: String? { ownLock.withLock { $0?.name } }

  /// Whether the system tells when an owner dies.
  func setHearsDeaths(_ hearsDeaths: Bool) {
    company.withLock { $0.hearsDeaths = hearsDeaths }
    guardOthers()
  }

  /// Looks whether one of the others has died, and whether this one can be found.
  func lookForOwners() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.lookForOwnersHere()
        continuation.resume()
      }
    }
  }

  /// The same on the queue.
  func lookForOwnersHere() {
    guard !state.withLock({ $0.isClosed }) else { return }
    // What fails here is done again, or fails for the next caller too, who is told.
    let isInPlace = ownLock.withLock { lock in lock.map(locks.isInPlace) ?? true }
    if !isInPlace { company.withLock { $0.isMisplaced = true } }
    if company.withLock({ $0.isMisplaced }) {
      try? commit(isRelaxed: false) { try keepPlace($0) }
    }
    let others = try? database.writeWithoutTransaction { db in try self.others(db) }
    if let others, !dead(among: others).isEmpty { ownerMayHaveDied() }
    guardOthers()
  }

  /// Looks now and then, for as long as there is a reason that nobody would tell of.
  private func guardOthers() {
    let mustBegin = company.withLock { company in
      guard company.mustBeGuarded, !company.isGuarded else { return false }
      company.isGuarded = true
      return true
    }
    guard mustBegin else { return }
    let interval = hearing.interval * 3
    // Ends when there is no such reason any more, or with the writer.
    Task { [weak self, hearing] in
      repeat { try? await hearing.sleep(interval) } while await self?.goOnGuarding() ?? false
    }
  }

  private func goOnGuarding() async -> Bool {
    await lookForOwners()
    let isClosed = state.withLock { $0.isClosed }
    return company.withLock { company in
      company.isGuarded = company.mustBeGuarded && !isClosed
      return company.isGuarded
    }
  }
}

extension SQLiteTransaction {
  /// Gives back what owners hold that the file does not know.
  func releaseStrangers() throws -> [RescuedJob] {
    let strangers = try db.list(
      "SELECT DISTINCT owner FROM taskkit_running WHERE owner NOT IN (SELECT id FROM taskkit_owner) ORDER BY owner"
    ) { $0[0] as Int64 }
    return try strangers.flatMap { try release(owner: $0, isCrash: true) }
  }
}
#endif
