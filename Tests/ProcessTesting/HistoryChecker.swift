/// Finds what must never be in a history, whatever was killed when.
package struct HistoryChecker {
  package enum Violation: Hashable, Sendable {
    /// It was acknowledged, and is not there.
    case lost(job: Int64)
    /// It was acknowledged, nothing keeps it from running, and it has not ended.
    case left(job: Int64, state: String)
    /// A body began while another one of the same job was going.
    case ranTwiceAtOnce(job: Int64, runs: [String])
    /// It was given out while a process held it that was neither killed nor without a lease.
    case heldTwice(job: Int64, runs: [String])
    /// Something that an attempt said was taken, although it was said after the job had been given to a later one.
    case staleTaken(job: Int64, token: Int64)
    /// Bodies of a key that one job at a time may have were going at once.
    case sharedKey(jobs: [Int64])
    /// Its success was acknowledged, and an attempt began that is later than the one that succeeded.
    case ranAfterDone(job: Int64)
    /// A step ran again whose result was acknowledged.
    case stepRanAgain(job: Int64)
    /// An attempt found an older checkpoint than was acknowledged before it began, or none.
    case checkpointLost(job: Int64)
    case tooManyAttempts(job: Int64, count: Int)
    /// The process died in it more often than it may, one time after the other.
    case tooManyCrashes(job: Int64, count: Int)
    /// It has crashed too often or failed too often, and is not in the state for that.
    case wrongEnd(job: Int64, state: String)
    /// An attempt does not have a later token than those before.
    case tokenNotNew(job: Int64, token: Int64)
    case unreadable(line: String)

    /// Which jobs it is about.
    package var jobs: [Int64] {
      switch self {
      case .lost(let job), .left(let job, _), .ranTwiceAtOnce(let job, _), .heldTwice(let job, _),
        .staleTaken(let job, _), .ranAfterDone(let job), .stepRanAgain(let job), .checkpointLost(let job),
        .tooManyAttempts(let job, _),
        .tooManyCrashes(let job, _), .wrongEnd(let job, _), .tokenNotNew(let job, _):
        [job]
      case .sharedKey(let jobs): jobs
      case .unreadable: []
      }
    }
  }

  /// What the rules are for a kind.
  package struct Rule {
    /// Nil for no limit.
    var attempts: Int?
    var crashes: Int?
    /// The states in which its jobs may be when everything is over.
    var ends: Set<String>
    /// Whether one runs at a time.
    var isAlone = false
  }

  package static let rules: [String: Rule] = [
    "steady": Rule(ends: ["finished"]),
    "relaxed": Rule(ends: ["finished"]),
    "limited": Rule(attempts: 3, crashes: 3, ends: ["finished", "held", "dead"]),
    "poison": Rule(crashes: 3, ends: ["held"]),
    "failing": Rule(attempts: 3, ends: ["dead"]),
    "keyed": Rule(ends: ["finished"], isAlone: true),
    "stuck": Rule(ends: ["finished"]),
  ]

  /// An attempt, and the process that has it.
  private struct Attempt {
    let run: String
    let token: Int64
  }

  private var violations: [Violation] = []
  private var kinds: [Int64: String] = [:]
  private var acknowledged: Set<Int64> = []
  /// Bodies that have begun and not ended, and whose process has neither been killed nor lost its lease.
  private var going: [Int64: Attempt] = [:]
  /// Bodies whose process was about to be killed: nothing of it may be heard once the job runs elsewhere.
  private var overtaken: [String: Set<Int64>] = [:]
  private var killed: Set<String> = []
  private var bodiesOfKilled: [String: Set<Int64>] = [:]
  /// Up to which token what a process was given may be taken from it.
  private var expired: [String: Int64] = [:]
  /// The latest attempt that a job was given to, and the same as long as it has not said how it ended.
  private var lastClaim: [Int64: Int64] = [:]
  private var holders: [Int64: Attempt] = [:]
  /// By the token of an attempt: the latest that the job had been given to before the attempt said what it did last.
  private var claimBeforeSaying: [Int64: Int64] = [:]
  private var lastToken: [Int64: Int64] = [:]
  private var succeeded: [Int64: Int64] = [:]
  private var begins: [Int64: Int] = [:]
  private var interruptions: [Int64: Int] = [:]
  /// Bodies in a row that began and did not end.
  private var cutShort: [Int64: Int] = [:]
  private var kept: Set<Int64> = []
  /// The latest checkpoint that was acknowledged, by the token of its attempt.
  private var checkpoints: [Int64: Int64] = [:]
  private var mayBeCancelled: Set<Int64> = []
  private var states: [Int64: (kind: String, state: String, crashes: Int)] = [:]

  /// - Parameter lines: in the order in which they were written; in the end, what the store says.
  package static func violations(in lines: some Sequence<String>) -> [Violation] {
    var checker = HistoryChecker()
    for line in lines {
      if let parsed = HistoryLine(line) {
        checker.take(parsed)
      } else {
        checker.violations.append(.unreadable(line: line))
      }
    }
    checker.conclude()
    return checker.violations
  }

  private mutating func take(_ line: HistoryLine) {
    switch line.event {
    // That is also written by whoever kills it, or lets its lease pass, and may not know that it is dead already.
    case .killed, .expired: break
    // Who writes lives, so a job of it that has begun elsewhere was in two places.
    default:
      for job in overtaken.removeValue(forKey: line.run) ?? [] {
        violations.append(.ranTwiceAtOnce(job: job, runs: [line.run]))
      }
    }
    switch line.event {
    case .enqueued(let job, let kind):
      acknowledged.insert(job)
      kinds[job] = kind
    case .claimed(let job, let token, _): claim(job, Attempt(run: line.run, token: token))
    case .begin(let job, let token, let attempt, let kind):
      kinds[job] = kind
      begin(job, Attempt(run: line.run, token: token), attempt: attempt, rule: Self.rules[kind])
    case .end(let job, let token):
      guard !isOver(line.run, token) else { break }
      cutShort[job] = 0
      if going[job]?.token == token { going[job] = nil }
      bodiesOfKilled[line.run]?.remove(job)
    case .ending(let job, let token):
      claimBeforeSaying[token] = lastClaim[job]
      if holders[job]?.token == token { holders[job] = nil }
    case .noting(let job, let token): claimBeforeSaying[token] = lastClaim[job]
    case .recorded(let job, let token, let end):
      take(job, token)
      cutShort[job] = 0
      if end == "succeeded" {
        succeeded[job] = token
        if let last = lastToken[job], last > token { violations.append(.ranAfterDone(job: job)) }
      }
      if end == "interrupted" { interruptions[job, default: 0] += 1 }
    case .noted(let job, let token): take(job, token)
    case .killed:
      killed.insert(line.run)
      holders = holders.filter { $0.value.run != line.run }
      let bodies = going.filter { $0.value.run == line.run }.map(\.key)
      for job in bodies { going[job] = nil }
      bodiesOfKilled[line.run] = Set(bodies)
    case .expired(let token):
      expired[line.run] = token
      holders = holders.filter { !isOver($0.value) }
      going = going.filter { !isOver($0.value) }
    case .step(let job, let token):
      if kept.contains(job), !isOver(line.run, token) { violations.append(.stepRanAgain(job: job)) }
    case .kept(let job, _): kept.insert(job)
    case .found(let job, let token, let checkpoint):
      guard !isOver(line.run, token), token >= lastToken[job] ?? 0 else { break }
      if checkpoint < checkpoints[job] ?? 0 { violations.append(.checkpointLost(job: job)) }
    case .checkpointed(let job, let token): checkpoints[job] = max(checkpoints[job] ?? 0, token)
    case .cancelling(let job): mayBeCancelled.insert(job)
    case .state(let job, let kind, let state, _, let crashes):
      kinds[job] = kind
      states[job] = (kind, state, crashes)
    case .start, .stop, .refused, .rescued: break
    }
  }

  /// Whether others may have what an attempt holds, although its process lives.
  private func isOver(_ run: String, _ token: Int64) -> Bool { expired[run].map { token <= $0 } ?? false }
  private func isOver(_ attempt: Attempt) -> Bool { isOver(attempt.run, attempt.token) }

  /// The store has taken something that an attempt said.
  private mutating func take(_ job: Int64, _ token: Int64) {
    if let later = claimBeforeSaying[token], later > token { violations.append(.staleTaken(job: job, token: token)) }
  }

  private mutating func claim(_ job: Int64, _ attempt: Attempt) {
    if let holder = holders[job], !isOver(attempt) {
      violations.append(.heldTwice(job: job, runs: [holder.run, attempt.run]))
    }
    lastClaim[job] = max(lastClaim[job] ?? 0, attempt.token)
    if !isOver(attempt), !killed.contains(attempt.run) { holders[job] = attempt }
  }

  private mutating func begin(_ job: Int64, _ body: Attempt, attempt: Int, rule: Rule?) {
    let isOver = isOver(body)
    if !isOver {
      if let other = going[job] { violations.append(.ranTwiceAtOnce(job: job, runs: [other.run, body.run])) }
      for (other, jobs) in bodiesOfKilled where jobs.contains(job) {
        bodiesOfKilled[other]!.remove(job)
        overtaken[other, default: []].insert(job)
      }
      if let last = lastToken[job], body.token <= last {
        violations.append(.tokenNotNew(job: job, token: body.token))
      }
      if rule?.isAlone == true {
        for (other, _) in going where other != job && Self.rules[kinds[other] ?? ""]?.isAlone == true {
          violations.append(.sharedKey(jobs: [other, job]))
        }
      }
      if killed.contains(body.run) {
        bodiesOfKilled[body.run, default: []].insert(job)
      } else {
        going[job] = body
      }
    }
    if let done = succeeded[job], body.token > done { violations.append(.ranAfterDone(job: job)) }
    lastToken[job] = max(lastToken[job] ?? 0, body.token)
    begins[job, default: 0] += 1
    let count = max(attempt, begins[job]! - interruptions[job, default: 0])
    if let maximum = rule?.attempts, count > maximum { violations.append(.tooManyAttempts(job: job, count: count)) }
    if let maximum = rule?.crashes {
      if cutShort[job, default: 0] >= maximum {
        violations.append(.tooManyCrashes(job: job, count: cutShort[job]! + 1))
      }
      cutShort[job, default: 0] += 1
    }
  }

  private mutating func conclude() {
    for job in acknowledged.sorted() where states[job] == nil { violations.append(.lost(job: job)) }
    for (job, end) in states.sorted(by: { $0.key < $1.key }) {
      guard let rule = Self.rules[end.kind] else { continue }
      if ["ready", "running", "delayed", "waiting"].contains(end.state) {
        violations.append(.left(job: job, state: end.state))
      } else if end.state == "cancelled", mayBeCancelled.contains(job), succeeded[job] == nil {
        continue
      } else if !rule.ends.contains(end.state) || (succeeded[job] != nil && end.state != "finished") {
        violations.append(.wrongEnd(job: job, state: end.state))
      } else if end.state == "held", let maximum = rule.crashes, end.crashes != maximum {
        violations.append(.wrongEnd(job: job, state: end.state))
      }
    }
  }
}
