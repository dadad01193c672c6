import Foundation
import TaskGraph

extension AnnotationChecks {
  mutating func checkOptions(_ kind: ScannedTask.Kind, _ attribute: AttributeDeclaration) {
    let arguments = file.arguments(of: attribute)
    var labelled: [String: SourceArgument] = [:]
    for argument in arguments {
      if let label = file.label(of: argument) { labelled[label] = labelled[label] ?? argument }
    }
    if let name = labelled["name"] { checkName(expression(name)) }
    if let list = labelled["dependencies"] { checkDependencies(expression(list)) }
    if let list = labelled["after"] { checkPredecessors(expression(list)) }
    switch kind {
    case .event: checkEvents(attribute, arguments, labelled)
    case .schedule: checkSchedule(attribute, labelled)
    case .notification, .sequence: checkSource(kind, attribute, arguments)
    }
    checkValues(attribute)
  }

  func expression(_ argument: SourceArgument) -> SourceExpression {
    file.expression(argument.value)
  }

  /// Where an argument begins, with its label.
  private func place(_ argument: SourceArgument) -> SourcePlace {
    place(argument.label ?? argument.value)
  }

  mutating func checkName(_ value: SourceExpression) {
    if value.isNil { return }
    guard let name = value.plainString else { return refuse(.nameIsNotLiteral(at: place(value.span))) }
    if name.allSatisfy(\.isWhitespace) { refuse(.emptyName(at: place(value.span))) }
  }

  // MARK: - References

  mutating func checkDependencies(_ value: SourceExpression) {
    guard let elements = value.elements else {
      return report(.dependenciesAreNotLiteral(at: place(value.span)))
    }
    for element in elements where element.metatype == nil {
      let isString = element.tokens.first?.kind == .string
      report(.dependencyIsNotType(element.quotation, isString: isString, at: place(element.span)))
    }
  }

  private mutating func checkPredecessors(_ value: SourceExpression) {
    guard let elements = value.elements else { return report(.afterIsNotLiteral(at: place(value.span))) }
    for element in elements where predecessor(element) == nil {
      let problem = Problem.afterIsNotName(element.quotation, isType: element.metatype != nil, at: place(element.span))
      // What is a literal of another form the macro can write as a plain one.
      if element.tokens.count == 1, element.tokens[0].kind == .string { refuse(problem) } else { report(problem) }
    }
  }

  /// The name in `"Name"` and `.optional("Name")`.
  func predecessor(_ element: SourceExpression) -> String? {
    if let name = element.plainString { return name }
    guard let (callee, arguments) = element.call, callee.memberPath == ["", "optional"], arguments.count == 1,
      arguments[0].label == nil
    else { return nil }
    return expression(arguments[0]).plainString
  }

  // MARK: - Events

  private mutating func checkEvents(
    _ attribute: AttributeDeclaration, _ arguments: [SourceArgument], _ labelled: [String: SourceArgument]
  ) {
    let single = labelled["event"]
    let first = arguments.firstIndex { file.label(of: $0) == "events" }
    let several = first.map { [arguments[$0]] + arguments[($0 + 1)...].prefix { $0.label == nil } } ?? []
    if let single, let events = several.first {
      report(.bothEventAndEvents(at: place(events), single: place(single)))
    }
    let events = several.isEmpty ? single.map { [$0] } ?? [] : several
    if events.isEmpty { report(.noEvent(file.annotationName(attribute), at: file.place(attribute.start))) }
    var seen: Set<String> = []
    for event in events.map(expression) {
      if event.elements != nil {
        report(.eventsInBrackets(at: place(event.span)))
      } else if !isEvent(event) {
        report(.eventIsNotMember(event.quotation, at: place(event.span)))
      } else if !seen.insert(event.text).inserted {
        refuse(.duplicateEvent(event.quotation, at: place(event.span)))
      }
    }
  }

