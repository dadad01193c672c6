import TaskKit
import TaskKitTesting
import Testing

/// A limit of time for an operation (B16, B17, B22; Bw2, Bw3).
@Suite struct WithTimeoutTests {
  private let clock = VirtualClock()

  private func end(_ timeout: Duration, _ operation: @escaping @Sendable () async throws -> Void) async -> String {
    do {
      try await withTimeout(timeout, clock: clock, operation)
      return "done"
    } catch {
      return words(error)
    }
  }

  /// Sleeps that long, with so much time for it.
  private func end(_ timeout: Duration, sleeping: Duration, _ began: Recorder = Recorder()) async -> String {
    await end(timeout) { [clock] in
      began.note("began")
      try await clock.sleep(for: sleeping)
    }
  }

  @Test func `an operation that ends in time returns, and leaves no timer behind`() async {
    async let end = end(.seconds(5), sleeping: .seconds(2))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    #expect(await end == "done")
    #expect(clock.nextDeadline == nil)
  }

  @Test func `one that overruns is cancelled when its time has passed, and not before, Bt54`() async {
    async let end = end(.milliseconds(200), sleeping: .seconds(500))
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(199))
    #expect(clock.nextDeadline == .milliseconds(200))
    clock.advance(by: .milliseconds(1))
    #expect(await end == "timed out")
    #expect(clock.nextDeadline == nil)
  }

  @Test func `a negative time has passed already, Bt55`() async {
    #expect(await end(.seconds(-2), sleeping: .seconds(1)) == "timed out")
  }

  @Test func `no time at all has passed already, Bt56`() async {
    #expect(await end(.zero, sleeping: .seconds(1)) == "timed out")
  }

  @Test func `in a task that was cancelled before, the limit changes nothing, Bt57`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await end(.seconds(5), sleeping: .seconds(1))
    }
    #expect(await task.value == "cancelled")
    #expect(clock.nextDeadline == nil)
  }

  @Test func `a delay that is cancelled ends at once, not when its time has come, Bt38`() async {
    let task = Task { await end(.seconds(500), sleeping: .seconds(400)) }
    await clock.waitForSleepers(2)
    task.cancel()
    #expect(await task.value == "cancelled")
    #expect(clock.now.offset == .zero)
  }

  @Test func `an error that comes after the caller was cancelled is what it gets`() async {
    let gate = Gate()
    let task = Task {
      await end(.seconds(500)) {
        do { try await gate.passUnlessCancelled() } catch { throw Coded(code: 1) }
      }
    }
    await gate.arrivals()
    task.cancel()
    #expect(await task.value == "error 1")
    #expect(clock.now.offset == .zero)
  }

  @Test func `a delay in a task that was cancelled before is no delay, Bt39`() async {
    let began = Recorder()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await end(.seconds(500), sleeping: .seconds(400), began)
    }
    #expect(await task.value == "cancelled")
    #expect(began.notes == ["began"])
    #expect(clock.now.offset == .zero)
  }

  @Test func `what an operation throws in time is thrown`() async {
    await #expect(throws: Coded.self) {
      try await withTimeout(.seconds(5), clock: clock) { throw Coded(code: 1) }
    }
  }

  @Test(arguments: [true, false])
  func `what an operation still does after its time changes nothing: it has timed out`(succeeds: Bool) async {
    async let ending = end(.seconds(5)) {
      // Heeds nothing, and is done when it is cancelled.
      try? await clock.sleep(for: .seconds(100))
      if !succeeds { throw Coded(code: 1) }
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    #expect(await ending == "timed out")
  }

  @Test func `the error says how long and where`() async throws {
    let line = #line + 1
    let error = await #expect(throws: TimeoutError.self) {
      try await withTimeout(.zero, clock: clock) { try await clock.sleep(for: .seconds(1)) }
    }
    #expect(error?.timeout == .zero)
    #expect(error?.location.line == line)
    #expect(error?.description == "not done within 0.0 seconds, the limit set at \(try #require(error?.location))")
  }

  @Test(arguments: [Duration.seconds(Int64.max), .nanoseconds(Int64.max), .seconds(1 << 40)])
  func `a time beyond what clocks can count is as good as none`(timeout: Duration) async throws {
    let answer = try await withTimeout(timeout) {
      for _ in 0..<100 { await Task.yield() }
      return 1
    }
    #expect(answer == 1)
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
  func `a time that is not more than zero has passed at once`(timeout: Duration) async {
    let gate = Gate()
    await #expect(throws: TimeoutError.self) {
      try await withTimeout(timeout) { try await gate.passUnlessCancelled() }
    }
  }
}
