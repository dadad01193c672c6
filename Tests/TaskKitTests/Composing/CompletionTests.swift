import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// The token of callback APIs: it counts once, and tells of every mistake (B4, Bw1, Bw6, Bw15).
@Suite struct CompletionTests {
  private let mistakes = Values<CompletionError>()

  private var codes: [CompletionError.Code] { mistakes.values.map(\.code) }

  /// Answers now, and keeps the token.
  private func answer(_ completion: Completion<Int>, _ answer: Answer) -> Bool {
    switch answer {
    case .one: completion.succeed(1)
    case .two: completion.finish(with: Result<Int, Broken>.success(2))
    case .broken: completion.fail(Broken())
    case .cancelled: completion.cancel()
    }
  }

  enum Answer: CaseIterable {
    case one, two, broken, cancelled

    func isEnd(_ end: Result<Int, any Error>) -> Bool {
      switch (self, end) {
      case (.one, .success(1)), (.two, .success(2)): true
      case (.broken, .failure(let error)): error is Broken
      case (.cancelled, .failure(let error)): error is CancellationError
      default: false
      }
    }
  }

  private func end(
    timeout: Duration? = nil, clock: VirtualClock = VirtualClock(),
    _ body: (Completion<Int>) async throws -> Void
  ) async -> Result<Int, any Error> {
    do {
      return .success(
        try await withCompletion(timeout: timeout, clock: clock, onMisuse: { mistakes.append($0) }, body))
    } catch {
      return .failure(error)
    }
  }

  // MARK: - Counting once

  @Test(arguments: Answer.allCases, Answer.allCases)
  func `the first answer counts, and a second one returns false and is reported, Bt43, Bt44, Bt45, Bt46, Bt47, Bt48`(
    first: Answer, second: Answer
  ) async {
    let counted = Values<Bool>()
    let end = await end { completion in
      counted.append(answer(completion, first))
      counted.append(answer(completion, second))
    }
    #expect(first.isEnd(end))
    #expect(counted.values == [true, false])
    #expect(codes == [.answeredAgain])
  }

