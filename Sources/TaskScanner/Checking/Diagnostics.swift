import TaskGraph

// What the scanner adds to the catalogue of the graph: mistakes that only source text can show, one function each. A
// problem's code is `taskScanner.` and the name of the function; it never changes.

extension Problem {
  static func scanner(
    _ message: String, at place: SourcePlace, notes: [Note] = [], function: String = #function
  ) -> Problem {
    Problem(
      code: "taskScanner.\(function.prefix { $0 != "(" })", message: message, place: place, notes: notes)
  }
}

// MARK: - dependencies:

extension Problem {
  /// A type in `dependencies:` for which no task was found.
  static func unresolved(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, _ reason: TypeResolver.Reason, in tasks: [ScannedTask]
  ) -> Problem {
    switch reason {
    case .notImported(let number): notImported(reference, of: task, found: tasks[number])
    case .notATask(let type): notATask(reference, of: task, type)
    case .brokenAlias(let alias, let near): aliasNotFound(reference, of: task, alias, near: near.map { tasks[$0] })
    case .ownMember(let place): memberOfItself(reference, of: task, place)
    case .selfType(let around): selfInAnnotation(reference, of: task, around: around)
    case .unknown(let near): unknownType(reference, of: task, near: near.map { tasks[$0] })
    }
  }

  static func unknownType(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, near: ScannedTask?
  ) -> Problem {
    scanner(
      "task '\(task.name)' needs '\(reference.text)', which is not declared in module '\(task.module)' or in "
        + "one that it depends on\(hint(near))",
      at: reference.place, notes: near.map { [declared($0)] } ?? [])
  }

  /// The question behind a name that nobody has.
  static func hint(_ near: ScannedTask?) -> String {
    near.map { "; did you mean '\($0.path.joined(separator: "."))'?" } ?? ""
  }

  static func notATask(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, _ type: KnownType
  ) -> Problem {
    scanner(
      "task '\(task.name)' needs '\(reference.text)', which is a type but no task; annotate it with '@EventTask', or "
        + "remove it from 'dependencies:'",
      at: reference.place,
      notes: [Note("'\(type.path.joined(separator: "."))' is declared here", place: type.place)])
  }

  static func aliasNotFound(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, _ alias: KnownAlias, near: ScannedTask?
  ) -> Problem {
    scanner(
      "task '\(task.name)' needs '\(reference.text)', an alias of '\(alias.target.text)', which is not found in module "
        + "'\(task.module)' or in one that it depends on; write the task's type itself\(hint(near))",
      at: reference.place,
      notes: [Note("the alias is declared here", place: alias.place)] + (near.map { [declared($0)] } ?? []))
  }

  static func memberOfItself(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, _ member: SourcePlace
  ) -> Problem {
    memberOfItself(reference.path.plainNames.first ?? reference.text, at: reference.place, of: task, member)
  }

  static func memberOfItself(
    _ name: String, at place: SourcePlace, of task: ScannedTask, _ member: SourcePlace
  ) -> Problem {
    let type = task.path.last ?? task.name
    return scanner(
      "'\(name)' is a member of '\(type)', and means that one where the macro puts it, but not here; write what is around "
        + "the one that you mean in front, as in '\(task.module).\(name)', or give the member another name",
      at: place, notes: [Note("the member is declared here", place: member)])
  }

  static func selfInAnnotation(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, around: [String]
  ) -> Problem {
    scanner(
      "'Self' means '\(task.path.last ?? task.name)' where the macro puts it, but not here; write "
        + "'\(around.joined(separator: "."))'",
      at: reference.place)
  }

  static func notImported(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, found: ScannedTask
  ) -> Problem {
    scanner(
      "task '\(task.name)' needs '\(reference.text)' of module '\(found.module)', which this file does not import; "
        + "add 'import \(found.module)'",
      at: reference.place, notes: [declared(found)])
  }

  /// - Parameters:
  ///   - place: where the chain is best broken: there `middle` names `previous`.
  ///   - first: what all others wait for.
  static func longChain(
    of count: Int, at place: SourcePlace, middle: ScannedTask, previous: ScannedTask, first: ScannedTask
  ) -> Problem {
    var problem = scanner(
      "task '\(middle.name)' is in the middle of a chain of \(count) dependencies in one module, and the compiler, which "
        + "reads them one inside the other, may overflow its stack in a debug build; name '\(previous.name)' in 'after:' "
        + "instead, or move a part of the chain into another module",
      at: place, notes: [declared(first)])
    problem.severity = .warning
    return problem
  }

  /// The words of the program, which throws there.
  static func undeclaredOutput(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, readBy reader: ScannedTask
  ) -> Problem {
    var problem = scanner(
      "'\(reader.name)' reads the output of '\(task.name)' without depending on it, which throws; add "
        + "'\(reference.text).self' to its 'dependencies:'",
      at: reference.place, notes: [declared(task)])
    problem.severity = .warning
    return problem
  }

