import TaskKit
import TaskKitTesting
import Testing

/// All of them side by side, in the order of the input, and what is thrown where some fail (B18–B20, Bw5, Bw12).
@Suite struct ConcurrentMapTests {
  /// How something ends, and when.
  private enum Ending: Sendable {
    case value, cancellation, error(Int)

    func get() throws -> Int {
      switch self {
      case .value: return 0
      case .cancellation: throw CancellationError()
      case .error(let code): throw Coded(code: code)
      }
    }
  }

  /// What `concurrentMap` throws, in words.
  private func thrown(_ endings: [Ending], with ended: Recorder = Recorder()) async -> String {
    do {
      _ = try await endings.concurrentMap { ending in
        defer { ended.note("ended") }
        return try ending.get()
      }
      return "nothing"
    } catch {
      return words(error)
    }
  }

  @Test func `twenty of random delays: no error, and each has its own result, Bt19`() async throws {
    let clock = VirtualClock()
    var chance = SeededGenerator(seed: 19)
    let delays = (0..<20).map { ($0, Duration.milliseconds(Int.random(in: 1...100, using: &chance))) }
    async let all = delays.concurrentMap { number, delay in
      try await clock.sleep(for: delay)
      return number * number
    }
    await clock.waitForSleepers(20)
    clock.advance(by: .milliseconds(100))
    #expect(try await all == (0..<20).map { $0 * $0 })
  }

  @Test func `one error is thrown as itself, when all the others have ended, Bt20`() async {
    let ended = Recorder()
    #expect(await thrown([.value, .error(35), .value, .value], with: ended) == "error 35")
    #expect(ended.notes.count == 4)
  }

  /// Where all gave up at the first error, what waits here would be cancelled, and what has not begun would never begin.
  @Test(arguments: [Int.max, 1])
  func `an error ends none of the others: each has its value`(limit: Int) async {
    let (failed, gate) = (Gate(), Gate())
    async let results = [1, 2, 3].concurrentResults(maximumConcurrency: limit) { number in
      guard number > 1 else {
        // So that the others are at it when it fails.
        if limit > 1 { await gate.arrivals(2) }
        failed.open()
        throw Coded(code: 1)
      }
      try await gate.passUnlessCancelled()
      return number
    }
    await failed.pass()
    // Whatever else could go on would have gone on by then: only the gate is waited for.
    for _ in 0..<1000 { await Task.yield() }
    gate.open()
    #expect(await results.map(words) == ["error 1", "2", "3"])
  }

  @Test func `two errors are listed in the order of the input, whoever failed first, Bt21`() async {
    let (early, late) = (Gate(), Gate())
    do {
      _ = try await [1, 2, 3].concurrentMap { number in
        if number == 1 { await late.pass() }
        if number == 3 { await early.pass() }
        defer { if number == 3 { late.open() } else { early.open() } }
        if number != 2 { throw Coded(code: number) }
      }
      Issue.record("nothing was thrown")
    } catch {
      #expect(words(error) == "errors 1, 3")
      #expect("\(error)" == "2 errors: 1. error 1; 2. error 3")
    }
  }

  @Test func `a cancelled one among successes is a cancellation, Bt22`() async {
    #expect(await thrown([.value, .cancellation, .value]) == "cancelled")
  }

  @Test func `of nothing at all it is done at once, Bt23`() async {
    #expect(await thrown([]) == "nothing")
  }

  @Test func `values stand in the order of the input although they come in the order of their delays, Bt24`()
    async throws
  {
    let clock = VirtualClock()
    let ended = Recorder()
    async let all = [30, 10, 20].concurrentMap { delay in
      try await clock.sleep(for: .seconds(delay))
      ended.note("\(delay)")
      return delay
    }
    await clock.waitForSleepers(3)
    for count in 1...3 {
      clock.advance(by: .seconds(10))
      _ = await ended.notes(count)
    }
    #expect(try await all == [30, 10, 20])
    #expect(ended.notes == ["10", "20", "30"])
  }

