import Synchronization
import Testing

@testable import TaskKit

/// What waits for a center on the machine's own clocks, where virtual time does not reach.
@Suite struct AlarmSleeperTests {
  private static let nobody = Duration.seconds(86_400)

  @Test(arguments: [true, false])
  func `a sleep that is cancelled ends on another thread: whoever cancels may hold a lock`(isOfMachine: Bool) async {
    let log = Mutex<[String]>([])
    let gates = (begun: Gate(), ended: Gate())
    let sleeper = AlarmSleeper(isOfMachine: isOfMachine) {
      gates.begun.open()
      do { try await Task.sleep(for: Self.nobody) } catch { log.withLock { $0.append("ended") } }
      gates.ended.open()
    }
    await gates.begun.pass()
    log.withLock {
      sleeper.cancel()
      $0.append("cancelled")
    }
    await gates.ended.pass()
    #expect(log.withLock { $0 } == ["cancelled", "ended"])
  }

  @Test func `whoever sets an alarm may hold a lock that the task takes`() async {
    let log = Mutex<[String]>([])
    let gate = Gate()
    let sleeper = log.withLock { words in
      defer { words.append("set") }
      return AlarmSleeper(isOfMachine: true) {
        log.withLock { $0.append("begun") }
        gate.open()
      }
    }
    await gate.pass()
    withExtendedLifetime(sleeper) {}
    #expect(log.withLock { $0 } == ["set", "begun"])
  }

  @Test func `on the machine's clock all calls come, in order, none early and none that was taken back`() async {
    let center = TaskCenter()
    let log = Mutex<[(number: Int, time: ContinuousClock.Instant)]>([])
    let gate = Gate()
    // When each is due, no better known than when it was set: a thread may be put aside in between.
    var due: [Int: (earliest: ContinuousClock.Instant, latest: ContinuousClock.Instant)] = [:]
    var expected = Array(1...20)
    // Backwards, so that the alarm is set anew for each of them.
    for number in (1...20).reversed() {
      let delay = Duration.milliseconds(number)
      let before = ContinuousClock.now
      center.after(delay) { log.withLock { $0.append((number, .now)) } }
      due[number] = (before + delay, .now + delay)
      let isTakenBack = center.after(delay) { log.withLock { $0.append((-number, .now)) } }.cancel()
      if !isTakenBack { expected.append(-number) }
    }
    center.after(.milliseconds(21)) { gate.open() }
    await gate.pass()
    let calls = log.withLock { $0 }
    let numbers = calls.map(\.number)
    #expect(numbers.sorted() == expected.sorted())
    for (place, number) in numbers.enumerated() where number > 0 {
      #expect(
        numbers[..<place].allSatisfy { $0 < 0 || due[$0]!.earliest <= due[number]!.latest },
        "\(number) comes too late in \(numbers)")
    }
    #expect(calls.allSatisfy { $0.time >= due[abs($0.number)]!.earliest })
  }

  @Test func `on the machine's clock too, a center goes at once with all that is pending`() async {
    let held = Mutex<Held?>(Held())
    weak let reference = held.withLock { $0 }
    var center: TaskCenter? = TaskCenter()
    weak let kept = center
    center?.after(Self.nobody) { [value = held.withLock { $0.take() }] in withExtendedLifetime(value) {} }
    #expect(reference != nil)
    center = nil
    #expect(kept == nil)
    #expect(reference == nil)
  }

  private final class Held: Sendable {}
}
