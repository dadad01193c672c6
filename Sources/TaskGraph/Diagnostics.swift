// Everything that can be wrong with a set of tasks: one function a mistake. A problem's code is `taskGraph.` and the name of
// the function here; it never changes. The build tool and the center say the same words.

extension Problem {
  static func duplicateName(_ task: Int, first: Int, in tasks: [DeclaredTask]) -> Problem {
    let name = tasks[task].name
    return Problem(
      code: "taskGraph.duplicateName",
      message: "two tasks are named '\(name)'; give one of them another name with 'name:'",
      place: tasks[task].place,
      notes: [Note("'\(name)' is first declared here", place: tasks[first].place)],
      tasks: [task, first])
  }

  static func unknownDependency(
    _ reference: Reference, of task: Int, nearest: (number: Int, name: String)?, in tasks: [DeclaredTask]
  ) -> Problem {
    let repair = nearest.map { "did you mean '\($0.name)'?" } ?? "register it, or remove the dependency"
    return Problem(
      code: "taskGraph.unknownDependency",
      message: "task '\(tasks[task].name)' needs '\(reference.text)', which is not registered; \(repair)",
      place: reference.place ?? tasks[task].place,
      notes: note(about: nearest, in: tasks),
      tasks: [task])
  }

  /// Where the one is that may have been meant.
  private static func note(about nearest: (number: Int, name: String)?, in tasks: [DeclaredTask]) -> [Note] {
    nearest.map { [Note("'\($0.name)' is declared here", place: tasks[$0.number].place)] } ?? []
  }

  static func dependencyInOtherBranch(
    _ reference: Reference, of task: Int, on other: Int, kind: DependencyGraph.EdgeKind, in tasks: [DeclaredTask]
  ) -> Problem {
    let link = Wording.link(tasks[task].name, kind, tasks[other].name)
    return Problem(
      code: "taskGraph.dependencyInOtherBranch",
      severity: kind == .requires ? .error : .warning,
      message: "task \(link), which stands under a condition that excludes its own, so that no build has both; "
        + "remove the dependency, or move one of the two tasks",
      place: reference.place ?? tasks[task].place,
      notes: [Note("'\(tasks[other].name)' is declared here", place: tasks[other].place)],
      tasks: [task, other])
  }

  static func ambiguousName(
    _ reference: Reference, of task: Int, candidates: [Int], kind: DependencyGraph.EdgeKind, in tasks: [DeclaredTask]
  ) -> Problem {
    let names = candidates.map { "'\(tasks[$0].name)'" }
    return Problem(
      code: "taskGraph.ambiguousName",
      message: "task \(Wording.link(tasks[task].name, kind, reference.text)), which can be "
        + "\(Wording.list(names, "or")); write the full name",
      place: reference.place ?? tasks[task].place,
      notes: candidates.map { Note("'\(tasks[$0].name)' is declared here", place: tasks[$0].place) },
      tasks: [task] + candidates)
  }

  static func dependencyOnLaterEvent(
    _ reference: Reference, of task: Int, at occasion: Occasion, on other: Int, in tasks: [DeclaredTask]
  ) -> Problem {
    let events = tasks[other].occasions.compactMap(\.eventName).map { "'\($0)'" }
    let later = events.count == 1 ? "a later event" : "later events"
    return Problem(
      code: "taskGraph.dependencyOnLaterEvent",
      message: "\(Wording.title(tasks[task], at: [occasion])) cannot wait for '\(tasks[other].name)', "
        + "which runs at \(Wording.list(events)), \(later); remove the dependency, or move one of the two tasks",
      place: reference.place ?? tasks[task].place,
      notes: [Note("'\(tasks[other].name)' is declared here", place: tasks[other].place)],
      tasks: [task, other])
  }

