import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// Tasks at the elements of a sequence: its end and its failure, back-pressure, cancellation.
@Suite struct SequenceTests {
  private struct Broken: Error {}

  @Test func `a task runs at each element in its order, and the end is told`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .elements(of: AsyncStream<Int>.of(1, 2, 3), name: "numbers") { context in recorder.note("\(context.payload)") }
    ])
    let events = center.events.makeAsyncIterator()
    #expect(try center.sequence(of: "numbers").words == "not started")
    center.start()
    #expect(await events.words(until: "sequenceEnded numbers").last == "sequenceEnded numbers")
    #expect(recorder.notes == ["1", "2", "3"])
    #expect(try center.sequence(of: "numbers").words == "ended")
  }

  private static var hidden: some AsyncSequence<Int, any Error> {
    AsyncThrowingStream<Int, any Error>.of(1, 2, failing: Broken())
  }

  private static func erased(_ sequence: some AsyncSequence<Int, any Error> & Sendable)
    -> any AsyncSequence<Int, any Error> & Sendable
  { sequence }

  private static func generic<Elements: AsyncSequence & Sendable>(_ elements: Elements, _ recorder: Recorder)
    -> TaskDefinition
  where Elements.Element == Int { .elements(of: elements, name: "generic") { recorder.note("generic \($0.payload)") } }

  @Test func `the type of a sequence may be hidden, erased or generic`() async throws {
    let recorder = Recorder()
    let stream = AsyncThrowingStream<Int, any Error>.of(1, 2, failing: Broken())
    let center = try TaskCenter.with([
      .elements(of: Self.hidden, name: "hidden") { context in recorder.note("hidden \(context.payload)") },
      .elements(of: Self.hidden.map { $0 * 10 }, name: "mapped") { context in
        await Task.yield()
        recorder.note("mapped \(context.payload)")
      },
      .elements(of: Self.erased(stream), name: "erased") { context in recorder.note("erased \(context.payload)") },
      Self.generic(AsyncStream<Int>.of(1, 2), recorder),
    ])
    let events = EventRecorder(center)
    center.start()
    for name in ["hidden", "mapped", "erased"] { _ = await events.words(until: "sequenceFailed \(name): Broken()") }
    _ = await events.words(until: "sequenceEnded generic")
    #expect(
      recorder.notes.sorted() == [
        "erased 1", "erased 2", "generic 1", "generic 2", "hidden 1", "hidden 2", "mapped 10", "mapped 20",
      ])
  }

  private static let returning: [@Sendable () -> TaskDefinition] = [
    { .elements(of: Counting(limit: 3, asked: Recorder()), name: "numbers", returning: { $0.payload * 2 }) },
    {
      .elements(
        of: Counting(limit: 3, asked: Recorder()), name: "numbers",
        returning: { context in
          await Task.yield()
          return context.payload * 2
        })
    },
  ]

  @Test(arguments: returning.indices)
  func `what a body returned for the latest element can be read`(place: Int) async throws {
    let center = try TaskCenter.with([Self.returning[place]()])
    let events = center.events.makeAsyncIterator()
    center.start()
    _ = await events.words(until: "sequenceEnded numbers")
    #expect(try await center.output(named: "numbers", as: Int.self) == 6)
  }

  @Test func `its failure is told with the error, also where nobody looks at events`() async throws {
    let (recorder, reports) = (Recorder(), Recorder())
    var configuration = TaskCenter.Configuration()
    configuration.report = { reports.note($0) }
    let center = TaskCenter(configuration: configuration)
    try center.inject(
      .elements(of: AsyncThrowingStream<Int, any Error>.of(1, failing: Broken()), name: "numbers") { context in
        recorder.note("\(context.payload)")
      })
    let events = center.events.makeAsyncIterator()
    center.start()
    #expect(await reports.notes(1).first?.hasSuffix("has failed, and the task runs no more: Broken()") == true)
    #expect(reports.notes.first?.hasPrefix("the sequence of 'numbers' (TaskKitTests/SequenceTests.swift:") == true)
    #expect(await events.words(until: "sequenceFailed numbers: Broken()").last == "sequenceFailed numbers: Broken()")
    #expect(recorder.notes == ["1"])
    #expect(try center.sequence(of: "numbers").words == "failed: Broken()")
  }

  @Test func `the next element is asked for when the tasks of this one have ended`() async throws {
    let gate = Gate()
    let asked = Recorder()
    let elements = Counting(limit: 3, asked: asked)
    let center = try TaskCenter.with([.elements(of: elements, name: "slow") { _ in await gate.pass() }])
    center.start()
    await gate.arrivals()
    // Whatever else could go on would have gone on by then: only the body is waited for.
    for _ in 0..<1000 { await Task.yield() }
    #expect(asked.notes == ["1"])
    gate.open()
    #expect(await asked.notes(4) == ["1", "2", "3", "end"])
  }

  @Test func `with drop the elements that come while one is worked on are left out`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let asked = Recorder()
    let center = try TaskCenter.with([
      .elements(of: Counting(limit: 5, asked: asked), name: "slow", burst: .drop) { context in
        recorder.note("\(context.payload)")
        await gate.pass()
      }
    ])
    let events = EventRecorder(center)
    center.start()
    #expect(await asked.notes(6).last == "end")
    await gate.arrivals()
    gate.open()
    await center.quiet()
    #expect(recorder.notes == ["1"])
    let told = await events.words(until: "sequenceEnded slow")
    #expect(told.count { $0.hasPrefix("occurrenceDropped ") } == 4)
  }

  @Test func `with replace the newest element cancels the one that is worked on`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    let center = try TaskCenter.with([
      .elements(of: numbers, name: "slow", burst: .replace) { context in
        recorder.note("begin \(context.payload)")
        do { try await gate.passUnlessCancelled() } catch { recorder.note("cancelled \(context.payload)") }
      }
    ])
    center.start()
    continuation.yield(1)
    #expect(await recorder.notes(1) == ["begin 1"])
    continuation.yield(2)
    #expect(await recorder.notes(3) == ["begin 1", "cancelled 1", "begin 2"])
    gate.open()
    continuation.finish()
  }

  @Test func `with debounce the newest element runs when no other has come for a while`() async throws {
    let clock = VirtualClock()
    let recorder = Recorder()
    let asked = Recorder()
    let center = try TaskCenter.with(
      [
        .elements(of: Counting(limit: 5, asked: asked), name: "slow", burst: .debounce(.seconds(5))) { context in
          recorder.note("\(context.payload)")
        }
      ], clock: clock)
    center.start()
    #expect(await asked.notes(6).last == "end")
    #expect(recorder.notes == [])
    await clock.step(to: .seconds(5))
    #expect(await recorder.notes(1) == ["5"])
  }

  /// Otherwise the send would wait for the body, which does not wait for it, and be refused as one that waits for itself.
  @Test func `what a sequence sends is not sent by the body that has injected its task`() async throws {
    let sent = Values<String>()
    let center = try TaskCenter.with([])
    let sending = AsyncStream<Int> { [weak center] in
      if sent.values.isEmpty, let status = await center?.send(.alpha).status { sent.append("\(status)") }
      return nil
    }
    center.start()
    try center.inject(
      .event(.alpha, name: "injects", runs: .once) { [weak center] _ in
        try center?.inject(.elements(of: sending, name: "numbers") { _ in })
        while center?.queueLength(of: "alpha") == 0, sent.values.isEmpty { await Task.yield() }
      })
    #expect(await center.send(.alpha).isSuccess)
    await waitUntil { !sent.values.isEmpty }
    #expect(sent.values == ["completed"])
  }

  @Test func `with a merging burst the sequence is read as it comes, and the newest element runs`() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let asked = Recorder()
    let center = try TaskCenter.with([
      .elements(of: Counting(limit: 5, asked: asked), name: "slow", burst: .coalesce) { context in
        recorder.note("\(context.payload)")
        await gate.pass()
      }
    ])
    center.start()
    await gate.arrivals()
    #expect(await asked.notes(6).last == "end")
    gate.open()
    #expect(await recorder.notes(2) == ["1", "5"])
  }

  @Test func `destroying the task cancels the sequence`() async throws {
    let ended = Recorder()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.onTermination = { _ in ended.note("terminated") }
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .elements(of: stream, name: "numbers") { context in recorder.note("\(context.payload)") }
    ])
    center.start()
    continuation.yield(1)
    #expect(await recorder.notes(1) == ["1"])
    try center.destroy("numbers")
    #expect(await ended.notes(1) == ["terminated"])
    #expect(throws: TaskError.self) { try center.sequence(of: "numbers") }
  }

  @Test(arguments: [false, true])
  func `a task at elements of another type takes the place of one, also of one that is still at it`(
    isGoing: Bool
  ) async throws {
    let gate = Gate()
    let recorder = Recorder()
    let ended = Recorder()
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.onTermination = { _ in ended.note("terminated") }
    let center = try TaskCenter.with([
      .elements(of: numbers, name: "record", burst: .coalesce) { context in
        recorder.note("number \(context.payload)")
        if isGoing { await gate.pass() }
      }
    ])
    center.start()
    continuation.yield(1)
    #expect(await recorder.notes(1) == ["number 1"])
    if isGoing {
      await gate.arrivals()
      // One that waits behind it as well.
      continuation.yield(2)
      await waitUntil { center.queueLength(of: "@SequenceTask(record)") > 0 }
    } else {
      await center.quiet()
    }
    let words: TaskDefinition = .elements(of: AsyncStream<String>.of("a", "b"), name: "record") { context in
      recorder.note("word \(context.payload)")
    }
    let (plainly, wholly) = center.soundness(of: [words], replacing: true)
    #expect(plainly && wholly)
    try center.inject(words, replacing: true)
    #expect(await ended.notes(1) == ["terminated"])
    gate.open()
    #expect(await recorder.notes(3) == ["number 1", "word a", "word b"])
    await center.quiet()
    #expect(recorder.notes.count == 3)
  }

  @Test(arguments: [false, true])
  func `what waits of a sequence is not given to the next task of its name, though the type is the same`(
    isReplacing: Bool
  ) async throws {
    let gate = Gate()
    let recorder = Recorder()
    func task(_ word: String, _ numbers: AsyncStream<Int>) -> TaskDefinition {
      .elements(of: numbers, name: "record", burst: .coalesce) { context in
        recorder.note("\(word) \(context.payload)")
        await gate.pass()
      }
    }
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    let center = try TaskCenter.with([task("old", numbers)])
    center.start()
    continuation.yield(1)
    await gate.arrivals()
    continuation.yield(2)
    await waitUntil { center.queueLength(of: "@SequenceTask(record)") == 1 }
    if !isReplacing { try center.destroy("record") }
    try center.inject(task("new", AsyncStream<Int>.of(10)), replacing: isReplacing)
    gate.open()
    #expect(await recorder.notes(2) == ["old 1", "new 10"])
    await center.quiet()
    #expect(recorder.notes.count == 2)
    try center.destroy("record")
    #expect(center.knownEvents == 0)
  }

  @Test func `of sequences whose tasks give way to others while they run nothing is kept`() async throws {
    let center = try TaskCenter.with([])
    center.start()
    for round in 0..<12 {
      let gate = Gate()
      let definition: TaskDefinition =
        round % 2 == 0
        ? .elements(of: AsyncStream<Int>.of(1), name: "record") { _ in try await gate.passUnlessCancelled() }
        : .elements(of: AsyncStream<String>.of("a"), name: "record") { _ in try await gate.passUnlessCancelled() }
      try center.inject(definition, replacing: true)
      await gate.arrivals()
    }
    try center.destroy("record")
    await center.quiet()
    #expect(center.knownEvents == 0)
  }

  @Test func `a center that nobody holds any more lets the sequence go`() async throws {
    let ended = Recorder()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.onTermination = { _ in ended.note("terminated") }
    weak var gone: TaskCenter?
    do {
      let center = try TaskCenter.with([.elements(of: stream, name: "numbers") { _ in }])
      gone = center
      center.start()
    }
    #expect(await ended.notes(1) == ["terminated"])
    #expect(gone == nil)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a center that nobody holds any more goes although what an element is for has not begun`() async throws {
    let ran = Recorder()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let lane = Lane("closed", opens: .whenOpened)
    weak var gone: TaskCenter?
    do {
      let center = try TaskCenter.with([.elements(of: stream, name: "numbers", lane: lane) { _ in ran.note("ran") }])
      gone = center
      center.start()
      continuation.yield(1)
      await waitUntil { center.parkedCount(in: lane) == 1 }
    }
    await waitUntil { gone == nil }
    #expect(gone == nil)
    #expect(ran.notes.isEmpty)
  }

  @Test func `an event task has no sequence to tell of`() throws {
    let center = try TaskCenter.with([.event(.alpha, name: "alpha") { _ in }])
    let error = #expect(throws: TaskError.self) { try center.sequence(of: "alpha") }
    #expect(error?.code == .hasNoSequence)
  }

  @Test func `a sequence is cancelled and has ended when its center has shut down`() async throws {
    let ended = Recorder()
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.onTermination = { _ in ended.note("terminated") }
    let center = try TaskCenter.with([.elements(of: numbers, name: "numbers") { _ in }])
    let events = center.events.makeAsyncIterator()
    center.start()
    #expect(try center.sequence(of: "numbers").words == "running")
    await center.terminate()
    #expect(try center.sequence(of: "numbers").words == "ended")
    #expect(await ended.notes(1) == ["terminated"])
    #expect(await events.words(until: "sequenceEnded numbers").last == "sequenceEnded numbers")
  }

  @Test func `a sequence that fails while its center shuts down has ended, and no failure is told`() async throws {
    let reports = Recorder()
    var configuration = TaskCenter.Configuration()
    configuration.report = { reports.note($0) }
    let center = TaskCenter(configuration: configuration)
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    try center.inject(.elements(of: numbers, name: "numbers") { _ in })
    center.start()
    await center.terminate()
    try center.sequenceFails(of: "numbers", Broken())
    #expect(try center.sequence(of: "numbers").words == "ended")
    #expect(reports.notes == [])
    continuation.finish()
  }
}

extension SequenceStatus {
  var words: String {
    switch self {
    case .notStarted: "not started"
    case .running: "running"
    case .ended: "ended"
    case .failed(let error): "failed: \(error)"
    }
  }
}

extension AsyncStream where Element: Sendable {
  fileprivate static func of(_ elements: Element...) -> AsyncStream {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
  fileprivate static func of(_ elements: Element..., failing error: any Error) -> AsyncThrowingStream {
    AsyncThrowingStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish(throwing: error)
    }
  }
}

/// Counts, and notes each time it is asked.
private struct Counting: AsyncSequence, Sendable {
  let limit: Int
  let asked: Recorder

  struct Iterator: AsyncIteratorProtocol {
    var next = 1
    let limit: Int
    let asked: Recorder

    mutating func next() async -> Int? {
      asked.note(next > limit ? "end" : "\(next)")
      defer { next += 1 }
      return next > limit ? nil : next
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(limit: limit, asked: asked) }
}
