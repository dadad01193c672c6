/// A piece of work of a companion that runs beside a center and calls into it, as a job does.
package protocol CompanionWork: AnyObject, Sendable {
  /// It, or a body for which it may wait, has begun to wait for something of the center: who waits for the companion may be
  /// what it waits for. Called under no lock.
  func lookWhoWaits()
}

/// The body that calls into its center.
package struct CallingBody: Sendable {
  fileprivate let identity: FrameIdentity
}

/// Which pieces of work of companions wait for what of the center. They are no bodies of it, so that nothing of it waits for
/// them, and who waits in a body for the companion has to know them.
struct CompanionWaits {
  private var waits: [UInt64: (waited: Waited, work: any CompanionWork)] = [:]
  private var nextNumber: UInt64 = 0

  mutating func add(_ waited: Waited, by work: any CompanionWork) -> UInt64 {
    defer { nextNumber += 1 }
    waits[nextNumber] = (waited, work)
    return nextNumber
  }

  mutating func remove(_ number: UInt64) -> (any CompanionWork)? { waits.removeValue(forKey: number)?.work }

  var all: [(waited: Waited, work: any CompanionWork)] { Array(waits.values) }

  /// One of those that wait, whichever: it looks for all of them.
  var oneOfThem: (any CompanionWork)? { waits.first?.value.work }
}

extension CenterMachine {
  /// - Complexity: a search for each wait that there is.
  fileprivate mutating func works(waitingFor body: FrameIdentity) -> [any CompanionWork] {
    var works: [any CompanionWork] = []
    for wait in companionWaits.all where chainOfWaiting(from: wait.waited, to: body) != nil { works.append(wait.work) }
    return works
  }
}

extension TaskCenter {
  /// Runs a piece of work: what it waits for in this center counts as its own wait.
  package func carryOut<Output: Sendable>(
    _ work: any CompanionWork, _ body: @Sendable () async throws -> Output
  ) async throws -> Output {
    try await WorkerBox.$current.withValue(WorkerBox(of: work, in: self)) { try await body() }
  }

  /// The piece of work that calls, where that is in no body.
  package var callingWork: (any CompanionWork)? { WorkerBox.work(in: self) }

  /// The body that calls, if it is one of this center that may suspend.
  package var callingBody: CallingBody? { WorkerBox.frame(in: self).map { CallingBody(identity: $0.identity) } }

  /// The pieces of work that wait for a body, directly or through others, whoever has started it.
  package func works(waitingFor body: CallingBody) -> [any CompanionWork] {
    receive { $0.works(waitingFor: body.identity) }
  }

  /// Whoever calls waits for something.
  ///
  /// - Returns: the number of the wait, if it is that of a piece of work.
  func beginCompanionWait(for waited: Waited) -> UInt64? {
    guard let work = WorkerBox.work(in: self) else { return nil }
    let number = receive { $0.companionWaits.add(waited, by: work) }
    work.lookWhoWaits()
    return number
  }

  func endCompanionWait(_ number: UInt64?) {
    guard let number else { return }
    // It may end with what is taken out: not under the lock.
    _ = receive { $0.companionWaits.remove(number) }
  }
}