  static func dependencyOnOtherKind(
    _ reference: Reference, of task: Int, at occasion: Occasion, on other: Int, in tasks: [DeclaredTask]
  ) -> Problem {
    let rule =
      switch occasion {
      case .event: "an event task may need event tasks only"
      case .schedule: "a schedule task may need event tasks and schedule tasks"
      case .notification, .unreadNotification:
        "a notification task may need event tasks and tasks of the same notification"
      case .elements: "a task of a sequence may need event tasks only"
      }
    return Problem(
      code: "taskGraph.dependencyOnOtherKind",
      message: "\(Wording.title(tasks[task], at: [occasion])) cannot wait for '\(tasks[other].name)', "
        + "\(Wording.kind(tasks[other].occasions)); \(rule); remove the dependency",
      place: reference.place ?? tasks[task].place,
      notes: [Note("'\(tasks[other].name)' is declared here", place: tasks[other].place)],
      tasks: [task, other])
  }

  /// `links` go round: each one's prerequisite is the next one's dependent.
  static func cycle(_ links: [CycleLink], in tasks: [DeclaredTask]) -> Problem {
    let steps = links.map {
      Wording.Link(dependent: tasks[$0.dependent].name, kind: $0.kind, prerequisite: tasks[$0.prerequisite].name)
    }
    let texts = steps.map(\.text)
    let places = links.map { $0.reference.place ?? tasks[$0.dependent].place }
    return Problem(
      code: "taskGraph.cycle",
      message: Wording.cycle(steps),
      place: places[0],
      notes: zip(texts, places).dropFirst().map { Note("\($0) here", place: $1) },
      tasks: links.map(\.dependent))
  }

  static func unmatchedAfter(
    _ reference: Reference, of task: Int, nearest: (number: Int, name: String)?, in tasks: [DeclaredTask]
  ) -> Problem {
    let question = nearest.map { " did you mean '\($0.name)'?" } ?? ""
    return Problem(
      code: "taskGraph.unmatchedAfter",
      severity: .warning,
      message: "task '\(tasks[task].name)' runs after '\(reference.text)', which is not registered;\(question) "
        + "if it may be absent, write '.optional(\"\(reference.text)\")'",
      place: reference.place ?? tasks[task].place,
      notes: note(about: nearest, in: tasks),
      tasks: [task])
  }

  static func afterWithoutEffect(
    _ reference: Reference, of task: Int, on other: Int, in tasks: [DeclaredTask]
  ) -> Problem {
    Problem(
      code: "taskGraph.afterWithoutEffect",
      severity: .warning,
      message: "\(Wording.title(tasks[task], at: tasks[task].occasions)) runs after '\(tasks[other].name)', "
        + "\(Wording.kind(tasks[other].occasions)), but 'after' orders nothing between different occasions; "
        + "remove it, or use 'dependencies' if '\(tasks[other].name)' must have run",
      place: reference.place ?? tasks[task].place,
      notes: [Note("'\(tasks[other].name)' is declared here", place: tasks[other].place)],
      tasks: [task, other])
  }
}

extension Occasion {
  var eventName: String? {
    if case .event(let name) = self { name } else { nil }
  }
}

extension Wording {
  /// `task 'A' of 'didBecomeActive'`, `schedule task 'A'`, `task 'A' of notification 'PricesChanged'`.
  static func title(_ task: DeclaredTask, at occasions: [Occasion]) -> String {
    occasions == [.schedule] ? "schedule task '\(task.name)'" : "task '\(task.name)' \(belonging(to: occasions))"
  }

  /// `a task of 'didBecomeActive'`, `a schedule task`, `a task of notification 'PricesChanged'`.
  static func kind(_ occasions: [Occasion]) -> String {
    occasions == [.schedule] ? "a schedule task" : "a task \(belonging(to: occasions))"
  }

  private static func belonging(to occasions: [Occasion]) -> String {
    let names = occasions.map { occasion in
      switch occasion {
      case .event(let name): "'\(name)'"
      case .schedule: "a schedule"
      case .notification(let name), .unreadNotification(let name): "notification '\(name)'"
      case .elements: "a sequence"
      }
    }
    return "of \(list(names))"
  }
}

extension Problem {
  /// What is wrong with the graph of modules, which is proved as if they were tasks.
  package static func ofModules(_ problem: Problem) -> Problem {
    let message = problem.message.replacing("these tasks", with: "these modules")
      .replacing("two tasks", with: "two modules").replacing("task '", with: "module '")
    return Problem(
      code: problem.code, severity: problem.severity, message: message, place: problem.place, notes: problem.notes)
  }
}
