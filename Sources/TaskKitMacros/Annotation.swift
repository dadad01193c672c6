import SwiftDiagnostics
import SwiftSyntax

/// What an annotation says, read once: what the builder needs of it, copied verbatim.
struct Annotation {
  /// A further argument of `TaskRegistration`.
  enum Option {
    case verbatim(label: String, value: String)
    case dependencies([Dependency])
  }

  /// What `name:` says.
  private(set) var name: String?

  /// The events, or what else says when the task runs; each becomes an occasion.
  private(set) var occasions: [String] = []

  /// What `@ScheduleTask` says about when, as a `TaskSchedule`.
  private(set) var schedule: String?

  /// In the order of the source, which is the order of `TaskRegistration`'s parameters too.
  private(set) var options: [Option] = []

  /// Reads `@EventTask(…)`, or the mark on a method, and reports everything in it that the build could not read, or that
  /// cannot be meant.
  ///
  /// - Parameter names: by which others may call a method that is not given a name; of a type, it has its own.
  init(
    event attribute: AttributeSyntax, on target: TaskTarget, names: Set<String>? = nil, problems: inout Problems
  ) {
    let arguments = Arguments(attribute)
    name = arguments.name(problems: &problems)
    readEvents(arguments, attribute, problems: &problems)
    readOptions(arguments, target, names: names, problems: &problems)
  }

  /// Reads `@ScheduleTask(…)`.
  init(schedule attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) {
    let arguments = Arguments(attribute)
    name = arguments.name(problems: &problems)
    readSchedule(arguments, attribute, problems: &problems)
    readOptions(arguments, target, problems: &problems)
  }
}

extension Annotation {
  /// Reads `@NotificationTask(…)`.
  init(notification attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) {
    let arguments = Arguments(attribute)
    name = arguments.name(problems: &problems)
    if let notification = arguments.list.first(where: { $0.label == nil }) {
      if notification.expression.plainString?.allSatisfy(\.isWhitespace) == true {
        problems.add(.emptyNotification(notification))
      }
      let parts = [notification.expression.trimmedDescription] + passed(["sender", "burst"], of: arguments)
      occasions = [".__notification(\(parts.joined(separator: ", ")))"]
    } else {
      problems.add(.noNotification(attribute))
    }
    readOptions(arguments, target, problems: &problems)
  }

  /// Reads `@SequenceTask(…)`.
  init(sequence attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) {
    let arguments = Arguments(attribute)
    name = arguments.name(problems: &problems)
    if let sequence = arguments.list.first(where: { $0.label == nil }) {
      let task = TaskDeclarations.quoted(name ?? target.fullName)
      let parts = ["of: \(sequence.expression.trimmedDescription)", "task: \(task)"] + passed(["burst"], of: arguments)
      occasions = [".__elements(\(parts.joined(separator: ", ")))"]
    } else {
      problems.add(.noSequence(attribute))
    }
    readOptions(arguments, target, problems: &problems)
  }

  private func passed(_ labels: [String], of arguments: Arguments) -> [String] {
    labels.compactMap { label in arguments[label].map { "\(label): \($0.expression.trimmedDescription)" } }
  }
}

// MARK: - What all kinds of task share

extension Annotation {
  private mutating func readOptions(
    _ arguments: Arguments, _ target: TaskTarget, names: Set<String>? = nil, problems: inout Problems
  ) {
    for argument in arguments.list {
      guard let label = argument.label?.text else { continue }
      switch label {
      case "name", "event", "events", "sender", "burst":
        continue
      case let label where Self.scheduleLabels.contains(label):
        continue
      case "dependencies":
        options.append(.dependencies(Dependency.list(argument, of: target, problems: &problems)))
        continue
      case "after":
        checkPredecessors(argument, of: names ?? target.names, problems: &problems)
      case "timeout":
        if argument.expression.isEmptyDuration {
          problems.add(.timeoutIsNotPositive(argument, in: arguments.list))
        }
      case "retry":
        checkAttempts(argument.expression, problems: &problems)
      default:
        break
      }
      options.append(.verbatim(label: label, value: argument.expression.trimmedDescription))
    }
  }

  private func checkPredecessors(_ argument: LabeledExprSyntax, of names: Set<String>, problems: inout Problems) {
    guard let list = argument.expression.as(ArrayExprSyntax.self) else {
      problems.add(.afterIsNotLiteral(argument))
      return
    }
    let ownNames: Set<String> = if let name { [name] } else { names }
    var seen: Set<String> = []
    for element in list.elements {
      guard let name = element.expression.predecessorName else {
        problems.add(.afterIsNotName(element.expression))
        continue
      }
      if ownNames.contains(name) {
        problems.add(.followsItself(element, named: name, in: list))
      } else if !seen.insert(name).inserted {
        problems.add(.duplicateAfter(element, named: name, in: list))
      }
    }
  }

  private func checkAttempts(_ expression: ExprSyntax, problems: inout Problems) {
    guard let call = expression.as(FunctionCallExprSyntax.self), let first = call.arguments.first else { return }
    let isAttempts =
      first.label?.text == "attempts"
      || call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "attempts"
    if isAttempts, let attempts = first.expression.number, attempts < 1 {
      problems.add(.attemptsBelowOne(first.expression))
    }
  }
}

// MARK: - Events

