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
    Problem(
      code: "taskScanner.eventConflict",
      message: "event '\(event.name)' carries '\(event.payload)' here and '\(first.payload)' in module "
        + "'\(first.module)'; give one of them another name",
      place: event.place, notes: [.init("the other event '\(first.name)' is declared here", place: first.place)])
  }
}
