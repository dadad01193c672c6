import ClockSetting
import Foundation
import TaskKit

/// What a test wants the process to do, from its environment.
enum Mode: String {
  case plain, deafStop, brokenStop, endlessLaunch, failingLaunch, blocked, deafTermination, hungry, foreignHandler
  case twoSources, anotherZone, zoneAtLook, pendingCalls, setClock, printedReport, deafBackground

  static let current = Mode(rawValue: ProcessInfo.processInfo.environment["PROBE_MODE"] ?? "") ?? .plain

  var failsToLaunch: Bool { self == .failingLaunch }
}

/// A line for the test, at once.
func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

/// Does not return, whatever becomes of the calling task.
func never() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

/// Takes every thread that could run a task, and this one.
func blockEveryThread() -> Never {
  for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
    Task.detached { while true { pause() } }
  }
  say("blocked")
  while true { pause() }
}

/// Reads a file that does not fit into the memory of the process again and again, until the process ends.
func thrash() throws {
  let path = try ProcessInfo.processInfo.environment["PROBE_FILE"] ?? { throw Broken() }()
  let size = 64 << 20
  try Data(count: size).write(to: URL(filePath: path))
  let file = open(path, O_RDONLY)
  guard let pages = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), pages != MAP_FAILED else { throw Broken() }
  let address = UInt(bitPattern: pages)
  for _ in 0..<2 {
    Thread.detachNewThread {
      let bytes = UnsafeRawPointer(bitPattern: address)!
      var sum: UInt8 = 0
      while true {
        for offset in stride(from: 0, to: size, by: 4096) { sum &+= bytes.load(fromByteOffset: offset, as: UInt8.self) }
      }
    }
  }
}

/// Says when a daily task is due, before and after the machine's zone has changed.
func moveToAnotherZone() {
  let center = TaskCenter()
  do {
    try center.inject(.schedule(name: "daily", daily: "02:30") { _ in })
    for zone in ["Asia/Tokyo", "Asia/Kolkata"] {
      setenv("TZ", zone, 1)
      center.start()
      center.clockDidChange()
      let next = try center.schedule(of: "daily").next
      say("\(zone): \(next?.formatted(.iso8601.time(includingFractionalSeconds: false)) ?? "never")")
    }
  } catch { say("\(error)") }
}

/// Says when a daily task is due, each time that a center has noticed by itself that the machine's zone has changed.
func lookAtZone() async {
  // Read once before there is a center: this is what the system's library keeps.
  setenv("TZ", "Asia/Kolkata", 1)
  say("\(TimeZone.autoupdatingCurrent.identifier)")
  let clock = TickClock(tick: .seconds(60))
  let wall: @Sendable () -> Date = { Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) }
  let center = TaskCenter(time: TimeSource(continuous: clock, suspending: clock, wall: wall))
  do {
    // What is due more often than the center looks does not keep it from looking.
    try center.inject([
      .schedule(name: "often", every: .seconds(60)) { _ in }, .schedule(name: "daily", daily: "02:30") { _ in },
    ])
    let events = center.events.makeAsyncIterator()
    for zone in ["Asia/Tokyo", "Asia/Kolkata", "Asia/Tokyo"] {
      setenv("TZ", zone, 1)
      if clock.now.offset == .zero { center.start() } else { await tick(clock, untilZoneChanges: events) }
      let next = try center.schedule(of: "daily").next
      say("\(zone): \(next?.formatted(.iso8601.time(includingFractionalSeconds: false)) ?? "never")")
      clock.tick()
    }
  } catch { say("\(error)") }
}

/// Lets minutes pass, each when a task of the one before has run; half an hour at most.
func tick(_ clock: TickClock, untilZoneChanges events: CenterEvents.Iterator) async {
  let end = clock.now.offset + .seconds(1800)
  while clock.now.offset < end, let event = await events.next() {
    switch event.kind {
    case .timeZoneChanged: return
    case .taskEnded: clock.tick()
    default: break
    }
  }
}

/// Returns although a call is pending and another one is being made.
func leaveCallsPending() async {
  let center = TaskCenter()
  center.after(.seconds(86_400)) { say("a day has passed") }
  await withCheckedContinuation { begun in
    center.after(.zero) {
      begun.resume()
      while true { pause() }
    }
  }
  say("returns")
  withExtendedLifetime(center) {}
}

/// Prints what an event and a lane have come to.
func printReports() async {
  let center = TaskCenter()
  do {
    try center.inject([
      .event(.reload, name: "good") { _ in }, .event(.reload, name: "bad") { _ in throw Broken() },
    ])
  } catch { return say("\(error)") }
  let report = await center.send(.reload)
  _ = await center.lane(Lane("line")).enqueue("one") {}.outcome
  print(report)
  print(center.lane(Lane("line")).report)
  print("in a text: \(report)")
}

/// Says whether another center of the process can have its signals.
func takeSignalsAgain() async {
  let center = TaskCenter()
  center.shutDown()
  for source in await center.run(sources: [.signals]).sources { say("again \(source)") }
}

#if os(Linux)
/// Sets the clock twice, as far as this process can tell, and says what it hears of it.
func hearOfSetClock() async {
  let center = TaskCenter()
  do {
    try center.inject([
      .event(.didFinishLaunching, name: "set") { _ in clock_setting_set(false) },
      .event(.significantTimeChange, name: "hear") { [weak center] _ in
        say("another time, armed \(clock_setting_armed())")
        if clock_setting_armed() > 2 { center?.shutDown() } else { clock_setting_set(true) }
      },
    ])
  } catch { return say("\(error)") }
  for source in await center.run(sources: [.clockChanges]).sources { say("source \(source)") }
}
#endif

@main
struct Probe {
  static let shutdownDeadline = Duration.seconds(60)
  /// By what the deadlines go where a stop does not return: only that stop moves it, so that no other is ever short of time.
  static let clock = TickClock(tick: .seconds(1))

  static func main() async {
    if Mode.current == .foreignHandler { signal(SIGHUP) { _ in } }
    if Mode.current == .anotherZone { return moveToAnotherZone() }
    if Mode.current == .zoneAtLook { return await lookAtZone() }
    if Mode.current == .printedReport { return await printReports() }
    if Mode.current == .pendingCalls { return await leaveCallsPending() }
    #if os(Linux)
    if Mode.current == .setClock { return await hearOfSetClock() }
    #endif
    let time: TimeSource = Mode.current == .deafStop ? TimeSource(continuous: clock) : .system
    let center = TaskCenter(registry: .generated, time: time)
    var sources: [EventSource] = [.signals]
    if Mode.current == .hungry { sources.append(.memoryPressure) }
    if Mode.current == .twoSources { sources.append(.signals) }
    let isDeaf = Mode.current == .deafBackground
    if isDeaf { sources = [.signals(backgroundDeadline: .seconds(3600))] }
    let report = await center.run(sources: sources, shutdownDeadline: isDeaf ? .zero : shutdownDeadline)
    for source in report.sources { say("source \(source)") }
    for stop in report.shutdown.stops { say("stop \(stop.name): \(stop.outcome)") }
    say("ended: \(report.shutdown.reason)")
    if isDeaf { await takeSignalsAgain() }
    exit(report.shutdown.isSuccess ? 0 : 1)
  }
}
