public import TaskKit

extension TaskCenter {
  /// What can be done with the jobs of this center, and asked about them.
  ///
  /// A center that was made without stores has none: what needs a store throws a ``DurableError`` that says how to add
  /// one, nothing ever happens to jobs, and they are idle.
  public var jobs: JobOperations {
    let runtime = companion(as: JobRuntime.self) ?? JobRuntime(without: self)
    return JobOperations(runtime: runtime, engines: runtime.engines)
  }

  /// The same for the jobs of one store.
  ///
  /// - Throws: ``DurableError`` if there is none of that name.
  public func jobs(in store: String) throws -> JobOperations {
    let runtime = try runtime()
    return JobOperations(runtime: runtime, engines: [try runtime.engine(named: store)])
  }
}

/// What can be done with the jobs of a center, and asked about them: `center.jobs`.
///
/// Where a center has several stores, selections are those of all of them. An id is a number of one store, and another job in
/// another: what takes one throws ``DurableError`` then, and is asked of `jobs(in:)`.
public struct JobOperations: Sendable {
  let runtime: JobRuntime
  let engines: [JobEngine]

  /// How the stores stand in this process: for a health check. Costs nothing, and asks none of them.
  ///
  /// A store with a problem is tried again on the center's clock, from a tenth of a second up to half a minute later each
  /// time. ``JobEvent/Kind/storeFailed(_:retryAfter:)`` and ``JobEvent/Kind/storeRecovered`` tell when that begins and ends.
  public var stores: [JobStoreStatus] {
    engines.map { engine in
      let (isOpen, problem) = engine.inspect { ($0.isOpen, $0.problem) }
      return JobStoreStatus(
        name: engine.name, isOpen: isOpen, problem: problem.map { "\($0)" } ?? engine.damaged?.damage)
    }
  }

  /// - Throws: ``DurableError`` where there is none.
  func joined() throws -> [JobEngine] {
    guard !engines.isEmpty else { throw DurableError.noStores }
    return engines
  }

  /// The only store, since an id is a number of one.
  ///
  /// - Throws: ``DurableError`` where there are several, or none.
  func only() throws -> JobEngine {
    let engines = try joined()
    guard engines.count == 1 else { throw DurableError.idOfSeveralStores(engines.map(\.name)) }
    return engines[0]
  }

  /// The stores that a selection is about.
  ///
  /// - Throws: ``DurableError`` where there is none, or several for an id, or where no job can be meant.
  func joined(for selection: JobSelection) throws -> [JobEngine] {
    let engines = selection.ids == nil ? try joined() : [try only()]
    try selection.check()
    return engines
  }

  /// Opens the stores now, and not when they are first needed: to see early that one cannot be, and before jobs are
  /// enqueued in transactions of a database.
  ///
  /// - Throws: what the first store throws that cannot be opened. The next call tries again.
  public func open() async throws {
    for engine in try joined() { try await engine.open() }
  }
}
