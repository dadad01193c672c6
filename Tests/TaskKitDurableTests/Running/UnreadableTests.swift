import Foundation
import Synchronization
import TaskKit
@testable import TaskKitDurable
import TaskKitTesting
import Testing

/// A kind as a build knows it.
private protocol Note: DurableTask {
  static var options: JobOptions<Self> { get }
  var words: String { get }
}

extension Note {
  static var options: JobOptions<Self> { JobOptions() }
  static var registration: DurableRegistration {
    DurableRegistration(
      __kind: "note", type: Self.self, collected: (), at: ("Tests/\(Self.self).swift", 1, 1), options: options,
      run: { job, context in context.center[Probe.Key.self]?.note(job.words) })
  }
}

private enum Old {
  struct Note: TaskKitDurableTests.Note {
    var text: String
    var words: String { text }
  }
}

private enum New {
  struct Note: TaskKitDurableTests.Note {
    var lines: [String]
    var words: String { lines.joined(separator: ", ") }
    static var payloadVersion: Int { 2 }
    static var migrations: [PayloadMigration] {
      [PayloadMigration(from: 1) { (old: Old.Note) in New.Note(lines: [old.text]) }]
    }
  }
}

/// Of the same version as the old one, and with a field more.
private enum Careless {
  struct Note: TaskKitDurableTests.Note {
    var text: String
    var isBold: Bool
    var words: String { "\(text) \(isBold)" }
  }
}

/// One that counts how often it is decoded.
private enum Counting {
  static let decodings = Atomic(0)

  struct Note: TaskKitDurableTests.Note {
    var words: String

    init(from decoder: any Decoder) throws {
      Counting.decodings.add(1, ordering: .relaxed)
      words = try Old.Note(from: decoder).text
    }
  }
}

/// One in whose place another type comes as soon as it is decoded.
private enum Leaving {
  static let center = Mutex<TaskCenter?>(nil)

  struct Note: TaskKitDurableTests.Note {
    var words: String

    init(from decoder: any Decoder) throws {
      let center = try #require(Leaving.center.withLock { $0 })
      center.jobs.unregister(Note.self)
      try center.jobs.register(Old.Note.self)
      throw Failure("it is read by another type")
    }
  }
}

/// What was held since a build could not read it, and the builds that can.
@Suite struct UnreadableTests {
  private func bench(_ kind: (any DurableTask.Type)?, beside other: JobBench? = nil) throws -> JobBench {
    let store = other.map { MemoryStore(sharing: $0.store) } ?? MemoryStore()
    return try kind.map { try JobBench($0, store: store) } ?? JobBench(store: store)
  }

  private func holdsAll(_ bench: JobBench) async throws -> Bool {
    try await bench.center.jobs.all().allSatisfy { $0.hold?.cause == .unreadable }
  }

  @Test func `what a build could not read runs when one begins that can, and tells why it was released`() async throws {
    let writer = try bench(New.Note.self)
    try await writer.center.enqueue([New.Note(lines: ["a"]), New.Note(lines: ["b"])])
    let old = try bench(Old.Note.self, beside: writer)
    await old.run()
    #expect(try await holdsAll(old))
    await old.center.terminate()
    let new = try bench(New.Note.self, beside: writer)
    let events = new.center.jobs.events()
    await new.run()
    #expect(new.probe.notes.sorted() == ["a", "b"])
    await new.center.terminate()
    var releases: [String] = []
    for await event in events {
      if case .changed(let selection, .release, let count) = event.kind {
        releases.append("\(count) \(selection.heldFor ?? [])")
      }
    }
    #expect(releases == ["2 [TaskKitDurable.HoldCause.unreadable]"])
  }

  @Test func `what cannot be read for its fields runs when a build begins that can read it`() async throws {
    let old = try bench(Old.Note.self)
    try await old.center.enqueue(Old.Note(text: "a"))
    let careless = try bench(Careless.Note.self, beside: old)
    await careless.run()
    #expect(try await holdsAll(careless))
    await careless.center.terminate()
    await old.run()
    #expect(old.probe.notes == ["a"])
  }

  @Test func `what a build could not read runs when its kind joins, or another type takes the kind over`() async throws
  {
    let writer = try bench(New.Note.self)
    try await writer.center.enqueue(New.Note(lines: ["a"]))
    let running = try bench(Old.Note.self, beside: writer)
    await running.run()
    #expect(try await holdsAll(running))
    let joining = try bench(nil, beside: writer)
    await joining.run()
    #expect(try await holdsAll(joining))
    try joining.center.jobs.register(New.Note.self)
    await joining.center.jobs.idle()
    #expect(joining.probe.notes == ["a"])
    try await writer.center.enqueue(New.Note(lines: ["b"]))
    await joining.center.terminate()
    #expect(running.center.jobs.unregister(Old.Note.self))
    try running.center.jobs.register(New.Note.self)
    await running.center.jobs.idle()
    #expect(running.probe.notes == ["b"])
  }

