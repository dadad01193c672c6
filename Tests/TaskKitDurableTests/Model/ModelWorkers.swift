import Foundation
@testable import TaskKitDurable

/// Who the two workers are to a store, and which tokens they hold.
struct ModelWorkers {
  /// The owner that each worker is now, or was before it died.
  var owners: [Int]
  var alive: UInt8 = 3
  /// By worker and job, the stale one first.
  var tokens: [[[AttemptToken]]]
  /// Owners that have died and not been found.
  var unburied: [Int] = []
  var now = StoreTime(microseconds: 1_000_000)
  var nextOwner: Int

  init(jobs: Int, firstOwner: Int) {
    owners = [firstOwner, firstOwner + 1]
    tokens = Array(repeating: Array(repeating: [], count: jobs), count: 2)
    nextOwner = firstOwner + 2
  }

  mutating func take(_ worker: Int, _ job: Int, isStale: Bool) -> AttemptToken {
    isStale ? tokens[worker][job].removeFirst() : tokens[worker][job].removeLast()
  }

  mutating func die(_ worker: Int) {
    alive &= ~(1 << UInt8(worker))
    unburied.append(owners[worker])
    tokens[worker] = tokens[worker].map { _ in [] }
  }

  mutating func reopen(_ worker: Int) {
    alive |= 1 << UInt8(worker)
    owners[worker] = nextOwner
    nextOwner += 1
  }

  /// What the model calls a job that a store has in that state.
  func job(
    _ index: Int, places: JobModel.Places, attempts: Int, crashes: Int, holder: Int?, token: AttemptToken?
  ) -> JobModel.Job {
    var job = JobModel.Job()
    job.places = places
    job.attempts = UInt8(attempts)
    job.crashes = UInt8(crashes)
    if let holder, let worker = owners.firstIndex(of: holder) { job.holder = UInt8(worker) }
    for worker in 0...1 {
      for held in tokens[worker][index] {
        if held == token { job.valid |= 1 << UInt8(worker) } else { job.stale |= 1 << UInt8(worker) }
      }
    }
    return job
  }

  /// What an action of the model is to a store; nil where a store is not asked.
  mutating func exchange(for action: JobModel.Action) -> (worker: Int, job: Int, JobExchange)? {
    func key(_ job: Int, _ token: AttemptToken) -> AttemptKey {
      AttemptKey(job: JobID(rawValue: Int64(job + 1)), token: token)
    }
    switch action {
    case .claim(let worker, let job):
      let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("\(job)", limit: 1)])
      return (worker, job, JobExchange(claims: [claim]))
    case .succeed(let worker, let job, let isStale):
      let token = take(worker, job, isStale: isStale)
      return (worker, job, JobExchange(ends: [(key(job, token), .succeeded(result: nil))]))
    case .fail(let worker, let job, let isStale):
      let token = take(worker, job, isStale: isStale)
      return (worker, job, JobExchange(ends: [(key(job, token), .failed(.error, "no", retryAfter: .zero))]))
    case .snooze(let worker, let job, let isStale):
      let token = take(worker, job, isStale: isStale)
      return (worker, job, JobExchange(ends: [(key(job, token), .snoozed(.after(.seconds(1_000))))]))
    case .tick:
      now = now + .seconds(2_000)
      return (0, 0, JobExchange())
    case .cancel, .retry, .die, .rescue, .expire, .reopen: return nil
    }
  }

  /// A job of each kind, with the limits of the model.
  static func newJobs(_ count: Int, maximumAttempts: Int = Int(JobModel.maximumAttempts)) -> [NewJob] {
    (0..<count).map { index in
      NewJob(
        kind: "\(index)", payload: JobPayload(bytes: Data()), maximumAttempts: maximumAttempts,
        maximumCrashes: Int(JobModel.maximumCrashes), retention: JobRetention(finished: nil, failed: nil))
    }
  }
}

extension JobState {
  var places: JobModel.Places {
    switch self {
    case .ready: .ready
    case .delayed: .delayed
    case .running: .running
    case .finished: .finished
    case .dead: .dead
    case .held: .held
    case .cancelled: .cancelled
    case .waiting: []
    }
  }
}
