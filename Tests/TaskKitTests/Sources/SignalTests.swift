#if !os(Windows)
import Foundation
import Testing

/// Real signals, sent to a real process that a center owns.
@Suite struct SignalTests {
  @Test(arguments: [("SIGTERM", SIGTERM), ("SIGINT", SIGINT)])
  func `the process shuts down in order, and its exit code says that all went well`(name: String, number: Int32)
    async throws
  {
    let child = try ChildProcess("plain", environment: ["PROBE_DATABASE": "/data/notes"])
    #expect(await child.line() == "launched one two")
    child.send(number)
    #expect(
      await child.lines() == [
        "terminating", "server stops", "server stopped", "closed /data/notes", "source signals: ended",
        "stop ProcessProbe.StartServer: succeeded", "stop ProcessProbe.OpenDatabase: succeeded", "ended: \(name)",
      ])
    #expect(await child.exitCode() == 0)
  }

  @Test func `SIGHUP reloads, as often as it comes`() async throws {
    let child = try ChildProcess("plain")
    await child.lines(until: "launched one two")
    for _ in 1...3 {
      child.send(SIGHUP)
      #expect(await child.line() == "reloaded")
    }
    child.send(SIGTERM)
    #expect(await child.lines().last == "ended: SIGTERM")
  }

  @Test func `SIGTSTP really stops the process behind its tasks, and SIGCONT lets it go on`() async throws {
    let child = try ChildProcess("plain")
    await child.lines(until: "launched one two")
    for _ in 1...2 {
      child.send(SIGTSTP)
      #expect(await child.line() == "background")
      #expect(await child.stopped() == SIGSTOP)
      child.send(SIGCONT)
      #expect(await child.line() == "foreground")
    }
    child.send(SIGTERM)
    #expect(await child.exitCode() == 0)
  }

  @Test func `a process that goes on by a signal that is not taken can be stopped again`() async throws {
    let child = try ChildProcess("plain", ignoring: "CONT")
    await child.lines(until: "launched one two")
    for _ in 1...2 {
      child.send(SIGTSTP)
      #expect(await child.line() == "background")
      #expect(await child.stopped() == SIGSTOP)
      child.send(SIGCONT)
      // Whoever does this has seen that the process goes on.
      child.send(SIGHUP)
      #expect(await child.line() == "reloaded")
    }
    child.send(SIGTERM)
    #expect(await child.exitCode() == 0)
  }

  @Test func `a process that is stopped shuts down when it goes on`() async throws {
    let child = try ChildProcess("plain")
    await child.lines(until: "launched one two")
    child.send(SIGTSTP)
    #expect(await child.stopped() == SIGSTOP)
    child.send(SIGTERM)
    child.send(SIGCONT)
    #expect(await child.lines().last == "ended: SIGTERM")
    #expect(await child.exitCode() == 0)
  }

  @Test func `a second SIGINT ends the process at once, even if every thread is taken`() async throws {
    let child = try ChildProcess("blocked")
    await child.lines(until: "launched one two")
    child.send(SIGINT)
    #expect(await child.lines(until: "blocked") == ["terminating", "blocked"])
    child.send(SIGINT)
    #expect(await child.exitCode() == 130)
  }

  @Test func `a launch that does not end is cancelled`() async throws {
    let child = try ChildProcess("endlessLaunch")
    await child.lines(until: "launched one two")
    child.send(SIGTERM)
    #expect(await child.lines().last == "ended: SIGTERM")
    #expect(await child.exitCode() == 0)
  }

  @Test func `a stop that does not return is given up, and the next one has its turn`() async throws {
    let child = try ChildProcess("deafStop")
    await child.lines(until: "launched one two")
    child.send(SIGTERM)
    #expect(
      await child.lines() == [
        "terminating", "server stops", "closed none", "source signals: ended",
        "stop ProcessProbe.StartServer: timed out", "stop ProcessProbe.OpenDatabase: succeeded", "ended: SIGTERM",
      ])
    #expect(await child.exitCode() == 1)
  }

  @Test func `a handler of somebody else is left in place, and the report says so`() async throws {
    let child = try ChildProcess("foreignHandler")
    await child.lines(until: "launched one two")
    child.send(SIGHUP)
    child.send(SIGTERM)
    let lines = await child.lines()
    #expect(!lines.contains("reloaded"))
    #expect(
      lines.contains(
        "source signals: ended; SIGHUP does not send 'reload': it has a handler already, which is left in place"))
  }

  @Test func `a signal that whoever started the process wants ignored stays so, and the report says so`() async throws {
    let child = try ChildProcess("plain", ignoring: "HUP")
    await child.lines(until: "launched one two")
    child.send(SIGHUP)
    child.send(SIGTERM)
    let lines = await child.lines()
    #expect(!lines.contains("reloaded"))
    #expect(
      lines.contains(
        "source signals: ended; SIGHUP does not send 'reload': whoever started the process wants it ignored"))
  }

  @Test func `a process has one source of signals, and a second one says so`() async throws {
    let child = try ChildProcess("twoSources")
    await child.lines(until: "launched one two")
    for _ in 1...2 {
      child.send(SIGHUP)
      #expect(await child.line() == "reloaded")
    }
    child.send(SIGTERM)
    let lines = await child.lines()
    #expect(lines.contains("source signals: ended"))
    #expect(
      lines.contains(
        "source signals: unavailable: another source of this process has its signals; a process needs one"))
    #expect(lines.last == "ended: SIGTERM")
  }

  @Test
  func `the signals are given back by the end of the shutdown, though a task of the background event does not return`()
    async throws
  {
    let child = try ChildProcess("deafBackground")
    await child.lines(until: "launched one two")
    child.send(SIGTSTP)
    #expect(await child.line() == "background")
    child.send(SIGTERM)
    #expect(await child.lines().suffix(2) == ["ended: SIGTERM", "again signals: ended"])
  }

  @Test func `a schedule of the machine's zone follows it when it changes`() async throws {
    let child = try ChildProcess("anotherZone")
    #expect(await child.lines() == ["Asia/Tokyo: 17:30:00", "Asia/Kolkata: 21:00:00"])
  }

  @Test func `and without being told, by the next look at the clock at the latest`() async throws {
    let child = try ChildProcess("zoneAtLook")
    #expect(
      await child.lines() == [
        "Asia/Kolkata", "Asia/Tokyo: 17:30:00", "Asia/Kolkata: 21:00:00", "Asia/Tokyo: 17:30:00",
      ])
  }
}
#endif
