import TaskGraph

// What is wrong with one annotation by itself. Where the macro knows the same mistake, it says the same words.

// MARK: - What the annotation stands on

extension Problem {
  static func notAType(_ annotation: String, but noun: String, at place: SourcePlace) -> Problem {
    scanner(
      "'@\(annotation)' declares a task by a type, and this is \(noun); move it to an enum, struct, class or actor with a "
        + "'run'", at: place)
  }

  static func notAMark(_ annotation: String, isInExtension: Bool = false, at place: SourcePlace) -> Problem {
    let (method, repair) =
      isInExtension
      ? ("a method in an extension of a module", "move it to the module's own body and write '@ModuleTask'")
      : ("a method of a module", "write '@ModuleTask'")
    return scanner("'@\(annotation)' declares a task by a type, and this is \(method); \(repair)", at: place)
  }

  static func secondAnnotation(
    _ name: String, at place: SourcePlace, first: SourcePlace
  ) -> Problem {
    scanner(
      "'\(name)' is a task already, and a type is one task; use one annotation, or a second type", at: place,
      notes: [Note("the first annotation is here", place: first)])
  }

  static func localType(_ name: String, at place: SourcePlace) -> Problem {
    scanner("'\(name)' is declared inside a function, where the registry cannot see it; move it out", at: place)
  }

  static func privateType(_ name: String, level: String, at place: SourcePlace) -> Problem {
    scanner("'\(name)' is \(level), so the registry in another file cannot see it; make it internal", at: place)
  }

  static func typeInPrivateScope(
    _ name: String, scope: String, at place: SourcePlace, notes: [Note] = []
  ) -> Problem {
    scanner(
      "'\(name)' is declared in '\(scope)', which is private, so the registry in another file cannot see it; "
        + "make '\(scope)' internal, or move the task out", at: place, notes: notes)
  }

  static func genericType(_ name: String, at place: SourcePlace) -> Problem {
    scanner("'\(name)' is generic, and a task is one type; remove the generic parameters", at: place)
  }

  static func typeInGenericType(
    _ name: String, scope: String, at place: SourcePlace, notes: [Note] = []
  ) -> Problem {
    scanner(
      "'\(name)' is declared in '\(scope)', which is generic, and a task is one type; move it out", at: place,
      notes: notes)
  }
}

// MARK: - Whose the annotation is

extension Problem.Note {
  static func anotherLibrary(at place: SourcePlace) -> Problem.Note {
    Problem.Note(
      "this file does not import TaskKit; if the annotation is another library's, write the module of that in front, as in "
        + "'@Cron.ScheduleTask'", place: place)
  }
}

// MARK: - name:

extension Problem {
  static func nameIsNotLiteral(at place: SourcePlace) -> Problem {
    scanner(
      "'name:' is not a plain string literal, which the build needs to read it; write the name between quotes",
      at: place)
  }

  static func emptyName(at place: SourcePlace) -> Problem {
    scanner("'name:' is empty; write a name, or leave it out to use the type's path", at: place)
  }
}

// MARK: - event: and events:

extension Problem {
  static func noEvent(_ annotation: String, at place: SourcePlace) -> Problem {
    scanner("'@\(annotation)' names no event; add one, as in 'event: .didFinishLaunching'", at: place)
  }

  static func bothEventAndEvents(at place: SourcePlace, single: SourcePlace) -> Problem {
    scanner(
      "'event:' and 'events:' are both given; list all events behind 'events:'", at: place,
      notes: [Note("'event:' is here", place: single)])
  }

  static func eventsInBrackets(at place: SourcePlace) -> Problem {
    scanner(
      "events are not written in an array, because each has its own payload; write 'events: .first, .second'", at: place
    )
  }

  static func eventIsNotMember(_ text: String, at place: SourcePlace) -> Problem {
    scanner(
      "'\(text)' does not tell the build which event it is; write a static member such as '.didFinishLaunching', "
        + "or 'LifecycleEvent<Payload, Void>(\"name\")'", at: place)
  }

  static func duplicateEvent(_ text: String, at place: SourcePlace, notes: [Note] = []) -> Problem {
    scanner(
      "event '\(text)' is listed twice, so the task would run twice; remove one of them", at: place, notes: notes)
  }
}

// MARK: - dependencies: and after:

extension Problem {
  static func dependenciesAreNotLiteral(at place: SourcePlace) -> Problem {
    scanner(
      "'dependencies:' is not an array literal, which the build needs to read it; write '[First.self, Second.self]'",
      at: place)
  }

  static func dependencyIsNotType(_ text: String, isString: Bool, at place: SourcePlace) -> Problem {
    isString
      ? scanner("\(text) is a name, and a dependency is a type; write 'Type.self', or use 'after:'", at: place)
      : scanner("'\(text)' does not tell the build which task it is; write 'Type.self'", at: place)
  }

  static func afterIsNotLiteral(at place: SourcePlace) -> Problem {
    scanner(
      "'after:' is not an array literal, which the build needs to read it; write '[\"First\", .optional(\"Second\")]'",
      at: place)
  }

