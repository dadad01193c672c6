import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let enqueueing: [Check] = [
    Check("a new job is kept with everything that was said of it (Zt11, Zt68, Zt83)") { bench in
      let owner = try await bench.open()
      let new = job { new in
        new.queue = "photos"
        new.priority = JobPriority(major: 5, minor: -7)
        new.payload = JobPayload(version: 3, bytes: Data([0, 255, 10]))
        new.maximumAttempts = 7
        new.deadline = .seconds(90)
        new.constraints = ["network", "charging"]
        new.constraintsUntil = .after(.seconds(60))
        new.unique = UniqueKey("photo 1", period: .seconds(30))
        new.limit = KeyLimit("account 4", count: 2)
        new.tags = ["first", "second"]
        new.maximumCrashes = 5
        new.exhaustion = .discard
        new.parentFailure = .hold
        new.retention = JobRetention(finished: nil, failed: .seconds(9))
        new.occurrence = JobOccurrence(schedule: "nightly", date: bench.now - 60)
      }
      let id = try await owner.add(new)[0]
      let kept = try await owner.job(id)
      try expect(
        kept,
        JobSnapshot(
          id: id, kind: "Upload", queue: "photos", state: .ready, priority: new.priority, payload: new.payload,
          attempts: 0, maximumAttempts: 7, crashes: 0, deadline: .seconds(90), created: bench.now, due: nil,
          started: nil, ended: nil, constraints: ["network", "charging"],
          constraintsUntil: bench.now.addingTimeInterval(60), uniqueKey: "photo 1", limit: new.limit, parents: [],
          hold: nil, tags: ["first", "second"], progress: nil, checkpoint: nil, result: nil, errors: [],
          maximumCrashes: 5, exhaustion: .discard, parentFailure: .hold,
          retention: JobRetention(finished: nil, failed: .seconds(9)), uniquePeriod: .seconds(30),
          occurrence: new.occurrence),
        "what was kept")
      let plain = try await owner.add(job())[0]
      let other = try await owner.job(plain)
      try expect(other?.retention, .default, "the retention of another one")
      try expect(other?.exhaustion, .keep, "what becomes of it")
      try expect(other?.occurrence, nil, "its occurrence")
      try expect(other?.uniquePeriod, nil, "the period of a key that it has not")
    },
    Check("a batch is written down in its order, with rising ids (Zt14)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job("Other"), job())
      try expect(ids, ids.sorted(), "the ids")
      try expect(Set(ids).count, 3, "different ids")
      let jobs = try await owner.store.jobs(.all, after: nil, limit: 10)
      try expect(jobs.map(\.kind), ["Upload", "Other", "Upload"], "the kinds by id")
    },
    Check("ids are never used again, also after everything is deleted") { bench in
      let owner = try await bench.open()
      let first = try await owner.add(job(), job()).max()!
      _ = try await owner.store.change(.all, .delete)
      let second = try await owner.add(job())[0]
      try expect(second > first, true, "a later id is higher")
    },
    Check("a job without a kind is refused, and nothing of its batch is kept (Zt12, Zt15)") { bench in
      let owner = try await bench.open()
      try await expectError(.invalid, "no kind") { try await owner.add(job(), job("")) }
      try await expectError(.invalid, "no attempts") { try await owner.add(job(), job { $0.maximumAttempts = 0 }) }
      try await expectError(.invalid, "an empty limit") {
        try await owner.add(job(), job { $0.limit = KeyLimit("a", count: 0) })
      }
      try await expectError(.invalid, "no time") { try await owner.add(job(), job { $0.deadline = .zero }) }
      for retention in [JobRetention(finished: .seconds(-1)), JobRetention(failed: .seconds(-1))] {
        try await expectError(.invalid, "a negative retention") {
          try await owner.add(job(), job { $0.retention = retention })
        }
      }
      try await expectError(.invalid, "a parent that never was") {
        try await owner.add(job(), job { $0.parents = [.job(JobID(rawValue: 99))] })
      }
      try await expectError(.invalid, "a parent that comes later") {
        try await owner.add(job { $0.parents = [.inBatch(1)] }, job())
      }
      try expect(try await owner.store.jobs(.all, after: nil, limit: 10).count, 0, "jobs kept")
    },
    Check("an empty batch is no mistake") { bench in
      let owner = try await bench.open()
      try expect(try await owner.add(), [], "ids")
    },
    Check("a large payload and an empty one come back as they were") { bench in
      let owner = try await bench.open()
      let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try await owner.add(
        job { $0.payload = JobPayload(bytes: large) }, job { $0.payload = JobPayload(version: -1, bytes: Data()) })
      let claimed = try await owner.claim()
      try expect(claimed.map(\.payload.bytes.count), [200_000, 0], "sizes")
      try expect(claimed[0].payload.bytes, large, "the large one")
      try expect(claimed[1].payload.version, -1, "a version")
    },
    Check("every number of 64 bits is kept (Zw9, Z23)") { bench in
      let owner = try await bench.open()
      let low = try await owner.add(
        job {
          $0.priority = JobPriority(major: .min, minor: .max)
          $0.maximumAttempts = .max
        })[0]
      let high = try await owner.add(
        job {
          $0.priority = JobPriority(major: .max, minor: .min)
          $0.maximumAttempts = nil
        })[0]
      try expect(try await owner.job(low)?.priority, JobPriority(major: .min, minor: .max), "priority")
      try expect(try await owner.job(low)?.maximumAttempts, .max, "attempts")
      try expect(try await owner.job(high)?.maximumAttempts, nil, "no limit")
      try expect(owner.ids(try await owner.claim()), [high, low], "the order")
    },
    Check("an occurrence of a schedule is taken once for ever") { bench in
      let owner = try await bench.open()
      let occurrence = JobOccurrence(schedule: "digest", date: bench.now)
      let new = job { $0.occurrence = occurrence }
      let first = try await owner.store.enqueue([new])[0]
      try expect(first.outcome, .added, "the first time")
      try expect(try await owner.store.enqueue([new])[0], EnqueuedJob(id: first.id, outcome: .kept), "the second time")
      let claimed = try await owner.claimOne()
      try expect(claimed.occurrence, occurrence, "what the job is told")
      try await owner.end(claimed, .succeeded(result: nil))
      bench.advance(by: .seconds(100_000_000))
      _ = try await owner.store.sweep(limit: 100)
      try expect(try await owner.store.enqueue([new])[0].outcome, .kept, "years later")
      let next = job { $0.occurrence = JobOccurrence(schedule: "digest", date: occurrence.date + 60) }
      try expect(try await owner.store.enqueue([next])[0].outcome, .added, "the next one")
    },
    Check("an occurrence far back is taken once, however many there were since, and long gaps stay open") { bench in
      let owner = try await bench.open()
      let begun = bench.now
      func offer(_ seconds: [Int]) async throws -> [EnqueuedJob.Outcome] {
        try await owner.store.enqueue(
          seconds.map { place in
            job { $0.occurrence = JobOccurrence(schedule: "minutes", date: begun + Double(place)) }
          }
        ).map(\.outcome)
      }
      let (year, minutes) = (365 * 86_400, Array(0..<1400))
      try expect(try await offer([10 * year]), [.added], "by a clock that is far ahead")
      for part in stride(from: 0, to: minutes.count, by: 100) {
        let slots = minutes[part..<part + 100].map { $0 * 60 }
        try expect(try await offer(slots), slots.map { _ in .added }, "the first time")
      }
      let record = try await owner.store.schedule("minutes", beginning: begun)
      try expect(record.count, 1401, "the count")
      try expect(record.latest, begun, "the latest that the time has come for")
      try expect(try await owner.store.schedule("minutes")?.latest, begun + Double(10 * year), "the latest")
      let old = minutes.filter { $0 % 37 == 0 }.map { $0 * 60 }
      try expect(try await offer(old), old.map { _ in .kept }, "the second time")
      try expect(try await offer([10 * year]), [.kept], "the one far ahead")
      try expect(try await offer([-60, 1400 * 60, year, 11 * year]), [.added, .added, .added, .added], "others")
    },
    Check("however many occurrences a clock fires that is ahead for a while, those before them are there to be taken") {
      bench in
      for (interval, ahead) in [(60, 20 * 86_400), (1, 3600)] {
        let owner = try await bench.open("every \(interval)")
        let begun = bench.now
        let schedule = "every \(interval) seconds"
        func offer(_ places: [Int], from start: Int = 0) async throws -> [EnqueuedJob.Outcome] {
          try await owner.store.enqueue(
            places.map { place in
              let seconds = Double(start + place * interval)
              return job { $0.occurrence = JobOccurrence(schedule: schedule, date: begun + seconds) }
            }
          ).map(\.outcome)
        }
        func take(_ places: Range<Int>, from start: Int = 0, _ text: String) async throws {
          for part in stride(from: places.lowerBound, to: places.upperBound, by: 100) {
            let slots = Array(part..<min(part + 100, places.upperBound))
            try expect(try await offer(slots, from: start), slots.map { _ in .added }, text)
          }
        }
        try await take(0..<10, "before")
        try await take(0..<1200, from: ahead, "by a clock that is ahead")
        // Not all that comes until then.
        let all = ahead / interval
        try await take(10..<210, "when it was set right")
        try await take(all - 200..<all, "the last ones before what was fired by the clock")
        let old = Array(stride(from: 0, to: 210, by: 37))
        try expect(try await offer(old), old.map { _ in .kept }, "a second time")
        try expect(try await offer(old, from: ahead), old.map { _ in .kept }, "what was fired by the clock")
        try expect(try await offer([1200], from: ahead), [.added], "the one behind that")
      }
    },
    Check("a schedule does not begin because somebody asks for it") { bench in
      let owner = try await bench.open()
      try expect(try await owner.store.schedule("digest"), nil, "before")
      bench.advance(by: .seconds(60))
      let begun = try await owner.store.schedule("digest", beginning: bench.now)
      try expect(begun, ScheduleRecord(begun: bench.now, latest: nil, count: 0), "the beginning")
      try expect(try await owner.store.schedule("digest"), begun, "what it is then")
      let slot = bench.now + 5
      try await owner.add(job { $0.occurrence = JobOccurrence(schedule: "digest", date: slot) })
      try expect(
        try await owner.store.schedule("digest"), ScheduleRecord(begun: begun.begun, latest: slot, count: 1),
        "after one")
      try expect(try await owner.store.schedule("other"), nil, "another one")
    },
    Check("of a schedule no more occurrences are taken than it has, whoever offers them") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let begun = bench.now
      func slot(_ hour: Int, of count: Int? = 3) -> NewJob {
        job {
          $0.occurrence = JobOccurrence(schedule: "digest", date: begun + Double(hour) * 3600)
          $0.occurrenceLimit = count
        }
      }
      let first = try await left.store.enqueue([slot(0), slot(1)])
      try expect(first.map(\.outcome), [.added, .added], "the first two")
      // Each has looked when two were taken, at another time.
      async let one = left.store.enqueue([slot(3)])
      async let other = right.store.enqueue([slot(4)])
      let both = try await one + other
      try expect(both.filter { $0.outcome == .added }.count, 1, "added of the two that came as the last")
      try expect(Set(both.map(\.id)).count, 1, "jobs of them")
      try expect(try await left.store.schedule("digest", beginning: begun).count, 3, "the count")
      // In one batch, and what waits for one that is not taken waits for the latest.
      let batch = [slot(5, of: 4), slot(6, of: 4), job { $0.parents = [.inBatch(1)] }]
      let last = try await right.store.enqueue(batch)
      try expect(last.map(\.outcome), [.added, .kept, .added], "a batch for which one is left")
      try expect(last[1].id, last[0].id, "the one that is kept")
      try expect(try await left.job(last[2].id)?.parents, [last[0].id], "the parent")
      let old = try await left.store.enqueue([slot(0)])[0]
      try expect(old, EnqueuedJob(id: first[0].id, outcome: .kept), "an old one")
      try expect(try await left.store.enqueue([slot(9, of: nil)])[0].outcome, .added, "where there is no limit")
      try await expectError(.invalid, "none at all") { _ = try await left.store.enqueue([slot(10, of: 0)]) }
    },
    Check("a name with the character NUL is refused, and nothing of its batch is kept") { bench in
      let owner = try await bench.open()
      let changes: [@Sendable (inout NewJob) -> Void] = [
        { $0.kind = "a\0b" }, { $0.queue = "a\0b" }, { $0.constraints = ["a\0b"] }, { $0.tags = ["\0"] },
        { $0.unique = UniqueKey("a\0b") }, { $0.limit = KeyLimit("a\0b") },
        { $0.occurrence = JobOccurrence(schedule: "a\0b", date: Date(timeIntervalSince1970: 1)) },
      ]
      for (place, change) in changes.enumerated() {
        try await expectError(.invalid, "change \(place)") {
          _ = try await owner.store.enqueue([job(), job("Upload", change)])
        }
      }
      try expect(try await owner.store.counts(), [], "what is kept")
    },
    Check("a selection by a name with the character NUL means no job of the name before it") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(
        job("a") {
          $0.queue = "a"
          $0.tags = ["a"]
          $0.unique = UniqueKey("a")
        })[0]
      let name = "a\0b"
      let selections = [
        JobSelection(kinds: [name]), JobSelection(queues: [name]), JobSelection(uniqueKeys: [name]),
        JobSelection(tags: [name]),
      ]
      for (place, selection) in selections.enumerated() {
        try expect(try await owner.store.jobs(selection, after: nil, limit: 9), [], "found by selection \(place)")
        try expect(try await owner.store.change(selection, .delete).count, 0, "deleted by selection \(place)")
      }
      let both = try await owner.store.jobs(JobSelection(tags: [name, "a"]), after: nil, limit: 9)
      try expect(both.map(\.id), [id], "found by another name beside it")
    },
    Check("names and texts may have any other character") { bench in
      let owner = try await bench.open()
      let name = "it's \"quoted\" \\ % _ ; -- 🦫\u{301}\n{}[],"
      let parent = try await owner.add(job { $0.start = .after(.seconds(9)) })[0]
      let id = try await owner.add(
        job(name) {
          $0.queue = name
          $0.constraints = [name]
          $0.tags = [name, ""]
          $0.unique = UniqueKey(name)
          $0.limit = KeyLimit(name)
          $0.occurrence = JobOccurrence(schedule: name, date: Date(timeIntervalSince1970: 1))
        })[0]
      let found = try await owner.store.jobs(
        JobSelection(kinds: [name], queues: [name], uniqueKeys: [name], tags: [name]), after: parent, limit: 9)
      try expect(found.map(\.id), [id], "what is found by them")
      let claimed = try await owner.claim(queue: name, kinds: [name], satisfied: [name])
      try expect(owner.ids(claimed), [id], "what is claimed by them")
      try expect(claimed[0].tags, [name, ""], "the tags")
      try expect(claimed[0].constraints, [name], "the constraints")
      try await owner.note(claimed[0], .step(name, Data([0])))
      try expect(try await owner.store.step(name, of: id), Data([0]), "the step")
      try await owner.end(claimed[0], .gaveUp(.error, name))
      try expect(try await owner.job(id)?.errors.map(\.text), [name], "the error")
    },
    Check("two owners that offer one occurrence make one job") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let new = job { $0.occurrence = JobOccurrence(schedule: "digest", date: Date(timeIntervalSince1970: 1)) }
      async let first = left.store.enqueue([new])
      async let second = right.store.enqueue([new])
      let both = try await [first[0], second[0]]
      try expect(Set(both.map(\.id)).count, 1, "jobs")
      try expect(both.filter { $0.outcome == .added }.count, 1, "added")
    },
  ]
}
