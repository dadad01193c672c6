import Synchronization

// Swift has series (`for`), and groups that give up at the first error. What it has not: all of them, whatever becomes
// of one, in the order of the input; and the first that succeeds. The children are structured: when a call returns, they
// have ended.

extension Sequence where Element: Sendable {
  /// Runs the body for every element side by side, waits for all of them, and returns what became of each, in the order
  /// of the elements.
  ///
  /// Cancelling the calling task cancels every body, and what has not begun by then counts as cancelled. Nothing is
  /// promised about the order in which bodies begin. Costs a child task for each element.
  ///
  /// - Parameters:
  ///   - maximumConcurrency: how many bodies run at the same time; less than 1 counts as 1.
  ///   - body: runs where it is declared to, otherwise off the caller's actor.
  /// - Returns: a result for each element.
  public func concurrentResults<Output: Sendable>(
    maximumConcurrency: Int = .max,
    _ body: @escaping @Sendable (Element) async throws -> Output
  ) async -> [Result<Output, any Error>] {
    await run(maximumConcurrency: maximumConcurrency, untilSuccess: false, body).results
  }

  /// Runs the body for every element side by side, waits for all of them, and returns their values in the order of the
  /// elements.
  ///
  /// ```swift
  /// let images = try await urls.concurrentMap(maximumConcurrency: 4) { try await load($0) }
  /// ```
  ///
  /// Unlike a throwing task group it does not give up at the first error (B18–B20). If anything failed it throws, at the
  /// end: an error before a cancellation, one error as itself, several as ``MultipleErrors``, and a `CancellationError`
  /// where there was nothing worse. Otherwise as ``concurrentResults(maximumConcurrency:_:)``.
  ///
  /// - Parameters:
  ///   - maximumConcurrency: how many bodies run at the same time; less than 1 counts as 1.
  ///   - body: runs where it is declared to, otherwise off the caller's actor.
  /// - Returns: a value for each element.
  public func concurrentMap<Output: Sendable>(
    maximumConcurrency: Int = .max,
    _ body: @escaping @Sendable (Element) async throws -> Output
  ) async throws -> [Output] {
    let results = await concurrentResults(maximumConcurrency: maximumConcurrency, body)
    if let failure = results.failure() { throw failure }
    return try results.map { try $0.get() }
  }

  /// Runs the body for every element side by side and returns the value of the first that succeeds; the others are
  /// cancelled.
  ///
  /// ```swift
  /// let answer = try await mirrors.firstSuccess { try await fetch(from: $0) }
  /// ```
  ///
  /// It returns when the losers have ended, which a body that ignores its cancellation delays; their values and errors are
  /// dropped. Elements are drawn one by one, and none after a success: there may be no end of them. If nobody succeeds,
  /// errors beat cancellation: one error is thrown as itself, several as ``MultipleErrors``, and one without errors in it
  /// if there are no elements, unless the caller is cancelled (B21, Bw4, Bw5).
  ///
  /// - Parameters:
  ///   - maximumConcurrency: how many bodies run at the same time; less than 1 counts as 1. With 1 each is tried
  ///     after the failure of the one before.
  ///   - body: runs where it is declared to, otherwise off the caller's actor.
  /// - Returns: the first value.
  public func firstSuccess<Output: Sendable>(
    maximumConcurrency: Int = .max,
    _ body: @escaping @Sendable (Element) async throws -> Output
  ) async throws -> Output {
    let (results, first) = await run(maximumConcurrency: maximumConcurrency, untilSuccess: true, body)
    guard let first else { throw results.failure() ?? MultipleErrors([]) }
    return try results[first].get()
  }

  /// - Returns: what became of each element, and which one succeeded first.
  private func run<Output: Sendable>(
    maximumConcurrency: Int, untilSuccess: Bool, _ body: @escaping @Sendable (Element) async throws -> Output
  ) async -> (results: [Result<Output, any Error>], first: Int?) {
    await withTaskGroup(of: (Int, Result<Output, any Error>).self) { group in
      var results: [Result<Output, any Error>] = []
      var first: Int?
      func note(
        _ index: Int, _ result: Result<Output, any Error>, in group: inout TaskGroup<(Int, Result<Output, any Error>)>
      ) {
        results[index] = result
        guard first == nil, case .success = result else { return }
        first = index
        if untilSuccess { group.cancelAll() }
      }
      // Told by the body that succeeds: its child is heard of only where one is waited for, which may be after the last
      // element.
      let winner = Winner()
      var running = 0
      var elements = makeIterator()
      while true {
        if running >= maximumConcurrency, let (ended, result) = await group.next() {
          note(ended, result, in: &group)
          running -= 1
        }
        // Nobody wants the rest, of which there may be no end.
        if untilSuccess, group.isCancelled || winner.exists.load(ordering: .relaxed) {
          if first == nil { results.append(.failure(CancellationError())) }
          break
        }
        guard let element = elements.next() else { break }
        // Somebody may have succeeded while the element was drawn.
        if untilSuccess, winner.exists.load(ordering: .relaxed) { break }
        let index = results.count
        // Holds for what is not begun any more.
        results.append(.failure(CancellationError()))
        let hasBegun = group.addTaskUnlessCancelled {
          do {
            let output = try await body(element)
            if untilSuccess { winner.exists.store(true, ordering: .relaxed) }
            return (index, .success(output))
          } catch {
            return (index, .failure(error))
          }
        }
        if hasBegun { running += 1 }
        // The bodies may have no other thread than this one.
        if untilSuccess { await _Concurrency.Task.yield() }
      }
      while let (ended, result) = await group.next() { note(ended, result, in: &group) }
      return (results, first)
    }
  }
}

/// Whether one of the bodies has succeeded, for all of them.
private final class Winner: Sendable {
  let exists = Atomic(false)
}
