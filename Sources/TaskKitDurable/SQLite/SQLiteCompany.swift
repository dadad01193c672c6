#if Durable && !os(Windows)

/// When it was looked whether other owners have died. Counts where what came of it is committed.
struct OwnerLook {
  let time: StoreTime
  /// How many notices of deaths had come by then.
  let notices: UInt64
}

/// What a writer knows of the other owners of its file.
struct SQLiteCompany: Sendable {
  struct Owner: Sendable {
    let id: Int64
    let lock: String
  }

  /// For how long a lock has to be away before its owner counts as dead. A living one looks for its lock, and puts it
  /// back, several times in it: so it is counted by a clock that nobody sets, and that stops when the system sleeps.
  static let grace = Duration.seconds(10)

  /// Since when locks are away.
  private var missing: [String: SuspendingClock.Instant] = [:]
  /// Locks of dead owners, which are removed when the file no longer knows them.
  private var buried: Set<String> = []
  private(set) var isAlone = true
  /// Whether the system tells when one of them dies.
  var hearsDeaths = false
  /// Whether this owner's own lock could not be put back.
  var isMisplaced = false
  /// Whether this owner has given back what it held, and ends.
  var isLeaving = false
  /// Whether somebody looks now and then.
  var isGuarded = false
  /// At which version of the file this owner was in it.
  var version: Int?

  /// Whether nobody would tell what has to be known.
  var mustBeGuarded: Bool { isMisplaced || !missing.isEmpty || !hearsDeaths && !isAlone }

  /// An owner that is not there any more.
  struct Dead: Sendable {
    let owner: Owner
    /// False where it may come back.
    var isSure = true
    /// Whether its process died; false where it could only not say that it ends.
    var isCrash = true
  }

  /// - Returns: which of the others are dead.
  mutating func dead(
    among owners: [Owner], at now: SuspendingClock.Instant, sign: (String) -> OwnerLocks.Sign
  ) -> [Dead] {
    isAlone = owners.isEmpty
    var dead: [Dead] = []
    var missing: [String: SuspendingClock.Instant] = [:]
    for owner in owners {
      switch sign(owner.lock) {
      case .lives: break
      case .died: dead.append(Dead(owner: owner))
      case .left: dead.append(Dead(owner: owner, isCrash: false))
      case .none:
        let since = self.missing[owner.lock] ?? now
        missing[owner.lock] = since
        if since.duration(to: now) >= Self.grace { dead.append(Dead(owner: owner, isSure: false)) }
      }
    }
    self.missing = missing
    return dead
  }

  /// Another connection has written: somebody is there, as far as anybody knows before the next look at the owners.
  mutating func meet() { isAlone = false }

  mutating func bury(_ lock: String) { buried.insert(lock) }

  /// - Returns: the locks of those who were buried, and are in the file no more.
  mutating func forgotten(_ owners: [Owner]) -> Set<String> {
    let forgotten = buried.subtracting(owners.map(\.lock))
    buried.subtract(forgotten)
    return forgotten
  }
}
#endif
