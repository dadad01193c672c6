#if Postgres
import Foundation
import TaskKitDurable

/// What goes in one transaction, and who waits for it: new jobs of several callers and an exchange, or one call.
struct PostgresFlight {
  typealias Waiter<Value> = CheckedContinuation<Value, any Error>

  struct Enqueueing {
    let jobs: [NewJob]
    let waiter: Waiter<[EnqueuedJob]>
    /// Whether a crash of the server may undo it.
    let isRelaxed: Bool
    /// Whether it has to do with no other job, so that it waits for nobody.
    let isPlain: Bool
    /// How large the payloads are together.
    let bytes: Int

    init(jobs: [NewJob], waiter: Waiter<[EnqueuedJob]>) {
      (self.jobs, self.waiter) = (jobs, waiter)
      isRelaxed = jobs.allSatisfy { $0.durability == .relaxed }
      isPlain = jobs.allSatisfy(\.isPlain)
      bytes = jobs.reduce(0) { $0 + $1.payload.bytes.count }
    }
  }

  struct Exchanging {
    let exchange: JobExchange
    let waiter: Waiter<JobExchange.Answer>
  }

  struct Calling {
    let call: PostgresCall
    let waiter: Waiter<[PostgresRow]>
  }

  var enqueueing: [Enqueueing] = []
  var exchanging: Exchanging?
  var calling: Calling?

  /// The same, each by itself.
  var pieces: [PostgresFlight] {
    if !enqueueing.isEmpty, exchanging != nil {
      return [PostgresFlight(enqueueing: enqueueing), PostgresFlight(exchanging: exchanging)]
    }
    return enqueueing.count > 1 ? enqueueing.map { PostgresFlight(enqueueing: [$0]) } : [self]
  }

  /// Those callers that ask for a job at one of the places in the batch, and all others.
  func parted(at places: [Int]) -> (asking: PostgresFlight, others: PostgresFlight) {
    var (asking, others) = (PostgresFlight(), self)
    others.enqueueing = []
    var next = places.sorted()[...]
    var end = 0
    for entry in enqueueing {
      end += entry.jobs.count
      let count = next.prefix { $0 < end }.count
      next = next.dropFirst(count)
      if count > 0 { asking.enqueueing.append(entry) } else { others.enqueueing.append(entry) }
    }
    return (asking, others)
  }

  var isEmpty: Bool { enqueueing.isEmpty && exchanging == nil && calling == nil }

  /// What the server is asked for.
  var calls: [PostgresCall] {
    get throws {
      if let calling { return [calling.call] }
      var calls: [PostgresCall] = []
      if !enqueueing.isEmpty { calls.append(try PostgresCall(jobs)) }
      if let exchanging { calls.append(try PostgresCall(exchanging.exchange)) }
      return calls
    }
  }

  /// The jobs of all callers, with places in one batch.
  private var jobs: [NewJob] {
    var jobs: [NewJob] = []
    for entry in enqueueing {
      let offset = jobs.count
      jobs += entry.jobs.map { job in
        var job = job
        for index in job.parents.indices {
          if case .inBatch(let place) = job.parents[index] { job.parents[index] = .inBatch(place + offset) }
        }
        return job
      }
    }
    return jobs
  }

  func fail(_ error: JobStoreError) {
    for entry in enqueueing { entry.waiter.resume(throwing: error) }
    exchanging?.waiter.resume(throwing: error)
    calling?.waiter.resume(throwing: error)
  }
}
#endif
