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
    releaseHeldLater()
  }

  /// Another process, or somebody here, may have held jobs until something holds that does so already. Nobody tells which,
  /// so all are looked at, not more often than every ten seconds: nor may two processes that see it otherwise give a job to
  /// each other all the time.
  func releaseHeldLater() {
    let mustTime = receive { machine in
      guard !machine.satisfied.isEmpty, !machine.isReleaseTimed else { return false }
      machine.isReleaseTimed = true
      return true
    }
    guard mustTime else { return }
    call(after: .seconds(10)) { engine in
      engine.receive { $0.isReleaseTimed = false }
      engine.releaseHeld(by: engine.inspect { $0.satisfied })
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

  /// Lets those go on that are held until what holds now.
  func releaseHeld(by satisfied: Set<String>, failures: Int = 0) {
    guard inspect({ $0.opening == .done && $0.phase != .closing && $0.phase != .closed }) else { return }
    // Ends when the store has answered.
    errand {
      do {
        // Those of other kinds are for processes that run them. A store may look at all jobs to find those that are held, and
        // mostly there is none.
        let kinds = Set(try await self.store.counts().lazy.filter { $0.state == .held }.map(\.kind))
          .intersection(self.kinds.all.map(\.kind))
        guard !kinds.isEmpty else { return }
        try await self.change(JobSelection(kinds: kinds.sorted(), heldFor: [.until]), .release) { job in
          job.hold.map { JobExchange.End.held($0).isReleased(by: satisfied) } ?? false
        }
      } catch {
        let delay = JobMachine.storeDelay(after: failures + 1)
        self.tell(.storeFailed("\(error)", retryAfter: delay))
        self.call(after: self.spread(delay)) { engine in
          engine.releaseHeld(by: engine.inspect { $0.satisfied }, failures: failures + 1)
        }
      }
    }
  }
}

/// Whether somebody reads which queues there are, and whether that has to be done once more.
enum QueueReader {
  case resting
  case reading
  case readingAgain
}
