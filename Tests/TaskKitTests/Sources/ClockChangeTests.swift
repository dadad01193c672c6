import Foundation
import Synchronization
import TaskKitTesting
import Testing

@testable import TaskKit

@Suite struct ClockChangeTests {
  #if os(Linux)
  @Test(arguments: ["written", "renamed", "linked"])
  func `another zone file is another time`(how: String) async throws {
    let folder = try TemporaryFolder()
    let (launched, recorder) = (Gate(), Recorder())
    let center = try TaskCenter.with([
      .event(.didFinishLaunching, name: "launched") { _ in launched.open() },
      .event(.significantTimeChange, name: "change") { _ in recorder.note("change") },
    ])
    let file = folder.url.appending(path: "localtime")
    async let ended = center.run(sources: [.clockChanges(zoneFile: file.path) { _, _ in .distantFuture }])
    await launched.pass()
    try Data().write(to: folder.url.appending(path: "hosts"))
    switch how {
    case "written": try Data("TZif".utf8).write(to: file)
    case "renamed":
      let other = folder.url.appending(path: "localtime.new")
      try Data("TZif".utf8).write(to: other)
      try FileManager.default.moveItem(at: other, to: file)
    default: try FileManager.default.createSymbolicLink(at: file, withDestinationURL: URL(filePath: "/usr/share/zone"))
    }
    #expect(await recorder.notes(1).first == "change")
    center.shutDown()
    #expect(await ended.sources.map(\.description) == ["clockChanges: ended"])
  }

  @Test func `the next day is another time, and the timer is set for the one after it`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.significantTimeChange, name: "change") { _ in recorder.note("change") }
    ])
    let days = Mutex([Date.distantFuture, Date()])
    async let ended = center.run(sources: [
      .clockChanges(zoneFile: "/etc/localtime") { _, _ in
        recorder.note("set")
        return days.withLock { $0.popLast() ?? .distantFuture }
      }
    ])
    #expect(await recorder.notes(3).sorted() == ["change", "set", "set"])
    center.shutDown()
    _ = await ended
  }

  @Test func `in another zone the next day begins at another moment, and that once`() async throws {
    let folder = try TemporaryFolder()
    let (launched, recorder) = (Gate(), Recorder())
    let center = try TaskCenter.with([
      .event(.didFinishLaunching, name: "launched") { _ in launched.open() },
      .event(.significantTimeChange, name: "change") { _ in recorder.note("change") },
    ])
    let file = folder.url.appending(path: "localtime")
    // In the zone at the start tomorrow is far away, in the other one it is here; after that comes the day after it.
    let days = Mutex([Date.distantFuture, Date(), .distantFuture])
    async let ended = center.run(sources: [
      .clockChanges(zoneFile: file.path) { _, _ in
        recorder.note("set")
        return days.withLock { $0.popLast() ?? .distantFuture }
      }
    ])
    await launched.pass()
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: URL(filePath: "/usr/share/zone"))
    // Set anew before the tasks hear of the zone: they may take longer than until midnight.
    try #require(await recorder.notes(2).prefix(2) == ["set", "set"])
    #expect(await recorder.notes(5) == ["set", "set", "change", "set", "change"])
    center.shutDown()
    _ = await ended
  }

  @Test func `schedules hear of another time although tasks of the change before it still run`() async throws {
    let folder = try TemporaryFolder()
    let (launched, gate) = (Gate(), Gate())
    let zone = Mutex(TimeZone.gmt)
    let center = TaskCenter(time: TimeSource(timeZone: { zone.withLock { $0 } }))
    try center.inject([
      .event(.didFinishLaunching, name: "launched") { _ in launched.open() },
      .event(.significantTimeChange, name: "slow") { _ in await gate.pass() },
    ])
    let events = center.events.makeAsyncIterator()
    let file = folder.url.appending(path: "localtime")
    async let ended = center.run(sources: [.clockChanges(zoneFile: file.path) { _, _ in .distantFuture }])
    await launched.pass()
    for name in ["Asia/Tokyo", "Europe/Berlin"] {
      let next = try #require(TimeZone(identifier: name))
      zone.withLock { $0 = next }
      try Data(name.utf8).write(to: file)
      await gate.arrivals()
    }
    // The first change was the first look at the zone, which has nothing to compare with.
    let told = "timeZoneChanged from Asia/Tokyo to Europe/Berlin"
    #expect(await events.words(until: told).last == told)
    gate.open()
    center.shutDown()
    _ = await ended
  }

  /// In a process that the kernel seems to tell of it, since the machine's clock is everybody's.
  @Test func `a clock that is set is another time, also while the timer is set for it`() async throws {
    let child = try ChildProcess("setClock")
    #expect(
      await child.lines() == [
        // Set at first and anew; then anew, and once more for what it missed.
        "another time, armed 2", "another time, armed 4", "source clockChanges: ended",
      ])
    #expect(await child.exitCode() == 0)
  }

  @Test func `what cannot be watched is said`() async throws {
    let center = TaskCenter()
    let run = Task {
      await center.run(sources: [.clockChanges(zoneFile: "/nowhere/localtime") { _, _ in .distantFuture }])
    }
    center.shutDown()
    #expect(
      await run.value.sources.map(\.description) == [
        "clockChanges: ended; does not see another time zone: /nowhere: No such file or directory"
      ])
  }
  #endif

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-28T23:00:00Z"),
    // The day on which summer time begins has 23 hours, the one on which it ends 25.
    ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
    ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
    // Summer time begins at midnight: the day begins at one.
    ("America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-04T03:00:00Z"),
    ("UTC", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"),
  ])
  func `a day ends where the next one begins`(zone: String, now: String, next: String) throws {
    let format = Date.ISO8601FormatStyle()
    let day = EventSource.nextDay(after: try format.parse(now), in: try #require(TimeZone(identifier: zone)))
    let expected = try format.parse(next)
    #expect(day == expected)
  }
}