  @Test func `a build that has met a version leaves its jobs to others, and says so`() async throws {
    let new = try bench(New.Note.self)
    let first = try await new.center.enqueue(New.Note(lines: ["a"]))
    let old = try bench(Old.Note.self, beside: new)
    await old.run()
    let second = try await new.center.enqueue(New.Note(lines: ["b"]), EnqueueOptions(priority: .userInitiated))
    try await new.center.enqueue(New.Note(lines: ["c"]), EnqueueOptions(queue: "other"))
    try await old.center.enqueue(Old.Note(text: "mine"))
    await old.time.advance(by: .seconds(60), driving: old.center)
    #expect(old.probe.notes == ["mine"])
    #expect(try await new.states() == ["1 held 0", "2 ready 0", "3 ready 0"])
    let why = try await old.center.jobs.why(second)
    #expect(why.hasSuffix("this build cannot read it: it is of version 2, and Note of this build reads up to 1"))
    // Those that it has met run with the others, and it does not take them again.
    await new.run()
    #expect(Set(new.probe.notes) == ["a", "b", "c"])
    #expect(try await new.center.jobs.snapshot(of: first) == nil)
    #expect(old.probe.notes == ["mine"])
  }

  @Test func `beside others that park it, what a build can read is looked for after ten seconds`() async throws {
    let one = JobConfiguration(defaultQueue: QueueOptions(workers: 1), monitors: [])
    let new = try JobBench(New.Note.self, Work.self, jobs: one)
    let gate = try await new.enqueueWaiting("busy")
    new.center.start()
    await gate.arrivals(1)
    let id = try await new.center.enqueue(New.Note(lines: ["a"]))
    let old = try bench(Old.Note.self, beside: new)
    await old.run()
    #expect(try await new.center.jobs.snapshot(of: id)?.hold?.cause == .unreadable)
    gate.open()
    await new.center.jobs.idle()
    // It has heard of the other one, and looks what that has done.
    await new.time.continuous.waitForSleeper(until: .milliseconds(100))
    await new.time.advance(by: .milliseconds(100), driving: new.center)
    await new.time.advance(by: .seconds(9), driving: new.center)
    #expect(new.probe.notes == ["busy"])
    await new.time.advance(by: .seconds(1), driving: new.center)
    #expect(new.probe.notes == ["busy", "a"])
  }

  @Test func `a job that nobody can read is parked once by each build, and not given from one to the other`()
    async throws
  {
    let left = try bench(Old.Note.self)
    let right = try bench(Careless.Note.self, beside: left)
    let (leftEvents, rightEvents) = (left.center.jobs.events(), right.center.jobs.events())
    try await left.center.jobs.open()
    _ = try await left.store.enqueue([NewJob(kind: "note", payload: JobPayload(bytes: Data("{}".utf8)))])
    await left.run()
    await left.center.jobs.stop()
    await right.run()
    left.center.jobs.resume()
    for _ in 0..<5 {
      for bench in [left, right] {
        // Each hears that something has happened.
        try await bench.center.enqueue(Work("a"))
        await bench.center.jobs.idle()
        await left.time.advance(by: .seconds(4000), driving: left.center)
        await right.time.advance(by: .seconds(4000), driving: right.center)
      }
    }
    #expect(try await left.center.jobs.all().filter { $0.state != .ready }.map(\.state) == [.held])
    for bench in [left, right] { await bench.center.terminate() }
    for events in [leftEvents, rightEvents] {
      let holds = await events.reduce(0) { count, event in if case .held = event.kind { count + 1 } else { count } }
      #expect(holds == 1)
    }
  }