  @Test func `success, cancellation and error: the error, in whatever order, Bt25`() async {
    let endings: [Ending] = [.value, .cancellation, .error(1)]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      #expect(await thrown(order.map { endings[$0] }) == "error 1")
    }
  }

  @Test func `with two errors among them no cancellation is listed, Bt26`() async {
    #expect(await thrown([.cancellation, .error(1), .value, .cancellation, .error(2)]) == "errors 1, 2")
  }

  @Test func `cancellation and error: the error, Bt27`() async {
    #expect(await thrown([.cancellation, .error(1)]) == "error 1")
    #expect(await thrown([.error(1), .cancellation]) == "error 1")
  }

  @Test func `success and cancellation: cancelled, Bt28`() async {
    #expect(await thrown([.value, .cancellation]) == "cancelled")
    #expect(await thrown([.cancellation, .value]) == "cancelled")
  }

  @Test func `success and error: the error, Bt29`() async {
    #expect(await thrown([.value, .error(1)]) == "error 1")
    #expect(await thrown([.error(1), .value]) == "error 1")
  }

  @Test func `of nothing at all the values are none, Bt30`() async throws {
    let values = try await [Int]().concurrentMap { $0 }
    #expect(values.isEmpty)
    #expect(await [Int]().concurrentResults { $0 }.isEmpty)
  }

  /// 3 + 9 + 27 + 81 combinations.
  @Test func `every combination of four endings throws by one rule, whether all are wanted or the first`() async {
    var combinations: [[Ending]] = [[]]
    for _ in 1...4 {
      combinations = combinations.flatMap { shorter in
        [Ending.value, .cancellation, .error(shorter.count + 1)].map { shorter + [$0] }
      }
      for endings in combinations {
        let codes = endings.compactMap { if case .error(let code) = $0 { code } else { nil } }
        let cancellations = endings.count { if case .cancellation = $0 { true } else { false } }
        let failure =
          switch (codes.count, cancellations) {
          case (0, 0): "nothing"
          case (0, _): "cancelled"
          case (1, _): "error \(codes[0])"
          default: "errors \(codes.map(String.init).joined(separator: ", "))"
          }
        #expect(await thrown(endings) == failure)
        let first: Result<Int, any Error>
        do { first = .success(try await endings.firstSuccess { try $0.get() }) } catch { first = .failure(error) }
        let hasValue = codes.count + cancellations < endings.count
        #expect(words(first) == (hasValue ? "0" : failure))
      }
    }
  }

  @Test func `the results say of each what became of it`() async {
    let endings: [Ending] = [.error(1), .value, .cancellation]
    let results = await endings.concurrentResults { try $0.get() }
    #expect(results.map(words) == ["error 1", "0", "cancelled"])
  }

  @Test(arguments: [(-1, 1), (1, 1), (3, 3), (.max, 12)])
  func `not more run at the same time than it says`(limit: Int, expected: Int) async throws {
    let meter = Meter()
    let arrived = Gate()
    let values = try await (0..<12).concurrentMap(maximumConcurrency: limit) { number in
      meter.enter()
      defer { meter.leave() }
      // So that they meet: nobody goes on before the first few are there.
      async let arrival: Void = arrived.pass()
      await arrived.arrivals(expected)
      arrived.open()
      await arrival
      return number
    }
    #expect(values == Array(0..<12))
    #expect(meter.maximum == expected)
  }

  @Test func `cancelling the caller reaches every body, and what has not begun never does`() async {
    let gate = Gate()
    let begun = Recorder()
    let task = Task {
      await (0..<5).concurrentResults(maximumConcurrency: 2) { number in
        begun.note("\(number)")
        try await gate.passUnlessCancelled()
        return number
      }
    }
    await gate.arrivals(2)
    task.cancel()
    #expect(await task.value.map(words) == Array(repeating: "cancelled", count: 5))
    #expect(Set(begun.notes) == ["0", "1"])
  }

  @Test @MainActor func `bodies of the main actor run there, others off it`() async throws {
    let places = try await [1].concurrentMap { _ in isOnMainActor }
    #expect(places == [false])
    let main = try await [1].concurrentMap { @MainActor _ in isOnMainActor }
    #expect(main == [true])
  }
}

/// An error with a code, as Bolts' tests have it.
struct Coded: Error, CustomStringConvertible {
  let code: Int
  var description: String { "error \(code)" }
}

func words(_ error: any Error) -> String {
  switch error {
  case is CancellationError: "cancelled"
  case let several as MultipleErrors:
    "errors \(several.errors.map { "\(($0 as? Coded)?.code ?? 0)" }.joined(separator: ", "))"
  case is TimeoutError: "timed out"
  default: "\(error)"
  }
}

func words<Value>(_ result: Result<Value, any Error>) -> String {
  switch result {
  case .success(let value): "\(value)"
  case .failure(let error): words(error)
  }
}