  private static func declared(_ task: ScannedTask) -> Note {
    Note("'\(task.name)' is declared here", place: task.place)
  }
}

// MARK: - Outputs

extension Problem {
  /// At the type behind the arrow of `run`.
  static func internalOutput(
    _ output: ScannedTask.TypeReference, of task: ScannedTask, _ type: KnownType
  ) -> Problem {
    let path = type.path.joined(separator: ".")
    return scanner(
      "'run' returns '\(output.text)', which other modules do not see, and they see the task '\(task.name)'; make "
        + "'\(path)' public, or the task internal",
      at: output.place, notes: [Note("'\(path)' is declared here", place: type.place)])
  }
}

// MARK: - Events

extension Problem {
  /// At the type of the parameter of `run`, or in a context at the one between the angles.
  ///
  /// - Parameter isCommon: whether no other event of the task is known to carry something else.
  static func otherPayload(
    _ parameter: ScannedTask.RunParameter, event: String, payload: String, isCommon: Bool
  ) -> Problem {
    let type = parameter.type.text
    let taken = parameter.isContext ? "a context of '\(type)'" : "'\(type)'"
    let carried = payload == "Void" ? "nothing" : "'\(payload)'"
    let repair =
      switch (payload, parameter.isContext) {
      case ("Void", false): "remove the parameter"
      case _ where !isCommon: "its events carry different payloads, so remove the parameter"
      case (_, true): "write 'TaskContext<\(payload)>'"
      case (_, false): "write '\(payload)', or remove the parameter"
      }
    return scanner("'run' takes \(taken), and event '\(event)' carries \(carried); \(repair)", at: parameter.place)
  }

  static func eventConflict(_ event: ScannedEvent, _ first: ScannedEvent, name: String) -> Problem {
    eventConflict(
      event, name: name, payload: first.payload, reply: first.reply, where: "in module '\(first.module)'",
      note: .init("the other event '\(name)' is declared here", place: first.place))
  }

  /// With an event of TaskKit's own.
  static func eventConflict(_ event: ScannedEvent, name: String, payload: String, reply: String) -> Problem {
    eventConflict(event, name: name, payload: payload, reply: reply, where: "in TaskKit", note: nil)
  }

  private static func eventConflict(
    _ event: ScannedEvent, name: String, payload: String, reply: String, where place: String, note: Note?
  ) -> Problem {
    let difference =
      event.payload != payload && !event.payload.isEmpty && !payload.isEmpty
      ? "carries '\(event.payload)' here and '\(payload)' \(place)"
      : "is answered with '\(event.reply)' here and with '\(reply)' \(place)"
    return scanner(
      "event '\(name)' \(difference); give one of them another name", at: event.place, notes: note.map { [$0] } ?? [])
  }

  /// The words of the program, which finds out what the source computes.
  static func countConflict(_ event: ScannedEvent, _ other: ScannedEvent, name: String) -> Problem {
    scanner(
      "event '\(name)' happens once in one place and repeatedly in another; declare it in one place", at: event.place,
      notes: [.init("the other event '\(name)' is declared here", place: other.place)])
  }

  /// With an event of TaskKit's own.
  static func countConflict(_ event: ScannedEvent, name: String) -> Problem {
    let (here, there) = event.options.isOnce == true ? ("once", "repeatedly") : ("repeatedly", "once")
    return scanner("event '\(name)' happens \(here) here and \(there) in TaskKit; write '.\(name)'", at: event.place)
  }

  /// The words of the program, which finds out what the source computes.
  static func contradictingOptions(_ event: ScannedEvent, name: String) -> Problem {
    scanner(
      "'once: true' and 'burst: .\(event.options.burst ?? "")' of event '\(name)' contradict each other; remove one of them",
      at: event.place)
  }

  /// The words of the program, which finds out what the source computes.
  static func burstConflict(_ event: ScannedEvent, _ other: ScannedEvent, name: String) -> Problem {
    scanner(
      "event '\(name)' does '\(other.options.burst ?? "")' with a burst in one place and "
        + "'\(event.options.burst ?? "")' in another; say the same in both", at: event.place,
      notes: [.init("the other event '\(name)' is declared here", place: other.place)])
  }

  static func burstConflict(_ task: ScannedTask, _ other: ScannedTask, notification: String) -> Problem {
    scanner(
      "notification '\(notification)' does '\(other.burst ?? "")' with a burst in one place and "
        + "'\(task.burst ?? "")' in another; say the same in both", at: task.place,
      notes: [.init("the other task of '\(notification)' is declared here", place: other.place)])
  }

  /// With an event of TaskKit's own.
  static func burstConflict(_ event: ScannedEvent, name: String, burst: String?) -> Problem {
    scanner(
      "event '\(name)' does '\(event.options.burst ?? "")' with a burst here and '\(burst ?? "")' in TaskKit; write "
        + "'.\(name)'", at: event.place)
  }
}
