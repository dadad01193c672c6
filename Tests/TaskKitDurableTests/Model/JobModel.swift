/// The rules of claims, ends, snoozes, cancellations, deaths, leases and rescues for two workers and a few jobs, as
/// small as they can be: every state that they can reach is looked at.
struct JobModel: Sendable {
  /// Where a store keeps a job. It must be in exactly one place.
  struct Places: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let ready = Places(rawValue: 1)
    static let delayed = Places(rawValue: 2)
    static let running = Places(rawValue: 4)
    static let finished = Places(rawValue: 8)
    static let dead = Places(rawValue: 16)
    static let held = Places(rawValue: 32)
    static let cancelled = Places(rawValue: 64)
  }

  struct Job: Hashable, Sendable {
    var places = Places.ready
    /// Whose attempt the store believes in: 0 or 1; 2 for nobody's.
    var holder: UInt8 = 2
    /// Workers, as bits, that hold a token that is valid, and those that hold one that is not.
    var valid: UInt8 = 0
    var stale: UInt8 = 0
    var attempts: UInt8 = 0
    var crashes: UInt8 = 0
    // What really happened; the rules do not look at it.
    var begun: UInt8 = 0
    var died: UInt8 = 0
    /// How often a success was accepted.
    var successes: UInt8 = 0
    /// How often an end was accepted of an attempt that no longer held the job.
    var overruled: UInt8 = 0

    /// Without what only the model knows.
    var visible: Job {
      var job = self
      (job.begun, job.died, job.successes, job.overruled) = (0, 0, 0, 0)
      return job
    }

    /// The same for the same job, and for no other.
    var number: UInt64 {
      var number = UInt64(places.rawValue) << 32
      number |= UInt64(holder) << 28 | UInt64(valid) << 24 | UInt64(stale) << 20 | UInt64(attempts) << 16
      number |= UInt64(crashes) << 12 | UInt64(begun & 3) << 10 | UInt64(died & 3) << 8
      return number | UInt64(successes & 15) << 4 | UInt64(overruled & 15)
    }

    /// The same with the two workers in each other's place.
    var mirrored: Job {
      func swap(_ bits: UInt8) -> UInt8 { (bits & 1) << 1 | bits >> 1 }
      var job = self
      if holder < 2 { job.holder = 1 - holder }
      job.valid = swap(valid)
      job.stale = swap(stale)
      return job
    }
  }

  struct State: Hashable, Sendable {
    var jobs: [Job]
    /// Workers, as bits, whose process lives.
    var alive: UInt8 = 3

    init(jobs: Int) { self.jobs = Array(repeating: Job(), count: jobs) }

    /// The same for all states that differ only in which job and which worker is which.
    var canonical: [UInt64] {
      let plain = jobs.map(\.number).sorted() + [UInt64(alive)]
      let mirror = jobs.map(\.mirrored.number).sorted() + [UInt64((alive & 1) << 1 | alive >> 1)]
      return plain.lexicographicallyPrecedes(mirror) ? plain : mirror
    }
  }

  enum Action: Hashable, Sendable, CustomStringConvertible {
    case claim(Int, Int)
    case succeed(Int, Int, isStale: Bool)
    case fail(Int, Int, isStale: Bool)
    case snooze(Int, Int, isStale: Bool)
    case cancel(Int)
    case retry(Int)
    /// The time of everything that is delayed comes.
    case tick
    /// The process of a worker dies.
    case die(Int)
    /// A worker gives back what dead ones held.
    case rescue(Int)
    /// A worker that lives is given up, with what dead ones held: it goes on with what it has lost, and ends it later.
    case expire(Int)
    /// A worker begins again after its death, and does the same.
    case reopen(Int)

    var description: String {
      func end(_ word: String, _ worker: Int, _ job: Int, _ isStale: Bool) -> String {
        "\(word) \(job) by \(worker)\(isStale ? ", stale" : "")"
      }
      return switch self {
      case .claim(let worker, let job): "claim \(job) by \(worker)"
      case .succeed(let worker, let job, let isStale): end("succeed", worker, job, isStale)
      case .fail(let worker, let job, let isStale): end("fail", worker, job, isStale)
      case .snooze(let worker, let job, let isStale): end("snooze", worker, job, isStale)
      case .cancel(let job): "cancel \(job)"
      case .retry(let job): "retry \(job)"
      case .tick: "tick"
      case .die(let worker): "die \(worker)"
      case .rescue(let worker): "rescue by \(worker)"
      case .expire(let worker): "expire \(worker)"
      case .reopen(let worker): "reopen \(worker)"
      }
    }

    /// What it is, whoever does it to which job.
    var kind: String {
      let text = description
      return text.prefix { $0 != " " } + (text.hasSuffix("stale") ? ", stale" : "")
    }
  }

  /// A rule that is broken on purpose, to see that the laws find it.
  enum Mutation: String, CaseIterable, Sendable {
    case claimLeavesTheJobReady, claimDoesNotCount, claimRepeatsTheToken, claimTakesWhatRuns
    case endsIgnoreTheToken, successIsForgotten, failureDoesNotEnd, snoozeCounts, snoozeLosesTheJob
    case cancelLeavesTheAttempt, cancelOfWhatIsDone, retryOfWhatIsDone, retryKeepsItsAttempts
    case rescueOfTheLiving, rescueForgetsTheJob, rescueDoesNotCountCrashes, rescueGivesTheAttemptBack
    case rescueIgnoresTheLimit, tickTakesWhatWaits
    case expiryLeavesTheAttempt, lateEndIsTaken
  }

  /// What must hold in every state.
  enum Law: String, Sendable, CaseIterable {
    case aJobIsInOnePlace, oneTokenIsValid, attemptsAreCountedOnce, crashesAreCountedOnce, attemptsAreLimited
    case doneStaysDone
  }

  static let maximumAttempts: UInt8 = 2
  static let maximumCrashes: UInt8 = 2

  var allowsRetry = true
  /// Whether the lease of a worker may pass that lives, as that of one does which was stopped for too long.
  var allowsExpiry = false
  var mutation: Mutation?

  /// The sorts of what can happen.
  var kinds: Set<String> {
    Set(ModelGraph(self, jobs: 1).nodes.flatMap { actions(in: $0.state) }.map(\.kind))
  }

  /// What can happen in a state.
  func actions(in state: State) -> [Action] {
    var actions: [Action] = []
    for worker in 0...1 where state.alive & bit(worker) != 0 {
      for (index, job) in state.jobs.enumerated() {
        let isReady = job.places.contains(.ready) || (mutation == .claimTakesWhatRuns && job.places == .running)
        // A worker may still be busy with an attempt that was cancelled, but not with two.
        if isReady, job.valid & bit(worker) == 0 { actions.append(.claim(worker, index)) }
        for isStale in [false, true] where (isStale ? job.stale : job.valid) & bit(worker) != 0 {
          actions += [
            .succeed(worker, index, isStale: isStale), .fail(worker, index, isStale: isStale),
            .snooze(worker, index, isStale: isStale),
          ]
        }
      }
      actions += [.die(worker), .rescue(worker)]
      let held = state.jobs.filter { $0.valid & bit(worker) != 0 }
      // A second attempt that is lost, of a worker that has lost one of that job, is more than is looked at.
      let mayExpire = !held.isEmpty && held.allSatisfy { $0.stale & bit(worker) == 0 }
      if allowsExpiry, mayExpire { actions.append(.expire(worker)) }
    }
    for worker in 0...1 where state.alive & bit(worker) == 0 { actions.append(.reopen(worker)) }
    for (index, job) in state.jobs.enumerated() {
      if job.places.isDisjoint(with: [.finished, .dead, .cancelled]) || mutation == .cancelOfWhatIsDone {
        // A second attempt that was cancelled, of a worker that has one already, is more than is looked at.
        if job.valid & job.stale == 0 { actions.append(.cancel(index)) }
      }
      if allowsRetry,
        !job.places.isDisjoint(with: [.dead, .cancelled])
          || (mutation == .retryOfWhatIsDone && job.places == .finished)
      {
        actions.append(.retry(index))
      }
    }
    if state.jobs.contains(where: { $0.places.contains(.delayed) || mutation == .tickTakesWhatWaits }) {
      actions.append(.tick)
    }
    return actions
  }

  /// - Returns: what follows, and whether what a worker said was accepted; nil where none said something.
  func next(_ state: State, _ action: Action) -> (state: State, isAccepted: Bool?) {
    var next = state
    var isAccepted: Bool?
    switch action {
    case .claim(let worker, let job): claim(&next.jobs[job], worker)
    case .succeed(let worker, let job, let isStale):
      isAccepted = end(&next.jobs[job], worker, isStale) { job in
        job.successes += 1
        if mutation != .successIsForgotten { job.places = .finished } else { job.places = .ready }
      }
    case .fail(let worker, let job, let isStale):
      isAccepted = end(&next.jobs[job], worker, isStale) { job in
        job.crashes = 0
        job.died = 0
        let isLast = job.attempts >= Self.maximumAttempts && mutation != .failureDoesNotEnd
        job.places = isLast ? .dead : .ready
      }
    case .snooze(let worker, let job, let isStale):
      isAccepted = end(&next.jobs[job], worker, isStale) { job in
        job.begun -= 1
        job.died = 0
        if mutation != .snoozeCounts { job.attempts -= 1 }
        job.crashes = 0
        job.places = mutation == .snoozeLosesTheJob ? [] : .delayed
      }
    case .cancel(let index):
      if mutation == .cancelLeavesTheAttempt {
        next.jobs[index].places.formUnion(.cancelled)
      } else {
        invalidate(&next.jobs[index])
        next.jobs[index].places = .cancelled
      }
    case .retry(let index):
      next.jobs[index].places = .ready
      next.jobs[index].crashes = 0
      next.jobs[index].died = 0
      next.jobs[index].begun = 0
      if mutation != .retryKeepsItsAttempts { next.jobs[index].attempts = 0 }
    case .tick:
      for index in next.jobs.indices where next.jobs[index].places.contains(.delayed) {
        next.jobs[index].places = .ready
      }
      if mutation == .tickTakesWhatWaits {
        for index in next.jobs.indices where next.jobs[index].places == .cancelled { next.jobs[index].places = [] }
      }
    case .die(let worker):
      next.alive &= ~bit(worker)
      for index in next.jobs.indices {
        next.jobs[index].valid &= ~bit(worker)
        next.jobs[index].stale &= ~bit(worker)
      }
    case .rescue: rescue(&next)
    case .expire(let worker): rescue(&next, passed: worker)
    case .reopen(let worker):
      rescue(&next)
      next.alive |= bit(worker)
    }
    return (next, isAccepted)
  }

  private func bit(_ worker: Int) -> UInt8 { 1 << UInt8(worker) }

  private func claim(_ job: inout Job, _ worker: Int) {
    if mutation == .claimRepeatsTheToken {
      job.valid |= job.stale
      job.stale = 0
    }
    job.valid |= bit(worker)
    job.begun += 1
    if mutation != .claimDoesNotCount { job.attempts += 1 }
    job.holder = UInt8(worker)
    if mutation != .claimLeavesTheJobReady { job.places.remove(.ready) }
    job.places.insert(.running)
  }

  private func end(_ job: inout Job, _ worker: Int, _ isStale: Bool, _ body: (inout Job) -> Void) -> Bool {
    if isStale { job.stale &= ~bit(worker) } else { job.valid &= ~bit(worker) }
    let isHeld = !isStale && job.places.contains(.running)
    let isLate = isStale && job.places == .ready
    guard
      isHeld || (mutation == .endsIgnoreTheToken && job.places.contains(.running))
        || (mutation == .lateEndIsTaken && isLate)
    else { return false }
    if isStale { job.overruled += 1 }
    invalidate(&job)
    body(&job)
    return true
  }

  /// Nobody's token counts any more.
  private func invalidate(_ job: inout Job) {
    job.stale |= job.valid
    job.valid = 0
    job.holder = 2
  }

  /// - Parameter passed: a worker whose lease has passed, if there is one.
  private func rescue(_ state: inout State, passed: Int? = nil) {
    for index in state.jobs.indices where state.jobs[index].places.contains(.running) {
      var job = state.jobs[index]
      let isDead = state.alive & (1 << job.holder) == 0
      let isLost = passed == Int(job.holder)
      guard isDead || isLost || mutation == .rescueOfTheLiving else { continue }
      // A store that gives out what runs does not know of those who run it.
      let leavesTheToken = mutation == .rescueOfTheLiving || (mutation == .expiryLeavesTheAttempt && isLost)
      if leavesTheToken { job.holder = 2 } else { invalidate(&job) }
      job.died += 1
      if mutation != .rescueDoesNotCountCrashes { job.crashes += 1 }
      if mutation == .rescueGivesTheAttemptBack { job.attempts -= 1 }
      if job.crashes >= Self.maximumCrashes {
        job.places = .held
      } else if job.attempts >= Self.maximumAttempts, mutation != .rescueIgnoresTheLimit {
        job.places = .dead
      } else {
        job.places = mutation == .rescueForgetsTheJob ? [] : .ready
      }
      state.jobs[index] = job
    }
  }

  /// The laws that do not hold.
  func broken(in state: State) -> [Law] {
    var broken: Set<Law> = []
    for job in state.jobs {
      if job.places.rawValue.nonzeroBitCount != 1 { broken.insert(.aJobIsInOnePlace) }
      if job.valid.nonzeroBitCount > 1 { broken.insert(.oneTokenIsValid) }
      if job.overruled > 0 { broken.insert(.oneTokenIsValid) }
      let holderLives = job.places == .running && state.alive & (1 << job.holder) != 0
      if job.valid != (holderLives ? 1 << job.holder : 0) { broken.insert(.oneTokenIsValid) }
      if job.attempts != job.begun { broken.insert(.attemptsAreCountedOnce) }
      if job.crashes != job.died { broken.insert(.crashesAreCountedOnce) }
      if job.begun > Self.maximumAttempts || job.died > Self.maximumCrashes { broken.insert(.attemptsAreLimited) }
      if job.successes > 1 || (job.successes == 1) != (job.places == .finished) { broken.insert(.doneStaysDone) }
    }
    return Law.allCases.filter(broken.contains)
  }
}

