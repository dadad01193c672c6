#if !canImport(Darwin)
import StandInBackgroundTasks
import TaskKitDurable
import Testing

/// The monitor of Apple's devices, compiled and run with what stands in for UIKit.
@Suite struct SystemPowerTests {
  @Test func `a device that is plugged in and out changes what holds`() async {
    let monitor = StandInBackgroundTasks.PowerMonitor()
    #expect(monitor.constraints == [.charging])
    let (heard, continuation) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    // Ends when it is cancelled.
    let listener = Task { for await states in monitor.states() { continuation.yield(states) } }
    var states = heard.makeAsyncIterator()
    // At once, how it stands, which is unknown to UIKit until somebody wants to know.
    #expect(await states.next() == [.charging: .unsatisfied])
    let changes: [(battery: UIDevice.BatteryState, state: ConstraintState)] = [
      (.charging, .satisfied), (.full, .satisfied), (.unplugged, .unsatisfied), (.unknown, .unknown),
    ]
    for change in changes {
      await UIDevice.current.change(to: change.battery)
      #expect(await states.next() == [.charging: change.state])
    }
    listener.cancel()
    await listener.value
  }
}
#endif
