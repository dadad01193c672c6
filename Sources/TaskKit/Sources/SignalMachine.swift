/// What the signals that a process gets mean for its center. Pure: what is to be done about them is returned.
struct SignalMachine {
  enum Input: Sendable, Equatable {
    case signal(ProcessSignal)
    /// The tasks of ``LifecycleEvent/didEnterBackground`` have ended, or their time has passed.
    case enteredBackground
    /// What comes behind this was sent when the process, which had been frozen, went on; what came before it, earlier.
    case thawed
    /// The center shuts down, for whatever reason, and the process goes on to its end.
    case shutdownBegun
  }

  enum Effect: Equatable {
    case terminate(ProcessSignal)
    case reload
    case enterBackground
    /// The process stops itself, and goes on behind this call.
    case freeze
    case enterForeground
  }

  private enum Phase: Equatable {
    case foreground
    /// The tasks of the background event run; `isRecalled` once the process has been told to go on again.
    case leaving(isRecalled: Bool)
    case frozen
    case ending
  }

  private var phase = Phase.foreground

  mutating func receive(_ input: Input) -> Effect? {
    switch (input, phase) {
    case (_, .ending): return nil
    case (.shutdownBegun, _):
      phase = .ending
      return nil
    case (.signal(.terminate), _), (.signal(.interrupt), _):
      phase = .ending
      if case .signal(let signal) = input { return .terminate(signal) }
      return nil
    case (.signal(.hangUp), _): return .reload
    case (.signal(.stop), .foreground):
      phase = .leaving(isRecalled: false)
      return .enterBackground
    // It came while the process was being frozen, and asked for what has happened.
    case (.signal(.stop), .frozen): return nil
    case (.signal(.stop), .leaving):
      phase = .leaving(isRecalled: false)
      return nil
    case (.signal(.resume), .leaving):
      phase = .leaving(isRecalled: true)
      return nil
    case (.signal(.resume), _):
      phase = .foreground
      return .enterForeground
    case (.enteredBackground, .leaving(isRecalled: false)):
      phase = .frozen
      return .freeze
    case (.enteredBackground, .leaving(isRecalled: true)):
      phase = .foreground
      return .enterForeground
    case (.enteredBackground, _): return nil
    // The signal that made it go on may belong to somebody else.
    case (.thawed, .frozen):
      phase = .foreground
      return nil
    case (.thawed, _): return nil
    }
  }
}

/// The signals that mean something to a center.
enum ProcessSignal: CaseIterable, Sendable {
  case terminate, interrupt, hangUp, stop, resume

  var name: String {
    switch self {
    case .terminate: "SIGTERM"
    case .interrupt: "SIGINT"
    case .hangUp: "SIGHUP"
    case .stop: "SIGTSTP"
    case .resume: "SIGCONT"
    }
  }

  /// What nobody does if it is not taken.
  var purpose: String {
    switch self {
    case .terminate, .interrupt: "does not shut the center down"
    case .hangUp: "does not send 'reload'"
    case .stop: "does not send 'didEnterBackground'"
    case .resume: "does not send 'willEnterForeground'"
    }
  }
}
