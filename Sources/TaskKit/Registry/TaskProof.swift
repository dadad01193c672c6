import Foundation
import TaskGraph

/// The proof of the build, made over the tasks of a registry or a center.
enum TaskProof {
  /// Everything that would be wrong with these tasks together. Warnings are left out: what `after:` names may be
  /// injected later.
  ///
  /// - Parameter isOpen: whether the gate of a lane has opened already.
  static func problems(
    in tasks: [(registration: TaskRegistration, module: String)], besides isOpen: (Lane) -> Bool = { _ in false }
  ) -> [Problem] {
    problems(in: tasks.map { Declaration($0, module: $1) }, besides: isOpen)
  }

  /// A task with as many of its references as are to be looked at.
  struct Declaration {
    let registration: TaskRegistration
    let module: String
    let dependencies: [TaskDependency]
    let after: [TaskReference]
    /// Whether it is in the center already, which has judged it by itself and among its likes: what was wrong with it then
    /// fails where it runs, and is no mistake of what comes now.
    let isPresent: Bool

    init(
      _ registration: TaskRegistration, module: String, dependencies: [TaskDependency]? = nil,
      after: [TaskReference]? = nil, isPresent: Bool = false
    ) {
      self.isPresent = isPresent
      self.registration = registration
      self.module = module
      self.dependencies = dependencies ?? registration.dependencies
      self.after = after ?? registration.after
    }

    /// Names the place of an event or a lane that it means otherwise than another task.
    fileprivate func note(_ subject: String) -> Problem.Note {
      .init("the other \(subject) is that of task '\(registration.name)'", place: SourcePlace(registration.location))
    }
  }

  static func problems(in tasks: [Declaration], besides isOpen: (Lane) -> Bool = { _ in false }) -> [Problem] {
    var types: [ObjectIdentifier: Int] = [:]
    for (number, task) in tasks.enumerated() {
      if let type = task.registration.type { types[type] = number }
    }
    let declared = tasks.map { declaration in
      let task = declaration.registration
      return DeclaredTask(
        name: task.name.rawValue, module: declaration.module,
        occasions: task.occasions.map(\.event.occasion), priority: task.priority.rawValue,
        dependencies: declaration.dependencies.map { dependency in
          let place = SourcePlace(task.location)
          if let type = dependency.type, let number = types[type] {
            return Reference(.task(number), text: dependency.text, place: place)
          }
          return Reference(.name(dependency.text), place: place)
        },
        after: declaration.after.map {
          Reference(.name($0.name.rawValue), place: SourcePlace(task.location), mayBeAbsent: $0.mayBeAbsent)
        },
        place: SourcePlace(task.location))
    }
    let proof = GraphProof(declared)
    let gates = GateProof(
      tasks: tasks.map(\.registration), dependencies: proof.resolutions.map { $0.dependencies.flatMap(\.self) },
      after: proof.resolutions.map { $0.after.flatMap(\.self) }, besides: isOpen)
    return proof.problems.filter { $0.severity == .error } + eventConflicts(in: tasks) + laneConflicts(in: tasks)
      + gates.circles.map(\.problem) + tasks.filter { !$0.isPresent }.flatMap { mistakes(in: $0.registration) }
  }

  /// Everything that would be wrong with these modules together: two of one name, and what depends on itself.
  ///
  /// - Parameter first: where those begin that are new; what is wrong without them is no mistake of theirs.
  static func problems(among modules: [ModuleRegistration], from first: Int = 0) -> [Problem] {
    var numbers: [ObjectIdentifier: Int] = [:]
    for (number, module) in modules.enumerated() { numbers[module.type] = number }
    // The rules among tasks of one occasion are those among modules.
    let declared = modules.map { module in
      let place = SourcePlace(module.location)
      return DeclaredTask(
        name: module.name, module: "", occasions: [.event("module")],
        dependencies: module.dependencies.compactMap { dependency in
          // One that is not there was left out, or comes later.
          numbers[dependency.type].map { Reference(.task($0), text: dependency.text, place: place) }
        }, place: place)
    }
    return GraphProof.problems(in: declared).filter { problem in
      problem.severity == .error && problem.tasks.contains { $0 >= first }
    }.map { Problem.ofModules($0) }
  }

  /// What the macros refuse where they can read it.
  static func mistakes(in task: TaskRegistration) -> [Problem] {
    var problems = timeoutMistakes(in: task).map { (code: "taskKit.timeoutIsNotPositive", message: $0) }
    if let mistake = attemptsMistake(task.retry, of: task.name) {
      problems.append(("taskKit.attemptsBelowOne", mistake))
    }
    if task.occasions.isEmpty {
      problems.append(
        ("taskKit.noEvent", "task '\(task.name)' names no event; add one, as in '.didFinishLaunching'"))
    }
    for event in task.occasions.lazy.map(\.event.name).repeated(by: { $0 }) {
      problems.append(
        (
          "taskKit.duplicateEvent",
          "event '\(event)' of task '\(task.name)' is listed twice, so the task would run twice; remove one of them"
        ))
    }
    for dependency in task.dependencies.repeated(by: { $0 }) {
      problems.append(
        (
          "taskKit.duplicateDependency",
          "dependency '\(dependency.text)' of task '\(task.name)' is listed twice; remove one of them"
        ))
    }
    for reference in task.after.repeated(by: \.name) {
      problems.append(
        (
          "taskKit.duplicateAfter",
          "'\(reference.name)' is listed twice in 'after:' of task '\(task.name)'; remove one of them"
        ))
    }
    for event in task.occasions.map(\.event) {
      if let count = event.schedule?.count, count > 1, task.runs == .once {
        problems.append(
          (
            "taskKit.contradictingOptions",
            "'count: \(count)' and 'runs: .once' of task '\(task.name)' contradict each other; remove one of them"
          ))
      }
      if event.isOnce, event.burst != .queue {
        problems.append(
          (
            "taskKit.contradictingOptions",
            "'once: true' and 'burst: .\(event.burst)' of event '\(event.name)' contradict each other; remove one of them"
          ))
      }
    }
    return blankNames(of: task)
      + problems.map { Problem(code: $0.code, message: $0.message, place: SourcePlace(task.location)) }
  }

