#if Durable && !os(Windows)
import GRDB
import Synchronization

extension SQLiteWriter {
  /// Owners are looked for at this distance where nobody tells of their death.
  private static let ownerInterval = Duration.seconds(3)

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

  func rescue(_ transaction: SQLiteTransaction) throws -> [RescuedJob] {
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
}
#endif
