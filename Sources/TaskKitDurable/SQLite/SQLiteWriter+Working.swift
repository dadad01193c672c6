#if Durable && !os(Windows)
import Dispatch
import Foundation
import GRDB
import Synchronization
import TaskKit

extension SQLiteWriter {
  /// The most operations in one commit, so that none waits for too many others.
  private static let largestCommit = 256
  /// For how long it looks itself whether those come for whom it waits, in nanoseconds.
  private static let wakefulness: UInt64 = 50_000

  /// What is written here need not be heard of.
  private func setListening(_ isListening: Bool) {
    #if os(Linux)
    watch.withLock { $0 }?.setListening(isListening)
    #endif
  }

  /// Does what has gathered, until nothing is left.
  func work() {
    setListening(false)
    var operations: [WriterOperation] = []
    var waiters: [UnsafeContinuation<Void, any Error>] = []
    while true {
      takeOperations(atMost: Self.largestCommit, into: &operations)
      guard operations.isEmpty else {
        if commit(&operations) {
          for operation in operations { waiters.append(operation.takeWaiter()) }
          // First they are let go: each is given back by who has asked for it, and who waits for it does not wait for that.
          operations.removeAll(keepingCapacity: true)
          // Here, and not in a task of its own: those who are awake first ask again while the others are woken, and find
          // the writer awake.
          for waiter in waiters { waiter.resume() }
          waiters.removeAll(keepingCapacity: true)
        } else {
          operations.removeAll(keepingCapacity: true)
        }
        awaitNext()
        continue
      }
      // First it is listened, then looked for what was not heard.
      setListening(true)
      look(
        wasTold: state.withLock { state in
          defer { state.mustLook = false }
          return state.mustLook
        })
      let isDone = state.withLock { state in
        guard state.operations.isEmpty, !state.mustLook else { return false }
        state.isBusy = false
        return true
      }
      if isDone { return moveLogSoon() }
      setListening(false)
    }
  }

  /// Whoever has been answered asks again nearly always, and nobody has to be woken for that.
  private func awaitNext() {
    gather(1, within: min(memory.withLock { $0.lastCommit.duration } / 2, 1_000_000))
  }

  /// - Parameter operations: gets those that have gathered behind what it has, up to that many in all.
  private func takeOperations(atMost count: Int, into operations: inout [WriterOperation]) {
    state.withLock { state in
      if operations.isEmpty, state.operations.count <= count { return swap(&operations, &state.operations) }
      let taken = min(count - operations.count, state.operations.count)
      operations += state.operations.prefix(taken)
      if taken == state.operations.count {
        state.operations.removeAll(keepingCapacity: true)
      } else {
        state.operations.removeFirst(taken)
      }
    }
  }

  /// Does operations in one transaction, with others that are asked for until it is committed.
  ///
  /// - Parameter operations: gets the others behind those that it has.
  /// - Returns: whether they have happened and their waiters wait for that; otherwise these have been told.
  private func commit(_ operations: inout [WriterOperation]) -> Bool {
    let isRelaxed = operations.allSatisfy(\.isRelaxed)
    let start = DispatchTime.now().uptimeNanoseconds
    let last = memory.withLock { $0.lastCommit }
    var mayWait = true
    var hasBegun = false
    do {
      try commit(isRelaxed: isRelaxed) { transaction in
        hasBegun = true
        var done = 0
        while done < operations.count {
          transaction.now = StoreTime(now())
          while done < operations.count {
            try operations[done].run(transaction)
            done += 1
          }
          // One that has to wait for the disk does not ride in a commit that does not.
          guard !isRelaxed else { break }
          takeOperations(atMost: Self.largestCommit, into: &operations)
          if done == operations.count, mayWait, done < last.count {
            mayWait = false
            gather(last.count - done, within: last.duration / 8)
            takeOperations(atMost: Self.largestCommit, into: &operations)
          }
        }
      }
    } catch let failure as AfterCommit {
      // It has been done, and must not be done again; but nobody will find it, unless the file comes back.
      let error = JobStoreError(failure.error, path: path)
      for operation in operations { leaveUnheard(operation, error) }
      return false
    } catch {
      guard hasBegun, operations.count > 1 else {
        let error = JobStoreError(error, path: path)
        for operation in operations { operation.fail(error) }
        return false
      }
      commitApart(operations)
      return false
    }
    let duration = DispatchTime.now().uptimeNanoseconds - start
    memory.withLock { $0.lastCommit = (operations.count, duration) }
    return true
  }

