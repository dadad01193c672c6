import Foundation
import TaskKitDurable

extension JobStoreConformance {
  static let ending: [Check] = [
    Check("success deletes a job that asks for no history (Zt36, Z20)") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      try expect(try await owner.end(try await owner.claimOne(), .succeeded(result: Data("x".utf8))), true, "taken")
      try expect(try await owner.job(id), nil, "what is left")
      try expect(try await owner.store.counts(), [], "counts")
    },
    Check("success keeps a job and its result where history is asked for") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job { $0.retention = JobRetention(finished: nil) })[0]
      let claimed = try await owner.claimOne()
      bench.advance(by: .seconds(3))
      try await owner.end(claimed, .succeeded(result: Data("x".utf8)))
      let kept = try await owner.job(id)
      try expect(kept?.state, .finished, "the state")
      try expect(kept?.result, Data("x".utf8), "the result")
      try expect(kept?.ended, bench.now, "when it ended")
      try expect(kept?.started, nil, "no attempt is going")
    },
    Check("a failed attempt is counted, noted, and made again after its delay (Zt37, Z21)") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      try await owner.end(try await owner.claimOne(), .failed(.deadline, "too late", retryAfter: .seconds(30)))
      let kept = try await owner.job(id)
      try expect(kept?.state, .delayed, "the state")
      try expect(kept?.attempts, 1, "attempts")
      try expect(kept?.due, bench.now + 30, "due")
      try expect(
        kept?.errors, [AttemptFailure(attempt: 1, date: bench.now, cause: .deadline, text: "too late")], "errors")
      try expect(try await owner.claim().count, 0, "at once")
      bench.advance(by: .seconds(30))
      try expect(try await owner.claimOne().attempt, 2, "the next attempt")
    },
    Check("failed jobs fall behind those with fewer attempts, and no further (Zt54)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job(), job())
      let first = try await owner.claim(1)[0]
      try await owner.end(first, .failed(.error, "no", retryAfter: .zero))
      try expect(owner.ids(try await owner.claim()), [ids[1], ids[0]], "the order")
    },
    Check("who gave up is dead and keeps its errors, or is held, or is gone (Zt38–Zt40, Z24)") { bench in
      let owner = try await bench.open()
      for (exhaustion, state) in [
        (Exhaustion.keep, JobState.dead), (.hold, .held), (.discard, nil),
      ] as [(Exhaustion, JobState?)] {
        let id = try await owner.add(job { $0.exhaustion = exhaustion })[0]
        try await owner.end(try await owner.claimOne(), .gaveUp(.error, "never"))
        let kept = try await owner.job(id)
        try expect(kept?.state, state, "the state of \(exhaustion)")
        try expect(kept?.hold, state == .held ? .gaveUp : nil, "the reason of \(exhaustion)")
        try expect(kept?.errors.map(\.text), state.map { _ in ["never"] }, "the errors of \(exhaustion)")
        try expect(kept?.attempts, state.map { _ in 1 }, "the attempts of \(exhaustion)")
      }
    },
    Check("of two ends of one job that of its latest attempt is taken, whichever is said first") { bench in
      let owner = try await bench.open()
      for isLateFirst in [true, false] {
        try await owner.add(job())
        let late = try await owner.claimOne()
        try await owner.end(late, .failed(.error, "no", retryAfter: .zero))
        let latest = try await owner.claimOne()
        let ends = (isLateFirst ? [late, latest] : [latest, late]).map {
          ($0.key, JobExchange.End.succeeded(result: nil))
        }
        let answer = try await owner.store.exchange(JobExchange(ends: ends))
        try expect(answer.ends, isLateFirst ? [false, true] : [true, false], "taken")
      }
    },
    Check("no job has more attempts than it may, whatever its worker says") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job { $0.maximumAttempts = 2 })[0]
      for _ in 0..<2 {
        try await owner.end(try await owner.claimOne(), .failed(.error, "no", retryAfter: .zero))
      }
      try expect(try await owner.claim().count, 0, "a third attempt")
      try expect(try await owner.state(id), .dead, "the state")
    },
    Check("only the latest ten errors are kept, the latest last") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job { $0.maximumAttempts = nil })[0]
      for attempt in 1...13 {
        try await owner.end(try await owner.claimOne(), .failed(.error, "error \(attempt)", retryAfter: .zero))
      }
      let errors = try await owner.job(id)?.errors ?? []
      try expect(errors.map(\.text), (4...13).map { "error \($0)" }, "texts")
      try expect(errors.map(\.attempt), Array(4...13), "attempts")
    },
    Check("unlimited attempts are unlimited (Z23)") { bench in
      let owner = try await bench.open()
      try await owner.add(job { $0.maximumAttempts = nil })
      var claimed = try await owner.claimOne()
      let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
      for _ in 0..<500 {
        let exchange = JobExchange(ends: [(claimed.key, .failed(.error, "no", retryAfter: .zero))], claims: [claim])
        claimed = try await owner.store.exchange(exchange).claimed[0]
      }
      try expect(claimed.attempt, 501, "the attempt")
      try expect(claimed.maximumAttempts, nil, "of how many")
    },
    Check("an interruption is no attempt, and the job is ready at once (Zw1, Zw3)") { bench in
      let owner = try await bench.open()
      try await owner.add(job())
      for _ in 0..<5 { try await owner.end(try await owner.claimOne(), .interrupted) }
      try expect(try await owner.claimOne().attempt, 1, "the attempt")
    },
    Check("snoozing is no attempt, and the job is due when it said") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      try await owner.end(try await owner.claimOne(), .snoozed(.after(.seconds(5))))
      try expect(try await owner.job(id)?.due, bench.now + 5, "due")
      try expect(try await owner.job(id)?.attempts, 0, "attempts")
      bench.advance(by: .seconds(5))
      try await owner.end(try await owner.claimOne(), .snoozed(.now))
      try await owner.end(try await owner.claimOne(), .snoozed(.at(bench.now + 1)))
      try expect(try await owner.state(id), .delayed, "the state")
    },
    Check("an attempt can hold its job, which is no attempt") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      try await owner.end(try await owner.claimOne(), .held(.unreadable("version 9")))
      try expect(try await owner.job(id)?.hold, .unreadable("version 9"), "the reason")
      try expect(try await owner.job(id)?.attempts, 0, "attempts")
      try expect(try await owner.claim().count, 0, "claimed")
    },
    Check("an attempt can cancel its job for good") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      try await owner.end(try await owner.claimOne(), .cancelled)
      try expect(try await owner.state(id), .cancelled, "the state")
    },
    Check("what an older attempt says is refused") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      let old = try await owner.claimOne()
      try await owner.end(old, .interrupted)
      let new = try await owner.claimOne()
      try expect(old.attempt, new.attempt, "the same number of attempt")
      try expect(try await owner.end(old, .succeeded(result: nil)), false, "success")
      try expect(try await owner.end(old, .gaveUp(.error, "")), false, "failure")
      try expect(try await owner.note(old, .checkpoint(Data("old".utf8))), false, "a note")
      try expect(try await owner.state(id), .running, "the state")
      try expect(try await owner.end(new, .succeeded(result: nil)), true, "the new one")
      try expect(try await owner.end(new, .succeeded(result: nil)), false, "the same again")
    },
    Check("an unknown job or token is refused, and the rest of the exchange is taken (Zt70)") { bench in
      let owner = try await bench.open()
      try await owner.add(job())
      let claimed = try await owner.claimOne()
      let wrong = AttemptKey(job: JobID(rawValue: 4_711), token: claimed.token)
      let answer = try await owner.store.exchange(
        JobExchange(
          notes: [(wrong, .checkpoint(nil)), (claimed.key, .progress(JobProgress(completed: 1)))],
          ends: [(wrong, .cancelled), (claimed.key, .succeeded(result: nil))]))
      try expect(answer.notes, [false, true], "notes")
      try expect(answer.ends, [false, true], "ends")
    },
    Check("ends come before claims in an exchange: a slot that becomes free is filled at once (Zt41, Zt42)") { bench in
      let owner = try await bench.open()
      let ids = try await owner.add(job { $0.limit = KeyLimit("one") }, job { $0.limit = KeyLimit("one") })
      let first = try await owner.claimOne()
      let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
      let answer = try await owner.store.exchange(
        JobExchange(ends: [(first.key, .succeeded(result: nil))], claims: [claim]))
      try expect(answer.claimed.map(\.id), [ids[1]], "claimed")
    },
    Check("checkpoints go to the next attempt, and to the one after a retry (Z26)") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      let first = try await owner.claimOne()
      try expect(first.checkpoint, nil, "at first")
      try await owner.note(first, .checkpoint(Data("one".utf8)))
      try await owner.note(first, .checkpoint(Data("two".utf8)))
      try await owner.end(first, .failed(.error, "no", retryAfter: .zero))
      let second = try await owner.claimOne()
      try expect(second.checkpoint, Data("two".utf8), "the latest")
      try await owner.end(second, .gaveUp(.error, "no"))
      try await owner.change(.retry, id)
      let third = try await owner.claimOne()
      try expect(third.checkpoint, Data("two".utf8), "after a retry")
      try await owner.note(third, .checkpoint(nil))
      try expect(try await owner.job(id)?.checkpoint, nil, "taken away")
    },
    Check("the results of steps outlive attempts") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      let first = try await owner.claimOne()
      try await owner.note(first, .step("charge", Data("paid".utf8)))
      try await owner.note(first, .step("mail", Data()))
      try await owner.end(first, .failed(.error, "no", retryAfter: .zero))
      try expect(try await owner.store.step("charge", of: id), Data("paid".utf8), "a result")
      try expect(try await owner.store.step("mail", of: id), Data(), "an empty result")
      try expect(try await owner.store.step("other", of: id), nil, "another step")
      try await owner.change(.delete, id)
      try expect(try await owner.store.step("charge", of: id), nil, "after the job")
    },
    Check("progress is that of the attempt") { bench in
      let owner = try await bench.open()
      let id = try await owner.add(job())[0]
      let first = try await owner.claimOne()
      try await owner.note(first, .progress(JobProgress(completed: 3, of: 10)))
      try expect(try await owner.job(id)?.progress, JobProgress(completed: 3, of: 10), "known")
      try await owner.note(first, .progress(JobProgress(completed: 4)))
      try expect(try await owner.job(id)?.progress, JobProgress(completed: 4), "without an end")
      try await owner.end(first, .interrupted)
      _ = try await owner.claimOne()
      try expect(try await owner.job(id)?.progress, nil, "of the next attempt")
    },
  ]
}
