import Foundation
import Synchronization
import TaskKit
import TaskKitTesting
import Testing

/// Calls that a center makes later: for what is to be done once and has no name.
@Suite struct CallTests {
  private let table = Timetable()

  /// A body that notes a word and how many seconds have passed since the beginning.
  private func note(_ word: TaskName) -> @Sendable () -> Void {
    { [time = table.time, recorder = table.recorder] in recorder.note(Timetable.note(word, at: time)) }
  }

  @Test func `a call comes when its time has passed, once, and needs no start`() async {
    table.center.after(.seconds(30), note("call"))
    await table.pass(.milliseconds(29_999))
    #expect(table.notes == [])
    await table.pass(.seconds(100))
    #expect(table.notes == ["call 30"])
  }

  @Test func `calls come in the order of their times, and of the same time in the order of asking`() async {
    for (word, seconds) in [("c", 3), ("a", 1), ("d", 3), ("b", 2), ("e", 3)] as [(TaskName, Int)] {
      table.center.after(.seconds(seconds), note(word))
    }
    await table.pass(.seconds(10))
    #expect(table.notes == ["a 1", "b 2", "c 3", "d 3", "e 3"])
  }

  @Test func `dates and delays of the same time come in the order of asking`() async {
    let date = table.center.wallTime.addingTimeInterval(10)
    table.center.at(date, note("a"))
    table.center.after(.seconds(10), note("b"))
    table.center.after(.seconds(10), note("c"))
    table.center.at(date, note("d"))
    table.center.after(.seconds(10), note("e"))
    await table.pass(.seconds(10))
    #expect(table.notes == ["a 10", "b 10", "c 10", "d 10", "e 10"])
  }

  @Test func `however they are added and taken back, what is left comes in order and nothing else does`() async {
    var chance = SeededGenerator(seed: 7)
    for count in [1, 2, 3, 5, 17, 100, 2500] {
      let table = Timetable()
      var pending: [(due: Int, number: Int, call: ScheduledCall)] = []
      for number in 0..<count {
        let due = Int.random(in: 1...50, using: &chance)
        let call = table.center.after(.seconds(due)) { [recorder = table.recorder] in recorder.note("\(number)") }
        pending.append((due, number, call))
        // Some leave from the middle, and their places are used again.
        if Int.random(in: 0..<3, using: &chance) == 0 {
          let taken = pending.remove(at: Int.random(in: pending.indices, using: &chance))
          #expect(taken.call.isPending)
          #expect(taken.call.cancel())
          #expect(!taken.call.isPending)
          #expect(!taken.call.cancel())
        }
      }
      await table.pass(.seconds(60))
      #expect(table.notes == pending.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map { "\($0.number)" })
      #expect(pending.allSatisfy { !$0.call.cancel() })
    }
  }

