#if !canImport(Darwin)
import StandInNetwork
import TaskKitDurable
import Testing

/// The monitor of Apple's systems, compiled and run with what stands in for their path monitor.
@Suite struct SystemPathTests {
  @Test func `each change of the system's network path changes what holds, until nobody listens any more`() async {
    let monitor = StandInNetwork.NetworkMonitor()
    #expect(monitor.constraints == [.network, .unmetered])
    let (heard, continuation) = AsyncStream.makeStream(of: [Constraint: ConstraintState].self)
    // Ends when it is cancelled.
    let listener = Task { for await states in monitor.states() { continuation.yield(states) } }
    var states = heard.makeAsyncIterator()
    // At once, how it stands.
    #expect(await states.next() == [.network: .unsatisfied, .unmetered: .unsatisfied])
    let changes: [(path: NWPath, states: [Constraint: ConstraintState])] = [
      (NWPath(.satisfied), [.network: .satisfied, .unmetered: .satisfied]),
      (NWPath(.satisfied, isExpensive: true), [.network: .satisfied, .unmetered: .unsatisfied]),
      (NWPath(.satisfied, isConstrained: true), [.network: .satisfied, .unmetered: .unsatisfied]),
      (NWPath(.requiresConnection), [.network: .unsatisfied, .unmetered: .unsatisfied]),
      (NWPath(.satisfied), [.network: .satisfied, .unmetered: .satisfied]),
      (NWPath(.unsatisfied), [.network: .unsatisfied, .unmetered: .unsatisfied]),
    ]
    for change in changes {
      NWPathMonitor.change(to: change.path)
      #expect(await states.next() == change.states)
    }
    #expect(NWPathMonitor.running == 1)
    listener.cancel()
    await listener.value
    #expect(NWPathMonitor.running == 0)
  }
}
#endif
