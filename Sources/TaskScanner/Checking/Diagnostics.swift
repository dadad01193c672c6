import TaskGraph

// What the scanner adds to the catalogue of the graph: mistakes that only source text can show. The function's name is
// the stable id (`taskScanner.unknownType`).

extension Problem {
  static func unknownType(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, suggestion: String?
  ) -> Problem {
    let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return Problem(
      code: "taskScanner.unknownType",
      message: "task '\(task.name)' needs '\(reference.text)', which is not declared in module '\(task.module)' or in "
        + "one that it depends on\(hint)",
      place: reference.place, notes: [.init("task '\(task.name)' is declared here", place: task.place)])
  }

  static func notATask(_ reference: ScannedTask.TypeReference, of task: ScannedTask) -> Problem {
    Problem(
      code: "taskScanner.notATask",
      message: "task '\(task.name)' needs '\(reference.text)', which is a type but no task; annotate it with "
        + "'@EventTask', or remove it from 'dependencies:'",
      place: reference.place, notes: [.init("task '\(task.name)' is declared here", place: task.place)])
  }

  static func aliasNotFound(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, target: String
  ) -> Problem {
    Problem(
      code: "taskScanner.aliasNotFound",
      message: "task '\(task.name)' needs '\(reference.text)', an alias of '\(target)', which is not found in module "
        + "'\(task.module)' or in one that it depends on; write the task's type itself",
      place: reference.place)
  }

  static func notImported(
    _ reference: ScannedTask.TypeReference, of task: ScannedTask, found: ScannedTask
  ) -> Problem {
    Problem(
      code: "taskScanner.notImported",
      message: "task '\(task.name)' needs '\(reference.text)' of module '\(found.module)', which this file does not "
        + "import; add 'import \(found.module)'",
      place: reference.place, notes: [.init("'\(found.name)' is declared here", place: found.place)])
  }

  static func eventConflict(_ event: ScannedEvent, _ first: ScannedEvent) -> Problem {
    let name = first.name ?? first.member
    return eventConflict(
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
    return Problem(
      code: "taskScanner.eventConflict", message: "event '\(name)' \(difference); give one of them another name",
      place: event.place, notes: note.map { [$0] } ?? [])
  }
}