  @Test func `a call that was taken back stays so although its place is used again, also by an emptied center`() async {
    let calls = (0..<3000).map { _ in table.center.after(.seconds(1)) {} }
    for call in calls { #expect(call.cancel()) }
    for _ in 0..<3000 { table.center.after(.seconds(2), note("new")) }
    #expect(calls.allSatisfy { !$0.cancel() && !$0.isPending })
    await table.pass(.seconds(2))
    #expect(table.notes.count == 3000)
  }

  @Test func `what a body holds is let go of when it is taken back, with no lock held`() async {
    let held = CallingBack { [table] in table.center.after(.seconds(1)) {} }
    weak let reference = held.value
    let call = table.center.after(.seconds(30)) { [value = held.take()] in withExtendedLifetime(value) {} }
    #expect(reference != nil)
    call.cancel()
    #expect(reference == nil)
    await table.pass(.seconds(1))
  }

  @Test func `a call may take back one of the same time that comes after it, and ask for others`() async {
    let second = Mutex<ScheduledCall?>(nil)
    let (center, note) = (table.center, note)
    center.after(.seconds(1)) {
      note("first")()
      #expect(second.withLock { $0 }?.cancel() == true)
      center.after(.zero, note("at once"))
      center.after(.seconds(1), note("later"))
    }
    second.withLock { $0 = center.after(.seconds(1), note("second")) }
    await table.pass(.seconds(5))
    #expect(table.notes == ["first 1", "at once 1", "later 2"])
  }

  @Test func `a delay that is not more than zero is due at once`() async {
    table.center.after(.zero, note("zero"))
    table.center.after(.seconds(-5), note("negative"))
    table.center.after(.seconds(Int64.max), note("never"))
    await table.pass(.zero)
    #expect(table.notes == ["negative 0", "zero 0"] || table.notes == ["zero 0", "negative 0"])
  }

  @Test func `a delay of more seconds than a number of them can say comes at no time, or at once`() async {
    table.center.after(.seconds(Int64.max) * 2, note("never"))
    table.center.after(.seconds(Int64.min) * 2, note("long ago"))
    await table.pass(.seconds(1_000_000))
    #expect(table.notes.count == 1 && table.notes[0].hasPrefix("long ago"))
  }

  @Test func `calls with a tolerance share a wake-up, none comes early, and none later than it tolerates`() async {
    for seconds in 1...7 { table.center.after(.seconds(seconds), tolerance: .seconds(10), note("call")) }
    await table.pass(.seconds(20))
    let times = table.notes.map { Double($0.dropFirst(5))! }
    #expect(times.count == 7)
    #expect(Set(times).count == 1)
    #expect(times.allSatisfy { $0 >= 7 && $0 < 11 })
  }

  // That a second timer stays armed is not seen but by waiting for its end in vain.
  @Test(.timeLimit(.minutes(2)))
  func `one timer is armed, for whatever is first of calls, schedules and timeouts`() async throws {
    let (center, clock) = (table.center, table.time.continuous)
    try center.inject(table.task(.init(every: .seconds(20))))
    center.start()
    await clock.waitForOnlySleeper(until: .seconds(20))
    let call = center.after(.seconds(10), note("call"))
    await clock.waitForOnlySleeper(until: .seconds(10))
    center.after(.seconds(15), note("call"))
    call.cancel()
    await table.pass(.seconds(12))
    await clock.waitForOnlySleeper(until: .seconds(15))
    try center.inject(
      .event(.reload, name: "slow", timeout: .seconds(1)) { [gate = Gate()] _ in try await gate.passUnlessCancelled() })
    let run = center.begin(.reload)
    await clock.waitForOnlySleeper(until: .seconds(13))
    clock.advance(by: .seconds(1))
    _ = await run.report
    await clock.waitForOnlySleeper(until: .seconds(15))
    await table.pass(.seconds(17))
    #expect(table.notes == ["call 15", "tick 20"])
    await clock.waitForOnlySleeper(until: .seconds(40))
  }

  @Test(.timeLimit(.minutes(2)))
  func `one timer is armed for ten thousand schedules, however many come and go`() async throws {
    let (center, clock) = (table.center, table.time.continuous)
    let count = 10_000
    let names = (0..<count).map { TaskName("task \($0)") }
    // The earliest last, so that each that comes is due before all that are there.
    try center.inject(names.enumerated().map { table.task(.init(every: .seconds(count - $0)), name: $1) })
    center.start()
    await clock.waitForOnlySleeper(until: .seconds(1))
    for name in names.suffix(10) { try center.destroy(name) }
    await table.pass(.seconds(1))
    await clock.waitForOnlySleeper(until: .seconds(11))
    for index in 1...10 { try center.inject(table.task(.init(every: .seconds(11 - index)), name: "new \(index)")) }
    await clock.waitForOnlySleeper(until: .seconds(2))
    await table.pass(.seconds(1))
    #expect(table.notes == ["new 10 2"])
    await clock.waitForOnlySleeper(until: .seconds(3))
  }

  @Test func `a date comes at its date, and at once when that is past`() async {
    table.center.at(Date(timeIntervalSince1970: 1_767_225_600 + 60), note("date"))
    table.center.at(Date(timeIntervalSince1970: 1_767_225_600 - 60), note("past"))
    table.center.after(.seconds(59), note("before"))
    table.center.after(.seconds(61), note("after"))
    await table.pass(.seconds(100))
    #expect(table.notes == ["past 0", "before 59", "date 60", "after 61"])
  }

  @Test(arguments: [(3000, 610), (-1000, 4610)])
  func `a date follows the calendar's clock when that is set, a delay does not`(shown: Int, time: Int) async {
    let date = table.center.at(Date(timeIntervalSince1970: 1_767_225_600 + 3600), note("date"))
    table.center.after(.seconds(3600), note("delay"))
    await table.pass(.seconds(10))
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_600 + Double(shown)))
    table.center.clockDidChange()
    await table.pass(.seconds(5000))
    #expect(table.notes.sorted() == ["date \(time)", "delay 3600"].sorted())
    #expect(!date.cancel())
  }

  @Test func `that the calendar's clock was set is noticed at the next look`() async {
    let table = Timetable(time: VirtualTime(wallCheck: .seconds(60)))
    table.center.at(Date(timeIntervalSince1970: 1_767_225_600 + 3600)) {
      [time = table.time, recorder = table.recorder] in
      recorder.note(Timetable.note("date", at: time))
    }
    await table.pass(.seconds(10))
    table.time.setWall(to: Date(timeIntervalSince1970: 1_767_225_600 + 3590))
    await table.pass(.seconds(100))
    #expect(table.notes == ["date 60"])
  }

  @Test func `a date that is asked for is one of the clock as it is then, though another one waits`() async {
    let noon = table.time.wall
    table.center.at(noon.addingTimeInterval(36_000), note("later"))
    table.time.setWall(to: noon.addingTimeInterval(3600))
    table.center.at(noon.addingTimeInterval(3599), note("past"))
    table.center.at(noon.addingTimeInterval(3610), note("soon"))
    await table.pass(.seconds(20))
    #expect(table.notes == ["past 0", "soon 10"])
  }

  @Test func `a center that goes drops its calls, and a call does not keep it`() async {
    let time = VirtualTime()
    let recorder = Recorder()
    var center: TaskCenter? = TaskCenter(time: time.source)
    weak let reference = center
    let call = center?.after(.seconds(1)) { recorder.note("called") }
    #expect(call?.isPending == true)
    await time.continuous.waitForSleepers()
    center = nil
    #expect(reference == nil)
    #expect(call?.cancel() == false)
    await time.continuous.waitForNoSleepers()
    time.advance(by: .seconds(2))
    #expect(recorder.notes == [])
  }

  @Test func `a call is nobody's task: it has no values of who asked for it, and is not cancelled with it`() async {
    let (center, recorder) = (table.center, table.recorder)
    await Word.$current.withValue("mine") {
      let asking = Task {
        _ = center.after(.seconds(1)) { recorder.note("\(Word.current) \(Task.isCancelled)") }
      }
      await asking.value
      asking.cancel()
    }
    await table.pass(.seconds(1))
    #expect(table.notes == ["nobody's false"])
  }

  @Test(.timeLimit(.minutes(2))) func `a date and a delay long before all time are due at once`() async {
    let center = TaskCenter()
    let recorder = Recorder()
    center.at(.distantPast) { recorder.note("date") }
    center.after(.seconds(Int64.min)) { recorder.note("delay") }
    #expect(await recorder.notes(2).sorted() == ["date", "delay"])
  }

  @Test func `with the shutdown calls are dropped, and none is made from then on`() async {
    let held = Values<Int>()
    weak let reference = held
    let pending = table.center.after(.seconds(10), note("pending"))
    let dated = table.center.at(table.time.wall.addingTimeInterval(10), note("dated"))
    await table.center.terminate(deadline: .seconds(1))
    #expect(!pending.isPending)
    #expect(!dated.isPending)
    let late = table.center.after(.seconds(1)) { [held] in held.append(1) }
    #expect(!late.isPending)
    #expect(!table.center.at(.distantPast, note("late")).isPending)
    await table.pass(.seconds(20))
    #expect(table.notes == [])
    #expect(reference?.values == [])
  }

  @MainActor
  @Test(.timeLimit(.minutes(2)))
  func `who waits until nothing is due goes on when what was due is taken back`() async {
    let clock = LateClock()
    let center = TaskCenter(time: TimeSource(continuous: clock, suspending: clock))
    let call = center.after(.seconds(1)) {}
    clock.show(.seconds(1))
    let waiting = Task { await center.quiet() }
    // On one actor: it waits by the time this goes on.
    await Task.yield()
    #expect(call.cancel())
    await waiting.value
  }
}

