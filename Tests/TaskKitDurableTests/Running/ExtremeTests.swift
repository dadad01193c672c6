import Foundation
import TaskKit
import TaskKitDurable
import TaskKitTesting
import Testing

/// A job with as many bytes as a photo.
private struct Photo: DurableTask {
  var bytes: Data

  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "photo", type: Self.self, collected: (), at: ("Tests/Photo.swift", 1, 1),
      options: JobOptions(retention: JobRetention(finished: nil)),
      output: { job, context in
        try await context.checkpoint(job.bytes)
        context.center[Probe.Key.self]?.note("\(job.bytes.count)")
        return job.bytes
      })
  }
}

/// One of each name.
private struct Named: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "named"
  static var options: JobOptions<Named> { JobOptions(unique: .by(\.name), keyLimit: .by(\.name)) }
}

/// Of which any number may run, in so many words.
private struct Boundless: ProbedTask {
  var name: String
  init(_ name: String) { self.name = name }
  static let kind = "boundless"
  static var options: JobOptions<Boundless> { JobOptions(limit: .max) }
}

/// Numbers, dates and sizes at their limits.
@Suite struct ExtremeTests {
  struct Times: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let start: NewJob.Start
    let runsAtOnce: Bool
  }

  @Test(arguments: [
    Times(testDescription: "no delay", start: .after(.zero), runsAtOnce: true),
    Times(testDescription: "a negative delay", start: .after(.seconds(-1)), runsAtOnce: true),
    Times(testDescription: "the smallest delay", start: .after(.seconds(Int64.min)), runsAtOnce: true),
    Times(testDescription: "the distant past", start: .at(.distantPast), runsAtOnce: true),
    Times(testDescription: "a date before all", start: .at(Date(timeIntervalSince1970: -.infinity)), runsAtOnce: true),
    Times(testDescription: "the largest delay", start: .after(.seconds(Int64.max)), runsAtOnce: false),
    Times(testDescription: "a delay of too many seconds", start: .after(.seconds(Int64.max) * 2), runsAtOnce: false),
    Times(testDescription: "too many before now", start: .after(.seconds(Int64.min) * 2), runsAtOnce: true),
    Times(testDescription: "the distant future", start: .at(.distantFuture), runsAtOnce: false),
    Times(testDescription: "a date after all", start: .at(Date(timeIntervalSince1970: .infinity)), runsAtOnce: false),
    Times(testDescription: "no date at all", start: .at(Date(timeIntervalSince1970: .nan)), runsAtOnce: false),
  ])
  func `a start at the limits of time is kept, and told`(times: Times) async throws {
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(inFile: isFile)
      let id = try await bench.center.enqueue(Work("a"), EnqueueOptions(start: times.start))
      let needy = try await bench.center.enqueue(
        Work("b"), EnqueueOptions(requires: [.network], requiresUntil: times.start))
      bench.center.start()
      await bench.center.jobs.idle()
      #expect(Set(bench.probe.notes) == (times.runsAtOnce ? ["a", "b"] : []))
      #expect(try await !bench.center.jobs.why(id).isEmpty)
      #expect(try await !bench.center.jobs.why(needy).isEmpty)
      _ = try await bench.center.jobs.dump()
      await bench.time.advance(by: .seconds(86_400 * 365), driving: bench.center)
      #expect(bench.probe.notes.count == (times.runsAtOnce ? 2 : 0))
      await bench.center.terminate()
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
  func `a deadline that is over before it begins is refused`(deadline: Duration) async throws {
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(inFile: isFile)
      let error = await #expect(throws: DurableError.self) {
        try await bench.center.enqueue(Work("a"), EnqueueOptions(attempts: 2, deadline: deadline))
      }
      #expect(error?.code == .unusableValue)
      await bench.center.terminate()
    }
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 2])
  func `a deadline, retention, period and rate without end are kept`(forever: Duration) async throws {
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(inFile: isFile)
      try await bench.center.jobs.setRate(RateLimit(5, per: forever), ofQueue: "default")
      try await bench.center.enqueue(
        Work("a"), EnqueueOptions(deadline: forever, unique: UniqueKey("k", .keep, period: forever)))
      bench.center.start()
      await bench.center.jobs.idle()
      #expect(bench.probe.notes == ["a"])
      await bench.time.advance(by: .seconds(86_400), driving: bench.center)
      try await bench.center.enqueue(Work("b"), EnqueueOptions(unique: UniqueKey("k")))
      await bench.center.jobs.idle()
      #expect(bench.probe.notes == ["a"])
      #expect(try await bench.center.jobs.rates().first?.free == 4)
      await bench.center.terminate()
    }
  }

  @Test func `as many attempts as there are numbers, and priorities at both ends`() async throws {
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(
        inFile: isFile,
        queues: ["aged": QueueOptions(workers: 1, aging: .nanoseconds(1)), "plain": QueueOptions(workers: 1)])
      for queue in ["aged", "plain"] {
        for (name, major) in [("low", Int.min), ("middle", 0), ("high", Int.max)] {
          try await bench.center.enqueue(
            Work("\(queue) \(name)"),
            EnqueueOptions(
              queue: queue, priority: JobPriority(major: major, minor: major), attempts: JobAttempts(.max)))
        }
      }
      bench.time.advance(by: .seconds(3600))
      bench.center.start()
      await bench.center.jobs.idle()
      #expect(bench.probe.notes.filter { $0.hasPrefix("plain") } == ["plain high", "plain middle", "plain low"])
      #expect(bench.probe.notes.count == 6)
      await bench.center.terminate()
    }
  }

  @Test func `a job of ten megabytes is done like any other`() async throws {
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(inFile: isFile)
      let bytes = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0) })
      let id = try await bench.center.enqueue(Photo(bytes: bytes))
      try await bench.center.enqueue(Work("beside"))
      bench.center.start()
      await bench.center.jobs.idle()
      #expect(Set(bench.probe.notes) == ["10000000", "beside"])
      #expect(try await bench.center.jobs.result(of: id, as: Data.self) == bytes)
      await bench.center.terminate()
    }
  }

  @Test func `a queue whose name is spelt in pieces is refused where it would be two to a store and one to a center`()
    async throws
  {
    let bench = try JobBench(Work.self)
    let (whole, pieces) = ("caf\u{E9}", "cafe\u{301}")
    #expect(whole == pieces && !whole.utf8.elementsEqual(pieces.utf8))
    try await bench.center.enqueue(Work("a"), EnqueueOptions(queue: whole))
    for name in [pieces, "\u{212B}"] {
      let error = await #expect(throws: DurableError.self) {
        try await bench.center.enqueue(Work("b"), EnqueueOptions(queue: name))
      }
      #expect(error?.code == .unusableName && error?.description.contains(name) == true)
    }
    await #expect(throws: DurableError.self) {
      try await bench.center.jobs.setRate(RateLimit(1, per: .seconds(1)), ofQueue: pieces)
    }
    await #expect(throws: DurableError.self) { try await bench.center.jobs.pause(queue: pieces) }
    await bench.run()
    #expect(bench.probe.notes == ["a"])
  }

  @Test func `equal texts are one key to every store, however their accents are written`() async throws {
    let (whole, pieces) = ("caf\u{E9}", "cafe\u{301}")
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(inFile: isFile)
      let jobs = bench.center.jobs
      let id = try await bench.center.enqueue(Named(pieces))
      #expect(try await bench.center.enqueue(Named(whole)) == id)
      try await jobs.pause(key: "named/\(whole)")
      bench.center.start()
      await jobs.idle()
      #expect(bench.probe.notes == [])
      #expect(try await jobs.count(where: JobSelection(uniqueKeys: ["named/\(whole)"])) == 1)
      try await jobs.resume(key: "named/\(whole)")
      await jobs.idle()
      #expect(bench.probe.notes == [whole])
      await bench.center.terminate()
    }
  }

  @Test func `equal texts are one tag to every store, however their accents are written`() async throws {
    let (whole, pieces) = ("caf\u{E9}", "cafe\u{301}")
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(inFile: isFile)
      let jobs = bench.center.jobs
      for tag in [whole, pieces] { try await bench.center.enqueue(Work("a"), EnqueueOptions(tags: [tag])) }
      for tag in [whole, pieces] { #expect(try await jobs.count(where: JobSelection(tags: [tag])) == 2) }
      #expect(try await jobs.cancel(where: JobSelection(tags: [whole])) == 2)
      await bench.center.terminate()
    }
  }

  @Test func `a key that is named in pieces, and a selection by such a name, are refused`() async throws {
    let bench = try JobBench(Work.self)
    let jobs = bench.center.jobs
    let pieces = "cafe\u{301}"
    let (inQueue, ofKey) = (JobSelection(queues: [pieces]), JobSelection(uniqueKeys: [pieces]))
    await #expect(throws: DurableError.self) {
      try await bench.center.enqueue(Work("a"), EnqueueOptions(unique: UniqueKey(pieces)))
    }
    await #expect(throws: DurableError.self) { try await jobs.pause(key: pieces) }
    await #expect(throws: DurableError.self) { try await jobs.setRate(RateLimit(1, per: .seconds(1)), ofKey: pieces) }
    await #expect(throws: DurableError.self) { try await jobs.all(where: inQueue) }
    await #expect(throws: DurableError.self) { try await jobs.count(where: inQueue) }
    await #expect(throws: DurableError.self) { try await jobs.cancel(where: ofKey) }
    var looks = 0
    for await _ in jobs.updates(where: ofKey, limit: 1) { looks += 1 }
    #expect(looks == 0)
    // What an earlier build has taken can be let go.
    try await jobs.resume(queue: pieces)
    try await jobs.resume(key: pieces)
    try await jobs.setRate(nil, ofKey: pieces)
    // To a center it is the same queue.
    try await bench.center.enqueue(Work("b"), EnqueueOptions(queue: "caf\u{E9}"))
    bench.center.start()
    #expect(await jobs.idle(queue: pieces))
    #expect(bench.probe.notes == ["b"])
  }

  @Test func `a selection by a name with NUL in it is refused, and reaches no job of the name before it`()
    async throws
  {
    for isFile in Self.kindsOfStores {
      let bench = try Self.bench(inFile: isFile)
      let jobs = bench.center.jobs
      try await bench.center.enqueue(
        Work("a"), EnqueueOptions(queue: "work", unique: UniqueKey("work"), tags: ["work"]))
      let name = "work\0b"
      let selections = [
        JobSelection(kinds: [name]), JobSelection(queues: [name]), JobSelection(uniqueKeys: [name]),
        JobSelection(tags: [name]),
      ]
      for selection in selections {
        let calls: [@Sendable () async throws -> Void] = [
          { _ = try await jobs.all(where: selection) }, { _ = try await jobs.count(where: selection) },
          { try await jobs.cancel(where: selection) }, { try await jobs.delete(where: selection) },
        ]
        for call in calls {
          let error = await #expect(throws: DurableError.self) { try await call() }
          #expect(error?.code == .unusableName)
        }
        for await _ in jobs.updates(where: selection, limit: 1) { Issue.record("no job has such a name") }
      }
      #expect(try await jobs.all().map(\.state) == [.ready])
      await bench.center.terminate()
    }
  }

  @Test func `a center may ask for as many workers as a number can say`() async throws {
    var jobs = JobConfiguration(monitors: [])
    jobs.defaultQueue.workers = .max
    let bench = try JobBench(Work.self, jobs: jobs)
    for name in ["a", "b", "c"] { try await bench.center.enqueue(Work(name)) }
    await bench.run()
    #expect(bench.probe.notes.sorted() == ["a", "b", "c"])
  }

  @Test func `a limit of a kind may be as large as a number can say, in several queues at once`() async throws {
    var jobs = JobConfiguration(monitors: [])
    jobs.defaultQueue.workers = .max
    let bench = try JobBench(Boundless.self, jobs: jobs)
    for name in ["a", "b", "c"] { try await bench.center.enqueue(Boundless(name), EnqueueOptions(queue: name)) }
    await bench.run()
    #expect(bench.probe.notes.sorted() == ["a", "b", "c"])
  }

  @Test func `a name with NUL in it is refused by whoever hears of it`() async throws {
    let bench = try JobBench(Work.self)
    bench.probe.on("a") { context in
      do { try await context.once("a\0b") {} } catch {
        bench.probe.note("\((error as? DurableError)?.code.rawValue ?? "")")
      }
    }
    bench.probe.on("b") { context in
      do { try context.hold("later", until: ["a\0b"]) } catch {
        bench.probe.note("\((error as? DurableError)?.code.rawValue ?? "")")
      }
    }
    try await bench.center.enqueue(Work("a"))
    await bench.run()
    #expect(bench.probe.notes == ["a", "unusableName"])
    try await bench.center.enqueue(Work("b"))
    await bench.center.jobs.idle()
    #expect(bench.probe.notes == ["a", "unusableName", "b", "unusableName"])
    let jobs = bench.center.jobs
    await #expect(throws: JobStoreError.self) {
      try await bench.center.enqueue(Work("b"), EnqueueOptions(tags: ["\0"]))
    }
    await #expect(throws: DurableError.self) { try await jobs.pause(queue: "a\0b") }
    await #expect(throws: DurableError.self) { try await jobs.pause(kind: "a\0b") }
    await #expect(throws: DurableError.self) { try await jobs.pause(key: "a\0b") }
    await #expect(throws: DurableError.self) { try await jobs.setRate(RateLimit(1, per: .seconds(1)), ofKey: "a\0b") }
    await #expect(throws: DurableError.self) { try await jobs.setRate(nil, ofQueue: "a\0b") }
    let held = try await bench.center.enqueue(Work("c"), .delayed(.seconds(1)))
    await #expect(throws: DurableError.self) { try await jobs.hold(held, because: "later", until: ["a\0b"]) }
    await #expect(throws: DurableError.self) { try await jobs.hold(where: .all, because: "later", until: ["a\0b"]) }
    await #expect(throws: DurableError.self) { try await jobs.hold(because: "later", until: ["a\0b"]) { _ in true } }
    #expect(try await jobs.snapshot(of: held)?.state == .delayed)
  }

  // MARK: - In memory and in a file

  private struct Bench {
    let time: VirtualTime
    let probe = Probe()
    let center: TaskCenter
    /// Keeps the folder of a file.
    let place: AnyObject?
  }

  private static var kindsOfStores: [Bool] {
    #if Durable && !os(Windows)
    [false, true]
    #else
    [false]
    #endif
  }

  private static func bench(inFile isFile: Bool, queues: [String: QueueOptions] = [:]) throws -> Bench {
    var (store, place) = (DurableStore.memory(), AnyObject?.none)
    #if Durable && !os(Windows)
    if isFile {
      let fixture = try SQLiteFixture(isFast: true)
      (store, place) = (.sqlite(at: fixture.file), fixture)
    }
    #endif
    let time = VirtualTime()
    let bench = Bench(
      time: time,
      center: try TaskCenter(
        registry: TaskRegistry().adding(Work.self, Photo.self, Named.self), time: time.source, stores: [store],
        jobs: JobConfiguration(queues: queues, monitors: [])), place: place)
    bench.center[Probe.Key.self] = bench.probe
    return bench
  }
}
