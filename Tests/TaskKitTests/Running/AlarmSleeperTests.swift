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
    let start = ContinuousClock.now
    let log = Mutex<[(number: Int, passed: Duration)]>([])
    let gate = Gate()
    // Backwards, so that the alarm is set anew for each of them.
    for number in (1...20).reversed() {
      center.after(.milliseconds(number)) { log.withLock { $0.append((number, .now - start)) } }
      center.after(.milliseconds(number)) { log.withLock { $0.append((-number, .zero)) } }.cancel()
    }
    center.after(.milliseconds(21)) { gate.open() }
    await gate.pass()
    let calls = log.withLock { $0 }
    #expect(calls.map(\.number) == Array(1...20))
    #expect(calls.allSatisfy { $0.passed >= .milliseconds($0.number) })
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
