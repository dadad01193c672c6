import Foundation
import TaskKit
import TaskKitTesting
import Testing

/// What the page about Bolts puts in the place of its idioms, where a call of TaskKit has a part in it: ready-made results,
/// flattening, chains, executors, exceptions and links (B3, B7, B11, B14, B15, B29, B34, Bn3, Bn4, Bn7).
@Suite struct IdiomTests {
  private let recorder = Recorder()

  // MARK: - Results

  /// What a wait comes to whose answer is there before anybody waits.
  private func end(_ answer: (Completion<Int>) -> Bool) async -> String {
    do {
      return "\(try await withCompletion { completion in _ = answer(completion) })"
    } catch {
      return words(error)
    }
  }

  @Test func `what is answered beforehand is there at once: a value, an error or a cancellation, B3`() async {
    #expect(await end { $0.succeed(7) } == "7")
    #expect(await end { $0.fail(Coded(code: 3)) } == "error 3")
    #expect(await end { $0.cancel() } == "cancelled")
  }

  @Test(arguments: [
    (Result<Int, Coded>.success(2), ["plain": "succeeded", "nested": "succeeded", "next": "succeeded"], ["1 and 2"]),
    (
      .failure(Coded(code: 7)),
      ["plain": "succeeded", "nested": "failed: error 7", "next": "skipped: 'nested' did not end well"], []
    ),
  ])
  private func `a task comes to a value, or to what it awaits comes to, B7`(
    _ inner: Result<Int, Coded>, _ outcomes: [String: String], _ notes: [String]
  ) async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "plain", returning: { _ in 1 }),
      .event(.alpha, name: "nested", returning: { _ in try await Task { try inner.get() }.value }),
      .event(.alpha, name: "next", dependencies: ["plain", "nested"]) { context in
        let values = (
          try context.output(named: "plain", as: Int.self), try context.output(named: "nested", as: Int.self)
        )
        recorder.note("\(values.0) and \(values.1)")
      },
    ])
    #expect(await center.send(.alpha).outcomes == outcomes)
    #expect(recorder.notes == notes)
  }

  @Test func `what continues may throw: it fails as itself, and what continues that is skipped, Bn7`() async throws {
    let center = try TaskCenter.with([
      .event(.alpha, name: "first", returning: { _ in 1 }),
      .event(.alpha, name: "next", dependencies: ["first"]) { context in
        throw Coded(code: try context.output(named: "first"))
      },
      .event(.alpha, name: "last", dependencies: ["next"]) { _ in recorder.note("last") },
    ])
    #expect(
      await center.send(.alpha).outcomes == [
        "first": "succeeded", "next": "failed: error 1", "last": "skipped: 'next' did not end well",
      ])
    #expect(recorder.notes == [])
  }

  // MARK: - How deep, how often, how much

  /// A place on the stack of a thread.
  private struct Place: Sendable {
    let thread: UInt
    let address: UInt

    static var here: Place {
      #if canImport(Darwin)
      let thread = UInt(bitPattern: pthread_self())
      #else
      let thread = UInt(pthread_self())
      #endif
      var local = 0
      return withUnsafeMutablePointer(to: &local) { Place(thread: thread, address: UInt(bitPattern: $0)) }
    }
  }

  @Test(arguments: [false, true])
  func `a chain of any length takes no stack, B11`(suspends: Bool) async throws {
    let places = Values<Place>()
    let count = 5000
    let center = try TaskCenter.with(
      (0..<count).map { number in
        let before = number == 0 ? [] : [TaskDependency("\(number - 1)")]
        return suspends
          ? .event(.alpha, name: TaskName("\(number)"), dependencies: before) { _ in
            await Task.yield()
            places.append(.here)
          } : .event(.alpha, name: TaskName("\(number)"), dependencies: before) { _ in places.append(.here) }
      })
    #expect(await center.send(.alpha).isSuccess)
    #expect(places.values.count == count)
    for (_, places) in Dictionary(grouping: places.values, by: \.thread) {
      let addresses = places.map(\.address)
      // A call in a call takes 16 bytes at the least, which would be 80,000.
      #expect((addresses.max() ?? 0) - (addresses.min() ?? 0) < 65_536)
    }
  }

  @Test func `work with a parameter is begun again with another, Bn3`() async throws {
    let double = LifecycleEvent<Int, Void>("double")
    let center = try TaskCenter.with([.event(double, name: "double", returning: { $0.payload * 2 })])
    var outputs: [Int] = []
    for number in 1...3 {
      await center.send(double, number)
      outputs.append(try await center.output(named: "double", as: Int.self))
    }
    #expect(outputs == [2, 4, 6])
  }

  @Test func `ten thousand are not too much: no more than it says at a time, and each comes to its own, Bn4`()
    async throws
  {
    let meter = Meter()
    let squares = try await (0..<10_000).concurrentMap(maximumConcurrency: 4) { number in
      meter.enter()
      defer { meter.leave() }
      await Task.yield()
      return number * number
    }
    #expect(squares == (0..<10_000).map { $0 * $0 })
    #expect(meter.maximum <= 4)
  }

  // MARK: - Where it runs

  @Test func `a task of an actor whose executor is a dispatch queue runs there, and others do not, B14, Bt65`()
    async throws
  {
    let center = try TaskCenter.with([
      .event(.alpha, name: "journal") { @Journal _ in
        recorder.note("\(QueueExecutor.isCurrent)")
        await Task.yield()
        recorder.note("\(QueueExecutor.isCurrent)")
      },
      .event(.alpha, name: "other", dependencies: ["journal"]) { _ in recorder.note("\(QueueExecutor.isCurrent)") },
    ])
    #expect(await center.send(.alpha).isSuccess)
    #expect(recorder.notes == ["true", "true", "false"])
  }

  @Test func `what is composed with an operation queue preferred runs there, and later it does not, B14, Bt66`()
    async throws
  {
    let downloads = OperationExecutor(OperationQueue())
    let inside = try await withTaskExecutorPreference(downloads) {
      try await [1, 2, 3].concurrentMap { _ in downloads.isCurrent }
    }
    #expect(inside == [true, true, true])
    #expect(try await [1].concurrentMap { _ in downloads.isCurrent } == [false])
  }

  @Test func `a task that is begun on an executor runs there, with all that it composes, and has its value, B15, Bt40`()
    async throws
  {
    let downloads = OperationExecutor(OperationQueue())
    let begun = Task(executorPreference: downloads) {
      let isThere = downloads.isCurrent
      return try await [1, 2].concurrentMap { $0 * (isThere && downloads.isCurrent ? 1 : -1) }
    }
    #expect(try await begun.value == [1, 2])
  }

  // MARK: - What is none of Bolts' any more

  #if os(macOS) || os(Linux) || os(Windows)
  @Test func `what a body throws is its outcome, and what traps ends the process, B29`() async throws {
    let center = try TaskCenter.with([.event(.alpha, name: "throws") { _ in throw Coded(code: 29) }])
    #expect(await center.send(.alpha).outcomes == ["throws": "failed: error 29"])
    await #expect(processExitsWith: .failure) {
      let center = try? TaskCenter.with([.event(.alpha, name: "traps") { _ in preconditionFailure("by intention") }])
      await center?.send(.alpha)
    }
  }
  #endif

  @Test func `a link of another app comes with what it carries and with who sent it, B34`() async throws {
    let link = try #require(URL(string: "notes://today?al_applink_data=%7B%22target%22%3A7%7D"))
    let center = try TaskCenter.with([
      .event(
        .openURL, name: "open",
        replying: { context in
          let items = URLComponents(url: context.payload.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
          recorder.note("\(context.payload.sourceApplication ?? "nobody") \(items.compactMap(\.value))")
          return true
        })
    ])
    let report = await center.send(.openURL, OpenURLRequest(link, sourceApplication: "com.example.other"))
    #expect(report.reply(to: .openURL) == true)
    #expect(recorder.notes == [#"com.example.other ["{\"target\":7}"]"#])
  }
}
