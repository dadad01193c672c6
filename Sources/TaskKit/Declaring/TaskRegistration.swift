/// What one declaration says, as a value: the first stage of the way from annotation to report.
public struct TaskRegistration: Sendable {
  /// On its way from a module's list to an event's plan a registration is copied several times: that must not count the
  /// references to all that it consists of.
  fileprivate final class Contents: Sendable {
    // What a launch reads of every task stands first, in the piece of memory that it touches anyway.
    let priority: Priority
    /// What a plan wants to know of each of its tasks, in one byte.
    let demands: TaskDemands
    /// Whether it runs at one event that the program sends and whose sends all run, and in no lane.
    let isSimple: Bool
    /// Of the first occasion; nil without one.
    let firstEvent: EventIdentity?
    let firstBody: TaskBody?
    let firstForm: TaskBody.Form
    let occasions: [TaskOccasion]
    let name: TaskName
    let type: ObjectIdentifier?
    let owner: ModuleOwner?
    let location: TaskLocation
    let dependencies: [TaskDependency]
    let after: [TaskReference]
    let timeout: Duration?
    let retry: RetryPolicy
    let onFailure: FailurePolicy
    let runs: RunLimit
    let lane: Lane?
    let stop: TaskStop?
    let isRefused: Bool

    init(
      name: TaskName, type: ObjectIdentifier?, owner: ModuleOwner?, location: TaskLocation, occasions: [TaskOccasion],
      priority: Priority, dependencies: [TaskDependency], after: [TaskReference], timeout: Duration?,
      retry: RetryPolicy, onFailure: FailurePolicy, runs: RunLimit, lane: Lane?, stop: TaskStop?, isRefused: Bool
    ) {
      self.isRefused = isRefused
      self.name = name
      self.type = type
      self.owner = owner
      self.location = location
      // Here, so that whoever asks for a body or its form is told the same.
      let occasions = lane?.isolation == .mainActor ? occasions.map { $0.inside(lane) } : occasions
      self.occasions = occasions
      self.priority = priority
      self.dependencies = dependencies
      self.after = after
      let timeout = timeout ?? lane?.timeout
      self.timeout = timeout
      self.retry = retry
      self.onFailure = onFailure
      self.runs = runs
      self.lane = lane
      self.stop = stop
      demands = TaskDemands(
        timeout: timeout, retry: retry, onFailure: onFailure, runs: runs, lane: lane, stop: stop,
        isScheduled: occasions.contains { $0.event.schedule != nil })
      if occasions.count == 1, case .program = occasions[0].event.trigger {
        isSimple = lane == nil && occasions[0].event.burst == .queue
      } else {
        isSimple = false
      }
      firstEvent = occasions.first?.event.identity
      firstBody = occasions.first?.body
      firstForm = occasions.first?.body.form ?? .synchronous
    }
  }

  private let contents: Contents

  private init(_ contents: Contents) {
    self.contents = contents
  }

  /// The same, not counted as a reference: for tables beside whatever holds it.
  struct Lent: Sendable {
    private let contents: Unmanaged<Contents>

    fileprivate init(_ contents: Contents) {
      self.contents = .passUnretained(contents)
    }

    var whole: TaskRegistration { TaskRegistration(contents.takeUnretainedValue()) }
  }

  /// What a launch wants to know of it.
  ///
  /// - Parameter event: by its place in a table.
  func facts(event: Int32) -> ModuleTasks.Facts {
    ModuleTasks.Facts(
      registration: Lent(contents), priority: contents.priority.rawValue, event: event, demands: contents.demands,
      form: contents.firstForm)
  }

  /// What `name:` says, else the module and the path of the type.
  public var name: TaskName { contents.name }
  /// Where the annotation stands, or the call that injects it.
  public var location: TaskLocation { contents.location }
  /// The declared one. What counts is at least that of the most urgent dependent: ``TaskReport/effectivePriority``.
  public var priority: Priority { contents.priority }
  /// What must have ended well before, in the order in which it is written.
  public var dependencies: [TaskDependency] { contents.dependencies }
  /// What comes before if it is there, in the order in which it is written.
  public var after: [TaskReference] { contents.after }
  /// How long one attempt may take, on the continuous clock; nil for any time. Its lane's where it does not say so itself.
  public var timeout: Duration? { contents.timeout }
  /// How often it is tried.
  public var retry: RetryPolicy { contents.retry }
  /// What its failure means for the others.
  public var onFailure: FailurePolicy { contents.onFailure }
  /// How often it runs in the life of a center.
  public var runs: RunLimit { contents.runs }
  /// Where it runs one at a time; nil for anywhere.
  public var lane: Lane? { contents.lane }

  var occasions: [TaskOccasion] { contents.occasions }

  /// What it asks of the scheduler beyond being run.
  var demands: TaskDemands { contents.demands }

  /// Whether it runs at one event that the program sends and whose sends all run, and in no lane.
  var isSimple: Bool { contents.isSimple }

  /// The event of its first occasion.
  var firstEvent: EventIdentity? { contents.firstEvent }

