import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let limits: [Check] = [
    Check("jobs of a key run at most so many at a time, in all owners") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      for _ in 0..<4 { try await left.add(job { $0.limit = KeyLimit("account", count: 2) }) }
      let other = try await left.add(job())[0]
      let first = try await left.claim()
      try expect(first.count, 3, "two of the key and the other")
      try expect(first.last?.id, other, "which passes those that may not")
      try expect(try await right.claim().count, 0, "in the other owner")
      try await left.end(first[0], .failed(.error, "no", retryAfter: .seconds(5)))
      try expect(try await right.claim().count, 1, "when one has ended")
      try await left.end(first[1], .succeeded(result: nil))
      try expect(try await right.claim().count, 1, "when another one has ended")
    },
    Check("each job's own number counts") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job { $0.limit = KeyLimit("key", count: 1) }, job { $0.limit = KeyLimit("key", count: 1) },
        job { $0.limit = KeyLimit("key", count: 2) })
      try expect(owner.ids(try await owner.claim()), [ids[0], ids[2]], "claimed")
    },
    Check("a cancelled job frees its place") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.limit = KeyLimit("key") }, job { $0.limit = KeyLimit("key") })
      _ = try await owner.claimOne()
      try await owner.change(.cancel, ids[0])
      try expect(try await owner.claimOne().id, ids[1], "the next")
    },
    Check("a rate lets so many start in any time of its length") { bench in
      let owner = try await bench.open()
      try await owner.store.setRate(RateLimit(3, per: .seconds(10)), ofQueue: "default")
      for _ in 0..<10 { try await owner.add(job()) }
      try expect(try await owner.claim(2).count, 2, "two at once")
      bench.advance(by: .seconds(4))
      try expect(try await owner.claim().count, 1, "one more")
      try expect(try await owner.look().nextDue, .seconds(6), "when it goes on")
      bench.advance(by: .seconds(5))
      try expect(try await owner.claim().count, 0, "too early")
      bench.advance(by: .seconds(1))
      try expect(try await owner.claim().count, 2, "the first two have left")
      try expect(try await owner.claim().count, 0, "no more")
      try await owner.store.setRate(nil, ofQueue: "default")
      try expect(try await owner.claim().count, 5, "without a rate")
    },
    Check("a rate counts what all owners start, and only its queue") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      try await left.store.setRate(RateLimit(2, per: .seconds(10)), ofQueue: "default")
      for _ in 0..<3 { try await left.add(job(), job { $0.queue = "other" }) }
      try expect(try await left.claim(1).count, 1, "left")
      try expect(try await right.claim().count, 1, "right")
      try expect(try await right.claim(queue: "other").count, 3, "another queue")
    },
    Check("a rate of a key lets so many of its jobs start, in all owners and queues, and passes them by") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      try await left.store.setRate(RateLimit(2, per: .seconds(10)), ofKey: "account")
      let limit = KeyLimit("account", count: 100)
      for _ in 0..<2 { try await left.add(job { $0.limit = limit }, job { ($0.limit, $0.queue) = (limit, "other") }) }
      let free = try await left.add(job())[0]
      try expect(try await left.claim(1).count, 1, "left")
      try expect(try await right.claim(queue: "other").count, 1, "right, in another queue")
      try expect(left.ids(try await left.claim()), [free], "what has no key")
      try expect(
        try await right.store.rates(),
        [JobRate(subject: .key("account"), limit: RateLimit(2, per: .seconds(10)), free: 0, wait: .seconds(10))],
        "what is left")
      try expect(try await left.look().nextDue, .seconds(10), "when it goes on")
      bench.advance(by: .seconds(10))
      try expect(try await left.claim().count, 1, "the next")
      try await right.store.setRate(nil, ofKey: "account")
      try expect(try await right.store.rates(), [], "without a rate")
      try expect(try await right.claim(queue: "other").count, 1, "the last")
    },
    Check("rates say what is left of them") { bench in
      let owner = try await bench.open()
      try await owner.store.setRate(RateLimit(2, per: .seconds(10)), ofQueue: "default")
      try await owner.store.setRate(RateLimit(0, per: .seconds(10)), ofQueue: "never")
      try await owner.add(job(), job())
      _ = try await owner.claim(1)
      bench.advance(by: .seconds(3))
      func rates() async throws -> [JobRate] { try await owner.store.rates() }
      let never = JobRate(subject: .queue("never"), limit: RateLimit(0, per: .seconds(10)), free: 0, wait: nil)
      let limit = RateLimit(2, per: .seconds(10))
      try expect(
        Set(try await rates()), [never, JobRate(subject: .queue("default"), limit: limit, free: 1, wait: nil)], "one")
      _ = try await owner.claim(1)
      try expect(
        Set(try await rates()),
        [never, JobRate(subject: .queue("default"), limit: limit, free: 0, wait: .seconds(7))], "none")
    },
    Check("a paused queue or kind gives nothing, until it is resumed, in all owners (Z30)") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let ids = try await left.add(job(), job("Other"), job { $0.queue = "second" })
      try await left.store.setPaused(true, .kind("Upload"), by: "Ann")
      try expect(right.ids(try await right.claim()), [ids[1]], "a kind")
      try expect(right.ids(try await right.claim(queue: "second")), [], "in every queue")
      try await left.store.setPaused(false, .kind("Upload"), by: "Ann")
      try await left.store.setPaused(true, .queue("second"), by: "Bob")
      try expect(right.ids(try await right.claim()), [ids[0]], "the first queue")
      try expect(right.ids(try await right.claim(queue: "second")), [], "the second queue")
      try await right.store.setPaused(false, .queue("second"), by: "Ann")
      try expect(left.ids(try await left.claim(queue: "second")), [ids[2]], "resumed")
    },
    Check("a paused key gives nothing of any kind and queue, nor of what comes later; all else goes on") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      try await left.store.setPaused(true, .key("account"), by: "Ann")
      try await left.store.setPaused(true, .key("none"), by: "Ann")
      // More than is looked at in one go.
      let many = (0..<600).map { _ in job { $0.limit = KeyLimit("account", count: 1000) } }
      let paused = try await left.store.enqueue(many).map(\.id)
      let few = try await left.add(
        job("Other") { $0.limit = KeyLimit("account") }, job { ($0.limit, $0.queue) = (KeyLimit("account"), "second") })
      let others = try await left.add(job { $0.limit = KeyLimit("other") }, job { $0.unique = UniqueKey("account") })
      try expect(right.ids(try await right.claim()), others, "what has another key, or none")
      try expect(right.ids(try await right.claim(aging: .seconds(60))), [], "with aging")
      try expect(right.ids(try await right.claim(queue: "second")), [], "in every queue")
      try await right.store.setRate(RateLimit(900, per: .seconds(10)), ofKey: "account")
      try expect(right.ids(try await right.claim()), [], "whatever its rate says")
      try expect(try await left.store.rates().map(\.free), [900], "none of which it uses")
      try await left.store.setPaused(false, .key("account"), by: "Ann")
      try expect(right.ids(try await right.claim(700, perKind: 700)), paused, "resumed")
      try await right.store.setPaused(true, .key("account"), by: "Ann")
      try expect(try await right.store.change(JobSelection(ids: few), .cancel).count, 2, "what is paused can end")
    },
    Check("pauses say who made them and when; the first counts") { bench in
      let owner = try await bench.open()
      let since = bench.now
      try await owner.store.setPaused(true, .queue("b"), by: "Ann")
      bench.advance(by: .seconds(5))
      try await owner.store.setPaused(true, .queue("b"), by: "Bob")
      try await owner.store.setPaused(true, .kind("a"), by: "Bob")
      try await owner.store.setPaused(true, .key("b"), by: "Bob")
      try await owner.store.setPaused(false, .kind("c"), by: "Bob")
      try expect(
        Set(try await owner.store.pauses()),
        [
          JobPause(subject: .queue("b"), by: "Ann", since: since),
          JobPause(subject: .kind("a"), by: "Bob", since: bench.now),
          JobPause(subject: .key("b"), by: "Bob", since: bench.now),
        ], "pauses")
    },
    Check("the slots of a kind's schedule that pass in its pause are past when it is resumed, for everybody") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let begun = bench.now
      func latest(_ name: String, _ owner: StoreOwner) async throws -> Date? {
        let record = try await owner.store.schedule(name, beginning: bench.now)
        return record.latest
      }
      for name in ["Upload", "Other", "third"] { _ = try await latest(name, left) }
      try await left.store.setPaused(true, .kind("Upload"), by: "Ann")
      try await left.store.setPaused(true, .queue("third"), by: "Ann")
      bench.advance(by: .seconds(60))
      try expect(try await latest("Upload", right), nil, "in the pause")
      try await left.store.setPaused(false, .kind("Upload"), by: "Ann")
      try await left.store.setPaused(false, .kind("Other"), by: "Ann")
      try await left.store.setPaused(false, .queue("third"), by: "Ann")
      try expect(try await latest("Upload", right), begun + 60, "after it")
      try expect(try await latest("Other", right), nil, "of one that was not paused")
      try expect(try await latest("third", right), nil, "of one that has the name of a queue")
      try expect(try await right.store.schedule("Upload", beginning: bench.now).count, 0, "its jobs")
      let far = job { $0.occurrence = JobOccurrence(schedule: "Upload", date: begun + 1_000_000) }
      try await left.add(far)
      try await left.store.setPaused(true, .kind("Upload"), by: "Ann")
      bench.advance(by: .seconds(60))
      try await left.store.setPaused(false, .kind("Upload"), by: "Ann")
      try expect(try await latest("Upload", right), begun + 120, "where a clock that was ahead has fired a later one")
      try expect(try await right.store.enqueue([far])[0].outcome, .kept, "that one")
    },
    Check("a pause does not stop what runs") { bench in
      let owner = try await bench.open()
      try await owner.add(job())
      let claimed = try await owner.claimOne()
      try await owner.store.setPaused(true, .queue("default"), by: "Ann")
      try expect(try await owner.end(claimed, .succeeded(result: nil)), true, "its end")
    },
  ]
}