extension BlockingTests {
  @Test func `a slow call holds up calls and no schedule`() async throws {
    let table = Timetable()
    let gate = BlockingGate()
    try table.center.inject(
      .schedule(.init(every: .seconds(2)), name: "tick") { [recorder = table.recorder] _ in
        recorder.note("tick")
        gate.open()
      })
    table.center.start()
    table.center.after(.seconds(1)) { [recorder = table.recorder] in
      recorder.note("slow")
      gate.pass()
    }
    table.center.after(.seconds(1)) { [recorder = table.recorder] in recorder.note("after it") }
    await table.time.continuous.waitForSleepers()
    table.time.advance(by: .seconds(1))
    await table.time.continuous.waitForSleeper(until: .seconds(2))
    table.time.advance(by: .seconds(1))
    await table.pass(.zero)
    #expect(table.notes == ["slow", "tick", "after it"])
  }

  @Test func `a slow call holds up no call of what lives beside the center`() async {
    let table = Timetable()
    let gate = BlockingGate()
    table.center.after(.seconds(1)) { [recorder = table.recorder] in
      recorder.note("slow")
      gate.pass()
    }
    table.center.after(.seconds(1)) { [recorder = table.recorder] in recorder.note("after it") }
    table.center.callCompanion(after: .seconds(2)) { [recorder = table.recorder] in recorder.note("beside") }
    table.center.callCompanion(at: table.time.wall.addingTimeInterval(3)) { [recorder = table.recorder] in
      recorder.note("dated")
      gate.open()
    }
    await table.time.continuous.step(to: .seconds(1))
    _ = await table.recorder.notes(1)
    for seconds in 2...3 { await table.time.continuous.step(to: .seconds(seconds)) }
    await table.pass(.zero)
    #expect(table.notes == ["slow", "beside", "dated", "after it"])
  }
}

/// A clock that shows a time and never wakes who sleeps until then, as one whose thread comes too late.
private final class LateClock: Clock {
  typealias Instant = VirtualClock.Instant

  private let clock = VirtualClock()
  private let shown = Mutex(Duration.zero)

  var now: Instant { clock.now.advanced(by: shown.withLock { $0 }) }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }

  func show(_ time: Duration) { shown.withLock { $0 = time } }
}

private enum Word {
  @TaskLocal static var current = "nobody's"
}

/// Holds something whose end calls back.
private final class CallingBack {
  final class Value: Sendable {
    private let atEnd: @Sendable () -> Void

    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
  }

  private(set) var value: Value?

  init(_ atEnd: @escaping @Sendable () -> Void) { value = Value(atEnd) }

  func take() -> Value {
    defer { value = nil }
    return value!
  }
}
