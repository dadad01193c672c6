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
    Check("a claim may ask for as many as a number can say") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job(), job("Other"))
      try expect(owner.ids(try await owner.claim(.max)), ids, "all of them")
      try expect(owner.ids(try await owner.claim(.max)), [], "nothing is left")
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
    Check("offline, an empty store and one with held and running jobs alone give nothing (Zt56, Zt57)") { bench in
      let owner = try await bench.open()
      try expect(owner.ids(try await owner.claim()), [], "of an empty store")
      let ids = try await owner.add(job(), job(), job { $0.constraints = ["network"] })
      _ = try await owner.claim(1)
      try await owner.change(.hold("wait"), ids[1], ids[2])
      try expect(owner.ids(try await owner.claim()), [], "of running and held ones")
      try expect(owner.ids(try await owner.claim(satisfied: ["network"])), [], "online")
    },
    Check("offline, jobs of the kinds that are asked for are given, and of no others (Zt58–Zt63)") { bench in
      let owner = try await bench.open()
      func ids(_ kinds: [String], satisfied: Set<String> = []) async throws -> [JobID] {
        let claimed = try await owner.claim(kinds: kinds, satisfied: satisfied)
        for job in claimed { try await owner.end(job, .interrupted) }
        return claimed.map(\.id).sorted()
      }
      let network: (inout NewJob) -> Void = { $0.constraints = ["network"] }
      let all = try await owner.add(
        job("Upload", network), job("Upload") { $0.priority.major = -9 }, job("Other"), job("Third", network))
      try expect(try await ids([]), [], "of no kind")
      try expect(try await ids(["Unknown"]), [], "of a kind without a job")
      try expect(try await ids(["Third"]), [], "of a kind whose jobs all need the network")
      try expect(try await ids(["Upload"]), [all[1]], "a low one of the right kind")
      try expect(try await ids(["Upload", "Other", "Third"]), [all[1], all[2]], "of several kinds")
      try expect(try await ids(["Upload", "Third"], satisfied: ["network"]), [all[0], all[1], all[3]], "online")
    },
    Check("offline, the order is that of the jobs that may run (Zt64–Zt67)") { bench in
      let owner = try await bench.open()
      /// Claims one by one; before each a better one is there, which needs the network.
      func order(_ better: (inout NewJob) -> Void, _ jobs: [(inout NewJob) -> Void]) async throws -> [Int] {
        let passed = try await owner.add(
          job { new in
            better(&new)
            new.constraints = ["network"]
          })
        let all = jobs.map { job("Upload", $0) }
        let ids = try await owner.store.enqueue(all).map(\.id)
        var places: [Int] = []
        for _ in all {
          let next = try await owner.claimOne(limit: 1)
          places.append(ids.firstIndex(of: next.id) ?? -1)
          try await owner.end(next, .succeeded(result: nil))
        }
        try expect(owner.ids(try await owner.claim()), [], "what is left")
        _ = try await owner.store.change(JobSelection(ids: passed), .delete)
        return places
      }
      let priorities = [(10, 10), (11, 0), (10, 30), (9, 99), (10, 20)].map { major, minor in
        { (new: inout NewJob) in new.priority = JobPriority(major: major, minor: minor) }
      }
      try expect(try await order({ $0.priority.major = 99 }, priorities), [1, 2, 4, 0, 3], "major, then minor")
      try expect(
        try await order({ $0.priority.minor = 99 }, [{ $0.priority.minor = 1 }, { $0.priority.minor = 2 }]), [1, 0],
        "minor")
      try expect(try await order({ _ in }, [{ _ in }, { _ in }, { _ in }]), [0, 1, 2], "the earlier")
      // With an attempt behind it, an earlier one comes later.
      let tried = try await owner.add(job(), job())
      try await owner.end(try await owner.claim(1)[0], .failed(.error, "no", retryAfter: .zero))
      try await owner.add(job { $0.constraints = ["network"] })
      try expect(owner.ids(try await owner.claim()), [tried[1], tried[0]], "the fewest attempts")
    },
    Check("jobs whose constraints do not hold are passed over (Z13)") { bench in
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
    Check("of a kind that a claim names twice as many may start as both say, however many that are") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job(), job(), job())
      for (limit, count) in [(1, 2), (Int.max, 4)] {
        let kinds = [JobExchange.Claim.Kind("Upload", limit: limit), JobExchange.Claim.Kind("Upload", limit: limit)]
        let claim = JobExchange.Claim(queue: "default", limit: 9, kinds: kinds)
        let claimed = try await owner.store.exchange(JobExchange(claims: [claim])).claimed
        try expect(owner.ids(claimed), Array(ids.prefix(count)), "with \(limit)")
        for job in claimed { try await owner.end(job, .interrupted) }
      }
    },
    Check("a constraint that holds lets jobs go however its accents are written") { bench in
      let owner = try await bench.open()
      let (whole, pieces) = ("caf\u{E9}", "cafe\u{301}")
      let ids = try await owner.add(job { $0.constraints = [pieces] }, job { $0.constraints = [whole] }, job())
      try await owner.change(.change(.requires([Constraint(pieces)])), ids[2])
      for name in [whole, pieces] {
        let claimed = try await owner.claim(satisfied: [name])
        try expect(owner.ids(claimed), ids, "with \(name.unicodeScalars.count) scalars")
        try expect(claimed.map(\.constraints), [[name], [name], [name]], "what they are told")
        for job in claimed { try await owner.end(job, .interrupted) }
      }
    },
    Check("jobs of versions that an owner cannot read are left to others, whatever else there is of them") { bench in
      let (old, new) = (try await bench.open("old"), try await bench.open("new"))
      func version(_ version: Int, _ change: (inout NewJob) -> Void = { _ in }) -> NewJob {
        job { new in
          new.payload.version = version
          change(&new)
        }
      }
      let ids = try await new.add(
        version(2) { $0.priority = .userInitiated }, version(1), version(2) { $0.limit = KeyLimit("key") },
        version(1) { $0.limit = KeyLimit("key") }, version(2) { $0.start = .after(.seconds(1)) }, version(3),
        version(2) {
          $0.constraints = ["network"]
          $0.constraintsUntil = .after(.seconds(1))
        })
      func given(_ owner: StoreOwner, _ unreadable: Set<Int>, aging: Duration? = nil) async throws -> [JobID] {
        let claimed = try await owner.claim(unreadable: unreadable, aging: aging)
        for job in claimed { try await owner.end(job, .interrupted) }
        return claimed.map(\.id).sorted()
      }
      bench.advance(by: .seconds(2))
      try expect(try await given(old, [2, 3]), [ids[1], ids[3]], "what it can read")
      try expect(try await given(old, [2, 3], aging: .seconds(9)), [ids[1], ids[3]], "with aging")
      try expect(try await given(old, [2]), [ids[1], ids[3], ids[5]], "one more")
      let others = [ids[0], ids[2], ids[4], ids[5], ids[6]]
      try expect(try await given(new, [1]), others, "what the other one can")
      try expect(try await new.claim(1).map(\.id), [ids[0]], "the first of all")
    },
    Check("jobs of version 0 are left to others as those of any other version are") { bench in
      let owner = try await bench.open()
      func version(_ version: Int, _ change: (inout NewJob) -> Void = { _ in }) -> NewJob {
        job { new in
          new.payload.version = version
          change(&new)
        }
      }
      let ids = try await owner.add(
        version(0), version(1), version(0) { $0.limit = KeyLimit("key") }, version(0) { $0.constraints = ["network"] })
      func given(_ unreadable: Set<Int>) async throws -> [ClaimedJob] {
        try await owner.claim(satisfied: ["network"], unreadable: unreadable)
      }
      let claimed = try await given([0])
      try expect(owner.ids(claimed), [ids[1]], "what it can read")
      try await owner.end(claimed[0], .interrupted)
      let others = try await given([1])
      try expect(owner.ids(others), [ids[0], ids[2], ids[3]], "what another one can")
      try expect(others.map(\.payload.version), [0, 0, 0], "their versions")
      for other in others { try await owner.end(other, .held(.unreadable("of version 0"))) }
      try await owner.change(.release, ids[0], ids[2], ids[3])
      try expect(owner.ids(try await given([0])), [ids[1]], "when they have been released")
      try expect(owner.ids(try await given([])), [ids[0], ids[2], ids[3]], "where nothing is left to others")
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
      bench.advance(by: .seconds(10))
      let first = try await owner.claim(satisfied: ["unmetered"])[0]
      try expect(first.constraints, ["unmetered"], "what has to hold")
      try expect(first.constraintsFor, .seconds(50), "for how long")
      try await owner.end(first, .failed(.error, "no", retryAfter: .seconds(100)))
      bench.advance(by: .seconds(100))
      let second = try await owner.claimOne()
      try expect(second.constraints, [], "what has to hold then")
      try expect(second.constraintsFor, nil, "for how long then")
    },
    Check("a job waits no more for its constraints once it has not, also where the clock is set back") { bench in
      let owner = try await bench.open()
      try await owner.add(
        job {
          $0.constraints = ["unmetered"]
          $0.constraintsUntil = .after(.seconds(60))
        })
      bench.advance(by: .seconds(70))
      try expect(try await owner.look().nextDue, nil, "when to look again")
      bench.advance(by: .seconds(-70))
      try expect(try await owner.look().nextDue, nil, "when to look again then")
      for attempt in ["the first", "the second"] {
        let claimed = try await owner.claimOne()
        try expect(claimed.constraints, [], "what has to hold in \(attempt) attempt")
        try expect(claimed.constraintsFor, nil, "for how long in \(attempt) attempt")
        try await owner.end(claimed, .interrupted)
      }
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
    Check("with aging, of equal jobs the one that became ready first comes first") { bench in
      let owner = try await bench.open()
      let late = try await owner.add(job { $0.start = .after(.seconds(10)) }, job { $0.start = .after(.seconds(20)) })
      bench.advance(by: .seconds(5))
      let early = try await owner.add(job(), job())
      bench.advance(by: .seconds(20))
      let all = try await owner.claim()
      try expect(owner.ids(all), late + early, "without")
      // Given back at the same time, they are equal in that as well.
      _ = try await owner.store.exchange(JobExchange(ends: all.reversed().map { ($0.key, .interrupted) }))
      try expect(owner.ids(try await owner.claim(aging: .seconds(60))), late + early, "ready at the same time")
      let next = try await owner.add(job { $0.start = .after(.seconds(10)) })
      bench.advance(by: .seconds(5))
      let first = try await owner.add(job(), job())
      bench.advance(by: .seconds(20))
      try expect(owner.ids(try await owner.claim(2, aging: .seconds(60))), first, "the first two")
      try expect(owner.ids(try await owner.claim(aging: .seconds(60))), next, "the last")
    },
    Check("with aging, the jobs of full keys and of kinds without room are passed over") { bench in
      let owner = try await bench.open()
      let full = try await owner.store.enqueue(
        (0..<200).map { place in
          job { new in
            new.priority.minor = place % 2 == 0 ? 10 : 11
            new.limit = KeyLimit("full")
          }
        }
      ).map(\.id)
      bench.advance(by: .seconds(5))
      let others = try await owner.add(job { $0.priority.minor = 11 }, job("Other"), job("Other"), job())
      let claimed = try await owner.claim(9, perKind: 2, aging: .seconds(60))
      try expect(owner.ids(claimed), [full[1], others[0], others[1], others[2]], "the first two of each kind")
      try expect(owner.ids(try await owner.claim(aging: .seconds(60))), [others[3]], "what is left of other keys")
      for job in claimed { try await owner.end(job, .succeeded(result: nil)) }
      try expect(owner.ids(try await owner.claim(aging: .seconds(60))), [full[3]], "the next of the key")
    },
    Check("with aging, a job waits no longer than its bound, whatever comes after it (Ztn15)") { bench in
      let owner = try await bench.open()
      let aging = Duration.seconds(10)
      for (low, high) in [(10, 10), (10, 11), (10, 15), (-3, 4)] {
        let old = try await owner.add(job { $0.priority.major = low })[0]
        // Those of higher priority come as often as a worker is free.
        var steps = 0
        while true {
          try await owner.add(job { $0.priority = JobPriority(major: high, minor: 99) })
          let next = try await owner.claim(1, aging: aging)[0]
          try await owner.end(next, .succeeded(result: nil))
          if next.id == old { break }
          steps += 1
          try expect(steps <= high - low + 1, true, "\(low) behind \(high) after \(steps) times the distance")
          bench.advance(by: aging)
        }
        _ = try await owner.store.change(.all, .delete)
      }
    },
  ]
}
