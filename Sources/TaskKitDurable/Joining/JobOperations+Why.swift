import Foundation
import TaskKit

extension JobOperations {
  /// Why a job is not running, in words for people: "waits for job 7", "constraint 'network' does not hold",
  /// "all 4 workers of queue 'default' are busy, and it is behind 12 others".
  ///
  /// One line for each reason. What it says is of this moment, and of this process where it is about workers.
  public func why(_ id: JobID) async throws -> String {
    guard let job = try await snapshot(of: id) else {
      return "there is no job \(id): it ended and was not kept, was deleted, or never was"
    }
    let lines = try await reasons(job).map(\.onOneLine)
    let name = "job \(id) of kind '\(job.kind.onOneLine)'"
    return "\(name), attempt \(job.attemptInWords): " + lines.joined(separator: "\n  ")
  }

  private func reasons(_ job: JobSnapshot) async throws -> [String] {
    switch job.state {
    case .running:
      [
        "it is running" + (job.owner.map { " in \($0)" } ?? "") + (job.started.map { " since \(text($0))" } ?? "")
          + overdue(job)
      ]
    case .finished: ["it has finished" + (job.ended.map { " at \(text($0))" } ?? "")]
    case .dead: ["it has given up" + lastError(of: job) + "; 'retry' lets it run again"]
    case .cancelled: ["it was cancelled"]
    case .held:
      [job.hold.map { words(of: $0, job) } ?? "it is held"] + unmet((job.hold?.constraints ?? []).map { ($0, "") })
    case .waiting: ["it waits for \(job.parents.map { "job \($0)" }.joined(separator: ", "))"]
    case .delayed:
      if let due = job.due, try await due > engines[0].now() {
        ["it is delayed until \(text(due))" + lastError(of: job)]
      } else {
        // Nobody has looked at it since: what keeps it now is what keeps others.
        try await reasonsOfReady(job)
      }
    case .ready: try await reasonsOfReady(job)
    }
  }

  private func overdue(_ job: JobSnapshot) -> String {
    let isOverdue = engines[0].inspect { machine in
      machine.attempts.values.contains { $0.job.id == job.id && $0.isOverdue }
    }
    return isOverdue ? ", was cancelled at its deadline, and has not returned" : ""
  }

  private func words(of reason: HoldReason, _ job: JobSnapshot) -> String {
    switch reason {
    case .gaveUp: "it is held because \(reason)" + lastError(of: job)
    case .crashed, .unreadable, .parentFailed: "it is held because \(reason)"
    case .until: "it is held \(reason)"
    case .asked: "it is held: \(reason)"
    }
  }

  private func lastError(of job: JobSnapshot) -> String {
    job.errors.last.map { "; attempt \($0.attempt) ended with: \($0.text)" } ?? ""
  }

  private func reasonsOfReady(_ job: JobSnapshot) async throws -> [String] {
    let engine = engines[0]
    let now = try await engine.now()
    var reasons: [String] = []
    let (phase, isBackingOff, workers, running, ofKind, limit) = engine.inspect { machine in
      (
        machine.phase, machine.isBackingOff, machine.queues[job.queue]?.workers ?? engine.newQueue(job.queue).workers,
        machine.queues[job.queue]?.running ?? 0, machine.runningOfKind[job.kind] ?? 0,
        machine.kinds[job.kind]?.limit
      )
    }
    switch phase {
    case .waiting: reasons.append("the center of this process was not started")
    case .stopping, .stopped: reasons.append("the workers are stopped; 'resume' lets them run")
    case .closing, .closed: reasons.append("the center was shut down")
    case .running: break
    }
    if let damaged = engine.damaged, damaged.unreadable.contains(job.id) {
      let advice = damaged.damage.map { ": \($0)" } ?? ""
      reasons.append("this process could not read what belongs to it, and passes it by until it starts again" + advice)
    }
    if isBackingOff { reasons.append("the store could not be used, and is tried again in a while") }
    if let kind = runtime.kinds[job.kind]?.registration {
      if let problem = kind.versionProblem(job.payload.version) {
        reasons.append("this build cannot read it: \(problem)")
      }
    } else {
      reasons.append("its kind is not registered in this build")
    }
    let subjects = job.pauseSubjects
    for pause in try await pauses() where subjects.contains(pause.subject) {
      let what =
        switch pause.subject {
        case .queue(let name): "queue '\(name)'"
        case .kind: "its kind"
        case .key(let key): "key '\(key)'"
        }
      reasons.append("\(what) is paused by \(pause.by) since \(text(pause.since))")
    }
    reasons += unmet(job, now)
    if let limit, ofKind >= limit { reasons.append("\(ofKind) of its kind run, as many as its limit allows") }
    if let limit = job.limit {
      var holders = 0
      try await engine.forEachPart(of: JobSelection(states: [.running])) { part in
        holders += part.count { $0.limit?.key == limit.key }
      }
      if holders >= limit.count {
        reasons.append("\(holders) of key '\(limit.key)' run, as many as its limit allows")
      }
    }
    for rate in try await engine.store.rates() where rate.free == 0 && rate.concerns(job) {
      reasons.append(words(of: rate, now))
    }
    if running >= workers { reasons.append("all \(workers) workers of queue '\(job.queue)' are busy") }
    guard reasons.isEmpty || reasons.count == 1 && running >= workers else { return reasons }
    // What comes before it may be held up by something of its own.
    let ahead = try await engine.store.countAhead(of: job.id)
    let place = ahead == 0 ? "it is next" : "it is behind \(ahead) other\(ahead == 1 ? "" : "s")"
    return [reasons.first.map { "\($0), and \(place)" } ?? "\(place) in queue '\(job.queue)'"]
  }

  private func words(of rate: JobRate, _ now: Date) -> String {
    let what =
      switch rate.subject {
      case .queue(let name): "queue '\(name)'"
      case .key(let key): "key '\(key)'"
      }
    let next = rate.wait.map { "; the next may at \(text(now + $0 / .seconds(1)))" } ?? ""
    return "\(rate.limit.count) of \(what) start in \(rate.limit.period), as many as its rate allows" + next
  }

  private func unmet(_ job: JobSnapshot, _ now: Date) -> [String] {
    // From then on they no longer count.
    if let until = job.constraintsUntil, until <= now { return [] }
    let until = job.constraintsUntil.map { ", and is asked for until \(text($0))" } ?? ""
    return unmet(job.constraints.map { ($0, until) })
  }

  /// - Parameter constraints: each with more words about it.
  private func unmet(_ constraints: [(name: String, more: String)]) -> [String] {
    constraints.compactMap { name, until in
      switch runtime.constraints.state(of: Constraint(name)) {
      case .satisfied: return nil
      case .unsatisfied: return "constraint '\(name)' does not hold" + until
      case .unknown: return "nobody knows whether constraint '\(name)' holds" + until
      case nil: return "no monitor of the center knows constraint '\(name)'" + until
      }
    }
  }

  private func text(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension JobRate {
  /// Whether it holds up a job.
  func concerns(_ job: JobSnapshot) -> Bool {
    switch subject {
    case .queue(let name): name == job.queue
    case .key(let key): key == job.limit?.key
    }
  }
}
