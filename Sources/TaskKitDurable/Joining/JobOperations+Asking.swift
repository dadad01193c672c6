public import Foundation
import Synchronization
import TaskKit

extension JobOperations {
  /// Everything that is known about a job; nil if there is none of that id, or none any more.
  public func snapshot(of id: JobID) async throws -> JobSnapshot? {
    try await only().all(JobSelection(ids: [id])).first
  }

  /// Jobs in the order of their ids. They are read in parts: each as it is at some moment of the call.
  public func all(where selection: JobSelection = .all) async throws -> [JobSnapshot] {
    var jobs: [JobSnapshot] = []
    for engine in try joined(for: selection) { jobs += try await engine.all(selection) }
    return jobs
  }

  /// How many jobs there are; a quick answer for kinds, queues and states, others have to be read (Z34).
  public func count(where selection: JobSelection = .all) async throws -> Int {
    let engines = try joined(for: selection)
    guard selection.ids == nil, selection.tags == nil, selection.uniqueKeys == nil, selection.heldFor == nil else {
      var count = 0
      for engine in engines { try await engine.forEachPart(of: selection) { count += $0.count } }
      return count
    }
    return try await counts().lazy.filter { count in
      (selection.kinds?.contains(count.kind) ?? true) && (selection.queues?.contains(count.queue) ?? true)
        && (selection.states?.contains(count.state) ?? true)
    }.reduce(0) { $0 + $1.count }
  }

  /// How many there are by queue, kind and state.
  public func counts() async throws -> [JobCount] {
    try await gathered { try await $0.counts() }
  }

  /// What all stores say.
  func gathered<Value>(_ ask: (any JobStore) async throws -> [Value]) async throws -> [Value] {
    var values: [Value] = []
    for engine in try joined() {
      try await engine.open()
      values += try await ask(engine.store)
    }
    return values
  }

  /// Unfinished jobs of kinds that this program does not know (Z10).
  public func orphans() async throws -> [JobCount] {
    try await counts().filter { !$0.state.isFinal && runtime.kinds[$0.kind] == nil }
  }

  /// How the schedules of the registered kinds stand, by kind. Nothing begins with this: what a store does not know yet has no
  /// occurrences.
  public func schedules() async throws -> [JobScheduleStatus] {
    var all: [JobScheduleStatus] = []
    let engines = try joined()
    for kind in runtime.kinds.all {
      guard let schedule = kind.schedule, let engine = engines.first(where: { $0.keeps(kind) }) else { continue }
      try await engine.open()
      let record = try await engine.store.schedule(kind.kind)
      all.append(
        JobScheduleStatus(
          kind: kind.kind, schedule: schedule, next: engine.watches.withLock { $0.byKind[kind.kind]?.next },
          latest: record?.latest, occurrences: record?.count ?? 0, problem: schedule.impossibility))
    }
    return all
  }

  /// What a finished job has returned, while it is kept.
  ///
  /// - Throws: ``DurableError`` if it has left nothing; what decoding throws.
  public func result<Value: Decodable>(of id: JobID, as type: Value.Type = Value.self) async throws -> Value {
    guard let data = try await snapshot(of: id)?.result else { throw DurableError.noResult(of: id) }
    return try JobCoding.decode(type, from: data)
  }