  @Test func `what another build parks again and again is released later each time, and at once by somebody`()
    async throws
  {
    let able = try bench(Old.Note.self)
    able.center.jobs.allow(0)
    await able.run()
    let id = try await able.center.enqueue(Old.Note(text: "a"))
    // Always the first to have it.
    let careless = try bench(Careless.Note.self, beside: able)
    let events = careless.center.jobs.events()
    // Ends with the center.
    Task { for await event in events { if case .held = event.kind { careless.probe.note("parked") } } }
    careless.center.start()
    /// Looks now, whatever it has heard of others.
    func look() async {
      able.center.jobs.engines[0].releaseHeld()
      await able.center.jobs.idle()
    }
    await careless.probe.notes(1)
    await look()
    await careless.probe.notes(2)
    let pauses = [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
    for (place, pause) in pauses.enumerated() {
      await able.time.advance(by: .seconds(pause - 1), driving: able.center)
      await look()
      #expect(try await able.center.jobs.snapshot(of: id)?.state == .held, "before \(pause) seconds have passed")
      await able.time.advance(by: .seconds(1), driving: able.center)
      await careless.probe.notes(3 + place)
    }
    #expect(try await able.center.jobs.release(id))
    await careless.probe.notes(3 + pauses.count)
    await careless.center.terminate()
    #expect(try await able.center.jobs.release(id))
    able.center.jobs.allow(nil)
    await able.center.jobs.idle()
    #expect(able.probe.notes == ["a"])
  }

  @Test func `a release that the store has failed to do is done soon, and does not count as one`() async throws {
    let careless = try bench(Careless.Note.self)
    try await careless.center.enqueue(Old.Note(text: "a"))
    await careless.run()
    #expect(try await holdsAll(careless))
    await careless.center.terminate()
    let memory = MemoryStore(sharing: careless.store)
    let flaky = FlakyStore(memory)
    let able = try JobBench(Old.Note.self, store: memory, wrapping: { _ in flaky })
    flaky.fail("change", .locked, times: 2)
    able.center.start()
    await able.time.advance(by: .milliseconds(300), driving: able.center)
    #expect(able.probe.notes == ["a"])
  }

  @Test func `a payload is decoded in attempts alone, where it is counted how often the process dies`() async throws {
    let careless = try bench(Careless.Note.self)
    let id = try await careless.center.enqueue(Old.Note(text: "a"))
    await careless.run()
    #expect(try await holdsAll(careless))
    await careless.center.terminate()
    let able = try bench(Counting.Note.self, beside: careless)
    able.center.jobs.allow(0)
    await able.run()
    #expect(try await able.center.jobs.snapshot(of: id)?.state == .ready)
    #expect(Counting.decodings.load(ordering: .relaxed) == 0)
    able.center.jobs.allow(nil)
    await able.center.jobs.idle()
    #expect(able.probe.notes == ["a"])
    #expect(Counting.decodings.load(ordering: .relaxed) == 1)
  }

  @Test func `what one type could not read another one can that takes the kind over meanwhile`() async throws {
    let bench = try bench(Leaving.Note.self)
    try await bench.center.enqueue(Old.Note(text: "a"))
    Leaving.center.withLock { $0 = bench.center }
    await bench.run()
    #expect(bench.probe.notes == ["a"])
    Leaving.center.withLock { $0 = nil }
  }

  @Test func `what is known of a type is not said of another one that has its kind`() {
    let (one, other) = (ObjectIdentifier(Old.Note.self), ObjectIdentifier(New.Note.self))
    let ids = (1...3).map { JobID(rawValue: $0) }
    var machine = JobMachine()
    func release(_ jobs: [JobMachine.ReadableJob], at now: Duration) -> (ids: [JobID], next: Duration?) {
      let (released, next) = machine.releasable(of: jobs, now: now)
      machine.noteReleases(of: released, now: now)
      return (released.map(\.id), next)
    }
    machine.reads("note", as: one)
    machine.cannotRead(ids[0], version: 2, of: "note", as: one)
    machine.cannotRead(ids[1], version: nil, of: "note", as: one)
    machine.reads("note", as: one)
    #expect(machine.unread["note"]?.versions == [2])
    #expect(release(ids.map { ($0, "note", one) }, at: .zero).ids == [ids[2]])
    machine.reads("note", as: other)
    machine.cannotRead(ids[0], version: 2, of: "note", as: one)
    #expect(machine.unread["note"]?.versions == [])
    #expect(release(ids.map { ($0, "note", one) }, at: .zero).ids == [])
    #expect(release(ids.map { ($0, "note", other) }, at: .zero).ids == ids)
    // Not again at once, and after a long time as if for the first time.
    let again = release(ids.map { ($0, "note", other) }, at: .seconds(4))
    #expect(again.ids == [])
    #expect(again.next == .seconds(6))
    #expect(release([(ids[0], "note", other)], at: .seconds(3609)).ids == [ids[0]])
    let pauses = release(ids.map { ($0, "note", other) }, at: .seconds(3619))
    #expect(pauses.ids == [ids[1], ids[2]])
    #expect(pauses.next == .seconds(10))
    #expect(release([(ids[1], "note", other)], at: .seconds(3629)).ids == [ids[1]])
  }
}
