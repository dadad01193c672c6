import Synchronization
import TaskKit

/// What other processes do with the jobs of the store.
extension JobEngine {
  func storeChanged() {
    let mustTime = receive { machine in
      machine.wakeQueues()
      defer { machine.isLookTimed = true }
      return !machine.isLookTimed
    }
    changes.send(())
    // What is rare does not cost something at each change of a busy store.
    if mustTime { call(after: .milliseconds(100)) { $0.lookAtOthers() } }
  }

  /// Others may have cancelled what runs here, or made queues that nobody here knows.
  private func lookAtOthers() {
    receive { machine in
      machine.isLookTimed = false
      machine.mustListen = true
    }
    readQueues()
  }

  /// Another process, or somebody here, may have held jobs for what does not keep them. Nobody tells which, so all are looked
  /// at, not more often than every ten seconds: nor may two processes that see it otherwise give a job to each other all the
  /// time.
  func releaseHeldLater() {
    let mustTime = receive { machine in
      defer { machine.isReleaseTimed = true }
      return !machine.isReleaseTimed
    }
    guard mustTime else { return }
    call(after: .seconds(10)) { engine in
      engine.receive { $0.isReleaseTimed = false }
      engine.releaseHeld()
    }
  }

  /// Learns of queues that others have made, whose jobs would wait for ever, and forgets those without jobs. What comes
  /// while they are read is read after it, once.
  func readQueues(failures: Int = 0) {
    let begins = queueReader.withLock { reader in
      defer { reader = reader == .resting ? .reading : .readingAgain }
      return reader == .resting
    }
    guard begins else { return }
    // Ends when the store has answered.
    errand {
      repeat {
        let last = self.inspect { $0.namings }
        do {
          let counts = try await self.store.counts()
          let names = Set(counts.lazy.filter { !$0.state.isFinal }.map(\.queue))
          let known = names.union(self.kinds.all.map(\.queue))
          self.receive { machine in
            machine.keepQueues(known, namedUntil: last, workers: self.newQueue)
            self.tellOrphans(among: counts, &machine)
          }
          if self.holdsKnown(counts) { self.releaseHeldLater() }
        } catch {
          // Nobody may change the store for long.
          let delay = JobMachine.storeDelay(after: failures + 1)
          self.tell(.storeFailed("\(error)", retryAfter: delay))
          self.call(after: self.spread(delay)) { $0.readQueues(failures: failures + 1) }
        }
      } while self.queueReader.withLock { reader in
        defer { reader = reader == .readingAgain ? .reading : .resting }
        return reader == .readingAgain
      }
    }
  }

  /// Whether jobs of known kinds are held: those of others are for processes that run them.
  func holdsKnown(_ counts: [JobCount]) -> Bool { !heldKinds(counts).isEmpty }

  private func heldKinds(_ counts: [JobCount]) -> Set<String> {
    Set(counts.lazy.filter { $0.state == .held }.map(\.kind)).intersection(kinds.all.map(\.kind))
  }

  /// Lets those go on that are held until what holds now, and those that others could not read.
  func releaseHeld(failures: Int = 0) {
    guard inspect({ $0.opening == .done && $0.phase != .closing && $0.phase != .closed }) else { return }
    // Ends when the store has answered.
    errand {
      do {
        // A store may look at all jobs to find those that are held, and mostly there is none.
        let kinds = self.heldKinds(try await self.store.counts()).sorted()
        guard !kinds.isEmpty else { return }
        let satisfied = self.inspect { $0.satisfied }
        try await self.change(JobSelection(kinds: kinds, heldFor: [.until]), .release) { job in
          job.hold.map { JobExchange.End.held($0).isReleased(by: satisfied) } ?? false
        }
        try await self.releaseReadable(kinds)
      } catch {
        let delay = JobMachine.storeDelay(after: failures + 1)
        self.tell(.storeFailed("\(error)", retryAfter: delay))
        self.call(after: self.spread(delay)) { $0.releaseHeld(failures: failures + 1) }
      }
    }
  }

  /// Lets jobs go on that another process could not read, an older build for one, and that this one can, where it runs jobs: it
  /// leaves alone what it has parked itself.
  private func releaseReadable(_ kinds: [String]) async throws {
    guard inspect({ $0.phase == .running }) else { return }
    let known = inspect { $0.kinds.mapValues(\.unreadable) }
    var unreadable: [String: Set<JobID>] = [:]
    try await change(JobSelection(kinds: kinds, heldFor: [.unreadable]), .release) { job in
      guard known[job.kind]?.contains(job.id) == false, let kind = self.kinds[job.kind]?.registration else {
        return false
      }
      if (try? kind.load(job.payload)) != nil { return true }
      unreadable[job.kind, default: []].insert(job.id)
      return false
    }
    receive { [unreadable] machine in for (kind, jobs) in unreadable { machine.cannotRead(jobs, of: kind) } }
  }
}

/// Whether somebody reads which queues there are, and whether that has to be done once more.
enum QueueReader {
  case resting
  case reading
  case readingAgain
}