/// Every state that a model can reach, each with the shortest way to it.
struct ModelGraph: Sendable {
  struct Node: Sendable {
    let state: JobModel.State
    let parent: Int?
    let action: JobModel.Action?
    /// The actions that led to a state that had not been seen, and to which.
    var children: [(action: JobModel.Action, node: Int)] = []
  }

  struct Counterexample: Sendable {
    let laws: [JobModel.Law]
    let trace: [String]
  }

  let model: JobModel
  private(set) var nodes: [Node] = []
  private(set) var edges = 0
  /// The shortest way to a state in which a law does not hold; the search ends there.
  private(set) var counterexample: Counterexample?

  init(_ model: JobModel, jobs: Int) {
    self.model = model
    let start = JobModel.State(jobs: jobs)
    var seen: Set<[UInt64]> = [start.canonical]
    nodes = [Node(state: start, parent: nil, action: nil)]
    var next = 0
    while next < nodes.count {
      for action in model.actions(in: nodes[next].state) {
        edges += 1
        let (state, _) = model.next(nodes[next].state, action)
        guard seen.insert(state.canonical).inserted else { continue }
        nodes[next].children.append((action, nodes.count))
        nodes.append(Node(state: state, parent: next, action: action))
        let laws = model.broken(in: state)
        if !laws.isEmpty {
          counterexample = Counterexample(laws: laws, trace: trace(to: nodes.count - 1))
          return
        }
      }
      next += 1
    }
  }

  private func trace(to node: Int) -> [String] {
    var trace: [String] = []
    var current = node
    while let action = nodes[current].action, let parent = nodes[current].parent {
      trace.append("\(action)")
      current = parent
    }
    return trace.reversed()
  }
}
