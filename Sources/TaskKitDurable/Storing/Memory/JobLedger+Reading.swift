import Foundation

extension JobLedger {
  func jobs(_ selection: JobSelection, after: JobID?, limit: Int) -> [JobSnapshot] {
    entries.values
      .filter { entry in entry.isMeant(by: selection) && (after.map { entry.id > $0 } ?? true) }
      .sorted { $0.id < $1.id }.prefix(max(0, limit)).map { entry in
        var snapshot = entry.snapshot
        snapshot.owner = entry.attempt.flatMap { ownerNames[$0.owner] }
        return snapshot
      }
  }

  func counts() -> [JobCount] {
    counters.map { JobCount(queue: $0.queue, kind: $0.kind, state: $0.state, count: $1) }.sorted { left, right in
      (left.queue, left.kind, left.state.rawValue) < (right.queue, right.kind, right.state.rawValue)
    }
  }

  func countAhead(of job: JobID) -> Int {
    guard let entry = entries[job], !entry.state.isFinal, entry.state != .running else { return 0 }
    let order = entry.order(major: entry.priority.major)
    return (ready[entry.new.queue] ?? []).count { id in
      let other = entries[id]!
      return other.order(major: other.priority.major) < order
    }
  }

  func listPauses() -> [JobPause] { pauses.values.sorted { $0.subject.order < $1.subject.order } }
}
