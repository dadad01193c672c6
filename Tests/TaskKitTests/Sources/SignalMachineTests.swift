import TaskKitTesting
import Testing

@testable import TaskKit

/// What signals mean in every order, without a process.
@Suite struct SignalMachineTests {
  @Test(
    arguments: [
      ([.signal(.terminate)], [.terminate(.terminate)]),
      ([.signal(.interrupt), .signal(.terminate)], [.terminate(.interrupt), nil]),
      ([.signal(.hangUp), .signal(.hangUp)], [.reload, .reload]),
      // Stopped behind the tasks of the event.
      ([.signal(.stop), .enteredBackground, .signal(.resume)], [.enterBackground, .freeze, .enterForeground]),
      // Told to go on before it has stopped: it does not stop.
      ([.signal(.stop), .signal(.resume), .enteredBackground], [.enterBackground, nil, .enterForeground]),
      // And once more to stop.
      (
        [.signal(.stop), .signal(.resume), .signal(.stop), .enteredBackground], [.enterBackground, nil, nil, .freeze]
      ),
      ([.signal(.stop), .signal(.stop), .enteredBackground], [.enterBackground, nil, .freeze]),
      // Going on without having been asked to stop: somebody stopped it with SIGSTOP.
      ([.signal(.resume)], [.enterForeground]),
      // A process that ends does not stop any more.
      ([.signal(.stop), .signal(.terminate), .enteredBackground], [.enterBackground, .terminate(.terminate), nil]),
      (
        [.signal(.terminate), .signal(.stop), .signal(.hangUp), .signal(.resume)],
        [.terminate(.terminate), nil, nil, nil]
      ),
      // Nor does one whose end no signal has asked for.
      (
        [.signal(.stop), .enteredBackground, .shutdownBegun, .signal(.stop), .signal(.resume)],
        [.enterBackground, .freeze, nil, nil, nil]
      ),
      ([.signal(.stop), .signal(.hangUp), .enteredBackground], [.enterBackground, .reload, .freeze]),
      // It went on by a signal that somebody else has taken: it can be stopped again.
      (
        [.signal(.stop), .enteredBackground, .thawed, .signal(.stop), .enteredBackground],
        [.enterBackground, .freeze, nil, .enterBackground, .freeze]
      ),
      // A second one that came while it was being frozen asked for what has happened.
      (
        [.signal(.stop), .enteredBackground, .signal(.stop), .thawed, .signal(.resume)],
        [.enterBackground, .freeze, nil, nil, .enterForeground]
      ),
      // The signal that lets it go on may come before the call that froze it returns; what follows it is new.
      (
        [.signal(.stop), .enteredBackground, .signal(.stop), .signal(.resume), .signal(.stop), .thawed],
        [.enterBackground, .freeze, nil, .enterForeground, .enterBackground, nil]
      ),
      (
        [.signal(.stop), .enteredBackground, .signal(.terminate), .thawed],
        [.enterBackground, .freeze, .terminate(.terminate), nil]
      ),
    ] as [([SignalMachine.Input], [SignalMachine.Effect?])])
  func `each input has its effect`(inputs: [SignalMachine.Input], effects: [SignalMachine.Effect?]) {
    var machine = SignalMachine()
    #expect(inputs.map { machine.receive($0) } == effects)
  }

  @Test func `a stop that comes while the process is being stopped is not obeyed again when it goes on`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.didEnterBackground, name: "background") { _ in recorder.note("background") },
      .event(.willEnterForeground, name: "foreground") { _ in recorder.note("foreground") },
    ])
    let (inputs, continuation) = AsyncStream.makeStream(of: SignalMachine.Input.self)
    continuation.yield(.signal(.stop))
    await SignalSource(sink: EventSink(center: center, source: 0), backgroundDeadline: .seconds(5)).listen(to: inputs) {
      recorder.note("frozen")
      for input in [SignalMachine.Input.signal(.stop), .thawed, .signal(.resume)] { continuation.yield(input) }
      continuation.finish()
    }
    #expect(await recorder.notes(3) == ["background", "frozen", "foreground"])
    await center.quiet()
    #expect(recorder.notes.count == 3)
  }

  @Test func `a process that shuts down does not stop in the middle of that, whoever has asked for it`() async throws {
    let recorder = Recorder()
    let center = try TaskCenter.with([
      .event(.didEnterBackground, name: "quit") { $0.center.shutDown(because: "nothing is left to do") }
    ])
    let (inputs, continuation) = AsyncStream.makeStream(of: SignalMachine.Input.self)
    continuation.yield(.signal(.stop))
    let listening = Task {
      await SignalSource(sink: EventSink(center: center, source: 0), backgroundDeadline: .seconds(5)).listen(to: inputs)
      {
        recorder.note("frozen")
      }
    }
    await waitUntil { center.isShuttingDown }
    await center.quiet()
    // What would stop the process comes a few steps later.
    for _ in 0..<100 { await Task.yield() }
    continuation.finish()
    await listening.value
    #expect(recorder.notes.isEmpty)
  }

  @Test func `a process stops in time, also where the program has gone to the background itself and is still at that`()
    async throws
  {
    let (clock, gate, recorder) = (VirtualClock(), Gate(), Recorder())
    let center = try TaskCenter.with(
      [.event(.didEnterBackground, name: "deaf") { _ in await gate.pass() }], clock: clock)
    let earlier = center.begin(.didEnterBackground)
    await gate.arrivals()
    let (inputs, continuation) = AsyncStream.makeStream(of: SignalMachine.Input.self)
    continuation.yield(.signal(.stop))
    let passing = Task { await clock.step(to: .seconds(5)) }
    await SignalSource(sink: EventSink(center: center, source: 0), backgroundDeadline: .seconds(5)).listen(to: inputs) {
      recorder.note("frozen")
      continuation.finish()
    }
    #expect(recorder.notes == ["frozen"])
    await passing.value
    gate.open()
    #expect(await earlier.report.isSuccess)
  }
}