  static func afterIsNotName(_ text: String, isType: Bool, at place: SourcePlace) -> Problem {
    isType
      ? scanner("'\(text)' is a type, and 'after:' takes names; write a string, or use 'dependencies:'", at: place)
      : scanner(
        "'\(text)' does not tell the build which task it is; write a plain string literal or '.optional(\"Name\")'",
        at: place)
  }
}

// MARK: - What the macro says where it is asked

extension Problem {
  static func duplicateDependency(_ name: String, at place: SourcePlace) -> Problem {
    scanner("dependency '\(name)' is listed twice; remove one of them", at: place)
  }

  static func duplicateAfter(_ name: String, at place: SourcePlace) -> Problem {
    scanner("'\(name)' is listed twice in 'after:'; remove one of them", at: place)
  }

  static func timeoutIsNotPositive(_ text: String, at place: SourcePlace) -> Problem {
    scanner("a timeout of '\(text)' is over before the task starts; write a longer one", at: place)
  }

  static func attemptsBelowOne(_ text: String, at place: SourcePlace) -> Problem {
    scanner("a task is tried at least once, and 'attempts' is \(text); write 1 or more", at: place)
  }
}

// MARK: - Schedules

extension Problem {
  static func noSchedule(_ annotation: String, at place: SourcePlace) -> Problem {
    scanner(
      "'@\(annotation)' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in 'every: .seconds(30)'",
      at: place)
  }

  static func countBelowOne(_ count: Int, at place: SourcePlace) -> Problem {
    scanner("'count:' is \(count), so the task would never run; write 1 or more, or leave it out", at: place)
  }

  static func countingWithoutCount(at place: SourcePlace) -> Problem {
    scanner(
      "'counting:' says what 'count:' is of, and there is none; add 'count:', or remove 'counting:'", at: place)
  }

  static func unknownTimeZone(_ name: String, among known: [String], at place: SourcePlace) -> Problem {
    var problem = scanner(UnknownTimeZone.message(name, among: known), at: place)
    problem.severity = .warning
    return problem
  }

  static func contradictingOptions(
    _ first: String, _ second: String, at place: SourcePlace, other: SourcePlace
  ) -> Problem {
    scanner(
      "'\(first)' and '\(second)' contradict each other; remove one of them", at: place,
      notes: [Note("'\(first)' is here", place: other)])
  }
}

// MARK: - Notifications and sequences

extension Problem {
  static func noNotification(_ annotation: String, at place: SourcePlace) -> Problem {
    scanner(
      "'@\(annotation)' names no notification; write its name first, as in '@\(annotation)(\"PricesChanged\")'",
      at: place)
  }

  static func emptyNotification(at place: SourcePlace) -> Problem {
    scanner("the name of the notification is empty; write the name with which it is posted", at: place)
  }

  static func noSequence(_ annotation: String, at place: SourcePlace) -> Problem {
    scanner("'@\(annotation)' names no sequence; write it first, as in '@\(annotation)(Prices.updates)'", at: place)
  }
}

// MARK: - Members that the macro cannot see

extension Problem {
  static func isEnabledInExtension(of task: ScannedTask, at place: SourcePlace) -> Problem {
    scanner(
      "'isEnabled' is declared in an extension of task '\(task.name)', where '@\(task.kind.rawValue)' cannot see it, so "
        + "nothing would switch the task off; move it into the type's own body",
      at: place, notes: [Note("the task is declared here", place: task.place)])
  }

  static func stopInExtension(of task: ScannedTask, at place: SourcePlace) -> Problem {
    scanner(
      "'stop' is declared in an extension of task '\(task.name)', where '@\(task.kind.rawValue)' cannot see it, so nothing "
        + "would call it at a shutdown; move it into the type's own body, or give it another name",
      at: place, notes: [Note("the task is declared here", place: task.place)])
  }

  /// - Parameters:
  ///   - name: what the member is called.
  ///   - lot: what becomes of that.
  static func memberIsInherited(
    _ name: String, by task: ScannedTask, _ member: KnownMember, so lot: String
  ) -> Problem {
    var problem = scanner(
      "'\(name)' of task '\(task.name)' comes from '\(member.bearerName)', where '@\(task.kind.rawValue)' cannot see it, so "
        + "\(lot); declare it in the type's own body",
      at: task.place, notes: [Note("'\(name)' is declared here", place: member.place)])
    problem.severity = .warning
    return problem
  }
}

// MARK: - Blank names

/// The words of the program, which finds out what the source computes.
extension Problem {
  static func blankEvent(of task: ScannedTask, at place: SourcePlace) -> Problem {
    blankName("the event of task '\(task.name)' has a blank name; write one", of: task, at: place)
  }

  static func blankNotification(of task: ScannedTask, at place: SourcePlace) -> Problem {
    blankName(
      "the notification of task '\(task.name)' has a blank name; write the name with which it is posted", of: task,
      at: place)
  }

  static func blankLane(of task: ScannedTask, at place: SourcePlace) -> Problem {
    blankName("the lane of task '\(task.name)' has a blank name; write one", of: task, at: place)
  }

  private static func blankName(
    _ message: String, of task: ScannedTask, at place: SourcePlace, function: String = #function
  ) -> Problem {
    scanner(message, at: place, notes: [Note("the task is declared here", place: task.place)], function: function)
  }
}
