import TaskGraph

extension AnnotationChecks {
  /// A type with `@DurableTask`, or with a schedule that is durable.
  mutating func check(durable index: Int, _ attribute: AttributeDeclaration, isFirst: Bool) {
    let type = file.declarations.types[index]
    guard type.kind.isNominal else {
      report(.notAJob(file.annotationName(attribute), but: type.kind.noun, at: file.place(attribute.start)))
      return
    }
    if isFirst { checkVisibility(of: index) }
    guard !file.isDurableSchedule(attribute) else {
      checkDurableSchedule(attribute)
      return checkOptions(.schedule, attribute)
    }
    guard let value = AnnotationReader(attribute, in: file).value("kind") else {
      report(.noKind(file.annotationName(attribute), at: file.place(attribute.start)))
      return
    }
    switch value.plainString?.allSatisfy(\.isWhitespace) {
    case nil: report(.kindIsNotLiteral(at: place(value.span)))
    case true?: report(.emptyKind(at: place(value.span)))
    case false?: break
    }
  }

  /// The options of other annotations, with which the compiler would not even ask the macro.
  private mutating func checkDurableSchedule(_ attribute: AttributeDeclaration) {
    for argument in file.arguments(of: attribute) {
      guard let label = argument.label, let reason = Self.notDurable[text(label)] else { continue }
      report(.notAnOptionOfDurableSchedule(text(label), reason, at: place(label)))
    }
  }

  /// By the options of ordinary schedules, of other tasks and of `@DurableTask`: why a durable schedule has none of them, and
  /// what it has instead.
  private static let notDurable = [
    "counting": "'count' is of the jobs that are made; remove it",
    "pace": "its intervals are counted from slot to slot; remove it",
    "clock": "its intervals count by the calendar, which goes on while no process runs; remove it",
    "overlap": "each occurrence is a job of its own; say 'unique: .one()' or 'limit: 1', or remove it",
    "tolerance": "its occurrences are written down when they come; remove it",
    "dependencies": "its jobs wait for no tasks; remove it",
    "after": "its jobs wait for no tasks; remove it",
    "timeout": "how long an attempt may take is its 'deadline'; write that",
    "retry": "how its jobs are tried again, 'attempts' and 'backoff' say; write those",
    "onFailure": "no tasks wait for its jobs; say in 'exhaustion' what becomes of one that failed, or remove it",
    "runs": "how often it runs in all is its 'count'; write that",
    "lane": "its jobs wait in a 'queue', and 'limit' says how many run at a time; write those",
    "kind": "its jobs are of the kind that 'name' says; write that",
    "keyLimit": "its jobs are all alike; say 'unique: .one(.append)' to run one after the other, or remove it",
    "parentFailure": "its jobs have no parents; remove it",
  ]
}
