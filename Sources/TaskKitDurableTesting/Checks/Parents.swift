import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let parents: [Check] = [
    Check("a chain runs one after the other, and results go along") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0)), child(of: .inBatch(1)))
      try expect(try await owner.state(ids[1]), .waiting, "the state of a child")
      try expect(try await owner.job(ids[1])?.parents, [ids[0]], "its parents")
      let first = try await owner.claimOne()
      try expect(first.id, ids[0], "the first")
      try await owner.end(first, .succeeded(result: Data("1".utf8)))
      let second = try await owner.claimOne()
      try expect(second.id, ids[1], "the second")
      try expect(second.parentResults, [ids[0]: Data("1".utf8)], "its parent's result")
      try expect(try await owner.job(ids[1])?.parents, [], "parents that have not ended")
      try await owner.end(second, .failed(.error, "no", retryAfter: .zero))
      let again = try await owner.claimOne()
      try expect(again.parentResults, [ids[0]: Data("1".utf8)], "the result for another attempt")
      try await owner.end(again, .succeeded(result: nil))
      let third = try await owner.claimOne()
      try expect(third.id, ids[2], "the third")
      try expect(third.parentResults, [:], "a parent without a result")
    },
    Check("a job waits for all of its parents, each counted once") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job())
      let child = try await owner.add(job { $0.parents = [.job(ids[1]), .job(ids[0]), .job(ids[1])] })[0]
      let claimed = try await owner.claim()
      try expect(owner.ids(claimed), ids, "the parents")
      try await owner.end(claimed[0], .succeeded(result: Data("0".utf8)))
      try expect(try await owner.claim().count, 0, "after one")
      try expect(try await owner.job(child)?.parents, [ids[1]], "parents that have not ended")
      try await owner.end(claimed[1], .succeeded(result: Data("1".utf8)))
      let last = try await owner.claimOne()
      try expect(last.parentResults, [ids[0]: Data("0".utf8), ids[1]: Data("1".utf8)], "results")
    },
    Check("parents that ended before count as ended, with the result that is still there") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job { $0.retention = JobRetention(finished: nil) })
      for claimed in try await owner.claim() { try await owner.end(claimed, .succeeded(result: Data("r".utf8))) }
      let child = try await owner.add(job { $0.parents = ids.map { .job($0) } })[0]
      let claimed = try await owner.claimOne()
      try expect(claimed.id, child, "claimed")
      try expect(claimed.parentResults, [ids[1]: Data("r".utf8)], "results")
    },
    Check("when a parent gives up, its children do what they ask for, and theirs as well") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job(), child(of: .inBatch(0)), child(of: .inBatch(0), .hold), child(of: .inBatch(0), .run),
        child(of: .inBatch(1)), child(of: .inBatch(1), .run))
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      var states: [JobState?] = []
      for id in ids { states.append(try await owner.state(id)) }
      try expect(states, [.dead, .cancelled, .held, .ready, .cancelled, .ready], "the states")
      try expect(try await owner.job(ids[2])?.hold, .parentFailed(ids[0]), "the reason")
      try await owner.change(.release, ids[2])
      try expect(owner.ids(try await owner.claim()), [ids[2], ids[3], ids[5]], "what runs")
    },
    Check("a parent that is held has not ended") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.exhaustion = .hold }, child(of: .inBatch(0)))
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      try expect(try await owner.state(ids[1]), .waiting, "the child")
    },
    Check("cancelling and deleting a parent counts as its failure") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0)), job(), child(of: .inBatch(2)))
      try await owner.change(.cancel, ids[0])
      try await owner.change(.delete, ids[2])
      try expect(try await owner.state(ids[1]), .cancelled, "the child of the cancelled one")
      try expect(try await owner.state(ids[3]), .cancelled, "the child of the deleted one")
    },
    Check("deleting what has ended does not touch its children") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.retention = JobRetention(finished: nil) }, child(of: .inBatch(0)))
      try await owner.end(try await owner.claimOne(), .succeeded(result: Data("r".utf8)))
      try await owner.change(.delete, ids[0])
      try expect(try await owner.claimOne().parentResults, [ids[0]: Data("r".utf8)], "results")
    },
    Check("a child of a parent that is dead already gets what it asks for") { bench in
      let owner = try await bench.open()
      let parent = try await owner.add(job())[0]
      try await owner.change(.cancel, parent)
      let ids = try await owner.add(
        child(of: .job(parent)), child(of: .job(parent), .hold), child(of: .job(parent), .run))
      try expect(try await owner.state(ids[0]), .cancelled, "cancel")
      try expect(try await owner.job(ids[1])?.hold, .parentFailed(parent), "hold")
      try expect(owner.ids(try await owner.claim()), [ids[2]], "run")
    },
    Check("a child of a job that its own batch has cancelled gets what it asks for, also where that one is not kept") {
      bench in
      let owner = try await bench.open()
      let parent = try await owner.add(job())[0]
      try await owner.change(.cancel, parent)
      let ids = try await owner.add(
        child(of: .job(parent)) { $0.retention = JobRetention(failed: .zero) },
        child(of: .inBatch(0)), child(of: .inBatch(0), .hold), child(of: .inBatch(0), .run))
      try expect(try await owner.state(ids[0]), nil, "the one that is not kept")
      try expect(try await owner.state(ids[1]), .cancelled, "cancel")
      try expect(try await owner.job(ids[2])?.hold, .parentFailed(ids[0]), "hold")
      try expect(owner.ids(try await owner.claim()), [ids[3]], "run")
      let key = UniqueKey("key", .replace)
      let more = try await owner.add(job { $0.unique = key }, job { $0.unique = key }, child(of: .inBatch(0)))
      try expect(try await owner.state(more[2]), .cancelled, "the child of one that was replaced")
      try expect(owner.ids(try await owner.claim()), [more[1]], "what takes its place")
      let late = try await owner.add(child(of: .job(ids[0])))
      try expect(owner.ids(try await owner.claim()), late, "a child that is enqueued when nothing is known any more")
    },
    Check("a child with a delay waits for both") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job(), child(of: .inBatch(0)) { $0.start = .after(.seconds(10)) })
      try await owner.end(try await owner.claimOne(), .succeeded(result: nil))
      try expect(try await owner.state(ids[1]), .delayed, "after the parent")
      bench.advance(by: .seconds(10))
      try expect(try await owner.claimOne().id, ids[1], "after both")
    },
    Check("a child that was cancelled and retried waits for the parents that are left") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0)))
      try await owner.change(.cancel, ids[1])
      try await owner.change(.retry, ids[1])
      try expect(try await owner.state(ids[1]), .waiting, "while the parent is there")
      try await owner.change(.cancel, ids[1])
      try await owner.end(try await owner.claimOne(), .succeeded(result: Data("r".utf8)))
      try expect(try await owner.state(ids[1]), .cancelled, "the parent's end changes nothing")
      try await owner.change(.retry, ids[1])
      try expect(try await owner.claimOne().parentResults, [ids[0]: Data("r".utf8)], "after the parent")
    },
    Check("children that are retried wait again for parents that are, and get what these return") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0)), child(of: .inBatch(1)))
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      // Enqueued when it was dead already.
      let late = try await owner.add(child(of: .job(ids[0])))[0]
      try expect(try await owner.store.change(.all, .retry).count, 4, "retried")
      try expect(try await owner.job(ids[1])?.parents, [ids[0]], "what the second waits for")
      let first = try await owner.claimOne()
      try expect(first.id, ids[0], "the first")
      try await owner.end(first, .succeeded(result: Data("1".utf8)))
      let claimed = try await owner.claim()
      try expect(owner.ids(claimed), [ids[1], late], "what follows")
      for child in claimed { try expect(child.parentResults, [ids[0]: Data("1".utf8)], "the parent's result") }
      try await owner.end(claimed[0], .succeeded(result: nil))
      try expect(owner.ids(try await owner.claim()), [ids[2]], "the last")
    },
    Check("a child that is retried after its parent was gets what that has returned meanwhile") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0)))
      try await owner.change(.cancel, ids[0])
      try expect(try await owner.change(.retry, ids[0]).count, 1, "the parent")
      try await owner.end(try await owner.claimOne(), .succeeded(result: Data("r".utf8)))
      try expect(try await owner.state(ids[1]), .cancelled, "the child, which nobody has retried")
      try expect(try await owner.change(.retry, ids[1]).count, 1, "the child")
      try expect(try await owner.claimOne().parentResults, [ids[0]: Data("r".utf8)], "results")
    },
    Check("a child that is retried while its parent stays dead gets what it asks for, as when it is new") { bench in
      let owner = try await bench.open()
      let parent = try await owner.add(job())[0]
      try await owner.change(.cancel, parent)
      let ids = try await owner.add(
        child(of: .job(parent)),
        child(of: .job(parent), .hold) { $0.retention = JobRetention(failed: .seconds(5)) },
        child(of: .job(parent), .run))
      try await owner.change(.cancel, ids[1], ids[2])
      try expect(try await owner.change(.retry, ids[0], ids[1], ids[2]).count, 2, "retried")
      try expect(try await owner.state(ids[0]), .cancelled, "cancel")
      try expect(try await owner.job(ids[1])?.hold, .parentFailed(parent), "hold")
      try expect(owner.ids(try await owner.claim()), [ids[2]], "run")
      bench.advance(by: .seconds(9))
      _ = try await owner.store.sweep(limit: 9)
      try expect(try await owner.state(ids[1]), .held, "what is held is not deleted")
      try await owner.change(.delete, parent)
      try expect(try await owner.change(.retry, ids[0]).count, 1, "retried without a parent")
      let claimed = try await owner.claimOne()
      try expect(claimed.id, ids[0], "claimed")
      try expect(claimed.parentResults, [:], "results")
    },
    Check("a child that is held because its parent failed waits for it when both go on") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0), .hold), child(of: .inBatch(0), .run))
      try await owner.end(try await owner.claim(1)[0], .gaveUp(.error, "never"))
      try await owner.change(.retry, ids[0])
      try expect(try await owner.state(ids[1]), .held, "the child")
      try await owner.change(.release, ids[1])
      try expect(try await owner.state(ids[1]), .waiting, "released")
      let claimed = try await owner.claim()
      try expect(owner.ids(claimed), [ids[0], ids[2]], "what runs")
      try await owner.end(claimed[1], .failed(.error, "no", retryAfter: .zero))
      try expect(owner.ids(try await owner.claim()), [ids[2]], "who has run without it does not wait")
      try await owner.end(claimed[0], .succeeded(result: Data("r".utf8)))
      try expect(try await owner.claimOne().parentResults, [ids[0]: Data("r".utf8)], "results")
    },
    Check("a job of a key is retried whatever has become of the one behind which it was put") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.unique = UniqueKey("key", .append) }, job { $0.unique = UniqueKey("key", .append) })
      try await owner.change(.cancel, ids[0])
      try await owner.change(.cancel, ids[1])
      try expect(try await owner.change(.retry, ids[1]).count, 1, "the second")
      try expect(try await owner.change(.retry, ids[0]).count, 0, "the first, whose key the second has")
      try expect(try await owner.claimOne().id, ids[1], "claimed")
    },
    Check("a held child stays held when its parent ends, and goes on when it is released") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0)))
      try await owner.change(.hold("later"), ids[1])
      try await owner.change(.release, ids[1])
      try expect(try await owner.state(ids[1]), .waiting, "released too early")
      try await owner.change(.hold("later"), ids[1])
      try await owner.end(try await owner.claimOne(), .succeeded(result: nil))
      try expect(try await owner.state(ids[1]), .held, "held")
      try await owner.change(.release, ids[1])
      try expect(try await owner.claimOne().id, ids[1], "released")
    },
    Check("a child that is held for something else when its parent fails is held for that when it is released") {
      bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job(), child(of: .inBatch(0), .hold), child(of: .inBatch(0), .hold), child(of: .inBatch(0), .run))
      try await owner.change(.hold("look at it"), ids[1], ids[3])
      try await owner.change(.hold("later", until: ["signed in"]), ids[2])
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      try expect(try await owner.job(ids[1])?.hold, .asked("look at it"), "why it is held")
      try await owner.change(.release, ids[1], ids[2], ids[3])
      try expect(try await owner.job(ids[1])?.hold, .parentFailed(ids[0]), "why it is held then")
      try expect(try await owner.job(ids[2])?.hold, .parentFailed(ids[0]), "why the other one is")
      try expect(owner.ids(try await owner.claim()), [ids[3]], "what runs")
      try await owner.change(.release, ids[1])
      let excused = try await owner.claimOne()
      try expect(excused.id, ids[1], "what runs after that")
      // Who has let it run has done so for good.
      try await owner.end(excused, .held(.asked("wait")))
      try await owner.change(.release, ids[1])
      try expect(owner.ids(try await owner.claim()), [ids[1]], "what goes on")
      // Tried again, the parent is waited for again.
      try await owner.change(.retry, ids[0])
      try await owner.change(.release, ids[2])
      try expect(try await owner.state(ids[2]), .waiting, "the one that has not run")
      try await owner.change(.hold("later"), ids[2])
      try await owner.change(.cancel, ids[0])
      try await owner.change(.release, ids[2])
      try expect(try await owner.job(ids[2])?.hold, .parentFailed(ids[0]), "why it is held when that has failed again")
    },
    Check("a child that is held for something else when its parent fails is held for that also when that one is gone") {
      bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.exhaustion = .discard }, child(of: .inBatch(0), .hold),
        job { $0.retention = JobRetention(failed: .seconds(5)) }, child(of: .inBatch(2), .hold),
        job(), child(of: .inBatch(4), .hold))
      try await owner.change(.hold("look at it"), ids[1], ids[3])
      try await owner.change(.hold("later", until: ["signed in"]), ids[5])
      for parent in try await owner.claim(2) { try await owner.end(parent, .gaveUp(.error, "never")) }
      try await owner.change(.delete, ids[4])
      bench.advance(by: .seconds(5))
      _ = try await owner.store.sweep(limit: 9)
      for parent in [ids[0], ids[2], ids[4]] { try expect(try await owner.state(parent), nil, "a parent") }
      try expect(try await owner.job(ids[1])?.hold, .asked("look at it"), "why it is held")
      try await owner.change(.release, ids[1], ids[3], ids[5])
      try expect(try await owner.job(ids[1])?.hold, .parentFailed(ids[0]), "why it is held then")
      try expect(try await owner.job(ids[3])?.hold, .parentFailed(ids[2]), "why the second one is")
      try expect(try await owner.job(ids[5])?.hold, .parentFailed(ids[4]), "why the third one is")
      try await owner.change(.cancel, ids[3])
      try expect(try await owner.change(.retry, ids[3]).count, 1, "retried")
      try expect(try await owner.job(ids[3])?.hold, .parentFailed(ids[2]), "why it is held when it is retried")
      try expect(owner.ids(try await owner.claim()), [], "what runs")
      try await owner.change(.release, ids[1])
      let excused = try await owner.claimOne()
      try expect(excused.id, ids[1], "what runs after that")
      // Who has let it run has done so for good.
      try await owner.end(excused, .held(.asked("wait")))
      try await owner.change(.release, ids[1])
      try expect(owner.ids(try await owner.claim()), [ids[1]], "what goes on")
    },
    Check("a child that somebody has let run without a parent that is gone is not held for that when it is retried") {
      bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.exhaustion = .discard }, child(of: .inBatch(0), .hold))
      try await owner.change(.hold("look at it"), ids[1])
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      try expect(try await owner.state(ids[0]), nil, "the parent")
      try await owner.change(.release, ids[1])
      try expect(try await owner.job(ids[1])?.hold, .parentFailed(ids[0]), "why it is held")
      try await owner.change(.release, ids[1])
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      try expect(try await owner.state(ids[1]), .dead, "the child")
      try expect(try await owner.change(.retry, ids[1]).count, 1, "retried")
      try expect(try await owner.state(ids[1]), .ready, "the child then")
      try expect(owner.ids(try await owner.claim()), [ids[1]], "what runs")
    },
    Check("a parent that failed while its child was held, and has succeeded since, holds nothing any more") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), child(of: .inBatch(0), .hold), child(of: .inBatch(0), .hold))
      try await owner.change(.hold("look at it"), ids[1], ids[2])
      try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
      try await owner.change(.release, ids[1])
      try await owner.change(.release, ids[1])
      let early = try await owner.claimOne()
      try expect(early.id, ids[1], "who was let run without it")
      try await owner.change(.retry, ids[0])
      try await owner.end(try await owner.claimOne(), .succeeded(result: nil))
      try await owner.change(.release, ids[2])
      try expect(owner.ids(try await owner.claim()), [ids[2]], "who was held until it had succeeded")
      try await owner.change(.cancel, ids[1])
      try await owner.change(.retry, ids[1])
      try expect(owner.ids(try await owner.claim()), [ids[1]], "who is retried when it has succeeded")
    },
    Check("a long chain is cancelled to its end") { bench in
      let owner = try await bench.open()
      let chain = (0..<2_000).map { place in job { $0.parents = place == 0 ? [] : [.inBatch(place - 1)] } }
      let ids = try await owner.store.enqueue(chain).map(\.id)
      try expect(try await owner.change(.cancel, ids[0]).count, 1, "changed")
      try expect(
        try await owner.store.counts(),
        [JobCount(queue: "default", kind: "Upload", state: .cancelled, count: 2_000)], "counts")
    },
  ]
}

/// A job that waits for another one.
private func child(
  of parent: NewJob.Parent, _ failure: ParentFailure = .cancel, _ change: (inout NewJob) -> Void = { _ in }
) -> NewJob {
  job { new in
    new.parents = [parent]
    new.parentFailure = failure
    change(&new)
  }
}
