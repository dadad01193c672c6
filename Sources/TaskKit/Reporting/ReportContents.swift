import Synchronization

/// The parts of a report that cost something to make, made when somebody reads them.
final class ReportContents: Sendable {
  private let builder: (@Sendable () -> ReportBuilder)?
  private let made: Mutex<[TaskReport]?>
  private let madePath: CriticalPath?

  init(tasks: [TaskReport], criticalPath: CriticalPath) {
    builder = nil
    made = Mutex(tasks)
    madePath = criticalPath
  }

  init(_ finished: FinishedRun) {
    let report = ReportBuilder(record: finished.state.record, overdue: finished.overdue, ended: finished.ended)
    if finished.state.plan.isMixed {
      // What the events of others were sent must not live as long as a report.
      builder = nil
      made = Mutex(report.tasks())
      madePath = report.criticalPath()
    } else {
      builder = { report }
      made = Mutex(nil)
      madePath = nil
    }
  }

  init(_ walk: Walk) {
    builder = { ReportBuilder(record: walk.replay().record, overdue: [], ended: walk.ended) }
    made = Mutex(nil)
    madePath = nil
  }

  var tasks: [TaskReport] {
    if let tasks = made.withLock({ $0 }) { return tasks }
    let tasks = builder?().tasks() ?? []
    made.withLock { $0 = tasks }
    return tasks
  }

  var criticalPath: CriticalPath {
    madePath ?? builder?().criticalPath() ?? CriticalPath(segments: [])
  }
}
