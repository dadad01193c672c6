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
    let now = try await engines[0].now()
    let view = view(of: job)
    var reasons = view.standstill + damage(of: job)
    if view.isBackingOff { reasons.append("the store could not be used, and is tried again in a while") }
    reasons += problemsOfKind(of: job)
    reasons += try await pauses(of: job)
    reasons += unmet(job, now) + view.kindLimit
    reasons += try await keyLimit(of: job)
    reasons += try await rates(of: job, now)
    if view.areBusy { reasons.append("all \(view.workers) workers of queue '\(job.queue)' are busy") }
    guard reasons.isEmpty || reasons.count == 1 && view.areBusy else { return reasons }
    // What comes before it may be held up by something of its own.
    let place = try await place(of: job)
    return [reasons.first.map { "\($0), and \(place)" } ?? "\(place) in queue '\(job.queue)'"]
  }

  private func view(of job: JobSnapshot) -> WorkersView {
    let engine = engines[0]
    return engine.inspect { machine in
      WorkersView(
        phase: machine.phase, isBackingOff: machine.isBackingOff,
        workers: machine.queues[job.queue]?.workers ?? engine.newQueue(job.queue).workers,
        running: machine.queues[job.queue]?.running ?? 0, ofKind: machine.runningOfKind[job.kind] ?? 0,
        limit: machine.kinds[job.kind]?.limit)
    }
  }

  private func damage(of job: JobSnapshot) -> [String] {
    guard let damaged = engines[0].damaged, damaged.unreadable.contains(job.id) else { return [] }
    let advice = damaged.damage.map { ": \($0)" } ?? ""
    return ["this process could not read what belongs to it, and passes it by until it starts again" + advice]
  }

  private func problemsOfKind(of job: JobSnapshot) -> [String] {
    guard let kind = runtime.kinds[job.kind]?.registration else { return ["its kind is not registered in this build"] }
    return kind.versionProblem(job.payload.version).map { ["this build cannot read it: \($0)"] } ?? []
  }

  private func pauses(of job: JobSnapshot) async throws -> [String] {
    let subjects = job.pauseSubjects
    return try await pauses().filter { subjects.contains($0.subject) }.map { pause in
      let what =
        switch pause.subject {
        case .queue(let name): "queue '\(name)'"
        case .kind: "its kind"
        case .key(let key): "key '\(key)'"
        }
      return "\(what) is paused by \(pause.by) since \(text(pause.since))"
    }
  }

  private func keyLimit(of job: JobSnapshot) async throws -> [String] {
    guard let limit = job.limit else { return [] }
    var holders = 0
    try await engines[0].forEachPart(of: JobSelection(states: [.running])) { part in
      holders += part.count { $0.limit?.key == limit.key }
    }
    return holders >= limit.count ? ["\(holders) of key '\(limit.key)' run, as many as its limit allows"] : []
  }

  private func rates(of job: JobSnapshot, _ now: Date) async throws -> [String] {
    try await engines[0].store.rates().filter { $0.free == 0 && $0.concerns(job) }.map { words(of: $0, now) }
  }

  private func place(of job: JobSnapshot) async throws -> String {
    let ahead = try await engines[0].store.countAhead(of: job.id)
    return ahead == 0 ? "it is next" : "it is behind \(ahead) other\(ahead == 1 ? "" : "s")"
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

/// What the workers of this process do, as far as it is about one job.
private struct WorkersView {
  let phase: JobMachine.Phase
  let isBackingOff: Bool
  /// Those of its queue, and how many of them are busy.
  let workers, running: Int
  /// How many of its kind run here, and how many may.
  let ofKind: Int
  let limit: Int?

  var areBusy: Bool { running >= workers }

  /// Why they begin nothing at all.
  var standstill: [String] {
    switch phase {
    case .waiting: ["the center of this process was not started"]
    case .stopping, .stopped: ["the workers are stopped; 'resume' lets them run"]
    case .closing, .closed: ["the center was shut down"]
    case .running: []
    }
  }

  var kindLimit: [String] {
    guard let limit, ofKind >= limit else { return [] }
    return ["\(ofKind) of its kind run, as many as its limit allows"]
  }
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
