#if Durable && !os(Windows)
import ProcessTesting
import TaskKit
import TaskKitDurable

/// Enqueues jobs with options of all kinds, and does to them what people do.
///
/// What would let a job end otherwise than its kind's rule says is done to steady ones only, and noted before.
struct Mix: Sendable {
  private static let reason = "held by the mix"
  private static let delayed = JobSelection(states: [.delayed])
  private var chance: SeededGenerator

  init(_ chance: SeededGenerator) { self.chance = chance }

  mutating func enqueue(_ job: any DurableTask, in center: TaskCenter) async throws {
    var options = EnqueueOptions()
    options.priority = JobPriority(major: Int.random(in: 5...15, using: &chance))
    if Bool.random(using: &chance) { options.start = .after(.milliseconds(Int.random(in: 0...20, using: &chance))) }
    guard let job = job as? Steady else {
      let id = try await center.enqueue(job, options)
      try await disturb(id, center.jobs)
      return
    }
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: options.unique = UniqueKey("mix", .append)
    case 1:
      var batch = JobBatch()
      batch.add(Steady(), after: [batch.add(chain: [job, Steady(), Steady()])!, batch.add(Steady(), options)])
      try await center.enqueue(batch)
      return
    default: break
    }
    let id = try await center.enqueue(job, options)
    switch Int.random(in: 0..<6, using: &chance) {
    case 0:
      history.note("cancelling", id)
      try await center.jobs.cancel(id)
    case 1:
      if try await center.jobs.hold(id, because: Self.reason) { try await center.jobs.release(id) }
    default: try await disturb(id, center.jobs)
    }
  }

  /// Does what makes no difference for the end of a job.
  private mutating func disturb(_ id: JobID, _ jobs: JobOperations) async throws {
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: try await jobs.prioritise(id, JobPriority(major: Int.random(in: 5...15, using: &chance)))
    case 1: try await jobs.reschedule(id, .now)
    case 2:
      try await jobs.pause(queue: "default")
      try await jobs.resume(queue: "default")
    default: break
    }
  }

  /// What processes that were killed have paused and held.
  static func undoWhatWasLeft(in center: TaskCenter) async throws {
    try await center.jobs.resume(queue: "default")
    let left = try await center.jobs.all(where: JobSelection(states: [.held])).filter { $0.hold == .asked(reason) }
    if !left.isEmpty { try await center.jobs.release(where: JobSelection(ids: left.map(\.id), states: [.held])) }
  }

  /// Does what has a delay, too.
  static func finish(in center: TaskCenter) async throws {
    while try await center.jobs.reschedule(where: delayed, .now) > 0 { await center.jobs.idle() }
  }
}
#endif
