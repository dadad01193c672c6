extension EventReport {
  /// Why nothing of it ran; nil for one that was not refused.
  var refusal: String? {
    if case .refused(let reason) = status { reason } else { nil }
  }

  /// Who failed or timed out, but for those whose declaration says that it does not matter.
  var failures: [TaskReport] {
    tasks.filter { task in
      switch task.outcome {
      case .failed, .timedOut: !task.failureIsIgnored
      case .succeeded, .cancelled, .skipped: false
      }
    }
  }
}

extension TaskReport {
  /// Who failed, how and where that is declared.
  var failureLine: String { "\(name): \(outcome), \(location)" }
}
