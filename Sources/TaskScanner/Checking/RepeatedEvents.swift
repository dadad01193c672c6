import TaskGraph

/// Finds tasks that list one event by two names: they would run twice in one occurrence. What stands there twice in the same
/// words the macro sees.
enum RepeatedEvents {
  static func problems(in tasks: [ScannedTask], _ events: EventTable) -> [Problem] {
    tasks.flatMap { problems(in: $0, events) }
  }

  private static func problems(in task: ScannedTask, _ events: EventTable) -> [Problem] {
    var problems: [Problem] = []
    var seen: [(reference: ScannedTask.EventReference, name: String, options: EventOptions)] = []
    for reference in task.eventReferences where !seen.contains(where: { $0.reference.text == reference.text }) {
      guard let (name, options) = events.certain(reference, in: task) else { continue }
      // Where the two contradict each other, that is what has to be mended.
      let first = seen.first {
        $0.name == name && !$0.options.hasOtherBurst(than: options) && !$0.options.hasOtherCount(than: options)
      }
      if let first = first?.reference {
        let note = Problem.Note("'\(first.quotation)' is the same event", place: first.place)
        problems.append(.duplicateEvent(reference.quotation, at: reference.place, notes: [note]))
      }
      seen.append((reference, name, options))
    }
    return problems
  }
}
