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
  /// - Throws: ``DurableError`` where the declaration of a kind makes no sense or is there twice, with the places, or names a
  ///   store that is not there, where the options of a queue or of a store make no sense, two stores have the same name, or
  ///   one is there twice: all of it at once.
  public convenience init(
    registry: TaskRegistry = TaskRegistry(), configuration: Configuration = Configuration(), time: TimeSource = .system,
    stores: [DurableStore], jobs: JobConfiguration = JobConfiguration()
  ) throws {
    guard !stores.isEmpty else { throw DurableError.noStores }
    var problems: [DurableError] = []
    for (index, store) in stores.enumerated() where stores[..<index].contains(where: { $0.name == store.name }) {
      problems.append(.storeNamedTwice(store.name))
    }
    for (index, store) in stores.enumerated() {
      guard let object = store.store.object, let first = stores[..<index].first(where: { $0.store.object == object })
      else { continue }
      problems.append(.storeGivenTwice(as: first.name, store.name))
    }
    for store in stores {
      guard let checked = store.store as? any CheckedStore, !checked.problems.isEmpty else { continue }
      problems.append(.unusableStore(store.name, checked.problems))
    }
    var kinds = KindTable()
    problems += kinds.add(registry.kinds, stores: stores.map(\.name))
    if let problem = DurableError.all(problems + jobs.problems) { throw problem }
    self.init(registry: registry, configuration: configuration, time: time)
    attach(JobRuntime(center: self, kinds: kinds, stores: stores, configuration: jobs))
  }

  /// - Throws: ``DurableError`` if the center was made without stores.
  func runtime() throws -> JobRuntime {
    guard let runtime = companion(as: JobRuntime.self) else { throw DurableError.noStores }
    return runtime
  }
}
