extension JobMachine {
  /// What the workers of the store do.
  enum Phase: Equatable {
    /// Not started.
    case waiting
    case running
    /// Attempts were cancelled and have not all been written down. The workers may run again as soon as that has ended (Z41).
    case stopping(by: Stopper, resumes: Bool)
    case stopped(by: Stopper)
    /// As soon as everything is written down, the store is closed.
    case closing
    case closed
  }

  /// Who has stopped the workers last.
  enum Stopper {
    case somebody
    /// The app's way into the background.
    case background
    /// The center, which shuts down: nobody lets the workers run again.
    case shutdown
  }
}

extension JobMachine.Phase {
  var stopper: JobMachine.Stopper? {
    switch self {
    case .stopping(let stopper, _), .stopped(let stopper): stopper
    case .waiting, .running, .closing, .closed: nil
    }
  }

  var isStopping: Bool { if case .stopping = self { true } else { false } }

  /// Whether the workers run again when the stop has ended that is under way.
  var resumes: Bool { if case .stopping(_, let resumes) = self { resumes } else { false } }

  /// Whether anything may run, now or then.
  var runsOrWill: Bool { self == .running || resumes }

  /// Whether the workers are stopped until the app is in the foreground again.
  var isStoppedInBackground: Bool { stopper == .background && !resumes }

  /// Whether they are until somebody resumes them: the way to the foreground does not.
  var isStoppedBySomebody: Bool { stopper != nil && stopper != .background && !resumes }

  /// Whether occurrences of schedules are written down: while the workers are stopped they are, as other jobs.
  var letsSchedulesFire: Bool { self == .running || stopper != nil }

  /// Whether nothing will ever run any more.
  var isOver: Bool { self == .closing || self == .closed }
}
