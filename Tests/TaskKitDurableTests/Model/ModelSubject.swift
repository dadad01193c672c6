#if Durable
import Foundation
import GRDB
@testable import TaskKitDurable

/// Something that is to do what the model says.
protocol ModelSubject {
  /// - Returns: whether what a worker said was accepted; nil where none said something.
  mutating func perform(_ action: JobModel.Action) throws -> Bool?
  /// As the model sees it, without what only the model knows.
  func state() throws -> JobModel.State
  /// What is done from here on is undone by the next `back` that has no other `mark` before it.
  mutating func mark() throws
  mutating func back() throws
}

/// The rules of the store in memory.
struct LedgerSubject: ModelSubject {
  private var ledger = JobLedger(identity: UUID())
  private var workers: ModelWorkers
  private var marks: [(JobLedger, ModelWorkers)] = []

  init(jobs: Int, maximumAttempts: Int = Int(JobModel.maximumAttempts)) {
    workers = ModelWorkers(jobs: jobs, firstOwner: ledger.addOwner())
    _ = ledger.addOwner()
    let new = ModelWorkers.newJobs(jobs, maximumAttempts: maximumAttempts)
    _ = ledger.enqueue(new, owner: workers.owners[0], now: workers.now)
  }

  mutating func perform(_ action: JobModel.Action) -> Bool? {
    if let (worker, job, exchange) = workers.exchange(for: action) {
      let answer = ledger.exchange(exchange, owner: workers.owners[worker], now: workers.now)
      workers.tokens[worker][job] += answer.claimed.map(\.token)
      return answer.ends.first
    }
    func change(_ job: Int, _ change: JobChange) {
      _ = ledger.change(
        JobSelection(ids: [JobID(rawValue: Int64(job + 1))]), change, owner: workers.owners[0], now: workers.now)
    }
    func rescue() {
      for owner in workers.unburied { ledger.buryOwner(owner) }
      workers.unburied = []
      _ = ledger.rescue(now: workers.now)
    }
    switch action {
    case .cancel(let job): change(job, .cancel)
    case .retry(let job): change(job, .retry)
    case .die(let worker): workers.die(worker)
    case .rescue: rescue()
    case .expire(let worker):
      ledger.buryOwner(workers.owners[worker])
      rescue()
      // It goes on as somebody else, with the tokens that it has.
      workers.reopen(worker)
      precondition(ledger.addOwner() == workers.owners[worker])
    case .reopen(let worker):
      rescue()
      workers.reopen(worker)
      precondition(ledger.addOwner() == workers.owners[worker])
    default: break
    }
    return nil
  }

  func state() -> JobModel.State {
    var state = JobModel.State(jobs: workers.tokens[0].count)
    state.alive = workers.alive
    for index in state.jobs.indices {
      guard let entry = ledger.entries[JobID(rawValue: Int64(index + 1))] else {
        state.jobs[index].places = []
        continue
      }
      state.jobs[index] = workers.job(
        index, places: entry.state.places, attempts: entry.attempts, crashes: entry.crashes,
        holder: entry.attempt?.owner, token: entry.attempt?.token)
    }
    return state
  }

  mutating func mark() { marks.append((ledger, workers)) }
  mutating func back() { (ledger, workers) = marks.removeLast() }
}

/// The rules of the store in an SQLite file, within one transaction.
struct TransactionSubject: ModelSubject {
  private let db: Database
  private var workers: ModelWorkers
  private var marks: [ModelWorkers] = []
  /// What is known after the first transaction, in which everything is that has a name.
  private var caches = SQLiteCaches()

  init(_ db: Database, jobs: Int) throws {
    self.db = db
    _ = try SQLiteSchema.migrate(db, store: "model")
    workers = ModelWorkers(jobs: jobs, firstOwner: 1)
    let first = try SQLiteTransaction(db, now: workers.now, owner: 1, caches: caches)
    _ = try first.enqueue(ModelWorkers.newJobs(jobs), store: "model")
    try first.finish()
    caches = first.caches
  }

  private func transaction<Value>(owner: Int, _ body: (SQLiteTransaction) throws -> Value) throws -> Value {
    let transaction = try SQLiteTransaction(db, now: workers.now, owner: Int64(owner), caches: caches)
    let value = try body(transaction)
    try transaction.finish()
    return value
  }