  /// What is over before it starts: a task, or something that is put into a lane.
  static func timeoutMistakes(in task: TaskRegistration) -> [String] {
    var mistakes: [String] = []
    let laneTimeout = task.lane?.timeout
    if let lane = task.lane, let laneTimeout, laneTimeout <= .zero {
      mistakes.append(
        "a timeout of '\(laneTimeout)' is over before anything in lane '\(lane)' starts; write a longer one")
    }
    // Where it says nothing itself it has that of its lane.
    if let timeout = task.timeout, timeout <= .zero, timeout != laneTimeout {
      mistakes.append("a timeout of '\(timeout)' is over before task '\(task.name)' starts; write a longer one")
    }
    return mistakes
  }

  /// A number of attempts that lets a task not even begin.
  static func attemptsMistake(_ retry: RetryPolicy, of task: TaskName) -> String? {
    retry.attempts >= 1
      ? nil : "a task is tried at least once, and 'attempts' of task '\(task)' is \(retry.attempts); write 1 or more"
  }

  /// Names that nobody could read in a report, and that are an oversight each time.
  private static func blankNames(of task: TaskRegistration) -> [Problem] {
    var problems: [String] = []
    if task.name.rawValue.isBlank { problems.append("a task has a blank name; write one") }
    if task.lane?.name.isBlank == true {
      problems.append("the lane of task '\(task.name)' has a blank name; write one")
    }
    for occasion in task.occasions {
      if let notification = occasion.event.notification {
        guard notification.name.rawValue.isBlank else { continue }
        problems.append(
          "the notification of task '\(task.name)' has a blank name; write the name with which it is posted")
      } else if occasion.event.name.isBlank {
        problems.append("the event of task '\(task.name)' has a blank name; write one")
      }
    }
    return problems.map { Problem(code: "taskKit.blankName", message: $0, place: SourcePlace(task.location)) }
  }

  /// Schedules that cannot be kept.
  ///
  /// An annotated task is not refused for a zone that the machine does not know, since the one on which it was built may
  /// have known it: that is reported when its center starts.
  static func scheduleProblems(in tasks: [(registration: TaskRegistration, module: String)]) -> [Problem] {
    tasks.flatMap { task, _ in
      task.occasions.compactMap { $0.event.schedule }.filter { task.type == nil || !$0.lacksZone }
        .compactMap(\.problem).map { problem in
          Problem(
            code: "taskKit.impossibleSchedule",
            message: "the schedule of task '\(task.name)' cannot be kept: \(problem)", place: SourcePlace(task.location)
          )
        }
    }
  }

  /// Tasks that mean different lanes by one name.
  private static func laneConflicts(in tasks: [Declaration]) -> [Problem] {
    var lanes: [Lane: (lane: Lane, task: Declaration)] = [:]
    var problems: [Problem] = []
    for task in tasks {
      guard let lane = task.registration.lane else { continue }
      guard let known = lanes[lane], !known.lane.agrees(with: lane) else {
        lanes[lane] = (lane, task)
        continue
      }
      guard !task.isPresent || !known.task.isPresent else { continue }
      problems.append(
        Problem(
          code: "taskKit.laneConflict", message: LaneConflict.message(known.lane, lane),
          place: SourcePlace(task.registration.location), notes: [known.task.note("lane '\(lane)'")]))
    }
    return problems
  }

  /// Tasks that mean different events by one name.
  private static func eventConflicts(in tasks: [Declaration]) -> [Problem] {
    var events: [String: (event: EventDescription, task: Declaration)] = [:]
    var problems: [Problem] = []
    for task in tasks {
      for event in task.registration.occasions.map(\.event) {
        guard let known = events[event.name], !known.event.agrees(with: event) else {
          events[event.name] = (event, task)
          continue
        }
        guard !task.isPresent || !known.task.isPresent else { continue }
        let isOther = known.event.identity != event.identity
        problems.append(
          Problem(
            code: isOther ? "taskKit.eventConflict" : "taskKit.burstConflict",
            message: EventConflict.message(known.event, event),
            place: SourcePlace(task.registration.location), notes: [known.task.note("event '\(event.name)'")]))
      }
    }
    return problems
  }
}

extension TaskRegistry {
  /// - Parameter found: what is known to be wrong already.
  /// - Throws: ``TaskGraphError`` with every problem of the whole graph.
  func prove(_ found: [Problem] = []) throws {
    let tasks = modules.flatMap { module in
      module.present.map { ($0, module.module(of: $0)) }
    }
    let problems =
      TaskProof.problems(in: tasks).map { completed($0, in: tasks) } + found + TaskProof.scheduleProblems(in: tasks)
      + TaskProof.problems(among: taskModules)
    guard problems.isEmpty else { throw TaskGraphError(problems) }
  }
}

extension Collection {
  /// The elements of which one that is the same by a key came before.
  fileprivate func repeated<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    guard count > 1 else { return [] }
    var seen: Set<Key> = []
    return filter { !seen.insert(key($0)).inserted }
  }
}

extension String {
  fileprivate var isBlank: Bool { !unicodeScalars.contains { !$0.properties.isWhitespace } }
}
