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
      ([.signal(.stop), .signal(.hangUp), .enteredBackground], [.enterBackground, .reload, .freeze]),
      // It went on by a signal that somebody else has taken: it can be stopped again.
      (
        [.signal(.stop), .enteredBackground, .signal(.stop), .enteredBackground],
        [.enterBackground, .freeze, .enterBackground, .freeze]
      ),
    ] as [([SignalMachine.Input], [SignalMachine.Effect?])])
  func `each input has its effect`(inputs: [SignalMachine.Input], effects: [SignalMachine.Effect?]) {
    var machine = SignalMachine()
    #expect(inputs.map { machine.receive($0) } == effects)
  }
}