  mutating func perform(_ action: JobModel.Action) throws -> Bool? {
    if let (worker, job, exchange) = workers.exchange(for: action) {
      let answer = try transaction(owner: workers.owners[worker]) { try $0.exchange(exchange) }
      workers.tokens[worker][job] += answer.claimed.map(\.token)
      return answer.ends.first
    }
    func change(_ job: Int, _ change: JobChange) throws {
      let selection = JobSelection(ids: [JobID(rawValue: Int64(job + 1))])
      _ = try transaction(owner: workers.owners[0]) { try $0.change(selection, change) }
    }
    func rescue() throws {
      for owner in workers.unburied {
        _ = try transaction(owner: workers.owners[0]) { try $0.release(owner: Int64(owner), isCrash: true) }
      }
      workers.unburied = []
    }
    switch action {
    case .cancel(let job): try change(job, .cancel)
    case .retry(let job): try change(job, .retry)
    case .die(let worker): workers.die(worker)
    case .rescue: try rescue()
    case .expire(let worker):
      try rescue()
      // It puts its lock back, and goes on as the owner that it was.
      let owner = Int64(workers.owners[worker])
      _ = try transaction(owner: workers.owners[1 - worker]) { try $0.release(owner: owner, isCrash: true) }
    case .reopen(let worker):
      try rescue()
      workers.reopen(worker)
    default: break
    }
    return nil
  }

  func state() throws -> JobModel.State {
    var state = JobModel.State(jobs: workers.tokens[0].count)
    state.alive = workers.alive
    for index in state.jobs.indices { state.jobs[index].places = [] }
    let jobs = try db.list("SELECT \(SQLiteJob.columns) FROM \(SQLiteJob.tables)") { try SQLiteJob($0) }
    // What the tables of the states say, which is more than the job's own row knows.
    let places = try db.list(
      """
      SELECT id, 1 FROM taskkit_ready UNION ALL SELECT id, 2 FROM taskkit_due
      UNION ALL SELECT id, 4 FROM taskkit_running
      """
    ) { (id: $0[0] as Int64, place: JobModel.Places(rawValue: $0[1])) }
    for job in jobs {
      let index = Int(job.id.rawValue) - 1
      state.jobs[index] = workers.job(
        index, places: job.state.isFinal || job.state == .held ? job.state.places : [], attempts: job.attempts,
        crashes: job.crashes, holder: job.attempt.map { Int($0.owner) }, token: job.attempt?.token)
    }
    for (id, place) in places { state.jobs[Int(id) - 1].places.formUnion(place) }
    return state
  }

  mutating func mark() throws {
    try db.run("SAVEPOINT model")
    marks.append(workers)
  }

  mutating func back() throws {
    try db.run("ROLLBACK TO model")
    try db.run("RELEASE model")
    workers = marks.removeLast()
  }
}

extension ModelGraph {
  /// Lets a subject do everything that can happen in every state, each once.
  ///
  /// - Returns: where it did something else than the model, at most ten of them; and how many actions it did.
  func differences(to subject: inout some ModelSubject) throws -> (texts: [String], actions: Int) {
    var texts: [String] = []
    var actions = 0
    func look(_ node: Int, _ trace: [String], _ subject: inout some ModelSubject) throws {
      let state = nodes[node].state
      let children = Dictionary(nodes[node].children.map { ($0.action, $0.node) }) { first, _ in first }
      for action in model.actions(in: state) where texts.count < 10 {
        try subject.mark()
        let (expected, isAccepted) = model.next(state, action)
        let answer = try subject.perform(action)
        actions += 1
        var visible = expected
        for index in visible.jobs.indices { visible.jobs[index] = visible.jobs[index].visible }
        let actual = try subject.state()
        if actual != visible || answer != isAccepted {
          texts.append(
            "\(trace + ["\(action)"]): \(actual), \(answer as Any) instead of \(visible), \(isAccepted as Any)")
        } else if let child = children[action] {
          try look(child, trace + ["\(action)"], &subject)
        }
        try subject.back()
      }
    }
    try look(0, [], &subject)
    return (texts, actions)
  }
}
#endif
