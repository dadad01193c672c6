public import TaskKit

extension TaskCenter {
  /// A center that also keeps jobs.
  ///
  /// ```swift
  /// let center = try TaskCenter(registry: .generated, stores: [.sqlite()])
  /// let id = try await center.enqueue(Upload(file: photo))
  /// center.start()
  /// ```
  ///
  /// A store is opened when it is first needed, and whoever needs it waits for that. Workers run from `start()` on, which
  /// `run(sources:)` calls; jobs may be enqueued before. The shutdown of the center stops them, and writes down what
  /// they came to, before it returns; all of it ends with the center.
  ///
  /// - Parameters:
  ///   - registry: with the tasks and the kinds of jobs.
  ///   - configuration: of the center.
  ///   - time: the clocks, also those of the jobs.
  ///   - stores: where jobs are kept; the first one those of kinds that name none.
  ///   - jobs: queues, and where the states of constraints come from.
  /// - Throws: ``DurableError`` where the declaration of a kind makes no sense or is there twice, with the places, names a store that is not there, or
  ///   where two stores have the same name.
  public convenience init(
    registry: TaskRegistry = TaskRegistry(), configuration: Configuration = Configuration(), time: TimeSource = .system,
    stores: [DurableStore], jobs: JobConfiguration = JobConfiguration()
  ) throws {
    guard !stores.isEmpty else { throw DurableError.noStores }
    for (index, store) in stores.enumerated() where stores[..<index].contains(where: { $0.name == store.name }) {
      throw DurableError.storeNamedTwice(store.name)
    }
    let kinds = try KindTable(registry.kinds)
    self.init(registry: registry, configuration: configuration, time: time)
    let runtime = JobRuntime(center: self, kinds: kinds, stores: stores, configuration: jobs)
    for kind in kinds.all { _ = try runtime.engine(for: KnownKind(kind)) }
    attach(runtime)
  }

  /// - Throws: ``DurableError`` if the center was made without stores.
  func runtime() throws -> JobRuntime {
    guard let runtime = companion(as: JobRuntime.self) else { throw DurableError.noStores }
    return runtime
  }
}
