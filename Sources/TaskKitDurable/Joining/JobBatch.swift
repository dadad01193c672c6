import Synchronization

/// Jobs that are written down together, all or nothing, and may wait for each other.
///
/// ```swift
/// var batch = JobBatch()
/// let parts = urls.map { batch.add(Download(url: $0)) }
/// batch.add(Merge(), after: parts)                // fan-in
/// let ids = try await center.enqueue(batch)
/// ```
public struct JobBatch: Sendable {
  /// A job of a batch: `ids[place.index]` is its id.
  public struct Place: Hashable, Sendable {
    /// Its number in the batch, from 0, which is that of its id in what enqueuing returns.
    public let index: Int
    let batch: Int
  }

  struct Entry: Sendable {
    let job: any DurableTask
    let options: EnqueueOptions
    let parents: [Place]
  }

  private static let batches = Atomic(0)
  private(set) var entries: [Entry] = []
  /// What its places have, and those of no other batch; a copy goes on with it.
  private let number = batches.add(1, ordering: .relaxed).newValue

  /// A batch without jobs.
  public init() {}

  /// How many jobs it has.
  public var count: Int { entries.count }

  /// - Parameters:
  ///   - job: what is to be done.
  ///   - parents: jobs of this batch that have to succeed before; those that are enqueued already are named in the options.
  ///   - options: what this job has that its kind does not say.
  /// - Precondition: the places in `parents` come from this batch; those of another one would name other jobs.
  /// - Returns: its place, for those that wait for it.
  @discardableResult
  public mutating func add(
    _ job: some DurableTask, after parents: [Place] = [], _ options: EnqueueOptions = EnqueueOptions()
  ) -> Place {
    // Places come from this batch, and so come before.
    precondition(
      parents.allSatisfy { $0.batch == number && $0.index < entries.count }, "a job waits for one of another batch")
    entries.append(Entry(job: job, options: options, parents: parents))
    return Place(index: entries.count - 1, batch: number)
  }

  /// Adds jobs that run one after the other, each when the one before has succeeded.
  ///
  /// - Returns: the last one.
  @discardableResult
  public mutating func add(chain jobs: [any DurableTask], after parents: [Place] = []) -> Place? {
    var last = parents
    for job in jobs { last = [add(job, after: last)] }
    return last.count == 1 ? last[0] : nil
  }
}
