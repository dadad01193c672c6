import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// The first that succeeds; the others are cancelled (B21, Bw4, Bw5).
@Suite struct FirstSuccessTests {
  private func end(_ endings: [Result<Int, any Error>]) async -> String {
    do {
      return "\(try await endings.firstSuccess { try $0.get() })"
    } catch {
      return words(error)
    }
  }

  @Test func `a finished one wins over a delayed one, which is cancelled and has ended, Bt31`() async throws {
    let clock = VirtualClock()
    let ended = Recorder()
    let value = try await [60, 0].firstSuccess { delay in
      defer { ended.note("\(delay)") }
      if delay == 0 { await clock.waitForSleepers() } else { try await clock.sleep(for: .seconds(delay)) }
      return delay
    }
    #expect(value == 0)
    #expect(ended.notes == ["0", "60"])
    #expect(clock.nextDeadline == nil)
  }

  @Test func `of two that race the one that is not held up wins, Bt32`() async throws {
    let never = Gate()
    let value = try await ["first", "second"].firstSuccess { name in
      if name == "second" { try await never.passUnlessCancelled() } else { await never.arrivals() }
      return name
    }
    #expect(value == "first")
  }

  @Test func `a success wins over an error that came before, Bt33`() async throws {
    let failed = Recorder()
    let value = try await [1, 2].firstSuccess { number in
      if number == 1 {
        failed.note("failed")
        throw Coded(code: 1)
      }
      _ = await failed.notes(1)
      return number
    }
    #expect(value == 2)
  }

  @Test func `no more elements are drawn than it takes, of however many there are`() async throws {
    let drawn = Recorder()
    let numbers = sequence(first: 0) { number in
      drawn.note("\(number + 1)")
      return number + 1
    }
    let value = try await numbers.firstSuccess(maximumConcurrency: 1) { number in
      if number < 3 { throw Coded(code: number) }
      return number
    }
    #expect(value == 3)
    #expect(drawn.notes == ["1", "2", "3"])
  }

  @Test(arguments: [1, 2, Int.max])
  func `a success ends the drawing, however many bodies may run at the same time`(limit: Int) async throws {
    // One thread for all of it: what has begun comes to its turn before the next element is drawn.
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let drawn = Recorder()
    let value = try await withTaskExecutorPreference(OperationExecutor(queue)) {
      let numbers = (0..<1000).lazy.map { number in
        drawn.note("\(number)")
        return number
      }
      return try await numbers.firstSuccess(maximumConcurrency: limit) { number in
        if number < 3 { throw Coded(code: number) }
        return number
      }
    }
    #expect(value == 3)
    #expect(drawn.notes == ["0", "1", "2", "3"])
  }

  @Test func `a caller that is cancelled leaves the rest of the elements alone`() async {
    let end = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      do { return "\(try await (0...).firstSuccess(maximumConcurrency: 1) { $0 })" } catch { return words(error) }
    }.value
    #expect(end == words(CancellationError()))
  }

  @Test func `a loser that succeeds all the same, because it ignores its cancellation, changes nothing`() async throws {
    let (won, never) = (Gate(), Gate())
    let value = try await ["late", "first"].firstSuccess { name in
      if name == "first" {
        await won.arrivals()
      } else {
        async let arrival: Void = won.pass()
        // Ends when it is cancelled, because another has won.
        try? await never.passUnlessCancelled()
        won.open()
        await arrival
      }
      return name
    }
    #expect(value == "first")
  }

  @Test func `a single error is thrown as itself, Bt34`() async {
    #expect(await end([.failure(Coded(code: 7))]) == "error 7")
  }

  @Test func `of nothing at all it fails: there is no value to return, Bt35`() async {
    let error = await #expect(throws: MultipleErrors.self) { try await [Int]().firstSuccess { $0 } }
    #expect(error?.errors.isEmpty == true)
    #expect(error?.description == "there was nothing to try")
  }

  @Test func `two errors are thrown as two, Bt36`() async {
    #expect(await end([.failure(Coded(code: 1)), .failure(Coded(code: 2))]) == "errors 1, 2")
  }

  @Test func `if nobody succeeds an error beats a cancellation, Bw5`() async {
    let cancellation = Result<Int, any Error>.failure(CancellationError())
    #expect(await end([cancellation, .failure(Coded(code: 1))]) == "error 1")
    #expect(await end([.failure(Coded(code: 1)), cancellation]) == "error 1")
    #expect(await end([cancellation, cancellation]) == "cancelled")
    #expect(await end([cancellation, .success(3)]) == "3")
  }

  @Test func `one at a time each is tried after the failure of the one before, and none after a success`() async throws
  {
    let tried = Recorder()
    let value = try await (1...5).firstSuccess(maximumConcurrency: 1) { number in
      tried.note("\(number)")
      guard number == 3 else { throw Coded(code: number) }
      return number
    }
    #expect(value == 3)
    #expect(tried.notes == ["1", "2", "3"])
  }

  @Test func `cancelling the caller cancels all`() async {
    let never = Gate()
    let task = Task {
      try await [1, 2].firstSuccess { number in
        try await never.passUnlessCancelled()
        return number
      }
    }
    await never.arrivals(2)
    task.cancel()
    #expect(words(await task.result) == "cancelled")
  }
}
