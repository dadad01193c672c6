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
  /// What a program injects is exchanged as well, and so are the tasks of registries that join while it runs: the first run
  /// tells which tasks an event had when it was sent. What only happens in another order than the law's keeps the law's. The
  /// entries of a lane are not exchanged: the law leaves nothing open there.
  ///
  /// - Parameters:
  ///   - runs: how many orders are tried.
  ///   - seed: the chance of the first; each further one adds 1.
  ///   - configuration: of the centers; one task runs at a time, whatever it says.
  ///   - time: makes the clocks of each center.
  ///   - program: what is to be tried: gets a new center each time. What it throws counts as another result.
  /// - Returns: the two, or nil if every order gave the same.
  /// - Throws: what the program throws in the order of the law.
  /// - Complexity: `runs` runs of the program, and one more for each halving of the distance to an order that fails.
  public func orderDependence<Result: Equatable>(
    runs: Int = 100, seed: UInt64 = 0, configuration: TaskCenter.Configuration = .init(),
    time: () -> TimeSource = { .system }, in program: (TaskCenter) async throws -> Result
  ) async throws -> OrderDependence? {
    var configuration = configuration
    configuration.maximumConcurrency = 1
    func run(_ orders: [EventOrder]) async throws -> Result {
      let names = Dictionary(uniqueKeysWithValues: orders.map { ($0.plan, $0.names) })
      configuration.startOrder = StartOrder { names[$0] }
      return try await program(TaskCenter(registry: self, configuration: configuration, time: time()))
    }

    let seen = SeenPlans()
    configuration.startOrder = StartOrder { plan in
      seen.note(plan)
      return nil
    }
    let expected = try await program(TaskCenter(registry: self, configuration: configuration, time: time()))
    // What is sent at the same time is planned now in one order, now in another.
    let law = seen.plans.sorted { $0.fingerprint < $1.fingerprint }.map(EventOrder.init)
    /// - Returns: what went wrong in an order, if anything did.
    func failure(in orders: [EventOrder]) async -> String? {
      do {
        let result = try await run(orders)
        return result == expected ? nil : "the result is \(result) instead of \(expected)"
      } catch {
        return "\(error)"
      }
    }

    for number in 0..<UInt64(Swift.max(0, runs)) {
      let shuffled = law.map { $0.shuffled(seed: seed &+ number) }
      guard await failure(in: shuffled) != nil else { continue }
      return await shrink(from: law, to: shuffled, seed: seed &+ number, failure: failure)
    }
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
    from law: [EventOrder], to shuffled: [EventOrder], seed: UInt64, failure: ([EventOrder]) async -> String?
  ) async -> OrderDependence? {
    let lengths = zip(law, shuffled).map { $0.distance(to: $1) }
    func orders(after steps: Int) -> [EventOrder] {
      var left = steps
      return law.indices.map { event in
        let taken = min(left, lengths[event])
        left -= taken
        return law[event].moved(towards: shuffled[event], by: taken)
      }
    }
    var passing = 0
    var failing = lengths.reduce(0, +)
    while failing - passing > 1 {
      let middle = (passing + failing) / 2
      if await failure(orders(after: middle)) == nil { passing = middle } else { failing = middle }
    }
    let (good, bad) = (orders(after: passing), orders(after: failing))
    let isWell = await failure(good) == nil
    let words = await failure(bad)
    guard let event = good.indices.first(where: { good[$0].tasks != bad[$0].tasks }),
      let place = good[event].tasks.indices.first(where: { good[event].tasks[$0] != bad[event].tasks[$0] })
    else { return nil }
    let order = good[event]
    return OrderDependence(
      event: order.plan.event, first: order.participant(at: place), second: order.participant(at: place + 1),
      passing: order.names, failing: bad[event].names, failure: words ?? "not each time", seed: seed,
      isRepeatable: isWell && words != nil)
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
