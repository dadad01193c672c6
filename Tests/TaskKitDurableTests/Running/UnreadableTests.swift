import Foundation
import TaskKit
import TaskKitDurable
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
    let new = try bench(New.Note.self)
    await new.run()
    try await new.center.jobs.pause(queue: "default")
    try await new.center.enqueue(New.Note(lines: ["a"]))
    // Parked by a process that does not heed the pause, as one of before it.
    let old = try bench(Old.Note.self, beside: new)
    await new.center.jobs.stop()
    try await new.center.jobs.resume(queue: "default")
    await old.run()
    #expect(try await holdsAll(old))
    new.center.jobs.resume()
    await new.center.jobs.idle()
    #expect(new.probe.notes == ["a"])
  }

  @Test func `a job that nobody can read is parked once by each build, and not given from one to the other`()
    async throws
  {
    let left = try bench(Old.Note.self)
    let right = try bench(Old.Note.self, beside: left)
    let (leftEvents, rightEvents) = (left.center.jobs.events(), right.center.jobs.events())
    try await left.center.jobs.open()
    _ = try await left.store.enqueue([NewJob(kind: "note", payload: JobPayload(bytes: Data("{}".utf8)))])
    await left.run()
    await right.run()
    for _ in 0..<5 {
      for bench in [left, right] {
        // Each hears that something has happened.
        try await bench.center.enqueue(Old.Note(text: "a"))
        await bench.center.jobs.idle()
        await left.time.advance(by: .seconds(20), driving: left.center)
        await right.time.advance(by: .seconds(20), driving: right.center)
      }
    }
    for bench in [left, right] { await bench.center.terminate() }
    var holds = 0
    for events in [leftEvents, rightEvents] {
      for await event in events { if case .held = event.kind { holds += 1 } }
    }
    #expect(holds == 1)
  }
}