  /// `.name`, `LifecycleEvent<…>.name`, `LifecycleEvent<…>("name")`, `.init("name")`.
  private func isEvent(_ value: SourceExpression) -> Bool {
    let types = [[""], ["LifecycleEvent"], ["TaskKit", "LifecycleEvent"]]
    if let (callee, arguments) = value.call {
      guard var path = callee.memberPath, let name = arguments.first, name.label == nil else { return false }
      if path.last == "init" { path.removeLast() } else if path == [""] { return false }
      return types.contains(path) && expression(name).plainString?.contains { !$0.isWhitespace } ?? false
    }
    guard let path = value.memberPath, path.last != "self" else { return false }
    return types.contains(Array(path.dropLast()))
  }

  // MARK: - Schedules

  private mutating func checkSchedule(_ attribute: AttributeDeclaration, _ labelled: [String: SourceArgument]) {
    let said = labelled.filter { !expression($0.value).isNil }
    // The compiler would not even ask the macro: without any of these the arguments fit no macro at all.
    if ["every", "at", "cron", "daily"].allSatisfy({ said[$0] == nil }) {
      report(.noSchedule(file.annotationName(attribute), at: file.place(attribute.start)))
    }
    // Also where one of them is `nil`: no schedule has both.
    let rules = ["every", "cron", "daily"].filter { labelled[$0] != nil }
    if rules.count > 1, let first = labelled[rules[0]], let second = labelled[rules[1]] {
      report(.contradictingOptions(rules[0], rules[1], at: place(second), other: place(first)))
    }
    // A durable schedule has other options, which are checked with its kind.
    let isDurable = labelled["durable"] != nil
    if !isDurable { checkIdleOptions(said) }
    if let zone = labelled["timeZone"] { checkZone(expression(zone)) }
    guard let count = labelled["count"], let number = expression(count).integer else { return }
    if number < 1 { return refuse(.countBelowOne(number, at: place(count.value))) }
    if number > 1, !isDurable, let runs = labelled["runs"], expression(runs).memberPath?.last == "once" {
      report(.contradictingOptions("count: \(number)", "runs: .once", at: place(runs), other: place(count)))
    }
  }

  /// That the machine which builds does not know a zone is no error, for the program may run on one that does.
  private mutating func checkZone(_ value: SourceExpression) {
    guard let name = value.plainString, TimeZone(identifier: name) == nil else { return }
    let known = zones()
    // Without a database of time zones every name is unknown, whatever is wrong with it.
    if !known.isEmpty { report(.unknownTimeZone(name, among: known, at: place(value.span))) }
  }

  /// Options of a schedule that would count for nothing.
  private mutating func checkIdleOptions(_ labelled: [String: SourceArgument]) {
    func member(_ label: String) -> String? {
      labelled[label].flatMap { value in
        let value = expression(value)
        return (value.call?.callee ?? value).memberPath?.last
      }
    }
    // Of a date without an interval the count is one.
    let isOneDate = labelled["at"] != nil && labelled["every"] == nil
    if let counting = labelled["counting"], member("counting") == "slots", labelled["count"] == nil, !isOneDate {
      report(.countingWithoutCount(at: place(counting)))
    }
    if let pace = labelled["pace"], member("pace") == "fixedDelay", let missed = labelled["missed"],
      member("missed") == "all"
    {
      report(.contradictingOptions("missed: .all", "pace: .fixedDelay", at: place(pace), other: place(missed)))
    }
  }

  // MARK: - Notifications and sequences

  /// What is heard or read stands first, without a label; the compiler does not ask the macro where it is missing.
  private mutating func checkSource(
    _ kind: ScannedTask.Kind, _ attribute: AttributeDeclaration, _ arguments: [SourceArgument]
  ) {
    if let first = arguments.first(where: { $0.label == nil }) {
      if kind == .notification { checkNotification(expression(first)) }
      return
    }
    let name = file.annotationName(attribute)
    let place = file.place(attribute.start)
    report(kind == .sequence ? .noSequence(name, at: place) : .noNotification(name, at: place))
  }

  private mutating func checkNotification(_ value: SourceExpression) {
    guard case .notification(let name) = file.notification(value), name.isBlank else { return }
    let problem = Problem.emptyNotification(at: place(value.span))
    // The macro reads a plain literal only.
    if value.plainString == nil { report(problem) } else { refuse(problem) }
  }
}