  /// Waits for those whom the last commit has answered, who nearly always ask again: they ride in this commit, instead
  /// of waiting for it and the next. A part of a commit's time at the most, and not at all where one asks after the
  /// other.
  private func gather(_ count: Int, within nanoseconds: UInt64) {
    let mustWait = state.withLock { state in
      guard state.operations.count < count, !state.isClosed else { return false }
      state.awaited = count
      hasGathered.store(false, ordering: .relaxed)
      return true
    }
    guard mustWait else { return }
    // Awake at first: to be woken takes about as long as most have to be waited for.
    let start = DispatchTime.now().uptimeNanoseconds
    while !hasGathered.load(ordering: .acquiring) {
      guard DispatchTime.now().uptimeNanoseconds - start < min(nanoseconds, Self.wakefulness) else { break }
      sched_yield()
    }
    let mustSleep = state.withLock { state in
      state.isAsleep = state.awaited != nil
      return state.isAsleep
    }
    guard mustSleep, gathered.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .timedOut else { return }
    // Signalled in the last moment: the signal must not meet the next one who waits.
    let isSignalled = state.withLock { state in
      defer { (state.awaited, state.isAsleep) = (nil, false) }
      return state.awaited == nil
    }
    if isSignalled { gathered.wait() }
  }

  /// The same where one of the operations fails: savepoints let the others happen. They cost as much as the operations
  /// themselves, so they are not there before.
  ///
  /// Where the whole transaction is lost with one of them, that one fails, and the others are done without it.
  private func commitApart(_ operations: [WriterOperation]) {
    var operations = operations
    while !operations.isEmpty {
      var outcomes: [Result<Void, any Error>] = []
      var culprit: Int?
      do {
        try commit(isRelaxed: operations.allSatisfy(\.isRelaxed)) { transaction in
          (outcomes, culprit) = ([], nil)
          for (place, operation) in operations.enumerated() {
            transaction.now = StoreTime(now())
            culprit = place
            outcomes.append(try transaction.inSavepoint { try operation.run(transaction) })
          }
          culprit = nil
        }
      } catch let failure as AfterCommit {
        let error = JobStoreError(failure.error, path: path)
        for (operation, outcome) in zip(operations, outcomes) {
          switch outcome {
          case .success: leaveUnheard(operation, error)
          case .failure: operation.fail(error)
          }
        }
        return
      } catch {
        let told = JobStoreError(error, path: path)
        // What fails when a transaction begins or is committed, and a disk that is full, fail everybody.
        guard let culprit, Self.concernsOne(error) else {
          for operation in operations { operation.fail(told) }
          return
        }
        operations.remove(at: culprit).fail(told)
        continue
      }
      for (operation, outcome) in zip(operations, outcomes) {
        switch outcome {
        case .success: operation.takeWaiter().resume()
        case .failure(let error): operation.fail(JobStoreError(error, path: path))
        }
      }
      return
    }
  }

  /// Whether what has ended a transaction may be about what one operation reads or writes, and not about the file.
  private static func concernsOne(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_IOERR
  }

  /// Fails an operation that has happened.
  private func leaveUnheard(_ operation: WriterOperation, _ error: JobStoreError) {
    let unheard = operation.unheard
    if !unheard.isTold { memory.withLock { $0.unheard = unheard.following($0.unheard) } }
    operation.fail(error)
    // What has happened is found by the next exchange, and nobody may be about to ask for one.
    signal.yield()
  }

  /// Does an exchange, and says what was not heard of those before.
  func exchange(_ exchange: JobExchange, _ transaction: SQLiteTransaction) throws -> JobExchange.Answer {
    let rescued = try rescueIfDue(transaction)
    // Nobody works at it.
    for key in transaction.unheard?.claimed ?? [] where !transaction.isPassedBy(key.job.rawValue) {
      try transaction.about(key.job) { try transaction.giveBack(key) }
    }
    var answer = try transaction.exchange(exchange)
    answer.rescued = rescued
    transaction.unheard?.tell(exchange, &answer)
    if transaction.unheard?.isTold == true { transaction.unheard = nil }
    return answer
  }

  /// How often a transaction is begun again at most for jobs that lie on damaged pages.
  private static let mostRepeats = 1_000

  /// One transaction, on the disk when it returns. Blocks its thread, which must be the queue's.
  ///
  /// Where it meets a damaged page it is done again, with more care, and without the jobs that lie there. One that turns out
  /// to be more than a power cut may undo is done again, too.
  ///
  /// - Throws: ``AfterCommit`` where it has happened all the same.
  func commit(isRelaxed: Bool, _ body: (SQLiteTransaction) throws -> Void) throws {
    var isRelaxed = isRelaxed
    var repeats = 0
    while true {
      do { return try commitOnce(isRelaxed: isRelaxed, body) } catch is MustBeFlushed { isRelaxed = false } catch {
        repeats += 1
        guard repeats <= Self.mostRepeats, takeCare(of: error) else {
          throw (error as? UnreadableJob)?.error ?? (error as? UnreadableRow)?.error ?? error
        }
      }
    }
  }

  /// Remembers a damaged page.
  ///
  /// - Returns: whether what has met it goes on otherwise now.
  private func takeCare(of error: any Error) -> Bool {
    guard SQLiteTransaction.isDamage(error) else { return false }
    return memory.withLock { memory in
      if let job = error as? UnreadableJob { return memory.caches.unreadable.insert(job.id).inserted }
      defer { memory.caches.isDamaged = true }
      return !memory.caches.isDamaged
    }
  }

