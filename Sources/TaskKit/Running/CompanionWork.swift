/// A piece of work of a companion that runs beside a center and calls into it, as a job does.
package protocol CompanionWork: AnyObject, Sendable {
  /// It has begun to wait for something of the center: who waits for the companion may be what it waits for. Called under no
  /// lock.
  func beganToWait()

  /// The same of a body for which it may wait, or any other piece of work of the companion.
  func lookWhoWaits()
}

/// The body that calls into its center.
package struct CallingBody: Sendable {
  fileprivate let identity: FrameIdentity
}

/// Who waits for whom, of the pieces of work that wait for something of the center.
package struct CompanionLook: Sendable {
  /// By body: those that wait for it, directly or through others.
  package let waiting: [[any CompanionWork]]
  /// Those that wait for none of the bodies.
  package let others: [any CompanionWork]
}

/// A piece of work waits for something. It is held as long as that is noted: nothing of it ends under the center's lock.
struct CompanionWait: Sendable {
  fileprivate let work: any CompanionWork
  fileprivate let number: UInt64
}

/// Which pieces of work of companions wait for what of the center. They are no bodies of it, so that nothing of it waits for
/// them, and who waits in a body for the companion has to know them.
struct CompanionWaits {
  private struct Waiter {
    let work: any CompanionWork
    /// What it waits for, by the numbers of the waits.
    var waited: [UInt64: Waited] = [:]
  }

  private var waiters: [ObjectIdentifier: Waiter] = [:]
  private var nextNumber: UInt64 = 0

  mutating func add(_ waited: Waited, by work: any CompanionWork) -> CompanionWait {
    defer { nextNumber += 1 }
    waiters[ObjectIdentifier(work), default: Waiter(work: work)].waited[nextNumber] = waited
    return CompanionWait(work: work, number: nextNumber)
  }

  mutating func remove(_ wait: CompanionWait) {
    let work = ObjectIdentifier(wait.work)
    waiters[work]?.waited[wait.number] = nil
    if waiters[work]?.waited.isEmpty == true { waiters[work] = nil }
  }

  /// How many pieces of work wait.
  var workCount: Int { waiters.count }

  var all: [(waited: Waited, work: any CompanionWork)] {
    waiters.values.flatMap { waiter in waiter.waited.values.map { (waited: $0, work: waiter.work) } }
  }

  /// What a piece of work waits for, and nothing for one that does not.
  func waited(by work: ObjectIdentifier) -> [Waited] { waiters[work].map { Array($0.waited.values) } ?? [] }

  /// One of those that wait, whichever: it looks for all of them.
  var oneOfThem: (any CompanionWork)? { waiters.first?.value.work }
}

extension CenterMachine {
  /// - Complexity: one search, however many pieces of work there are: linear in all that they wait for, and in how many things
  ///   wait for each of the bodies.
  fileprivate mutating func companionLook(for bodies: [FrameIdentity]) -> CompanionLook {
    let waits = companionWaits.all
    let works = Dictionary(grouping: waits, by: \.waited)
    var waiting: [[ObjectIdentifier: any CompanionWork]] = []
    for leading in whatWaits(for: bodies, from: waits.map(\.waited)) {
      var found: [ObjectIdentifier: any CompanionWork] = [:]
      for waited in leading { for wait in works[waited] ?? [] { found[ObjectIdentifier(wait.work)] = wait.work } }
      waiting.append(found)
    }
    var others: [ObjectIdentifier: any CompanionWork] = [:]
    for wait in waits { others[ObjectIdentifier(wait.work)] = wait.work }
    for works in waiting { for work in works.keys { others[work] = nil } }
    return CompanionLook(waiting: waiting.map { Array($0.values) }, others: Array(others.values))
  }

  fileprivate mutating func isAny(of works: Set<ObjectIdentifier>, waitingFor bodies: [FrameIdentity]) -> Bool {
    let waited = works.flatMap { companionWaits.waited(by: $0) }
    guard !waited.isEmpty else { return false }
    return isAny(of: waited, waitingFor: bodies)
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

  /// Looks which pieces of work wait for which of some bodies, directly or through others, whoever has started these.
  ///
  /// - Parameter count: where fewer wait at all, nobody needs to know.
  package func companionLook(for bodies: [CallingBody], ifAtLeast count: Int = 0) -> CompanionLook? {
    receive { machine -> CompanionLook? in
      guard machine.companionWaits.workCount >= count else { return nil }
      return machine.companionLook(for: bodies.map(\.identity))
    }
  }

  /// Whether one of some pieces of work waits for one of some bodies, directly or through others.
  package func isAny(of works: Set<ObjectIdentifier>, waitingFor bodies: [CallingBody]) -> Bool {
    receive { $0.isAny(of: works, waitingFor: bodies.map(\.identity)) }
  }

  /// Whoever calls waits for something.
  ///
  /// - Returns: the wait, if it is that of a piece of work.
  func beginCompanionWait(for waited: Waited) -> CompanionWait? {
    guard let work = WorkerBox.work(in: self) else { return nil }
    let wait = receive { $0.companionWaits.add(waited, by: work) }
    work.beganToWait()
    return wait
  }

  func endCompanionWait(_ wait: CompanionWait?) {
    guard let wait else { return }
    receive { $0.companionWaits.remove(wait) }
  }
}
