#if Durable && !os(Windows)
import Foundation
import ProcessTesting
import TaskKitDurable

/// Does everything that can be done to a store, one call after the other and each by itself: so a test can end the process at
/// each of them. What it leaves when it is killed, others bring to its end.
struct Script {
  private let store: NotingStore
  /// What no other process has.
  private let number: Int

  static func work(_ store: NotingStore) async throws {
    history.note("start")
    _ = try await store.open(StoreEnvironment(owner: plan.run))
    try await Script(store: store, number: Int(plan.run.drop { !$0.isNumber })!).run()
    await store.close()
    history.note("stop")
  }

  private func run() async throws {
    // What a process that was killed has given up, held or paused, and not taken up again.
    try await change(JobSelection(kinds: [Steady.kind], states: [.dead]), .retry)
    try await change(JobSelection(kinds: [Steady.kind], states: [.held]), .release)
    let queue = PauseSubject.queue("default")
    try await store.setPaused(false, queue, by: plan.run)
    let ids = try await enqueue()
    history.note("cancelling", ids[2])
    try await change(JobSelection(ids: [ids[2]]), .cancel)
    try await change(JobSelection(ids: [ids[3]]), .prioritise(JobPriority(major: 1_000 + number, minor: 11)))
    try await change(JobSelection(ids: [ids[1]]), .hold("for a moment"))
    try await change(JobSelection(ids: [ids[1]]), .release)
    try await change(JobSelection(ids: [ids[0]]), .reschedule(.after(.seconds(3600))))
    try await change(JobSelection(states: [.delayed]), .reschedule(.now))
    try await store.setPaused(true, queue, by: plan.run)
    try await store.setPaused(false, queue, by: plan.run)
    try await work()
    _ = try await store.sweep(limit: 10)
  }

  private func change(_ selection: JobSelection, _ change: JobChange) async throws {
    _ = try await store.change(selection, change)
  }

  // MARK: Enqueuing

  /// A job whose body is the same as that of ``Steady``. Those of later processes come first, so that each gets its own.
  private func new(_ tags: String...) -> NewJob {
    NewJob(
      kind: Steady.kind, priority: JobPriority(major: 1_000 + number), payload: JobPayload(bytes: Data("{}".utf8)),
      maximumAttempts: nil, maximumCrashes: 1_000_000, retention: JobRetention(finished: nil, failed: nil), tags: tags)
  }

  private func enqueue() async throws -> [JobID] {
    // The first of its sort, for which the store has to make room; what it needs is there at once.
    var first = new()
    (first.constraints, first.constraintsUntil) = ([plan.run], .after(.zero))
    var ids = try await store.enqueue([first]).map(\.id)
    ids += try await store.enqueue([new("many \(number)"), new("many \(number)"), new("many \(number)")]).map(\.id)
    var (child, grandchild) = (new("batch \(number)"), new("batch \(number)"))
    // Also where the one before it is given up.
    (child.parents, child.parentFailure) = ([.inBatch(0)], .run)
    (grandchild.parents, grandchild.parentFailure) = ([.inBatch(0), .inBatch(1)], .run)
    _ = try await store.enqueue([new("batch \(number)"), child, grandchild])
    var keyed = new()
    keyed.unique = UniqueKey("script", .append)
    _ = try await store.enqueue([keyed])
    // The last one again, which the process before may have written or not.
    _ = try await store.schedule("nightly", beginning: Date(timeIntervalSince1970: 0))
    let occurrences = [number - 1, number].map { place in
      var occurrence = new()
      occurrence.occurrence = JobOccurrence(
        schedule: "nightly", date: Date(timeIntervalSince1970: Double(place) * 86_400))
      return occurrence
    }
    _ = try await store.enqueue(occurrences)
    return ids
  }

  // MARK: Working

  private func work() async throws {
    let claimed = try await claim(3)
    try await succeed(claimed[0])
    // Again, and what comes next.
    let next = try await end(claimed[1], .failed(.error, "again", retryAfter: .zero), claiming: 1)
    _ = try await end(next[0], .gaveUp(.error, "not this time"))
    try await change(JobSelection(ids: [next[0].id]), .retry)
    _ = try await end(claimed[2], .snoozed(.after(.zero)))
  }

  private func claims(_ count: Int) -> [JobExchange.Claim] {
    count > 0 ? [.init(queue: "default", limit: count, kinds: [.init(Steady.kind, limit: count)])] : []
  }

  private func claim(_ count: Int) async throws -> [ClaimedJob] {
    begun(try await store.exchange(JobExchange(claims: claims(count))).claimed)
  }

  private func begun(_ jobs: [ClaimedJob]) -> [ClaimedJob] {
    for job in jobs { history.note("begin", job.id, job.token, job.attempt, job.kind) }
    return jobs
  }

  private func key(_ job: ClaimedJob) -> AttemptKey { AttemptKey(job: job.id, token: job.token) }

  private func note(_ job: ClaimedJob, _ note: JobExchange.Note) async throws {
    _ = try await store.exchange(JobExchange(notes: [(key(job), note)]))
  }

  private func end(_ job: ClaimedJob, _ end: JobExchange.End, claiming count: Int = 0) async throws -> [ClaimedJob] {
    history.note("end", job.id, job.token)
    return begun(try await store.exchange(JobExchange(ends: [(key(job), end)], claims: claims(count))).claimed)
  }

  /// What the body of ``Steady`` does.
  private func succeed(_ job: ClaimedJob) async throws {
    let found = try job.checkpoint.map { try JSONDecoder().decode(Int64.self, from: $0) }
    history.note("found", job.id, job.token, found ?? 0)
    try await note(job, .progress(JobProgress(completed: 1, of: 2)))
    try await note(job, .checkpoint(try JSONEncoder().encode(job.token.rawValue)))
    history.note("checkpointed", job.id, job.token)
    if try await store.step("step", of: job.id) == nil {
      history.note("step", job.id, job.token)
      try await note(job, .step("step", Data()))
    }
    history.note("kept", job.id, job.token)
    _ = try await end(job, .succeeded(result: nil))
  }
}
#endif
