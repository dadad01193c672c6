import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let owners: [Check] = [
    Check("jobs of an owner that died are given back at once, as a crash (Zt77, Z27)") { bench in
      let dying = try await bench.open("dying")
      let ids = try await dying.add(job(), job(), job { $0.start = .after(.seconds(9)) })
      let claimed = try await dying.claim(1)[0]
      try await dying.note(claimed, .checkpoint(Data("half".utf8)))
      try await bench.kill(dying)
      let next = try await bench.open("next")
      try expect(next.opening.identity, dying.opening.identity, "the store's identity")
      try expect(next.opening.rescued, [RescuedJob(id: ids[0], kind: "Upload", state: .ready)], "what was rescued")
      let again = try await next.claim()
      try expect(again.map(\.id), [ids[1], ids[0]], "claimed")
      try expect(again[1].attempt, 2, "the attempt that died counts")
      try expect(again[1].checkpoint, Data("half".utf8), "the checkpoint")
      try expect(try await next.end(claimed, .succeeded(result: nil)), false, "what the dead one says")
      let snapshot = try await next.job(ids[0])
      try expect(snapshot?.crashes, 1, "crashes")
      try expect(snapshot?.errors.map(\.cause), [.crash], "errors")
    },
    Check("an owner that lives finds the jobs of one that died") { bench in
      let (living, dying) = (try await bench.open("living"), try await bench.open("dying"))
      let id = try await living.add(job())[0]
      _ = try await dying.claimOne()
      try expect(try await living.look().rescued, [], "while it lives")
      try await bench.kill(dying)
      bench.advance(by: .seconds(60))
      let found = try await living.look()
      try expect(found.rescued.map(\.id), [id], "rescued")
      try expect(try await living.claimOne().attempt, 2, "the attempt")
    },
    Check("whoever looks at a job that runs is told who runs it, and of no other job") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let ids = try await left.add(job(), job(), job())
      let claimed = try await left.claim(1)[0]
      _ = try await right.claim(1)
      for owner in [left, right] {
        let jobs = try await owner.store.jobs(.all, after: nil, limit: 9)
        try expect(jobs.map(\.owner), ["left", "right", nil], "who runs them")
      }
      try await left.end(claimed, .failed(.error, "again", retryAfter: .zero))
      try expect(try await right.job(ids[0])?.owner, nil, "when it has ended")
      try await left.change(.delete, ids[0], ids[2])
      try await bench.kill(right)
      bench.advance(by: .seconds(60))
      try expect(try await left.look().rescued.map(\.id), [ids[1]], "rescued")
      try expect(try await left.job(ids[1])?.owner, nil, "when its owner has died")
      _ = try await left.claimOne()
      try expect(try await left.job(ids[1])?.owner, "left", "in another owner")
    },
    Check("a living owner keeps what it holds") { bench in
      let first = try await bench.open("first")
      try await first.add(job())
      let claimed = try await first.claimOne()
      let second = try await bench.open("second")
      try expect(second.opening.rescued, [], "rescued at the start")
      bench.advance(by: .seconds(100_000))
      try expect(try await second.look().rescued, [], "rescued later")
      try expect(try await second.claim().count, 0, "claimed")
      try expect(try await first.end(claimed, .succeeded(result: nil)), true, "its end")
    },
    Check("a job in which the process dies again and again is held") { bench in
      var owner = try await bench.open()
      let id = try await owner.add(
        job {
          $0.maximumAttempts = nil
          $0.maximumCrashes = 3
        })[0]
      for crash in 1...3 {
        _ = try await owner.claimOne()
        try await bench.kill(owner)
        owner = try await bench.open()
        try expect(owner.opening.rescued.map(\.state), [crash < 3 ? .ready : .held], "after crash \(crash)")
      }
      try expect(try await owner.job(id)?.hold, .crashed(times: 3), "the reason")
      try await owner.change(.release, id)
      try expect(try await owner.job(id)?.crashes, 0, "crashes after the release")
      try expect(try await owner.claimOne().attempt, 1, "the attempt")
    },
    Check("only crashes one after the other count as such") { bench in
      var owner = try await bench.open()
      let id = try await owner.add(
        job {
          $0.maximumAttempts = nil
          $0.maximumCrashes = 2
        })[0]
      for _ in 0..<4 {
        _ = try await owner.claimOne()
        try await bench.kill(owner)
        owner = try await bench.open()
        try await owner.end(try await owner.claimOne(), .failed(.error, "no", retryAfter: .zero))
        try expect(try await owner.job(id)?.crashes, 0, "crashes")
      }
    },
    Check("a job is held for its crashes also where others could not read it between them") { bench in
      var owner = try await bench.open()
      let id = try await owner.add(
        job {
          $0.maximumAttempts = nil
          $0.maximumCrashes = 2
        })[0]
      for crash in 1...2 {
        _ = try await owner.claimOne()
        try await bench.kill(owner)
        owner = try await bench.open()
        try expect(owner.opening.rescued.map(\.state), [crash < 2 ? .ready : .held], "after crash \(crash)")
        guard crash < 2 else { break }
        try await owner.end(try await owner.claimOne(), .held(.unreadable("odd")))
        try expect(try await owner.job(id)?.crashes, 1, "crashes while it is held")
        try await owner.change(.release, id)
      }
      try expect(try await owner.job(id)?.hold, .crashed(times: 2), "the reason")
    },
    Check("a crash in the last attempt is its end, and what it was is there for its kind") { bench in
      let payload = Data((0..<200).map { UInt8($0) })
      for (exhaustion, state) in [
        (Exhaustion.keep, JobState.dead), (.hold, .held), (.discard, nil),
      ] as [(Exhaustion, JobState?)] {
        let owner = try await bench.open()
        try await owner.add(
          job {
            $0.maximumAttempts = 1
            $0.exhaustion = exhaustion
            $0.payload = JobPayload(version: 7, bytes: payload)
          })
        _ = try await owner.claimOne()
        try await bench.kill(owner)
        let next = try await bench.open()
        try expect(next.opening.rescued.map(\.state), [state], "the state of \(exhaustion)")
        try expect(
          next.opening.rescued.map(\.gaveUp),
          [RescuedJob.GivenUp(attempts: 1, payload: JobPayload(version: 7, bytes: payload))],
          "what its kind is told with \(exhaustion)")
        await bench.close(next)
      }
    },
    Check("an owner that closes gives back what it holds, uncounted (Zw1)") { bench in
      let first = try await bench.open("first")
      try await first.add(job(), job())
      let claimed = try await first.claim(1)[0]
      await bench.close(first)
      let second = try await bench.open("second")
      try expect(second.opening.rescued, [], "rescued")
      let again = try await second.claim()
      try expect(again.map(\.attempt), [1, 1], "attempts")
      try expect(try await second.end(claimed, .succeeded(result: nil)), false, "what the old attempt says")
    },
    Check("jobs, pauses, rates and counts are there for the next owner") { bench in
      let first = try await bench.open("first")
      let id = try await first.add(job())[0]
      try await first.store.setPaused(true, .queue("other"), by: "Ann")
      try await first.store.setRate(RateLimit(1, per: .seconds(60)), ofQueue: "default")
      _ = try await first.claim()
      let counts = try await first.store.counts()
      await bench.close(first)
      let second = try await bench.open("second")
      try expect(try await second.state(id), .ready, "the job")
      try expect(try await second.store.pauses().map(\.by), ["Ann"], "pauses")
      try expect(try await second.claim().count, 0, "what the rate lets start")
      try expect(counts.map(\.count), [1], "counts before")
      try expect(try await second.store.counts().map(\.count), [1], "counts")
    },
    Check("places of limits are freed by the death of their owner") { bench in
      let (living, dying) = (try await bench.open("living"), try await bench.open("dying"))
      try await living.add(job { $0.limit = KeyLimit("key") }, job { $0.limit = KeyLimit("key") })
      _ = try await dying.claim()
      try expect(try await living.claim().count, 0, "while it lives")
      try await bench.kill(dying)
      bench.advance(by: .seconds(60))
      _ = try await living.look()
      try expect(try await living.claim().count, 1, "afterwards")
    },
    Check("an owner hears of what another one does, and the stream ends when it is closed") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      var changes = left.store.changes().makeAsyncIterator()
      // More often than an opening tells something by itself.
      for _ in 0..<5 {
        try await right.add(job())
        try expect(await changes.next() != nil, true, "a change was told")
        try expect(try await left.claim().count, 1, "which is there then")
      }
      await bench.close(left)
      while await changes.next() != nil {}
    },
    Check("an exchange that neither says nor gets anything is no news to others") { bench in
      let (left, right) = (try await bench.open("left"), try await bench.open("right"))
      let changes = left.store.changes()
      let (heard, continuation) = AsyncStream.makeStream(of: Void.self)
      // Ends when the store is closed.
      async let told = changes.reduce(0) { count, _ in
        continuation.yield()
        return count + 1
      }
      try await right.add(job { $0.start = .after(.seconds(60)) })
      for await _ in heard { break }
      for _ in 0..<50 { try expect(try await right.claim().count, 0, "claimed") }
      _ = try await left.look()
      await bench.close(left)
      // That the other one has come may be told, too.
      let news = await told
      try expect((1...2).contains(news), true, "\(news) changes were told, of one")
    },
    Check("a closed store refuses everything, and can be closed again") { bench in
      let owner = try await bench.open()
      await bench.close(owner)
      try await expectError(.closed, "an exchange") { _ = try await owner.look() }
      try await expectError(.closed, "a job") { try await owner.add(job()) }
      try await expectError(.closed, "a look") { _ = try await owner.store.counts() }
      await owner.store.close()
    },
  ]
}
