import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let changing: [Check] = [
    Check("equal texts are one kind and one tag to a selection, however their accents are written") { bench in
      let owner = try await bench.open()
      let names = ["caf\u{E9}", "cafe\u{301}"]
      let ids = try await owner.add(job(names[0]) { $0.tags = [names[0]] }, job(names[1]) { $0.tags = [names[1]] })
      for name in names {
        for selection in [JobSelection(kinds: [name]), JobSelection(tags: [name])] {
          let found = try await owner.store.jobs(selection, after: nil, limit: 9)
          try expect(found.map(\.id), ids, "found with \(name.unicodeScalars.count) scalars")
        }
      }
      try expect(try await owner.store.change(JobSelection(tags: [names[0]]), .cancel).count, 2, "cancelled")
    },
    Check("deletion by kind takes all of it and nothing else (Zt17, Zt74, Z32)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job("Other"), job())
      let claimed = try await owner.claim(1)[0]
      let answer = try await owner.store.change(JobSelection(kinds: ["Upload"]), .delete)
      try expect(answer, JobChangeAnswer(count: 2, cancelled: [claimed.token]), "the answer")
      try expect(try await owner.store.jobs(.all, after: nil, limit: 9).map(\.id), [ids[1]], "what is left")
      try expect(try await owner.end(claimed, .succeeded(result: nil)), false, "what the attempt says")
    },
    Check("deletion by id takes exactly that one (Zt73)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job(), job())
      try expect(try await owner.change(.delete, ids[1]).count, 1, "deleted")
      try expect(try await owner.change(.delete, ids[1]).count, 0, "again")
      try expect(owner.ids(try await owner.claim()), [ids[0], ids[2]], "what is left")
    },
    Check("a selection means jobs to which all of it applies") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.tags = ["red", "big"] },
        job {
          $0.tags = ["red"]
          $0.queue = "second"
        }, job("Other") { $0.unique = UniqueKey("key") }, job { $0.start = .after(.seconds(9)) })
      func found(_ selection: JobSelection) async throws -> [JobID] {
        try await owner.store.jobs(selection, after: nil, limit: 9).map(\.id)
      }
      try expect(try await found(JobSelection(tags: ["red"])), [ids[0], ids[1]], "a tag")
      try expect(try await found(JobSelection(tags: ["big", "blue"])), [ids[0]], "one of the tags")
      try expect(try await found(JobSelection(queues: ["second"], tags: ["red"])), [ids[1]], "a tag and a queue")
      try expect(try await found(JobSelection(uniqueKeys: ["key"])), [ids[2]], "a key")
      try expect(try await found(JobSelection(states: [.delayed])), [ids[3]], "a state")
      try expect(try await found(JobSelection(heldFor: Set(HoldCause.allCases))), [], "held ones, where none is")
      try expect(try await found(JobSelection(ids: [ids[3], ids[0]], kinds: ["Upload"])), [ids[0], ids[3]], "ids")
      try expect(try await found(JobSelection(kinds: [])), [], "no kinds")
      try expect(try await found(.all), ids, "all")
    },
    Check("held jobs are selected by what they are held for") { bench in
      let owner = try await bench.open()
      let reasons: [HoldReason] = [
        .gaveUp, .crashed(times: 3), .unreadable("an {\"odd\"} text"), .parentFailed(JobID(rawValue: 7)),
        .until(["network", "charging"], "why"), .asked("gaveUp"),
      ]
      var ids: [JobID] = []
      for reason in reasons {
        ids += try await owner.add(job())
        try await owner.end(try await owner.claimOne(), .held(reason))
      }
      try await owner.add(job())
      for (id, reason) in zip(ids, reasons) {
        let found = try await owner.store.jobs(JobSelection(heldFor: [reason.cause]), after: nil, limit: 9)
        try expect(found.map(\.id), [id], "held for \(reason.cause)")
      }
      try expect(
        try await owner.store.change(JobSelection(heldFor: [.until, .crashed]), .release).count, 2, "released")
      try expect(try await owner.store.jobs(JobSelection(heldFor: []), after: nil, limit: 9), [], "held for nothing")
      try expect(owner.ids(try await owner.claim()).count, 3, "claimed")
    },
    Check("a cancelled job runs no more, and its attempt is told and refused") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job(), job { $0.start = .after(.seconds(9)) })
      let claimed = try await owner.claim(1)[0]
      let answer = try await owner.store.change(.all, .cancel)
      try expect(answer, JobChangeAnswer(count: 3, cancelled: [claimed.token]), "the answer")
      try expect(try await owner.note(claimed, .checkpoint(Data())), false, "a note")
      try expect(try await owner.end(claimed, .failed(.error, "", retryAfter: .zero)), false, "an end")
      for id in ids { try expect(try await owner.state(id), .cancelled, "the state") }
      bench.advance(by: .seconds(9))
      try expect(try await owner.claim().count, 0, "claimed")
      try expect(try await owner.store.change(.all, .cancel).count, 0, "again")
    },
    Check("an owner is told, once, of attempts that another one has cancelled") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let ids = try await left.add(job(), job(), job())
      let claimed = try await left.claim()
      try expect(try await right.change(.cancel, ids[0]), JobChangeAnswer(count: 1), "the other's answer")
      try await right.change(.delete, ids[1])
      try expect(try await left.look().toCancel, [claimed[0].token, claimed[1].token], "what it is told")
      try expect(try await left.look().toCancel, [], "the next time")
      try expect(try await left.end(claimed[2], .succeeded(result: nil)), true, "the one that is left")
    },
    Check("priorities are changed where jobs have not ended, and kept by running ones (Zt18, Zt75, Zw10)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job(), job("Other"))
      let claimed = try await owner.claim(1)[0]
      let high = JobPriority(major: 99, minor: 1)
      try expect(try await owner.store.change(JobSelection(kinds: ["Upload"]), .prioritise(high)).count, 2, "changed")
      try await owner.end(claimed, .failed(.error, "no", retryAfter: .zero))
      try expect(try await owner.job(ids[0])?.priority, high, "the one that failed meanwhile")
      try expect(owner.ids(try await owner.claim()), [ids[1], ids[0], ids[2]], "the order")
    },
    Check("priorities of jobs that wait count when they become ready") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.start = .after(.seconds(1)) }, job())
      try await owner.change(.prioritise(.userInitiated), ids[0])
      bench.advance(by: .seconds(1))
      try expect(owner.ids(try await owner.claim()), ids, "the order")
    },
    Check("the attempts and deadlines of jobs that have not ended are changed, those of others not (Z33)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.maximumAttempts = 1 }, job(), job { $0.start = .after(.seconds(9)) }, job("Other"))
      let dead = try await owner.claim(1)[0]
      try await owner.end(dead, .gaveUp(.error, "no"))
      let meant = JobSelection(kinds: ["Upload"])
      try expect(try await owner.store.change(meant, .change(.attempts(7))), JobChangeAnswer(count: 2), "attempts")
      try expect(try await owner.store.change(meant, .change(.deadline(.seconds(5)))).count, 2, "deadlines")
      let jobs = try await owner.store.jobs(.all, after: nil, limit: 9)
      try expect(jobs.map(\.maximumAttempts), [1, 7, 7, 3], "the attempts")
      try expect(jobs.map(\.deadline), [nil, .seconds(5), .seconds(5), nil], "the deadlines")
      try expect(jobs.map(\.state), [.dead, .ready, .delayed, .ready], "the states")
      let next = try await owner.claim(1)[0]
      try expect(next.id, ids[1], "the next one")
      try expect(next.maximumAttempts, 7, "its attempts")
      try expect(next.deadline, .seconds(5), "its deadline")
      try await owner.change(.change(.attempts(.unlimited)), ids[2])
      try await owner.change(.change(.deadline(nil)), ids[2])
      try expect(try await owner.job(ids[2])?.maximumAttempts, nil, "without a limit")
      try expect(try await owner.job(ids[2])?.deadline, nil, "without a deadline")
    },
    Check("what a running job asks for is changed for its next attempt (Z33)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.maximumAttempts = 2 }, job())
      let claimed = try await owner.claim()
      try expect(try await owner.change(.change(.requires(["network"])), ids[0], ids[1]).count, 2, "changed")
      try await owner.change(.change(.attempts(1)), ids[0])
      try await owner.change(.change(.deadline(.seconds(4))), ids[1])
      try expect(try await owner.note(claimed[0], .checkpoint(Data([1]))), true, "a note of the running one")
      for job in claimed { try await owner.end(job, .failed(.error, "no", retryAfter: .zero)) }
      try expect(try await owner.claim().count, 0, "claimed without what they require")
      let next = try await owner.claim(satisfied: ["network"])
      try expect(owner.ids(next), ids, "claimed")
      try expect(next[1].deadline, .seconds(4), "the deadline")
      try expect(next[1].constraints, ["network"], "what is required")
      // It was not told that it was the last one.
      try expect(next[0].maximumAttempts, 2, "the attempts of the one that has fewer")
      try await owner.end(next[0], .failed(.error, "no", retryAfter: .zero))
      try expect(try await owner.state(ids[0]), .dead, "the one with fewer attempts")
    },
    Check("a running attempt that was not to be the last one is not, however few attempts are left (Z33)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.maximumAttempts = nil }, job(), job { $0.maximumAttempts = 1 }, job { $0.maximumAttempts = 1 }, job())
      let claimed = try await owner.claim()
      try await owner.change(.change(.attempts(1)), ids[0], ids[1], ids[2])
      // Again, and to more before.
      try await owner.change(.change(.attempts(1)), ids[0])
      try await owner.change(.change(.attempts(9)), ids[1])
      try await owner.change(.change(.attempts(1)), ids[1])
      try await owner.change(.change(.attempts(5)), ids[3])
      try await owner.change(.change(.attempts(.unlimited)), ids[4])
      let jobs = try await owner.store.jobs(.all, after: nil, limit: 9)
      try expect(jobs.map(\.maximumAttempts), [2, 2, 1, 5, nil], "the attempts")
      for job in claimed { try await owner.end(job, .failed(.error, "no", retryAfter: .zero)) }
      try expect(try await owner.state(ids[2]), .dead, "the one whose last one it was")
      let again = try await owner.claim()
      try expect(Set(again.map(\.id)), [ids[0], ids[1], ids[3], ids[4]], "those that are tried once more")
      for job in again { try await owner.end(job, .failed(.error, "no", retryAfter: .zero)) }
      let states = try await owner.store.jobs(.all, after: nil, limit: 9).map(\.state)
      try expect(states, [.dead, .dead, .dead, .ready, .ready], "the states")
      // In a process that dies, too.
      let last = try await owner.claimOne(limit: 1)
      try await owner.change(.change(.attempts(1)), last.id)
      try await bench.kill(owner)
      let next = try await bench.open()
      try expect(next.opening.rescued.first { $0.id == last.id }?.state, .ready, "after a crash")
    },
    Check("what jobs require is changed, and from when on it holds nothing up (Z33)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.constraints = ["charging"] }, job { $0.limit = KeyLimit("key") },
        job { $0.start = .after(.seconds(9)) },
        job {
          $0.constraints = ["charging"]
          $0.constraintsUntil = .after(.seconds(5))
        }, job(), job { $0.parents = [.inBatch(4)] })
      try await owner.change(.hold("wait"), ids[4])
      let all = try await owner.store.change(
        .all, .change(.requires(["network", "free"], until: .after(.seconds(60)))))
      try expect(all.count, 6, "changed")
      let jobs = try await owner.store.jobs(.all, after: nil, limit: 9)
      try expect(Set(jobs.map(\.constraints)), [["network", "free"]], "what they require")
      try expect(Set(jobs.map(\.constraintsUntil)), [bench.now + 60], "until when")
      try expect(jobs.map(\.state), [.ready, .ready, .delayed, .ready, .held, .waiting], "the states")
      try expect(try await owner.store.counts().map(\.count).reduce(0, +), 6, "what is counted")
      bench.advance(by: .seconds(9))
      try expect(try await owner.claim(satisfied: ["charging", "network"]).count, 0, "where half of it holds")
      try expect(try await owner.look().nextDue, .seconds(51), "when it holds nothing up any more")
      try await owner.change(.release, ids[4])
      // To nothing, to what does not hold, and to what held up nothing any more a moment ago.
      try await owner.change(.change(.requires([])), ids[0])
      try await owner.change(.change(.requires(["network"], until: .at(bench.now - 1))), ids[1])
      try await owner.change(.change(.requires(["network"])), ids[2])
      try expect(owner.ids(try await owner.claim()), [ids[0], ids[1]], "what requires nothing")
      try expect(owner.ids(try await owner.claim(satisfied: ["network"])), [ids[2]], "what requires something else")
      bench.advance(by: .seconds(51))
      let rest = try await owner.claim()
      try expect(owner.ids(rest), [ids[3], ids[4]], "when the time has come")
      try expect(rest.map(\.constraints), [[], []], "what has to hold then")
      try await owner.end(rest[1], .succeeded(result: nil))
      try expect(owner.ids(try await owner.claim()), [ids[5]], "the child")
    },
    Check("a date of constraints that has passed counts once a job is ready, and not before") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job(), job { $0.parents = [.inBatch(0)] }, job { $0.start = .after(.seconds(200)) }, job(), job("Other"))
      try await owner.change(.hold("wait"), ids[3])
      bench.advance(by: .seconds(100))
      let running = try await owner.claim(kinds: ["Other"])
      try await owner.change(
        .change(.requires(["network"], until: .at(bench.now - 30))), ids[0], ids[1], ids[2], ids[3], ids[4])
      // The clock was ahead.
      bench.advance(by: .seconds(-60))
      let ready = try await owner.claim()
      try expect(owner.ids(ready), [ids[0]], "what was ready before")
      for job in ready { try await owner.end(job, .succeeded(result: nil)) }
      for job in running { try await owner.end(job, .interrupted) }
      try await owner.change(.reschedule(.now), ids[2])
      try await owner.change(.release, ids[3])
      try expect(owner.ids(try await owner.claim()), [], "what has become so before the date")
      try expect(try await owner.look().nextDue, .seconds(30), "when it can run at the latest")
      bench.advance(by: .seconds(30))
      try expect(owner.ids(try await owner.claim()), [ids[1], ids[2], ids[3], ids[4]], "then")
    },
    Check("a job whose requirements change keeps its place among those that wait") { bench in
      let owner = try await bench.open()
      let old = try await owner.add(job())[0]
      bench.advance(by: .seconds(50))
      let new = try await owner.add(job { $0.priority.major = 14 })[0]
      try await owner.change(.change(.requires(["network"])), old)
      let claimed = try await owner.claim(satisfied: ["network"], aging: .seconds(10))
      try expect(owner.ids(claimed), [old, new], "with what waiting has added")
    },
    Check("held jobs stay held until they are released, with no attempt used (Zt20, Zt76, Z25, Zw12)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.exhaustion = .hold }, job(), job("Other"))
      let claimed = try await owner.claim(kinds: ["Upload"])
      try await owner.end(claimed[0], .gaveUp(.error, "never"))
      try await owner.change(.hold("asked"), ids[2])
      try expect(try await owner.job(ids[2])?.hold, .asked("asked"), "the reason")
      await bench.close(owner)
      let next = try await bench.open()
      try expect(try await next.state(ids[0]), .held, "after another start")
      try expect(try await next.store.change(.all, .release).count, 2, "released")
      try expect(try await next.job(ids[0])?.attempts, 0, "attempts")
      try expect(try await next.job(ids[0])?.hold, nil, "the reason")
      try expect(next.ids(try await next.claim()), ids, "claimed")
    },
    Check("a job that could not be read is released with the attempts that it had, and not with all") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.maximumAttempts = 2 }, job(), job { $0.start = .after(.seconds(9)) })
      try await owner.end(try await owner.claim(1)[0], .failed(.error, "no", retryAfter: .seconds(1)))
      try await owner.end(try await owner.claim(1)[0], .failed(.error, "no", retryAfter: .zero))
      bench.advance(by: .seconds(1))
      for job in try await owner.claim() {
        try await owner.end(job, .held(job.id == ids[0] ? .unreadable("odd") : .until(["night"], "later")))
      }
      try expect(try await owner.store.change(.all, .release).count, 2, "released")
      let jobs = try await owner.store.jobs(.all, after: nil, limit: 9)
      try expect(jobs.map(\.attempts), [1, 0, 0], "attempts")
      try expect(jobs.map(\.state), [.ready, .ready, .delayed], "the states")
      let last = try await owner.claim().first { $0.id == ids[0] }
      try expect(last?.attempt, 2, "the attempt")
      if let last { try await owner.end(last, .failed(.error, "no", retryAfter: .zero)) }
      try expect(try await owner.state(ids[0]), .dead, "when it has failed as often as it may")
    },
    Check("jobs are held from outside until constraints hold, and found by that (Z25, Zw12)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job { $0.start = .after(.seconds(9)) }, job(), job())
      let held = JobChange.hold("quiet \"hours\"", until: ["night", "it's free"])
      try expect(try await owner.change(held, ids[0], ids[1]).count, 2, "held")
      try await owner.change(.hold("asked"), ids[3])
      let reason = HoldReason.until(["night", "it's free"], "quiet \"hours\"")
      try expect(try await owner.job(ids[0])?.hold, reason, "the reason")
      // Who knows what holds lets them go on; the store does not.
      try expect(owner.ids(try await owner.claim(satisfied: ["night", "it's free"])), [ids[2]], "what is claimed")
      let waiting = JobSelection(heldFor: [.until])
      try expect(try await owner.store.jobs(waiting, after: nil, limit: 9).map(\.id), [ids[0], ids[1]], "found")
      try expect(try await owner.store.change(waiting, .release).count, 2, "released")
      let jobs = try await owner.store.jobs(.all, after: nil, limit: 9)
      try expect(jobs.map(\.state), [.ready, .delayed, .running, .held], "the states")
      try expect(jobs[0].hold, nil, "no reason")
    },
    Check("only jobs that do not run are held") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job(), job(), job { $0.start = .after(.seconds(9)) }, job { $0.parents = [.inBatch(1)] })
      _ = try await owner.claim(1)
      try expect(try await owner.store.change(.all, .hold("wait")).count, 3, "held")
      try expect(try await owner.state(ids[0]), .running, "the running one")
      try expect(try await owner.store.change(.all, .hold("wait")).count, 0, "again")
    },
    Check("a delayed job that was held and released is due when it was") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job { $0.start = .after(.seconds(9)) })[0]
      try await owner.change(.hold("wait"), id)
      try expect(try await owner.look().nextDue, nil, "nothing is due")
      try await owner.change(.release, id)
      try expect(try await owner.look().nextDue, .seconds(9), "due")
    },
    Check("dead and cancelled jobs can be retried, with no attempt used") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job())
      try await owner.end(try await owner.claim(1)[0], .gaveUp(.error, "never"))
      try await owner.change(.cancel, ids[1])
      try expect(try await owner.store.change(.all, .retry).count, 2, "retried")
      let again = try await owner.claim()
      try expect(again.map(\.id), ids, "claimed")
      try expect(again.map(\.attempt), [1, 1], "attempts")
      try expect(try await owner.job(ids[0])?.ended, nil, "no longer ended")
      try expect(try await owner.job(ids[0])?.errors.map(\.text), ["never"], "its errors")
    },
    Check("delayed and ready jobs can be given another time") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.start = .after(.seconds(99)) }, job(), job())
      _ = try await owner.claim(1)
      try expect(try await owner.change(.reschedule(.now), ids[0]).count, 1, "now")
      try expect(try await owner.change(.reschedule(.after(.seconds(5))), ids[1], ids[2]).count, 1, "later")
      try expect(owner.ids(try await owner.claim()), [ids[0]], "at once")
      bench.advance(by: .seconds(5))
      try expect(owner.ids(try await owner.claim()), [ids[2]], "later")
    },
    Check("jobs are changed of which something is true, and no others") { bench in
      let owner = try await bench.open()
      // 0 to 9, those that can be divided by three with a tag; 0 runs, 8 is dead, 9 is cancelled.
      let ids = try await owner.store.enqueue(
        (0..<10).map { place in
          job { new in
            new.priority.minor = 100 - place
            new.tags = place % 3 == 0 ? ["three"] : []
          }
        }
      ).map(\.id)
      let claimed = try await owner.claim(1)
      try await owner.change(.prioritise(.userInitiated), ids[8])
      try await owner.end(try await owner.claim(1)[0], .gaveUp(.error, "no luck"))
      try await owner.change(.cancel, ids[9])
      func places(_ isMeant: (JobSnapshot) -> Bool) async throws -> [Int] {
        let jobs = try await owner.store.jobs(.all, after: nil, limit: 99)
        return jobs.filter(isMeant).compactMap { ids.firstIndex(of: $0.id) }
      }
      func expectPlaces(
        _ expected: [Int], _ what: String, _ line: Int = #line, _ isMeant: (JobSnapshot) -> Bool
      ) async throws {
        try expect(try await places(isMeant), expected, what, #fileID, line)
      }
      let three = JobSelection(tags: ["three"])
      try await bench.ask { jobs in
        let early: @Sendable (JobSnapshot) -> Bool = { $0.priority.minor > 95 }
        try expect(try await jobs.prioritise(where: three, JobPriority(major: 50, minor: 97), early), 2, "prioritised")
        try await expectPlaces([0, 3], "prioritised") { $0.priority.major == 50 }
        try expect(try await jobs.hold(because: "wait", early), 4, "held")
        try await expectPlaces([1, 2, 3, 4], "held") { $0.hold == .asked("wait") }
        try expect(try await jobs.release(where: three) { $0.state == .held }, 1, "released")
        try await expectPlaces([1, 2, 4], "held") { $0.state == .held }
        try expect(try await jobs.release { $0.priority.minor == 99 }, 1, "released")
        try await expectPlaces([2, 4], "held") { $0.state == .held }
        try expect(try await jobs.retry { $0.errors.contains { $0.text == "no luck" } }, 1, "retried")
        try await expectPlaces([], "dead") { $0.state == .dead }
        try await expectPlaces([9], "cancelled") { $0.state == .cancelled }
        try expect(try await jobs.retry(where: JobSelection(states: [.dead]), { _ in true }), 0, "retried")
        try expect(try await jobs.delete(where: three) { $0.state == .ready }, 2, "deleted")
        try expect(try await jobs.delete { $0.state == .cancelled }, 1, "deleted")
        try await expectPlaces([0, 1, 2, 4, 5, 7, 8], "what is left") { _ in true }
        // The running one, too.
        try expect(try await jobs.cancel { $0.state != .held }, 5, "cancelled")
        try await expectPlaces([2, 4], "what is not cancelled") { $0.state != .cancelled }
        try expect(try await jobs.cancel { _ in false }, 0, "cancelled")
        do {
          _ = try await jobs.delete { _ in throw CancellationError() }
          throw ConformanceFailure(text: "what the question threw is not told", file: #fileID, line: #line)
        } catch is CancellationError {}
        try await expectPlaces([0, 1, 2, 4, 5, 7, 8], "what is left") { _ in true }
      }
      try expect(try await owner.look().toCancel, claimed.map(\.token), "what its owner is told")
      try expect(try await owner.end(claimed[0], .succeeded(result: nil)), false, "what the attempt says")
    },
  ]
}