  /// What it runs at one of its occasions.
  func body(at occasion: Int) -> TaskBody {
    if occasion == 0, let body = contents.firstBody { return body }
    return contents.occasions[occasion].body
  }

  /// What undoes the task when the center shuts down.
  var stop: TaskStop? { contents.stop }

  /// Whether its bodies stand for what is wrong with it, and not for what it does.
  var isRefused: Bool { contents.isRefused }

  /// The type that declares the task; an injected one has none.
  var type: ObjectIdentifier? { contents.type }

  /// The module whose method it is, if it is one.
  var owner: ModuleOwner? { contents.owner }

  /// The module that declares the task, where its name begins with it: the rest is its short name.
  var module: String {
    let module = String(location.fileID.prefix { $0 != "/" })
    return name.rawValue.hasPrefix(module + ".") ? module : ""
  }

  /// The names of the events at which the task runs.
  public var events: [String] { occasions.map(\.event.name) }

  /// For the macros' output only.
  ///
  /// - Parameter collected: read so that the compiler warns where the build plugin did not list the type.
  public init(
    __name name: String,
    type: Any.Type,
    collected: Void,
    at location: TaskLocation,
    occasions: [TaskOccasion],
    priority: Priority = .default,
    dependencies: [TaskDependency] = [],
    after: [TaskReference] = [],
    timeout: Duration? = nil,
    retry: RetryPolicy = .never,
    onFailure: FailurePolicy = .skipDependents,
    runs: RunLimit = .always,
    lane: Lane? = nil,
    stop: TaskStop? = nil
  ) {
    self.init(
      name: TaskName(name), type: ObjectIdentifier(type), location: location, occasions: occasions, priority: priority,
      dependencies: dependencies, after: after, timeout: timeout, retry: retry, onFailure: onFailure, runs: runs,
      lane: lane, stop: stop)
  }

  init(
    name: TaskName,
    type: ObjectIdentifier? = nil,
    owner: ModuleOwner? = nil,
    location: TaskLocation,
    occasions: [TaskOccasion],
    priority: Priority,
    dependencies: [TaskDependency],
    after: [TaskReference],
    timeout: Duration?,
    retry: RetryPolicy,
    onFailure: FailurePolicy,
    runs: RunLimit,
    lane: Lane?,
    stop: TaskStop? = nil,
    isRefused: Bool = false
  ) {
    // Whatever is proved at run time is refused for it as well: what the build has proved can only fail.
    let mistake = TaskProof.attemptsMistake(retry, of: name).map { TaskError.attemptsBelowOne(name, $0) }
    contents = Contents(
      name: name, type: type, owner: owner, location: location,
      occasions: mistake.map { mistake in occasions.map { $0.failing(with: mistake) } } ?? occasions,
      priority: priority,
      dependencies: dependencies, after: after, timeout: timeout, retry: retry, onFailure: onFailure, runs: runs,
      lane: lane, stop: stop, isRefused: isRefused || mistake != nil)
  }
}

// MARK: - The same task, changed

extension TaskRegistration {
  /// Everything that a declaration says, to be changed and made into another one.
  private struct Draft {
    var name: TaskName
    var type: ObjectIdentifier?
    var owner: ModuleOwner?
    var occasions: [TaskOccasion]
    var dependencies: [TaskDependency]
    var after: [TaskReference]
    var stop: TaskStop?
  }

  private func changed(_ change: (inout Draft) -> Void) -> TaskRegistration {
    var draft = Draft(
      name: name, type: type, owner: owner, occasions: occasions, dependencies: dependencies, after: after, stop: stop)
    change(&draft)
    return TaskRegistration(
      name: draft.name, type: draft.type, owner: draft.owner, location: location, occasions: draft.occasions,
      priority: priority, dependencies: draft.dependencies, after: draft.after, timeout: timeout, retry: retry,
      onFailure: onFailure, runs: runs, lane: lane, stop: draft.stop, isRefused: isRefused)
  }

  /// The same task with other dependencies.
  func depending(on dependencies: [TaskDependency]) -> TaskRegistration {
    changed { $0.dependencies = dependencies }
  }

  /// The same task after others.
  func following(_ after: [TaskReference]) -> TaskRegistration { changed { $0.after = after } }

  /// The same task with other bodies.
  func running(_ occasions: [TaskOccasion]) -> TaskRegistration { changed { $0.occasions = occasions } }

  /// The same task, undone by something else when its center shuts down.
  func stopping(_ stop: TaskStop) -> TaskRegistration { changed { $0.stop = stop } }

  /// The same task under the name and identity of another, to stand in its place. It belongs to no module.
  func taking(name: TaskName, type: ObjectIdentifier?) -> TaskRegistration {
    changed { ($0.name, $0.type, $0.owner) = (name, type, nil) }
  }

  /// What is left of a task that has gone: its name and place.
  var withoutBodies: TaskRegistration {
    TaskRegistration(
      name: name, location: location, occasions: [], priority: priority, dependencies: [], after: [], timeout: nil,
      retry: .never, onFailure: onFailure, runs: runs, lane: nil)
  }
}