extension Annotation {
  private mutating func readEvents(
    _ arguments: Arguments, _ attribute: AttributeSyntax, problems: inout Problems
  ) {
    let single = arguments["event"]
    let several = arguments.list(startingAt: "events")
    if let single, let first = several.first {
      problems.add(.bothEventAndEvents(first, and: single))
    }
    let events = several.isEmpty ? single.map { [$0] } ?? [] : several
    if events.isEmpty { problems.add(.noEvent(attribute)) }
    if let first = events.first, let list = first.expression.as(ArrayExprSyntax.self) {
      problems.add(.eventsInBrackets(list))
      return
    }
    var seen: Set<String> = []
    for event in events {
      let text = event.expression.trimmedDescription
      if !event.expression.isEvent {
        problems.add(.eventIsNotMember(event.expression))
      } else if !seen.insert(text).inserted {
        problems.add(.duplicateEvent(event, in: arguments.list))
      }
      occasions.append(text)
    }
  }
}

// MARK: - Schedules

extension Annotation {
  /// What is said about when the task runs; the rest is what all tasks can say.
  static let scheduleLabels: Set<String> = [
    "every", "at", "cron", "daily", "timeZone", "count", "counting", "first", "pace", "clock", "clockChanges", "missed",
    "grace", "overlap", "jitter", "tolerance",
  ]

  private mutating func readSchedule(_ arguments: Arguments, _ attribute: AttributeSyntax, problems: inout Problems) {
    let parts = arguments.list.filter { $0.label.map { Self.scheduleLabels.contains($0.text) } ?? false }
    let values = parts.map { "\($0.label!.text): \($0.expression.trimmedDescription)" }.joined(separator: ", ")
    let schedule = "\(TaskDeclarations.kit)TaskSchedule(\(values))"
    self.schedule = schedule
    occasions = [".__scheduled(\(schedule))"]
    if !["every", "at", "cron", "daily"].contains(where: { arguments.said($0) != nil }) {
      problems.add(.noSchedule(attribute))
    }
    if let interval = arguments["every"], interval.expression.isEmptyDuration {
      problems.add(.intervalIsNotPositive(interval))
    }
    if let date = arguments["at"]?.expression, let seconds = date.number, seconds * 1e9 >= Double(Int64.max) {
      problems.add(.dateIsBeyondCounting(date))
    }
    if let count = arguments["count"], let number = count.expression.number {
      if number < 1 {
        problems.add(.countBelowOne(count.expression))
      } else if number > 1, arguments["at"] != nil, arguments.said("every") == nil {
        problems.add(.countOfOneDate(count, in: arguments.list))
      }
    }
    checkLateness(arguments, problems: &problems)
    let mistakes =
      (arguments["cron"].map { Diagnostic.mistakes(inCron: $0.expression) } ?? [])
      + (arguments["daily"].map { Diagnostic.mistakes(inDaily: $0.expression) } ?? [])
    for mistake in mistakes { problems.add(mistake) }
  }

  /// What is said about runs that cannot begin in time.
  private func checkLateness(_ arguments: Arguments, problems: inout Problems) {
    for label in ["grace", "jitter", "tolerance"] {
      guard let value = arguments[label]?.expression else { continue }
      // `jitter: .random(upTo: .seconds(5))`
      let most = value.as(FunctionCallExprSyntax.self)?.arguments.first { $0.label?.text == "upTo" }?.expression
      let duration = most ?? value
      if duration.isNegativeDuration { problems.add(.durationIsNegative(duration, of: label)) }
    }
    if let missed = arguments["missed"]?.expression, let call = missed.as(FunctionCallExprSyntax.self),
      let most = call.arguments.first, most.label?.text == "max", let number = most.expression.number, number < 1
    {
      problems.add(.missedBelowOne(missed, most.expression))
    }
  }
}

extension ExprSyntax {
  /// The name in `"Name"` and in `.optional("Name")`.
  fileprivate var predecessorName: String? {
    guard let call = `as`(FunctionCallExprSyntax.self) else { return plainString }
    guard
      let access = call.calledExpression.as(MemberAccessExprSyntax.self), access.base == nil,
      access.declName.trimmedDescription == "optional", call.arguments.count == 1, call.arguments.first?.label == nil,
      call.trailingClosure == nil
    else { return nil }
    return call.arguments.first?.expression.plainString
  }

  /// Whether the build can read which event it is: `.name`, `LifecycleEvent<…>.name` or `LifecycleEvent<…>("name")`,
  /// the last one also with `.init`.
  fileprivate var isEvent: Bool {
    if let access = `as`(MemberAccessExprSyntax.self) {
      return access.isMemberOfEvent && access.declName.baseName.text != "self"
    }
    guard let call = `as`(FunctionCallExprSyntax.self) else { return false }
    let callee = call.calledExpression
    let isInitialiser = callee.as(MemberAccessExprSyntax.self).map { access in
      access.isMemberOfEvent && access.declName.baseName.text == "init"
    }
    guard isInitialiser ?? callee.isEventType else { return false }
    guard let first = call.arguments.first, first.label == nil else { return false }
    return first.expression.plainString?.contains { !$0.isWhitespace } ?? false
  }

  fileprivate var isEventType: Bool {
    let type = `as`(GenericSpecializationExprSyntax.self)?.expression ?? self
    return type.namePath.map { $0 == ["LifecycleEvent"] || $0 == ["TaskKit", "LifecycleEvent"] } ?? false
  }
}

extension MemberAccessExprSyntax {
  fileprivate var isMemberOfEvent: Bool {
    declName.argumentNames == nil && base.map(\.isEventType) ?? true
  }
}