  /// All jobs as a JSON array, payloads that are JSON as such (Z36). For people and tools; its form may grow.
  ///
  /// Dates are texts as `2026-11-25T07:00:00.000000Z`, durations are seconds.
  ///
  /// The jobs are read in parts; what is returned holds all of them.
  public func dump(where selection: JobSelection = .all) async throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Self.text(of: date))
    }
    var text = Data("[".utf8)
    for engine in try joined(for: selection) {
      try await engine.forEachPart(of: selection) { part in
        for job in part {
          text += Data((text.count == 1 ? "\n" : ",\n").utf8)
          text += try Self.json(job, encoder)
        }
      }
    }
    return text + Data("\n]\n".utf8)
  }

  private static func json(_ job: JobSnapshot, _ encoder: JSONEncoder) throws -> Data {
    var object = try JSONSerialization.jsonObject(with: encoder.encode(job)) as? [String: Any] ?? [:]
    if let value = try? JSONSerialization.jsonObject(with: job.payload.bytes, options: .fragmentsAllowed) {
      object["payload"] = ["version": job.payload.version, "value": value] as [String: Any]
    }
    // As Swift writes them down, nobody else reads them.
    object["deadline"] = job.deadline.map { $0 / .seconds(1) }
    object["uniquePeriod"] = job.uniquePeriod.map { $0 / .seconds(1) }
    let retention = ["finished": job.retention.finished, "failed": job.retention.failed]
    object["retention"] = retention.compactMapValues { $0.map { $0 / .seconds(1) } }
    return try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
  }

  /// With the microseconds that stores keep: a slot of a schedule may lie between two seconds.
  private static func text(of date: Date) -> String {
    let (seconds, rest) = StoreTime(date).microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let whole = Date(timeIntervalSince1970: Double(rest < 0 ? seconds - 1 : seconds)).formatted(.iso8601)
    let fraction = "\((rest < 0 ? 2_000_000 : 1_000_000) + rest)".dropFirst()
    return "\(whole.dropLast()).\(fraction)Z"
  }

  // MARK: - As it changes

  /// What this process does with jobs, from the call on: which it enqueues, begins, ends, finds and changes, and what it
  /// notices of constraints and stores.
  ///
  /// Of one attempt the beginning is told before the end, and of one job each attempt before the next. Where another one may
  /// begin as soon as the store has something, that may be told first: a job starts before its enqueueing or its release is
  /// told. What is done in a transaction of the program is told after its commit.
  ///
  /// It is no record of all that becomes of a job. Told are neither what other processes do, nor what follows for jobs that
  /// nobody has named: children that end with their parents, jobs that a key replaces, what is deleted after its time. All
  /// of that is seen in ``updates()``, ``updates(of:)``, ``updates(where:limit:)`` and ``all(where:)``.
  ///
  /// - Parameter capacity: how many are kept for an observer that is slow; one that is slower is told how many it lost.
  public func events(buffering capacity: Int = 1024) -> AsyncStream<JobEvent> {
    runtime.events.elements(buffering: Swift.max(2, capacity))
  }

  /// The counts now, and again each time that they are others, whoever has changed them: for a screen.
  ///
  /// What happens between two looks is seen as one change, and the last state is always seen: what this process does at once,
  /// what others do when the store hears of it (see ``JobStore/changes()``), a time that has come when a worker looks for
  /// what is due. Each look reads all counts. Ends with the center. A store that cannot be read is told by the event
  /// ``JobEvent/Kind/storeFailed(_:retryAfter:)``, and looked at again until it can.
  public func updates() -> AsyncStream<[JobCount]> {
    updates { operations in try await operations.counts() }
  }

  /// A job now, and each time that it is another, as ``updates()`` has the counts; ends when it has ended or is no longer
  /// there. One that ends and is not kept is last seen as it was before.
  ///
  /// Where the center has several stores it is asked of `jobs(in:)`; here it ends at once.
  public func updates(of id: JobID) -> AsyncStream<JobSnapshot> {
    guard engines.count == 1 else { return AsyncStream { nil } }
    let states = updates { operations -> JobSnapshot? in try await operations.snapshot(of: id) }
    let iterator = StateIterator(states.makeAsyncIterator())
    return AsyncStream { await iterator.next() }
  }

  /// The first jobs of a selection in the order of their ids, now and each time that anything of them is another, as
  /// ``updates()`` has the counts: for a list on a screen. None where no job is meant.
  ///
  /// Each look reads that many jobs, with all that is known of them. Where the center has several stores the jobs of the first
  /// come first, and a selection of ids is asked of `jobs(in:)`; here it ends at once. So does that of a selection which others
  /// refuse.
  public func updates(where selection: JobSelection, limit: Int) -> AsyncStream<[JobSnapshot]> {
    guard selection.ids == nil || engines.count == 1, (try? selection.check()) != nil else {
      return AsyncStream { nil }
    }
    return updates { operations in try await operations.first(limit, of: selection) }
  }

  private func first(_ limit: Int, of selection: JobSelection) async throws -> [JobSnapshot] {
    var jobs: [JobSnapshot] = []
    for engine in try joined(for: selection) where jobs.count < limit {
      try await engine.open()
      jobs += try await engine.store.jobs(selection, after: nil, limit: limit - jobs.count)
    }
    return jobs
  }

  private func updates<State: Sendable & Equatable>(
    _ look: @escaping @Sendable (JobOperations) async throws -> State
  ) -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
    // The center is not kept: when it goes its engines end the signals.
    let signals = engines.map { $0.changes.elements(buffering: 1) }
    let watch = StateWatch(self, look)
    // Ends with the signals, and is cancelled with the observer.
    let task = _Concurrency.Task.detached {
      await watch.run(signals) { continuation.yield($0) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

/// A job's states up to its end.
private actor StateIterator {
  private var iterator: AsyncStream<JobSnapshot?>.Iterator?

  init(_ iterator: AsyncStream<JobSnapshot?>.Iterator) { self.iterator = iterator }

  func next() async -> JobSnapshot? {
    guard var current = iterator else { return nil }
    let state = await current.next(isolation: self)
    iterator = current
    guard let job = state ?? nil else {
      iterator = nil
      return nil
    }
    if job.state.isFinal { iterator = nil }
    return job
  }
}

extension JobEngine {
  /// All jobs of a selection, read in parts.
  func all(_ selection: JobSelection) async throws -> [JobSnapshot] {
    var jobs: [JobSnapshot] = []
    try await forEachPart(of: selection) { jobs += $0 }
    return jobs
  }

  /// How many jobs are held at a time by what looks at many.
  private static let part = 500

  /// Reads jobs in the order of their ids, in parts of which one at a time is held.
  ///
  /// - Parameter isEnough: asked after each part.
  func forEachPart(
    of selection: JobSelection, until isEnough: () -> Bool = { false }, _ body: ([JobSnapshot]) throws -> Void
  ) async throws {
    try await open()
    var last: JobID?
    repeat { last = try await readPart(of: selection, after: last, body) } while last != nil && !isEnough()
  }

  /// - Returns: after which job to go on; nil at the end.
  private func readPart(
    of selection: JobSelection, after last: JobID?, _ body: ([JobSnapshot]) throws -> Void
  ) async throws -> JobID? {
    let part = try await store.jobs(selection, after: last, limit: Self.part)
    try body(part)
    return part.count == Self.part ? part.last?.id : nil
  }
}
