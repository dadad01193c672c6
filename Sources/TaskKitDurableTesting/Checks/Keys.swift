import Foundation
import TaskKitDurable

extension JobStoreConformance {
  private static func keyed(_ conflict: UniqueKey.Conflict, period: Duration? = nil) -> NewJob {
    job { $0.unique = UniqueKey("key", conflict, period: period) }
  }

  static let keys: [Check] = [
    Check("keep: the old one stays, and its id is returned, until it has ended") { bench in
      let owner = try await bench.open()
      let first = try await owner.store.enqueue([keyed(.keep)])[0]
      try expect(first.outcome, .added, "the first")
      let kept = EnqueuedJob(id: first.id, outcome: .kept)
      try expect(try await owner.store.enqueue([keyed(.keep)])[0], kept, "while it is ready")
      let claimed = try await owner.claimOne()
      try expect(try await owner.store.enqueue([keyed(.keep)])[0], kept, "while it runs")
      try await owner.end(claimed, .failed(.error, "no", retryAfter: .seconds(1)))
      try expect(try await owner.store.enqueue([keyed(.keep)])[0], kept, "while it is delayed")
      try await owner.change(.hold("wait"), first.id)
      try expect(try await owner.store.enqueue([keyed(.keep)])[0], kept, "while it is held")
      try await owner.change(.release, first.id)
      bench.advance(by: .seconds(1))
      try await owner.end(try await owner.claimOne(), .succeeded(result: nil))
      try expect(try await owner.store.enqueue([keyed(.keep)])[0].outcome, .added, "afterwards")
    },
    Check("keep: of two in one batch the first is kept") { bench in
      let owner = try await bench.open()
      let both = try await owner.store.enqueue([keyed(.keep), keyed(.keep)])
      try expect(both[1], EnqueuedJob(id: both[0].id, outcome: .kept), "the second")
      let child = try await owner.add(keyed(.keep), job { $0.parents = [.inBatch(0)] })
      try expect(try await owner.job(child[1])?.parents, [both[0].id], "a parent that was kept")
    },
    Check("keep: many callers at once make one job") { bench in
      let owners = [try await bench.open("a"), try await bench.open("b")]
      let ids = try await withThrowingTaskGroup(of: JobID.self) { group in
        for place in 0..<20 { group.addTask { try await owners[place % 2].store.enqueue([keyed(.keep)])[0].id } }
        return try await group.reduce(into: Set<JobID>()) { $0.insert($1) }
      }
      try expect(ids.count, 1, "jobs")
    },
    Check("keep: for its period the key stays taken, also when the job is gone") { bench in
      let owner = try await bench.open()
      let first = try await owner.store.enqueue([keyed(.keep, period: .seconds(60))])[0]
      try await owner.end(try await owner.claimOne(), .succeeded(result: nil))
      bench.advance(by: .seconds(59))
      let kept = EnqueuedJob(id: first.id, outcome: .kept)
      try expect(try await owner.store.enqueue([keyed(.keep)])[0], kept, "within")
      bench.advance(by: .seconds(1))
      try expect(try await owner.store.enqueue([keyed(.keep)])[0].outcome, .added, "after")
    },
    Check("keep: an unfinished job has its key longer than its period") { bench in
      let owner = try await bench.open()
      let first = try await owner.store.enqueue([keyed(.keep, period: .seconds(60))])[0]
      bench.advance(by: .seconds(600))
      try expect(try await owner.store.enqueue([keyed(.keep)])[0].id, first.id, "the holder")
    },
    Check("replace: the old one is cancelled, also while it runs") { bench in
      let owner = try await bench.open()
      let first = try await owner.add(
        job {
          $0.unique = UniqueKey("key")
          $0.retention = JobRetention(finished: nil)
        })[0]
      let second = try await owner.store.enqueue([keyed(.replace)])[0]
      try expect(second.outcome, .replaced([first]), "ready")
      try expect(second.cancelled, [], "no attempt is going")
      try expect(try await owner.state(first), .cancelled, "the old one")
      let claimed = try await owner.claimOne()
      let third = try await owner.store.enqueue([keyed(.replace)])[0]
      try expect(third.outcome, .replaced([second.id]), "running")
      try expect(third.cancelled, [claimed.token], "its attempt")
      try expect(try await owner.end(claimed, .succeeded(result: nil)), false, "what it says")
      try expect(try await owner.claimOne().id, third.id, "what runs")
    },
    Check("replace: what was replaced is kept as long as if it were done, its children as what was cancelled") {
      bench in
      let owner = try await bench.open()
      func replaced(_ key: String, keep: Duration?) async throws -> [JobID] {
        let retention = JobRetention(finished: keep)
        let ids = try await owner.add(
          job {
            $0.unique = UniqueKey(key)
            $0.retention = retention
          },
          job {
            $0.parents = [.inBatch(0)]
            $0.retention = retention
          })
        try await owner.add(job { $0.unique = UniqueKey(key, .replace) })
        return ids
      }
      let gone = try await replaced("a", keep: .zero)
      try expect(try await owner.state(gone[0]), nil, "by default")
      try expect(try await owner.state(gone[1]), .cancelled, "its child")
      let kept = try await replaced("b", keep: .seconds(60))
      try expect(try await owner.state(kept[0]), .cancelled, "where finished ones are kept")
      bench.advance(by: .seconds(60))
      _ = try await owner.store.sweep(limit: 9)
      try expect(try await owner.state(kept[0]), nil, "and after that")
      try expect(try await owner.state(kept[1]), .cancelled, "its child")
    },
    Check("replace: without an unfinished one it is just added") { bench in
      let owner = try await bench.open()
      try await owner.add(keyed(.keep, period: .seconds(60)))
      try await owner.end(try await owner.claimOne(), .succeeded(result: nil))
      try expect(try await owner.store.enqueue([keyed(.replace)])[0].outcome, .added, "the outcome")
    },
    Check("append: they run one after the other, whatever becomes of each") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(keyed(.append), keyed(.append), keyed(.append))
      try expect(try await owner.job(ids[2])?.parents, [ids[1]], "what the third waits for")
      let first = try await owner.claimOne()
      try await owner.end(first, .gaveUp(.error, "never"))
      let second = try await owner.claimOne()
      try expect(second.id, ids[1], "after a failure")
      try await owner.end(second, .succeeded(result: Data("r".utf8)))
      let third = try await owner.claimOne()
      try expect(third.id, ids[2], "after a success")
      try expect(third.parentResults, [:], "no result is passed on")
    },
    Check("append: who comes after one that was deleted or cancelled waits for those before it") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(keyed(.append), keyed(.append), keyed(.append), keyed(.append), keyed(.append))
      let first = try await owner.claimOne()
      try await owner.change(.delete, ids[2])
      try await owner.change(.cancel, ids[1])
      try expect(try await owner.state(ids[3]), .waiting, "the next one, while the first runs")
      try expect(owner.ids(try await owner.claim()), [], "claimed beside the first")
      try await owner.end(first, .succeeded(result: nil))
      let next = try await owner.claimOne()
      try expect(next.id, ids[3], "after the first")
      try await owner.end(next, .succeeded(result: nil))
      try expect(try await owner.claimOne().id, ids[4], "the last one")
    },
    Check("append: a child of the one before it comes behind those before that when that is cancelled") { bench in
      let owner = try await bench.open()
      func child(of place: Int, _ failure: ParentFailure) -> NewJob {
        job { new in
          new.unique = UniqueKey("key", .append)
          new.parents = [.inBatch(place)]
          new.parentFailure = failure
        }
      }
      let ids = try await owner.add(
        keyed(.append), keyed(.append), child(of: 1, .run), child(of: 2, .cancel), child(of: 3, .run))
      let first = try await owner.claimOne()
      try await owner.change(.cancel, ids[1])
      try expect(try await owner.job(ids[2])?.parents, [ids[0]], "what the third waits for")
      try await owner.change(.cancel, ids[2])
      try expect(try await owner.state(ids[3]), .cancelled, "the fourth")
      try expect(try await owner.job(ids[4])?.parents, [ids[0]], "what the last waits for")
      try expect(owner.ids(try await owner.claim()), [], "claimed beside the first")
      try await owner.end(first, .succeeded(result: nil))
      try expect(try await owner.claimOne().id, ids[4], "after the first")
    },
    Check("replace: all that were appended are cancelled") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(keyed(.append), keyed(.append))
      let last = try await owner.store.enqueue([keyed(.replace)])[0]
      try expect(last.outcome, .replaced(ids), "the outcome")
      try expect(try await owner.claimOne().id, last.id, "what runs")
    },
    Check("keys differ by every letter") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.unique = UniqueKey("a") }, job { $0.unique = UniqueKey("A") }, job { $0.unique = UniqueKey("a ") },
        job { $0.unique = UniqueKey("ä") }, job { $0.unique = UniqueKey("") })
      try expect(Set(ids).count, 5, "jobs")
    },
    Check("a dead one is not retried while another unfinished one has its key") { bench in
      let owner = try await bench.open()
      let old = try await owner.add(keyed(.keep))[0]
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      let new = try await owner.add(keyed(.keep))[0]
      try expect(try await owner.change(.retry, old).count, 0, "retried")
      try expect(try await owner.state(old), .dead, "the old one")
      try await owner.change(.cancel, new)
      try expect(try await owner.store.change(.all, .retry).count, 1, "of both one is retried")
      try expect(try await owner.state(old), .ready, "the older one")
      try expect(try await owner.store.enqueue([keyed(.keep)])[0].id, old, "it has its key again")
    },
  ]
}
