#if Durable && !os(Windows)
import Foundation
import Synchronization
@testable import TaskKitDurable
import TaskKit
import TaskKitDurableTesting
import Testing

/// Does with two stores of the same jobs, as two processes have them, what a model does.
struct ModelWalk: ~Copyable {
  private final class Clock: Sendable {
    let date = Mutex(Date(timeIntervalSince1970: 1_000))
  }

  private let fixture: any JobStoreFixture
  private let model: JobModel
  /// Lets the lease of a store pass that lives, and somebody find that, at a date; nil where that cannot be.
  private let expire: (@Sendable (_ store: any JobStore, _ date: Date) async throws -> Void)?
  private let jobs: Int
  private let clock = Clock()
  private var stores: [any JobStore] = []
  private var workers: ModelWorkers

  init(
    jobs: Int, _ fixture: any JobStoreFixture,
    expire: (@Sendable (_ store: any JobStore, _ date: Date) async throws -> Void)? = nil
  ) {
    self.fixture = fixture
    self.expire = expire
    model = JobModel(allowsExpiry: expire != nil)
    self.jobs = jobs
    workers = ModelWorkers(jobs: jobs, firstOwner: 1)
  }

  private func open() async throws -> any JobStore {
    let store = try await fixture.makeStore()
    _ = try await store.open(StoreEnvironment(now: { [clock] in clock.date.withLock { $0 } }, owner: "walk"))
    return store
  }

  /// Ends earlier where all jobs are finished: nothing more happens to them then.
  ///
  /// - Returns: the sorts of what it has done.
  @discardableResult
  consuming func run(steps: Int, seed: UInt64) async throws -> Set<String> {
    var chance = SeededGenerator(seed: seed)
    stores = [try await open(), try await open()]
    _ = try await stores[0].enqueue(ModelWorkers.newJobs(jobs))
    var state = JobModel.State(jobs: jobs)
    var trace: [String] = []
    var counts: [String: Int] = [:]
    for _ in 0..<steps where !state.jobs.allSatisfy({ $0.places == .finished }) {
      // Stores look for dead owners by themselves, at moments of their own: here at once, by whoever lives.
      let isLeft = state.alive != 3 && state.alive != 0 && !workers.unburied.isEmpty
      let actions = model.actions(in: state).filter { action in
        switch action {
        case .rescue: false
        case .reopen: true
        // Somebody has to be there to be asked.
        default: state.alive != 0
        }
      }
      // Every other time what was done least often, so that what is seldom possible is done, too.
      let least = actions.map { counts[$0.kind, default: 0] }.min()!
      let choice = Bool.random(using: &chance) ? actions.filter { counts[$0.kind, default: 0] == least } : actions
      let action = isLeft ? .rescue(state.alive == 1 ? 0 : 1) : choice.randomElement(using: &chance)!
      trace.append("\(action)")
      counts[action.kind, default: 0] += 1
      let (next, isAccepted) = model.next(state, action)
      let answer = try await perform(action)
      #expect(answer == isAccepted, "seed \(seed), \(trace)")
      state = next
      var visible = next
      for index in visible.jobs.indices { visible.jobs[index] = visible.jobs[index].visible }
      let actual = try await read(visible)
      #expect(actual == visible, "seed \(seed), \(trace)")
      if actual != visible { break }
    }
    for worker in 0...1 where state.alive & 1 << UInt8(worker) != 0 { await stores[worker].close() }
    return Set(counts.keys)
  }

  private mutating func perform(_ action: JobModel.Action) async throws -> Bool? {
    if let (worker, job, exchange) = workers.exchange(for: action) {
      if action == .tick { advance(by: 2_000) }
      // Whoever lives hears of the time.
      let asked = workers.alive & 1 << UInt8(worker) != 0 ? worker : 1 - worker
      let answer = try await stores[asked].exchange(exchange)
      workers.tokens[worker][job] += answer.claimed.map(\.token)
      return answer.ends.first
    }
    let speaker = workers.alive & 1 != 0 ? 0 : 1
    switch action {
    case .cancel(let job): try await change(job, .cancel, by: speaker)
    case .retry(let job): try await change(job, .retry, by: speaker)
    case .die(let worker):
      workers.die(worker)
      try await fixture.kill(stores[worker])
    case .rescue(let worker):
      workers.unburied = []
      advance(by: 4)
      _ = try await stores[worker].exchange(JobExchange())
    case .expire(let worker):
      workers.unburied = []
      try await expire?(stores[worker], clock.date.withLock { $0 })
    case .reopen(let worker):
      workers.unburied = []
      workers.reopen(worker)
      stores[worker] = try await open()
    default: break
    }
    return nil
  }

  private func advance(by seconds: Double) { clock.date.withLock { $0.addTimeInterval(seconds) } }

  private func change(_ job: Int, _ change: JobChange, by worker: Int) async throws {
    _ = try await stores[worker].change(JobSelection(ids: [JobID(rawValue: Int64(job + 1))]), change)
  }

  /// What the stores show of the jobs: all but who runs one.
  private func read(_ expected: JobModel.State) async throws -> JobModel.State {
    guard workers.alive != 0 else { return expected }
    let snapshots = try await stores[workers.alive & 1 != 0 ? 0 : 1].jobs(.all, after: nil, limit: 9)
    var state = expected
    for index in state.jobs.indices { state.jobs[index].places = [] }
    for job in snapshots {
      let index = Int(job.id.rawValue) - 1
      state.jobs[index].places = job.state.places
      state.jobs[index].attempts = UInt8(job.attempts)
      state.jobs[index].crashes = UInt8(job.crashes)
    }
    return state
  }
}
#endif
