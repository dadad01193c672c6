import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let claiming: [Check] = [
    Check("an empty store gives nothing (Zt45, Zt29)") { bench in
      let owner = try await bench.open()
      try expect(owner.ids(try await owner.claim()), [], "claimed")
      try expect(try await owner.look().nextDue, nil, "what is due next")
    },
    Check("without kinds, or with others, nothing is given (Zt47–Zt49, Zt32)") { bench in
      let owner = try await bench.open()
      try await owner.add(job(), job())
      try expect(owner.ids(try await owner.claim(kinds: [])), [], "no kinds")
      try expect(owner.ids(try await owner.claim(kinds: ["Unknown"])), [], "another kind")
      try expect(owner.ids(try await owner.claim(queue: "elsewhere")), [], "another queue")
    },
    Check("a kind that is not asked for is passed over, however high its priority (Zt50, Z10)") { bench in
      let owner = try await bench.open()
      let high = try await owner.add(job("Other") { $0.priority = .userInitiated })[0]
      let low = try await owner.add(job { $0.priority = JobPriority(major: -5) })[0]
      try expect(owner.ids(try await owner.claim(kinds: ["Upload"])), [low], "claimed")
      try expect(try await owner.state(high), .ready, "the other one")
    },
    Check("the order is major, minor, attempts, age (Zt51–Zt55, Z12)") { bench in
      let owner = try await bench.open()
      let tried = try await owner.add(job())[0]
      try await owner.end(try await owner.claimOne(), .failed(.error, "no", retryAfter: .zero))
      let ids = try await owner.add(
        job(), job { $0.priority.minor = 11 }, job("Other") { $0.priority.major = 11 },
        job { $0.priority = JobPriority(major: 11, minor: 9) }, job { $0.priority.major = -3 }, job("Other"))
      try expect(
        owner.ids(try await owner.claim()), [ids[2], ids[3], ids[1], ids[0], ids[5], tried, ids[4]], "the order")
    },
    Check("a claim gives no more than it is asked for, the best first, and goes on later") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job(), job(), job("Other"), job("Other"))
      try expect(owner.ids(try await owner.claim(0)), [], "none wanted")
      try expect(owner.ids(try await owner.claim(2)), [ids[0], ids[1]], "the first two")
      try expect(owner.ids(try await owner.claim(2)), [ids[2], ids[3]], "the next two")
      try expect(owner.ids(try await owner.claim(2)), [ids[4]], "the last one")
    },
    Check("the limit of a kind leaves room for others") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job(), job(), job("Other"))
      try expect(owner.ids(try await owner.claim(perKind: 1)), [ids[0], ids[3]], "one of each")
    },
    Check("several queues are asked in one exchange, each with its own order") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.queue = "a" }, job { $0.queue = "b" }, job { $0.queue = "a" })
      let claims = ["b", "a"].map { JobExchange.Claim(queue: $0, limit: 9, kinds: [.init("Upload", limit: 9)]) }
      let claimed = try await owner.store.exchange(JobExchange(claims: claims)).claimed
      try expect(claimed.map(\.id), [ids[1], ids[0], ids[2]], "claimed")
      try expect(claimed.map(\.queue), ["b", "a", "a"], "their queues")
    },
    Check("no job is given to two owners") { bench in
      let owners = [try await bench.open("a"), try await bench.open("b"), try await bench.open("c")]
      for _ in 0..<10 { _ = try await owners[0].store.enqueue((0..<10).map { _ in job() }) }
      let claimed = try await withThrowingTaskGroup(of: [JobID].self) { group in
        for owner in owners {
          group.addTask {
            var ids: [JobID] = []
            while true {
              let next = owner.ids(try await owner.claim(3))
              if next.isEmpty { return ids }
              ids += next
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      try expect(claimed.count, 100, "claimed")
      try expect(Set(claimed).count, 100, "different ones")
    },
    Check("the attempt is counted, and the token is higher than any before") { bench in
      let owner = try await bench.open()
      try await owner.add(job { $0.maximumAttempts = 5 })
      var last = AttemptToken(rawValue: .min)
      for attempt in 1...3 {
        let claimed = try await owner.claimOne()
        try expect(claimed.attempt, attempt, "the attempt")
        try expect(claimed.maximumAttempts, 5, "of how many")
        try expect(claimed.token > last, true, "the token rises")
        last = claimed.token
        try expect(try await owner.job(claimed.id)?.started, bench.now, "when it began")
        try await owner.end(claimed, .failed(.error, "no", retryAfter: .zero))
      }
    },
    Check("a job that is running, held or ended is not given (Zt46)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job { $0.retention = JobRetention(finished: nil) }, job())
      let claimed = try await owner.claim(2)
      try await owner.end(claimed[1], .succeeded(result: nil))
      try await owner.change(.hold("wait"), ids[2])
      try expect(owner.ids(try await owner.claim()), [], "claimed")
    },
    Check("a delayed job is given when its time has come, not earlier") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.start = .after(.seconds(10)) }, job { $0.start = .at(bench.now + 20) },
        job { $0.start = .at(bench.now - 5) })
      try expect(owner.ids(try await owner.claim()), [ids[2]], "at once")
      try expect(try await owner.state(ids[0]), .delayed, "the state")
      try expect(try await owner.job(ids[0])?.due, bench.now + 10, "when it is due")
      try expect(try await owner.look().nextDue, .seconds(10), "the next one")
      bench.advance(by: .milliseconds(9_999))
      try expect(owner.ids(try await owner.claim()), [], "just before")
      try expect(try await owner.look().nextDue, .milliseconds(1), "the next one")
      bench.advance(by: .milliseconds(1))
      try expect(owner.ids(try await owner.claim()), [ids[0]], "at its time")
      bench.advance(by: .seconds(100))
      try expect(owner.ids(try await owner.claim()), [ids[1]], "later")
      try expect(try await owner.look().nextDue, nil, "none is left")
    },
    Check("a delay of a fraction of a microsecond is a delay") { bench in
      let owner = try await bench.open()
      try await owner.add(job { $0.start = .after(.nanoseconds(1)) })
      try expect(try await owner.claim().count, 0, "at once")
      bench.advance(by: .microseconds(2))
      try expect(try await owner.claim().count, 1, "later")
    },
    Check("dates without end are no mistake") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.start = .at(.distantFuture) }, job { $0.start = .after(.seconds(Int64.max)) },
        job { $0.start = .at(.distantPast) })
      try expect(owner.ids(try await owner.claim()), [ids[2]], "claimed")
      try expect(try await owner.state(ids[1]), .delayed, "the far one")
    },
    Check("jobs whose constraints do not hold are passed over (Zt56–Zt67, Z13)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job {
          $0.constraints = ["network"]
          $0.priority = .userInitiated
        },
        job {
          $0.constraints = ["charging", "network"]
          $0.priority.minor = 99
        }, job())
      try expect(owner.ids(try await owner.claim()), [ids[2]], "offline")
      try expect(owner.ids(try await owner.claim(satisfied: ["charging"])), [], "charging only")
      try expect(owner.ids(try await owner.claim(satisfied: ["network"])), [ids[0]], "online")
      let last = try await owner.claim(satisfied: ["charging", "network", "idle"])
      try expect(owner.ids(last), [ids[1]], "everything")
      try expect(last[0].constraints.sorted(), ["charging", "network"], "what it is told")
    },
    Check("all jobs that waited for the network run when it comes, not the first alone") { bench in
      let owner = try await bench.open()
      for _ in 0..<20 { try await owner.add(job { $0.constraints = ["network"] }) }
      try expect(try await owner.claim().count, 0, "offline")
      try expect(try await owner.claim(satisfied: ["network"]).count, 20, "online")
    },
    Check("from its date on, a job no longer waits for its constraints") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(
        job {
          $0.constraints = ["unmetered"]
          $0.constraintsUntil = .after(.seconds(60))
        })[0]
      try expect(try await owner.look().nextDue, .seconds(60), "when it can run at the latest")
      try expect(owner.ids(try await owner.claim()), [], "before")
      bench.advance(by: .seconds(60))
      try expect(owner.ids(try await owner.claim()), [id], "then")
    },
    Check("the date of constraints holds for later attempts too") { bench in
      let owner = try await bench.open()
      try await owner.add(
        job {
          $0.constraints = ["unmetered"]
          $0.constraintsUntil = .after(.seconds(60))
        })
      let first = try await owner.claim(satisfied: ["unmetered"])[0]
      try expect(first.constraints, ["unmetered"], "what has to hold")
      try await owner.end(first, .failed(.error, "no", retryAfter: .seconds(100)))
      bench.advance(by: .seconds(100))
      try expect(try await owner.claim().map(\.constraints), [[]], "what has to hold then")
    },
    Check("with aging, waiting overtakes priority within the bound, and without it never") { bench in
      let owner = try await bench.open()
      let old = try await owner.add(job())[0]
      bench.advance(by: .seconds(50))
      let new = try await owner.add(job { $0.priority.major = 15 })[0]
      try expect(owner.ids(try await owner.claim(1)), [new], "without")
      try await owner.change(.delete, new)
      let next = try await owner.add(job { $0.priority.major = 15 })[0]
      try expect(owner.ids(try await owner.claim(1, aging: .seconds(10))), [old], "five steps and the lower id")
      try expect(owner.ids(try await owner.claim(1, aging: .seconds(10))), [next], "the other")
    },
  ]
}