  @Test func `the report of a second answer names the lines`() async throws {
    let line = #line
    let end = await end { completion in
      completion.succeed(1)
      completion.fail(Broken())
    }
    #expect(try end.get() == 1)
    let mistake = try #require(mistakes.values.first)
    #expect(mistake.first?.line == line + 2)
    #expect(mistake.second?.line == line + 3)
    #expect(mistake.location.fileID == #fileID)
    #expect(
      mistake.description
        == "the completion made at \(mistake.location) was answered at \(try #require(mistake.first)) and again at "
        + "\(try #require(mistake.second)); only the first answer counts, so answer it on one path")
  }

  @Test
  func `the report of a second answer does not say that the first has counted where nobody waited any more`()
    async throws
  {
    let kept = Kept<Completion<Int>>()
    let task = Task {
      await end { completion in
        kept.put(completion)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(Answer.cancelled.isEnd(await task.value))
    #expect(kept.value?.succeed(1) == false)
    #expect(kept.take()?.succeed(2) == false)
    let mistake = try #require(mistakes.values.first)
    #expect(codes == [.answeredAgain])
    #expect(
      mistake.description
        == "the completion made at \(mistake.location) was answered at \(try #require(mistake.first)) and again at "
        + "\(try #require(mistake.second)); nobody waited any more, but one answer is all it takes, so answer it on one "
        + "path")
  }

  @Test func `a value that comes later, from elsewhere, reaches the wait, Bt9`() async throws {
    let kept = Kept<Completion<Int>>()
    let isKept = Gate()
    async let end = end { completion in
      kept.put(completion)
      isKept.open()
    }
    await isKept.pass()
    #expect(kept.take()?.succeed(7) == true)
    #expect(try await end.get() == 7)
    #expect(codes.isEmpty)
  }

  @Test func `so does an error, Bt10`() async throws {
    let kept = Kept<Completion<Int>>()
    let isKept = Gate()
    async let end = end { completion in
      kept.put(completion)
      isKept.open()
    }
    await isKept.pass()
    #expect(kept.take()?.fail(Coded(code: 23)) == true)
    #expect(words(await end) == "error 23")
    #expect(codes.isEmpty)
  }

  @Test func `a wait inside another that is answered as cancelled ends both as cancelled, Bt18`() async {
    let outer = await end { completion in
      completion.succeed(try await withCompletion(of: Int.self) { $0.cancel() })
    }
    #expect(Answer.cancelled.isEnd(outer))
    #expect(codes.isEmpty)
  }

  @Test func `of a hundred answers at the same time one counts, and each other one is reported`() async throws {
    let counted = Values<Int>()
    let end = await end { completion in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask { if completion.succeed(number) { counted.append(number) } }
        }
      }
    }
    #expect(counted.values == [try end.get()])
    #expect(codes == Array(repeating: .answeredAgain, count: 99))
  }

  @Test func `what the body throws is its answer, and is reported if there was one before`() async throws {
    #expect(Answer.broken.isEnd(await end { _ in throw Broken() }))
    #expect(codes.isEmpty)
    let second = await end { completion in
      completion.succeed(1)
      throw Broken()
    }
    #expect(try second.get() == 1)
    #expect(codes == [.answeredAgain])
    #expect(mistakes.values.first?.second == mistakes.values.first?.location)
  }

  @Test func `without a value there is nothing to write`() async throws {
    try await withCompletion { completion in
      let isAnswer = completion.succeed()
      #expect(isAnswer)
    }
  }

  // MARK: - Dropping

  @Test func `a token that is dropped unanswered is reported, and the wait fails and says where it was made`() async {
    let line = #line + 2
    do {
      _ = try await withCompletion(of: Int.self, onMisuse: { mistakes.append($0) }) { _ in }
      Issue.record("the wait has ended well")
    } catch let error as CompletionError {
      #expect(error.code == .dropped)
      #expect(error.location.line == line)
      #expect(error.location.fileID == #fileID)
      #expect(
        error.description
          == "the completion made at \(error.location) was let go without an answer; answer it on every path, or keep "
          + "it until the callback comes")
    } catch {
      Issue.record("another error: \(error)")
    }
    #expect(codes == [.dropped])
  }

  @Test func `it is the last copy that counts`() async {
    let copies = Mutex<[Completion<Int>]>([])
    let areKept = Gate()
    async let end = end { completion in
      copies.withLock { $0 = [completion, completion] }
      areKept.open()
    }
    await areKept.pass()
    copies.withLock { _ = $0.popLast() }
    #expect(codes.isEmpty)
    copies.withLock { _ = $0.popLast() }
    #expect(codes == [.dropped])
    let ended = await end
    #expect(throws: CompletionError.self) { try ended.get() }
  }

  @Test func `the report is made with no lock held: it may answer and ask`() async throws {
    let kept = Kept<Completion<Int>>()
    let calls = Values<Bool>()
    let value = try await withCompletion(
      of: Int.self,
      onMisuse: { mistake in
        guard mistakes.values.isEmpty else { return }
        mistakes.append(mistake)
        kept.value?.onCancel { calls.append(true) }
        calls.append(kept.value?.succeed(3) ?? true)
      }
    ) { completion in
      kept.put(completion)
      completion.succeed(1)
      completion.succeed(2)
    }
    #expect(value == 1)
    #expect(calls.values == [false])
  }

  // MARK: - Nobody waits any more

  @Test func `cancelling the waiting task ends the wait at once and calls the handlers in their order, Bt53`() async {
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    let task = Task {
      await end { completion in
        completion.onCancel { recorder.note("first") }
        completion.onCancel { recorder.note("second") }
        kept.put(completion)
        recorder.note("begun")
      }
    }
    _ = await recorder.notes(1)
    task.cancel()
    #expect(Answer.cancelled.isEnd(await task.value))
    #expect(recorder.notes == ["begun", "first", "second"])
    #expect(kept.value?.succeed(1) == false)
    #expect(codes.isEmpty, "a late answer is nobody's mistake")
    #expect(kept.take()?.succeed(1) == false)
    #expect(codes == [.answeredAgain])
  }

  /// Cancels a wait for an answer that its body has left pending.
  private func cancelPending(_ kept: Kept<Completion<Int>>, _ recorder: Recorder) async {
    let task = Task {
      await end { completion in
        kept.put(completion)
        recorder.note("begun")
      }
    }
    _ = await recorder.notes(1)
    task.cancel()
    #expect(Answer.cancelled.isEnd(await task.value))
  }

  @Test func `a handler that comes too late is called at once, Bw1`() async {
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    await cancelPending(kept, recorder)
    kept.value?.onCancel { recorder.note("late") }
    #expect(recorder.notes == ["begun", "late"])
  }

  @Test func `cancelled inside the body, which leaves the answer pending, the wait is over, Bt42`() async {
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    let task = Task {
      await end { completion in
        completion.onCancel { recorder.note("stopped") }
        withUnsafeCurrentTask { $0?.cancel() }
        kept.put(completion)
      }
    }
    #expect(Answer.cancelled.isEnd(await task.value))
    #expect(recorder.notes == ["stopped"])
    #expect(kept.take()?.succeed(1) == false)
    #expect(codes.isEmpty)
  }

  @Test func `what a body throws after its time has passed, and an answer too late before that, are nobody's mistake`()
    async
  {
    let (recorder, clock, gate) = (Recorder(), VirtualClock(), Gate())
    async let ended = end(timeout: .seconds(5), clock: clock) { completion in
      completion.onCancel { recorder.note("stopped") }
      await gate.pass()
      completion.fail(Broken())
      throw Broken()
    }
    await gate.arrivals()
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    _ = await recorder.notes(1)
    gate.open()
    let end = await ended
    #expect(throws: TimeoutError.self) { try end.get() }
    #expect(codes.isEmpty)
  }

  @Test func `an answer that came before the cancellation, or before the time had passed, counts`() async throws {
    let (recorder, clock) = (Recorder(), VirtualClock())
    let task = Task {
      await end { completion in
        completion.onCancel { recorder.note("stopped") }
        completion.succeed(1)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(try await task.value.get() == 1)
    let inTime = await end(timeout: .seconds(5), clock: clock) { completion in
      completion.onCancel { recorder.note("stopped") }
      await clock.waitForSleepers()
      completion.succeed(2)
      clock.advance(by: .seconds(5))
    }
    #expect(try inTime.get() == 2)
    #expect(recorder.notes.isEmpty)
    #expect(codes.isEmpty)
  }

  @Test func `an answer lets go of the handlers without calling them, Bt60`() async throws {
    final class Held: Sendable {}
    weak var held: Held?
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    let end = await end { completion in
      let object = Held()
      held = object
      completion.onCancel { withExtendedLifetime(object) { recorder.note("called") } }
      kept.put(completion)
      completion.cancel()
      completion.onCancel { recorder.note("called") }
    }
    #expect(Answer.cancelled.isEnd(end))
    #expect(held == nil)
    #expect(recorder.notes.isEmpty)
    withExtendedLifetime(kept) {}
  }

  @Test func `a handler that adds another changes no list that is walked: both are called`() async {
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    let task = Task {
      await end { completion in
        kept.put(completion)
        completion.onCancel {
          recorder.note("first")
          kept.value?.onCancel { recorder.note("added") }
        }
        completion.onCancel { recorder.note("second") }
        recorder.note("begun")
      }
    }
    _ = await recorder.notes(1)
    task.cancel()
    #expect(Answer.cancelled.isEnd(await task.value))
    #expect(recorder.notes.sorted() == ["added", "begun", "first", "second"])
    withExtendedLifetime(kept) {}
  }

  @Test func `cancelling twice calls the handlers once, Bt52`() async {
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    let task = Task {
      await end { completion in
        completion.onCancel { recorder.note("stopped") }
        kept.put(completion)
        recorder.note("begun")
      }
    }
    _ = await recorder.notes(1)
    task.cancel()
    task.cancel()
    #expect(Answer.cancelled.isEnd(await task.value))
    task.cancel()
    #expect(recorder.notes == ["begun", "stopped"])
    withExtendedLifetime(kept) {}
  }

  @Test func `a token that is dropped after the wait is nobody's mistake`() async {
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    await cancelPending(kept, recorder)
    _ = kept.take()
    #expect(codes.isEmpty)
  }

  @Test func `handlers are called with no lock held, and what they hold is let go of without one`() async {
    /// Calls into the token when it comes to its end.
    final class Caller: Sendable {
      let kept: Kept<Completion<Int>>
      let recorder: Recorder
      init(_ kept: Kept<Completion<Int>>, _ recorder: Recorder) { (self.kept, self.recorder) = (kept, recorder) }
      func call(_ place: String) { recorder.note("\(place) \(kept.value?.cancel() == true)") }
      deinit { call("deinit") }
    }
    let (recorder, kept) = (Recorder(), Kept<Completion<Int>>())
    let answered = await end { completion in
      kept.put(completion)
      let caller = Caller(kept, recorder)
      completion.onCancel { caller.call("never") }
      completion.succeed(1)
    }
    #expect(words(answered) == "1")
    let task = Task {
      await end { completion in
        kept.put(completion)
        let caller = Caller(kept, recorder)
        completion.onCancel { caller.call("handler") }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(Answer.cancelled.isEnd(await task.value))
    #expect(await recorder.notes(3) == ["deinit false", "handler false", "deinit false"])
  }

  // MARK: - Time

  @Test func `when the time has passed the wait fails, the handlers are called, and a late answer does not count`()
    async
  {
    let clock = VirtualClock()
    let recorder = Recorder()
    let kept = Kept<Completion<Int>>()
    async let end = end(timeout: .seconds(5), clock: clock) { completion in
      completion.onCancel { recorder.note("stopped") }
      kept.put(completion)
    }
    await clock.waitForSleepers()
    #expect(clock.nextDeadline == .seconds(5))
    clock.advance(by: .seconds(5))
    switch await end {
    case .failure(let error as TimeoutError): #expect(error.timeout == .seconds(5))
    case let other: Issue.record("not timed out: \(other)")
    }
    #expect(recorder.notes == ["stopped"])
    #expect(kept.take()?.succeed(1) == false)
    #expect(codes.isEmpty)
  }

  @Test func `the time passes while the body still awaits: the handlers are called at once`() async {
    let clock = VirtualClock()
    let stopped = Gate()
    let end = await end(timeout: .seconds(5), clock: clock) { completion in
      completion.onCancel { stopped.open() }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
      await stopped.pass()
      #expect(completion.succeed(1) == false)
    }
    #expect(throws: TimeoutError.self) { try end.get() }
  }

  @Test func `an answer in time leaves no timer behind`() async throws {
    let clock = VirtualClock()
    let end = await end(timeout: .seconds(5), clock: clock) { completion in
      await clock.waitForSleepers()
      completion.succeed(1)
    }
    #expect(try end.get() == 1)
    #expect(clock.nextDeadline == nil)
  }

  // MARK: - Where it runs

  @Test @MainActor func `the body begins where the caller is`() async throws {
    try await withCompletion { completion in
      #expect(isOnMainActor)
      completion.succeed()
    }
  }

  @Test func `a handler of the main actor is called there before the wait ends`() async {
    let (recorder, kept) = (Recorder(), Kept<Completion<Int>>())
    let task = Task {
      let ended = await end { completion in
        completion.onCancel { @MainActor in recorder.note("stopped \(isOnMainActor)") }
        completion.onCancel { recorder.note("stopped \(isOnMainActor)") }
        withUnsafeCurrentTask { $0?.cancel() }
        kept.put(completion)
      }
      recorder.note("ended")
      return ended
    }
    #expect(Answer.cancelled.isEnd(await task.value))
    #expect(recorder.notes == ["stopped true", "stopped false", "ended"])
    withExtendedLifetime(kept) {}
  }

  @Test func `one that comes too late follows there, at once where the main actor calls`() async {
    let (recorder, kept) = (Recorder(), Kept<Completion<Int>>())
    let task = Task {
      await end { completion in
        kept.put(completion)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(Answer.cancelled.isEnd(await task.value))
    kept.value?.onCancel { @MainActor in recorder.note("\(isOnMainActor)") }
    #expect(await recorder.notes(1) == ["true"])
    await MainActor.run {
      kept.value?.onCancel { @MainActor in recorder.note("\(isOnMainActor)") }
      #expect(recorder.notes == ["true", "true"])
    }
  }

  @Test func `a body of the main actor may be given from elsewhere`() async throws {
    let value = try await withCompletion(of: Int.self) { @MainActor completion in
      MainActor.assertIsolated()
      completion.succeed(1)
    }
    #expect(value == 1)
  }

  @Test func `a body that still awaits when the wait is cancelled has its handlers called`() async {
    let gate = Gate()
    let calls = Values<Int>()
    let waiting = Task {
      await end { completion in
        completion.onCancel { calls.append(1) }
        try await gate.passUnlessCancelled()
      }
    }
    await gate.arrivals()
    waiting.cancel()
    _ = await waiting.value
    #expect(calls.values == [1])
    #expect(codes == [])
  }

  @Test func `an error that the body throws after the caller was cancelled is what it gets`() async {
    let gate = Gate()
    let waiting = Task {
      await end { _ in
        do { try await gate.passUnlessCancelled() } catch { throw Coded(code: 1) }
      }
    }
    await gate.arrivals()
    waiting.cancel()
    #expect(words(await waiting.value) == "error 1")
    #expect(codes == [])
  }

  @Test func `what calls back in a lane is cancelled with its ticket while its body still awaits`() async throws {
    let gate = Gate()
    let calls = Values<Int>()
    let ticket = try TaskCenter.with([]).lane(Lane("line")).enqueue("call") { (completion: Completion<Void>) in
      completion.onCancel { calls.append(1) }
      try await gate.passUnlessCancelled()
    }
    await gate.arrivals()
    ticket.cancel()
    #expect(await ticket.outcome.description == "cancelled")
    #expect(calls.values == [1])
  }

  @Test func `answers after the wait was cancelled are nobody's mistake, not even of a body that threw`() async {
    let gate = Gate()
    let token = Kept<Completion<Int>>()
    let waiting = Task {
      await end { completion in
        token.put(completion)
        try await gate.passUnlessCancelled()
      }
    }
    await gate.arrivals()
    waiting.cancel()
    _ = await waiting.value
    #expect(token.take()?.succeed(1) == false)
    #expect(codes == [])
  }

  @Test func `a timeout beyond what clocks can count is as good as none`() async throws {
    let answer = try await withCompletion(of: Int.self, timeout: .seconds(Int64.max)) { completion in
      for _ in 0..<100 { await Task.yield() }
      completion.succeed(1)
    }
    #expect(answer == 1)
  }
}
