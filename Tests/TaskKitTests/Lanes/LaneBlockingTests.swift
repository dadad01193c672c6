import TaskKit
import TaskKitTesting
import Testing

extension BlockingTests {
  @Test(arguments: ["is cancelled", "misses its deadline", "is stopped"])
  func `an occurrence that ends before its task had its turn in the lane holds nobody up`(way: String) async throws {
    let clock = VirtualClock()
    let busy = BlockingGate()
    let isBusy = Gate()
    let gate = Gate()
    let lane = Lane("line")
    let center = try TaskCenter.with(
      [
        // Keeps the main actor, so that 'urgent' could start and does not.
        .event(.gamma, name: "main") { @MainActor _ in
          isBusy.open()
          busy.pass()
        },
        .event(.alpha, name: "urgent", priority: .critical, lane: lane) { @MainActor _ in },
        .event(.alpha, name: "fails", onFailure: .stopEvent) { _ in
          try await gate.passUnlessCancelled()
          throw Broken()
        },
        .event(.beta, name: "patient", lane: lane) { _ in },
      ], clock: clock)
    let main = center.begin(.gamma)
    await isBusy.pass()
    let alpha = center.begin(.alpha, deadline: way == "misses its deadline" ? .seconds(1) : nil)
    await gate.arrivals()
    let patient = center.begin(.beta)
    while center.parkedCount(in: lane) == 0 { await Task.yield() }
    switch way {
    case "is cancelled": alpha.cancel()
    case "misses its deadline": await clock.step(to: .seconds(1))
    default: gate.open()
    }
    #expect(await patient.report.isSuccess)
    #expect(await center.lane(lane).enqueue("put in") {}.outcome.isSuccess)
    busy.open()
    #expect(await alpha.report.outcomes["urgent"] != "succeeded")
    _ = await main.report
  }
}
