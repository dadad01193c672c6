public import TaskKit

extension CenterEvent {
  /// What happened in words that a test compares, without the time: `taskEnded Feed.Refresh: succeeded`.
  public var words: String {
    switch kind {
    case .eventStarted(let event): "eventStarted \(event)"
    case .eventEnded(let report): "eventEnded \(report.event)"
    case .occurrenceDropped(let name): "occurrenceDropped \(name)"
    case .taskStarted(let name): "taskStarted \(name)"
    case .taskEnded(let name, let outcome): "taskEnded \(name): \(outcome)"
    case .taskReturnedLate(let name, let outcome): "taskReturnedLate \(name): \(outcome)"
    case .taskThrewAfterCancellation(let name, let error): "taskThrewAfterCancellation \(name): \(error)"
    case .taskRetried(let name, let attempt): "taskRetried \(name) \(attempt)"
    case .taskInjected(let name): "taskInjected \(name)"
    case .taskDestroyed(let name): "taskDestroyed \(name)"
    case .taskPaused(let name): "taskPaused \(name)"
    case .taskResumed(let name): "taskResumed \(name)"
    case .runsMissed(let name, let count, _, let reason): "runsMissed \(name) \(count): \(reason)"
    case .scheduleIsImpossible(let name, let problem): "scheduleIsImpossible \(name): \(problem)"
    case .clockChanged(let difference): "clockChanged by \(difference)"
    case .timeZoneChanged(let old, let new): "timeZoneChanged from \(old) to \(new)"
    case .sequenceEnded(let name): "sequenceEnded \(name)"
    case .sequenceFailed(let name, let error): "sequenceFailed \(name): \(error)"
    case .taskEnqueued(let name, let lane): "taskEnqueued \(name) \(lane)"
    case .lanePaused(let lane): "lanePaused \(lane)"
    case .laneResumed(let lane): "laneResumed \(lane)"
    case .laneOpened(let lane): "laneOpened \(lane)"
    case .laneStopped(let lane, let name): "laneStopped \(lane) by \(name)"
    case .completionMisused(let name, let mistake): "completionMisused \(name): \(mistake)"
    case .sourceStarted(let name): "sourceStarted \(name)"
    case .sourceEnded(let name): "sourceEnded \(name)"
    case .sourceFailed(let name, let text): "sourceFailed \(name): \(text)"
    case .sourceNoted(let name, let text): "sourceNoted \(name): \(text)"
    case .shutdownStarted(let reason): "shutdownStarted: \(reason)"
    case .stopStarted(let name): "stopStarted \(name)"
    case .stopEnded(let name, let outcome): "stopEnded \(name): \(outcome)"
    case .lost(let count): "lost \(count)"
    }
  }
}
