/// What one occurrence of an event came to: every task once, with its outcome and where its time went.
///
/// `description` is a table for people and makes no promise about its form. The encoded form is for machines, and
/// carries a version.
public struct EventReport: Sendable {
  /// What became of the send.
  public enum Status: Sendable, Hashable, Codable {
    /// Every task has an outcome.
    case completed
    /// The event happens once, and has: nothing ran.
    case alreadyHappened
    /// The send would have waited for itself, or the event is not the one that is registered under its name: nothing
    /// ran. The text says which.
    case refused(String)
    /// An earlier send of the event was still going, and the event drops what comes then: nothing ran.
    case dropped
    /// The send or the run was cancelled.
    case cancelled
    /// The deadline of the send passed.
    case deadlineExceeded
  }

  /// The event's name.
  public let event: String
  /// What became of the send; only ``Status/completed`` says that every task has come to its end.
  public let status: Status
  /// From the send's turn until its last task ended.
  public let duration: Duration

  /// Nil where there is nothing to tell.
  private var contents: ReportContents?

  /// In the order of their starts, one that was switched off where its turn had come; then those whose turn never came, in
  /// the order of the law. With `Reporting.problems` only those that did not succeed, in the order of the law, without times.
  ///
  /// Made at the first reading, in time linear in the number of tasks; a report that nobody reads costs nothing.
  public var tasks: [TaskReport] { contents?.tasks ?? [] }

  /// What the wait for the end consisted of: consecutive pieces that add up to `duration`.
  ///
  /// Made at each reading, in time linear in the number of tasks.
  public var criticalPath: CriticalPath { contents?.criticalPath ?? CriticalPath(segments: []) }

  /// The same with everything made that is made when it is read: but for the reply, it holds nothing of the run and of the
  /// event's tasks.
  var settled: EventReport {
    var settled = self
    settled.contents = contents.map { ReportContents(tasks: $0.tasks, criticalPath: $0.criticalPath) }
    return settled
  }

  /// How many tasks the event had, listed in `tasks` or not.
  public let taskCount: Int

  let replyValue: (any Sendable)?

  /// The merged reply of an event that wants one; nil when nobody answered and the event does not say what that means.
  public var reply: (any Sendable)? { replyValue }

  /// The merged reply, typed by its event.
  public func reply<Payload, Reply>(to event: LifecycleEvent<Payload, Reply>) -> Reply? {
    // A cast of what is not there to a type that may be nil would find nil.
    event.name == self.event ? replyValue.flatMap { $0 as? Reply } : nil
  }

  /// The report of one task, by its whole name or by the end of it; nil where several names end like that.
  public subscript(task: TaskName) -> TaskReport? {
    if let named = tasks.first(where: { $0.name == task }) { return named }
    let ending = "." + task.rawValue
    var candidates = tasks.lazy.filter { $0.name.rawValue.hasSuffix(ending) }.makeIterator()
    let first = candidates.next()
    return candidates.next() == nil ? first : nil
  }

  /// The report of the task that a type declares.
  public subscript<Reported: LifecycleTask>(task: Reported.Type) -> TaskReport? {
    self[Reported.registration.name]
  }

  /// Whether the event completed and every task succeeded, or was skipped because it is switched off or paused, or has run.
  ///
  /// Unlike in ``ProcessReport/isSuccess``, a failure counts even if its task says ``FailurePolicy/ignore``.
  public var isSuccess: Bool {
    status == .completed
      && tasks.allSatisfy {
        switch $0.outcome {
        case .succeeded, .skipped(.disabled), .skipped(.alreadyRan), .skipped(.paused): true
        default: false
        }
      }
  }

  /// A report of a send that did not run anything.
  init(event: String, status: Status) {
    self.init(event: event, status: status, duration: .zero, tasks: [], criticalPath: CriticalPath(segments: []))
  }

  /// A report that was read from its encoded form.
  ///
  /// - Parameter taskCount: nil where there are no others than those that are told.
  init(
    event: String, status: Status, duration: Duration, taskCount: Int? = nil, tasks: [TaskReport],
    criticalPath: CriticalPath
  ) {
    self.event = event
    self.status = status
    self.duration = duration
    self.taskCount = taskCount ?? tasks.count
    contents = ReportContents(tasks: tasks, criticalPath: criticalPath)
    replyValue = nil
  }

  /// The report of a run in which all tasks succeeded, and none had an output.
  ///
  /// - Parameter contents: nothing where no times are taken: then only what went wrong would be listed.
  init(allSucceededIn plan: EventPlan, in duration: Duration = .zero, _ contents: ReportContents? = nil) {
    event = plan.event.name
    status = .completed
    self.duration = duration
    taskCount = plan.count
    self.contents = contents
    replyValue = plan.event.reply?.merge([])
  }

  /// The report of a run that has ended.
  init(_ finished: FinishedRun) {
    let state = finished.state
    event = state.plan.event.name
    status = finished.status
    duration = state.isTimed ? .nanoseconds(finished.ended - state.record.origin) : .zero
    taskCount = state.plan.count
    contents = ReportContents(finished)
    replyValue = state.reply
  }
}
