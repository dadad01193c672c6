import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let keeping: [Check] = [
    Check("ended jobs are swept when their time has passed, the unfinished never") { bench in
      let owner = try await bench.open()
      let retention = JobRetention(finished: .seconds(60), failed: .seconds(120))
      let ids = try await owner.add(
        job { $0.retention = retention }, job { $0.retention = retention }, job { $0.retention = retention })
      let claimed = try await owner.claim(2)
      try await owner.end(claimed[0], .succeeded(result: nil))
      try await owner.end(claimed[1], .gaveUp(.error, "never"))
      try expect(try await owner.store.sweep(limit: 100), .seconds(60), "the first time")
      bench.advance(by: .seconds(60))
      try expect(try await owner.store.sweep(limit: 100), .seconds(60), "the second time")
      try expect(try await owner.job(ids[0]), nil, "the finished one")
      try expect(try await owner.state(ids[1]), .dead, "the dead one")
      bench.advance(by: .seconds(1_000_000))
      try expect(try await owner.store.sweep(limit: 100), nil, "the last time")
      try expect(try await owner.store.jobs(.all, after: nil, limit: 9).map(\.id), [ids[2]], "what is left")
      try expect(try await owner.store.counts().map(\.count), [1], "counts")
    },
    Check("a sweep deletes no more than it is asked to, the oldest first") { bench in
      let owner = try await bench.open()
      var ids: [JobID] = []
      for _ in 0..<3 {
        ids += try await owner.add(job { $0.retention = JobRetention(finished: .seconds(10)) })
        try await owner.end(try await owner.claimOne(), .succeeded(result: nil))
        bench.advance(by: .seconds(1))
      }
      bench.advance(by: .seconds(60))
      try expect(try await owner.store.sweep(limit: 2), .zero, "more is due")
      try expect(try await owner.store.jobs(.all, after: nil, limit: 9).map(\.id), [ids[2]], "what is left")
      try expect(try await owner.store.sweep(limit: 2), nil, "nothing is due")
    },
    Check("failed ones that ask for no history are gone at once") { bench in
      let owner = try await bench.open()
      let retention = JobRetention(finished: nil, failed: .zero)
      let ids = try await owner.add(job { $0.retention = retention }, job { $0.retention = retention })
      try await owner.end(try await owner.claim(1)[0], .gaveUp(.error, "never"))
      try await owner.change(.cancel, ids[1])
      try expect(try await owner.store.counts(), [], "counts")
    },
    Check("a retried job is not swept") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job { $0.retention = JobRetention(failed: .seconds(10)) })[0]
      try await owner.change(.cancel, id)
      try await owner.change(.retry, id)
      bench.advance(by: .seconds(100))
      try expect(try await owner.store.sweep(limit: 9), nil, "what is due")
      try expect(try await owner.state(id), .ready, "the state")
    },
  ]

  static let reading: [Check] = [
    Check("counts are exact by queue, kind and state (Zt19, Zt78–Zt80, Z34)") { bench in
      let owner = try await bench.open()
      try expect(try await owner.store.counts(), [], "an empty store")
      let ids = try await owner.add(
        job(), job(), job("Other"), job { $0.queue = "second" }, job { $0.start = .after(.seconds(9)) },
        job { $0.parents = [.inBatch(0)] })
      _ = try await owner.claim(1)
      try await owner.change(.hold("wait"), ids[2])
      try await owner.change(.cancel, ids[3])
      let counts = try await owner.store.counts()
      try expect(
        Set(counts),
        [
          JobCount(queue: "default", kind: "Upload", state: .running, count: 1),
          JobCount(queue: "default", kind: "Upload", state: .ready, count: 1),
          JobCount(queue: "default", kind: "Upload", state: .delayed, count: 1),
          JobCount(queue: "default", kind: "Upload", state: .waiting, count: 1),
          JobCount(queue: "default", kind: "Other", state: .held, count: 1),
          JobCount(queue: "second", kind: "Upload", state: .cancelled, count: 1),
        ], "counts")
      try expect(counts.count, 6, "none twice, none of zero")
    },
    Check("jobs are listed by id, a page at a time (Zt35, Zt82, Z36)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job("Other"), job(), job(), job("Other"))
      let first = try await owner.store.jobs(JobSelection(kinds: ["Upload"]), after: nil, limit: 2)
      try expect(first.map(\.id), [ids[0], ids[2]], "the first page")
      let second = try await owner.store.jobs(JobSelection(kinds: ["Upload"]), after: first.last?.id, limit: 2)
      try expect(second.map(\.id), [ids[3]], "the second page")
      try expect(try await owner.store.jobs(.all, after: nil, limit: 0).count, 0, "a page of none")
    },
    Check("what the store's clock says is the time of its dates") { bench in
      let owner = try await bench.open()
      func now() async throws -> Date { try await owner.store.now() ?? bench.now }
      let before = try await now()
      let id = try await owner.add(job { $0.start = .after(.seconds(60)) })[0]
      let (snapshot, after) = (try await owner.job(id), try await now())
      try expect(snapshot.map { (before...after).contains($0.created) }, true, "when it was enqueued")
      let dues = before.addingTimeInterval(60)...after.addingTimeInterval(60)
      try expect(snapshot?.due.map(dues.contains), true, "when it is due")
    },
    Check("a schedule begins once, for all owners, and knows its occurrences") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let begun = bench.now
      try expect(
        try await left.store.schedule("digest", beginning: begun), ScheduleRecord(begun: begun, latest: nil, count: 0),
        "a new one")
      bench.advance(by: .seconds(5))
      try expect(
        try await right.store.schedule("digest", beginning: bench.now),
        ScheduleRecord(begun: begun, latest: nil, count: 0), "in the other owner")
      for seconds in [20.0, 10, 10] {
        try await left.add(job { $0.occurrence = JobOccurrence(schedule: "digest", date: begun + seconds) })
      }
      bench.advance(by: .seconds(15))
      try expect(
        try await right.store.schedule("digest", beginning: bench.now),
        ScheduleRecord(begun: begun, latest: begun + 20, count: 2), "after some occurrences")
      try expect(
        try await right.store.schedule("other", beginning: bench.now),
        ScheduleRecord(begun: bench.now, latest: nil, count: 0), "another one")
    },
    Check("the latest occurrence of a schedule is none that a clock has fired which was ahead") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let begun = bench.now
      func expectLatest(_ seconds: Double?, of count: Int, _ what: String) async throws {
        for owner in [left, right] {
          try expect(
            try await owner.store.schedule("digest", beginning: bench.now),
            ScheduleRecord(begun: begun, latest: seconds.map { begun + $0 }, count: count), what)
        }
      }
      func fire(_ seconds: Double) async throws {
        try await left.add(job { $0.occurrence = JobOccurrence(schedule: "digest", date: begun + seconds) })
      }
      try await expectLatest(nil, of: 0, "of a new one")
      bench.advance(by: .seconds(604_800))
      try await fire(604_800)
      try await expectLatest(604_800, of: 1, "while the clock is ahead")
      bench.advance(by: .seconds(-604_790))
      try await expectLatest(nil, of: 1, "when it is right again")
      try await fire(10)
      bench.advance(by: .seconds(10))
      try await expectLatest(10, of: 2, "of what has been fired since")
      try expect(try await right.store.schedule("digest")?.latest, begun + 604_800, "what was written down")
      bench.advance(by: .seconds(604_800))
      try await expectLatest(604_800, of: 2, "when its time has come")
    },
    Check("it is known how many jobs run before one") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(
        job(), job("Other") { $0.priority.major = 50 }, job(), job { $0.queue = "second" },
        job { $0.start = .after(.seconds(9)) })
      var ahead: [Int] = []
      for id in ids { ahead.append(try await owner.store.countAhead(of: id)) }
      try expect(ahead, [1, 0, 2, 0, 3], "ahead")
      try expect(try await owner.store.countAhead(of: JobID(rawValue: 999)), 0, "of none")
      _ = try await owner.claim(1)
      try expect(try await owner.store.countAhead(of: ids[2]), 1, "when one has left")
      try expect(try await owner.store.countAhead(of: ids[1]), 0, "of one that runs")
    },
    Check("what was returned is seen by whoever reads next") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      for place in 1...20 {
        let id = try await left.add(job())[0]
        try expect(try await right.state(id), .ready, "in another owner")
        try expect(try await left.store.counts().map(\.count), [place], "in the same owner")
      }
    },
  ]
}