  private func commitOnce(isRelaxed: Bool, _ body: (SQLiteTransaction) throws -> Void) throws {
    let time = StoreTime(now())
    try checkFile()
    var memory = memory.withLock { $0 }
    let known = memory.dataVersion
    try locks.turn.take {
      try database.writeWithoutTransaction { db in
        if isOwned, memory.isRelaxed != isRelaxed {
          // At once, and not with what a commit leaves behind: where this one fails, the connection has changed all the same.
          self.memory.withLock { $0.isRelaxed = nil }
          try Self.setDurability(db, isRelaxed: isRelaxed)
          self.memory.withLock { $0.isRelaxed = isRelaxed }
          memory.isRelaxed = isRelaxed
        }
        try begin(db)
        do {
          let compiled = statements ?? StepStatements()
          memory.dataVersion = try compiled.dataVersion(db)
          // Only another connection can have brought the file to a newer format, of whose tables nothing is known.
          if memory.formatVersion != memory.dataVersion {
            try SQLiteSchema.check(db, store: path)
            memory.formatVersion = memory.dataVersion
          }
          let transaction = try SQLiteTransaction(
            db, now: time, owner: owner, caches: memory.caches, statements: compiled)
          (transaction.unheard, transaction.ownerLook) = (memory.unheard, memory.ownerLook)
          try keepPlace(transaction, version: memory.dataVersion)
          try body(transaction)
          // What a commit waits for cannot be changed any more when it has begun.
          if isOwned, isRelaxed, transaction.mustBeFlushed { throw MustBeFlushed() }
          try transaction.finish()
          // Observers of the owner of a database that is shared have to hear of it.
          if let statements { try statements.statement(.commit, db).run() } else { try db.run("COMMIT TRANSACTION") }
          notePlace(transaction, version: memory.dataVersion)
          memory.caches = transaction.caches
          (memory.unheard, memory.ownerLook) = (transaction.unheard, transaction.ownerLook)
        } catch {
          if db.isInsideTransaction { try? db.rollback() }
          throw error
        }
      }
    }
    self.memory.withLock { stored in
      // What is remembered of the last commit is newer there.
      memory.lastCommit = stored.lastCommit
      memory.isMoveTimed = stored.isMoveTimed
      memory.hasWritten = true
      memory.caches.noteCommit()
      stored = memory
    }
    // Whatever has become of the file: what others have written before has been seen now, and is not looked for again.
    if let known, known != memory.dataVersion {
      company.withLock { $0.meet() }
      signal.yield()
    }
    do { try checkFile() } catch { throw AfterCommit(error: error) }
  }

  private func begin(_ db: Database) throws {
    if let statements { try statements.statement(.begin, db).run() } else { try db.run("BEGIN IMMEDIATE TRANSACTION") }
  }

  /// Tells when another connection has written.
  ///
  /// What others write can be heard before it can be seen: it is seen when it is on the disk. So whoever has heard
  /// something, or could not listen, waits for a commit that is under way.
  private func look(wasTold: Bool) {
    let mayBeUnderWay = wasTold || !isOwned || company.withLock { !$0.isAlone }
    let known = memory.withLock { $0.dataVersion }
    var version: Int
    do {
      version = try database.writeWithoutTransaction(Self.dataVersion)
      if version == known, mayBeUnderWay {
        version = try locks.turn.take {
          try database.writeWithoutTransaction { db in
            try begin(db)
            defer { try? db.rollback() }
            return try Self.dataVersion(db)
          }
        }
      }
    } catch {
      // Whoever holds the file, for longer than this database waits, may be the one who was heard.
      return lookSoon()
    }
    let hasChanged = memory.withLock { memory in
      defer { memory.dataVersion = version }
      return memory.dataVersion != version
    }
    guard hasChanged else { return }
    company.withLock { $0.meet() }
    signal.yield()
    if !company.withLock({ $0.hearsDeaths }) { lookForOwnersHere() }
  }

  /// Looks again after a while; once, however often it could not be seen meanwhile.
  private func lookSoon() {
    let mustBegin = state.withLock { state in
      guard !state.isClosed, !state.isLookTimed else { return false }
      state.isLookTimed = true
      return true
    }
    guard mustBegin else { return }
    // Ends with that look.
    Task { [weak self, hearing] in
      try? await hearing.sleep(hearing.interval)
      self?.state.withLock { $0.isLookTimed = false }
      self?.fileMayHaveChanged()
    }
  }

  /// In other words than ``StepStatements/dataVersion(_:)``, whose compiled statement is its own.
  private static func dataVersion(_ db: Database) throws -> Int { try db.first("PRAGMA main.data_version") { $0[0] }! }

  /// A transaction that may not be relaxed, as was asked for.
  private struct MustBeFlushed: Error {}

  /// What failed when the transaction was committed already.
  struct AfterCommit: Error {
    let error: any Error
  }

  /// SQLite goes on writing a file that nobody will find again.
  private func checkFile() throws {
    guard FileIdentity(at: path) != file else { return }
    throw JobStoreError(.missing, store: path, detail: "the file, or the folder that it was in, was moved or deleted")
  }
}
#endif
