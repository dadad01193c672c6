import Synchronization
public import TaskKit

extension TaskRegistry {
  /// Runs a program in many orders that its dependencies allow, and finds two tasks that rely on more than those.
  ///
  /// ```swift
  /// let found = try await TaskRegistry.generated.orderDependence { center in
  ///   await center.send(.didFinishLaunching, options)
  ///   return try await center.output(of: BuildIndex.self)
  /// }
  /// #expect(found == nil)
  /// ```
  ///
  /// Which of two tasks starts first is fixed where one depends on the other (or comes `after` it). Where nothing but
  /// priority or the place of the declaration decides, they may run side by side, and a program must not rely on it. Each
  /// run has one task at a time and draws another order of each event; the result is compared with that of the order of the
  /// law. If one differs, the order is brought nearer to the law's step by step, until exchanging two neighbours makes
  /// the difference.
  ///
  /// So are tasks of two events that are going at the same time, in the interleavings that one task at a time can have. What a
  /// program injects is exchanged as well, and so are the tasks of registries that join while it runs: the first run tells which tasks an
  /// event had when it was sent. What only happens in another order than the law's keeps the law's. Nothing else is exchanged: not the
  /// entries of a lane, where the law leaves nothing open, not occurrences of one event, nor the program's own sends.
  ///
  /// Bodies do not overlap in it, though the law lets them, but for one that awaits something of its center and lends its slot:
  /// what goes wrong only where one begins while another is suspended, or runs on another thread, is not found here. Of two such
  /// tasks the orders are tried in which one has ended when the other begins. For threads there is the thread sanitizer.
  ///
  /// - Parameters:
  ///   - runs: how many orders are tried.
  ///   - seed: the chance of the first; each further one adds 1.
  ///   - configuration: of the centers; one task runs at a time, whatever it says.
  ///   - time: makes the clocks of each center.
  ///   - program: what is to be tried: gets a new center each time. What it throws counts as another result.
  /// - Returns: the two, or nil if every order gave the same. What goes wrong in the order of the law itself after all is no
  ///   matter of order, and not told.
  /// - Throws: what the program throws in the order of the law, and `CancellationError` where the calling task is cancelled.
  /// - Complexity: `runs` runs of the program, one more for each halving of the distance to an order that fails, and two where
  ///   it has several events.
  public func orderDependence<Result: Equatable>(
    runs: Int = 100, seed: UInt64 = 0, configuration: TaskCenter.Configuration = .init(),
    time: () -> TimeSource = { .system }, in program: (TaskCenter) async throws -> Result
  ) async throws -> OrderDependence? {
    var configuration = configuration
    configuration.maximumConcurrency = 1
    func run(_ order: ProgramOrder) async throws -> Result {
      let places = order.places
      configuration.startOrder = StartOrder { places[$0] }
      return try await program(TaskCenter(registry: self, configuration: configuration, time: time()))
    }

    let seen = SeenPlans()
    configuration.startOrder = StartOrder { plan in
      seen.note(plan)
      return nil
    }
    let expected = try await program(TaskCenter(registry: self, configuration: configuration, time: time()))
    // What is sent at the same time is planned now in one order, now in another.
    let plans = seen.plans.enumerated().sorted { $0.element.fingerprint < $1.element.fingerprint }
    let law = ProgramOrder(plans.map(\.element))
    /// - Returns: what went wrong in an order, if anything did.
    func failure(in order: ProgramOrder) async throws -> String? {
      let words: String?
      do {
        let result = try await run(order)
        words = result == expected ? nil : "the result is \(result) instead of \(expected)"
      } catch {
        words = "\(error)"
      }
      // What a program comes to then is no matter of order.
      try Task.checkCancellation()
      return words
    }

    // An order across events in which all is well, and one in which it is not, while nothing is known to begin with.
    var passing: ProgramOrder?
    var open: (near: ProgramOrder, order: ProgramOrder, seed: UInt64)?
    for seed in (0..<UInt64(Swift.max(0, runs))).map({ seed &+ $0 }) {
      let shuffled = law.shuffled(seed: seed)
      let order = plans.count > 1 ? shuffled.interleaved(seed: seed) : shuffled
      guard try await failure(in: order) != nil else {
        if let open { return try await shrink(from: order, to: open.order, seed: open.seed, failure: failure) }
        if order.isAcrossEvents { passing = order }
        continue
      }
      if !order.isAcrossEvents {
        // Where the law's own fails after all, a later one may still show what is a matter of order.
        if order.tasks == law.tasks { continue }
        return try await shrink(from: law, to: order, seed: seed, failure: failure)
      }
      // Mostly it is a matter of one event, whatever else is going.
      if shuffled.tasks != law.tasks, try await failure(in: shuffled) != nil {
        return try await shrink(from: law, to: shuffled, seed: seed, failure: failure)
      }
      // Where an event begins a second time after another one, this is another order than the law's.
      let together = law.interleaved(asBegun: plans.map(\.offset))
      let near = try await failure(in: together) == nil ? together : passing
      if let near, near.tasks != order.tasks {
        return try await shrink(from: near, to: order, seed: seed, failure: failure)
      }
      open = open ?? (together, order, seed)
    }
    // Nothing across events was well: told all the same, as what cannot be repeated.
    if let open { return try await shrink(from: open.near, to: open.order, seed: open.seed, failure: failure) }
    return nil
  }

  /// The same for a program that checks by itself: what it throws is the difference.
  public func orderDependence(
    runs: Int = 100, seed: UInt64 = 0, configuration: TaskCenter.Configuration = .init(),
    time: () -> TimeSource = { .system }, in program: (TaskCenter) async throws -> Void
  ) async throws -> OrderDependence? {
    try await orderDependence(runs: runs, seed: seed, configuration: configuration, time: time) { center in
      try await program(center)
      return true
    }
  }

  /// Halves the way between an order that is well and one that is not, until two neighbours are left.
  ///
  /// Each step of the way exchanges two neighbours that the far end has the other way round, so neither waits for the
  /// other, and every order on the way is allowed.
  private func shrink(
    from well: ProgramOrder, to shuffled: ProgramOrder, seed: UInt64, failure: (ProgramOrder) async throws -> String?
  ) async throws -> OrderDependence? {
    var passing = 0
    var failing = well.distance(to: shuffled)
    while failing - passing > 1 {
      let middle = (passing + failing) / 2
      let isWell = try await failure(well.moved(towards: shuffled, by: middle)) == nil
      if isWell { passing = middle } else { failing = middle }
    }
    let (good, bad) = (well.moved(towards: shuffled, by: passing), well.moved(towards: shuffled, by: failing))
    let isWell = try await failure(good) == nil
    let words = try await failure(bad)
    guard let place = good.tasks.indices.first(where: { good.tasks[$0] != bad.tasks[$0] }) else { return nil }
    let both: Set = [good.origin(place).plan, good.origin(place + 1).plan]
    return OrderDependence(
      first: good.participant(at: place), second: good.participant(at: place + 1), passing: good.names(of: both),
      failing: bad.names(of: both), failure: words ?? "not each time", seed: seed, isRepeatable: isWell && words != nil)
  }
}

/// What was planned in the order of the law.
private final class SeenPlans: Sendable {
  private let seen = Mutex<(known: Set<OpenOrder>, plans: [OpenOrder])>(([], []))

  var plans: [OpenOrder] { seen.withLock { $0.plans } }

  /// Plans are made anew after each change: of those that are alike the first is kept.
  func note(_ plan: OpenOrder) {
    seen.withLock { seen in
      if seen.known.insert(plan).inserted { seen.plans.append(plan) }
    }
  }
}
