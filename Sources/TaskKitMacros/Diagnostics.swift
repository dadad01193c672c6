import SwiftDiagnostics
import SwiftSyntax

// Every mistake that the macros report, one function each. The function's name is the stable id of the diagnostic
// (`taskKit.noRun`); the tests hold the two together.

// MARK: - What the annotation stands on

extension Diagnostic {
  static func notAType(_ attribute: AttributeSyntax) -> Diagnostic {
    let name = attribute.annotationName
    return .error(
      "'@\(name)' declares a task by a type, and this is none; move it to an enum, struct, class or actor with a 'run'",
      at: attribute)
  }

  static func secondAnnotation(
    _ attribute: AttributeSyntax, on type: any NamedDeclSyntax, first: AttributeSyntax
  ) -> Diagnostic {
    .error(
      "'\(type.name.text)' is a task already, and a type is one task; use one annotation, or a second type",
      at: attribute, repairs: [Repair("remove this '@\(attribute.annotationName)'", .removeLine(attribute))],
      notes: [("the first annotation is here", Syntax(first))])
  }

  static func localType(_ type: any NamedDeclSyntax) -> Diagnostic {
    .error(
      "'\(type.name.text)' is declared inside a function, where the registry cannot see it; move it out", at: type.name)
  }

  static func privateType(_ type: any NamedDeclSyntax, _ modifier: DeclModifierSyntax) -> Diagnostic {
    .error(
      "'\(type.name.text)' is \(modifier.name.text), so the registry in another file cannot see it; make it internal",
      at: modifier, repairs: [Repair("remove '\(modifier.name.text)'", .remove(modifier))])
  }

  static func typeInPrivateScope(_ type: any NamedDeclSyntax, scope: String) -> Diagnostic {
    .error(
      "'\(type.name.text)' is declared in '\(scope)', which is private, so the registry in another file cannot see it; "
        + "make '\(scope)' internal, or move the task out", at: type.name)
  }

  static func genericType(_ type: any NamedDeclSyntax, _ clause: GenericParameterClauseSyntax) -> Diagnostic {
    .error(
      "'\(type.name.text)' is generic, and a task is one type; remove the generic parameters",
      at: clause, repairs: [Repair("remove '\(clause.quotation)'", .replace(clause, with: ""))])
  }

  static func typeInGenericType(_ type: any NamedDeclSyntax, scope: String) -> Diagnostic {
    let outer = scope.isEmpty ? "a generic type" : "'\(scope)', which is generic"
    return .error(
      "'\(type.name.text)' is declared in \(outer), and a task is one type; move it out", at: type.name)
  }

  static func classIsNotFinal(_ declaration: ClassDeclSyntax) -> Diagnostic {
    let open = declaration.modifiers.first { $0.name.text == "open" }
    let repair =
      if let open {
        Repair("replace 'open' with 'public final'", .replace(open, with: "public final"))
      } else {
        Repair("add 'final'", .replace(declaration.classKeyword, with: "final class"))
      }
    return .error(
      "class '\(declaration.name.text)' is not final, and a subclass would declare the same task again; add 'final'",
      at: declaration.classKeyword, repairs: [repair])
  }

  static func reservedName(_ name: TokenSyntax, in target: TaskTarget) -> Diagnostic {
    .error(
      "'\(name.plainName)' is a member that '@\(target.annotationName)' adds to '\(target.declaration.name.text)'; "
        + "give yours another name", at: name)
  }
}

extension Diagnostic {
  static func memberOfItself(_ name: TokenSyntax, of target: TaskTarget, _ member: TokenSyntax) -> Diagnostic {
    let type = target.declaration.name.plainName
    return .error(
      "'\(name.plainName)' is a member of '\(type)', and means that one where the macro puts it, but not here; write what is "
        + "around the one that you mean in front, as in '\(target.place.module).\(name.plainName)', or give the member "
        + "another name",
      at: name, notes: [("the member is declared here", Syntax(member))])
  }
}

extension Diagnostic {
  static func selfInAnnotation(_ name: TokenSyntax, of target: TaskTarget) -> Diagnostic {
    let outer = target.surroundings.path.joined(separator: ".")
    return .error(
      "'Self' means '\(target.declaration.name.plainName)' where the macro puts it, but not here; write '\(outer)'",
      at: name, repairs: [Repair("replace 'Self' with '\(outer)'", .replace(name, with: outer))])
  }
}

// MARK: - name:

extension Diagnostic {
  static func nameIsNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'name:' is not a plain string literal, which the build needs to read it; write the name between quotes",
      at: argument.expression, repairs: Repair.plain(argument.expression))
  }

  static func emptyName(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "'name:' is empty; write a name, or leave it out to use the type's path",
      at: argument.expression, repairs: [Repair("remove 'name:'", .remove(argument, from: list))])
  }
}

// MARK: - event: and events:

extension Diagnostic {
  static func noEvent(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' names no event; add one, as in 'event: .didFinishLaunching'",
      at: attribute.attributeName)
  }

  static func bothEventAndEvents(_ several: LabeledExprSyntax, and single: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'event:' and 'events:' are both given; list all events behind 'events:'",
      at: several.label.map(Syntax.init) ?? Syntax(several), notes: [("'event:' is here", Syntax(single))])
  }

  static func eventsInBrackets(_ list: ArrayExprSyntax) -> Diagnostic {
    let events = list.elements.trimmedDescription
    return .error(
      "events are not written in an array, because each has its own payload; write 'events: .first, .second'",
      at: list, repairs: events.isEmpty ? [] : [Repair("remove the brackets", .replace(list, with: events))])
  }

  static func eventIsNotMember(_ expression: ExprSyntax) -> Diagnostic {
    .error(
      "'\(expression.quotation)' does not tell the build which event it is; write a static member such as "
        + "'.didFinishLaunching', or 'LifecycleEvent<Payload, Void>(\"name\")'",
      at: expression)
  }

  static func duplicateEvent(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    let event = argument.expression.quotation
    return .error(
      "event '\(event)' is listed twice, so the task would run twice; remove one of them",
      at: argument.expression, repairs: [Repair("remove the second '\(event)'", .remove(argument, from: list))])
  }
}

// MARK: - every:, at:, cron:, daily: and count:

extension Diagnostic {
  static func noSchedule(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' does not say when; add 'every:', 'at:', 'cron:' or 'daily:', as in "
        + "'every: .seconds(30)'", at: attribute.attributeName)
  }

  static func intervalIsNotPositive(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "an interval of '\(argument.expression.quotation)' would run the task without a pause; write a longer one",
      at: argument.expression)
  }

  static func countBelowOne(_ count: ExprSyntax) -> Diagnostic {
    .error(
      "'count:' is \(count.quotation), so the task would never run; write 1 or more, or leave it out",
      at: count, repairs: [Repair("replace '\(count.quotation)' with '1'", .replace(count, with: "1"))])
  }
}

extension Diagnostic {
  static func countOfOneDate(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "a date without an interval is one run, and 'count:' is \(argument.expression.quotation); add 'every:', or remove "
        + "'count:'",
      at: argument.expression, repairs: [Repair("remove 'count:'", .remove(argument, from: list))])
  }

  static func durationIsNegative(_ duration: ExprSyntax, of label: String) -> Diagnostic {
    .error(
      "'\(label):' of '\(duration.quotation)' is less than nothing; write '.zero', or more", at: duration,
      repairs: [Repair("write '.zero'", .replace(duration, with: ".zero"))])
  }

  static func missedBelowOne(_ missed: ExprSyntax, _ most: ExprSyntax) -> Diagnostic {
    .error(
      "'\(missed.quotation)' makes up for none of the missed runs; write '.skip', or 1 or more", at: most,
      repairs: [Repair("write '.skip'", .replace(missed, with: ".skip"))])
  }
}

// MARK: - Notifications and sequences

extension Diagnostic {
  static func noNotification(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' names no notification; write its name first, as in "
        + "'@\(attribute.annotationName)(\"PricesChanged\")'", at: attribute.attributeName)
  }

  static func emptyNotification(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error("the name of the notification is empty; write the name with which it is posted", at: argument.expression)
  }

  static func noSequence(_ attribute: AttributeSyntax) -> Diagnostic {
    .error(
      "'@\(attribute.annotationName)' names no sequence; write it first, as in "
        + "'@\(attribute.annotationName)(Prices.updates)'", at: attribute.attributeName)
  }
}

// MARK: - dependencies: and after:

extension Diagnostic {
  static func dependenciesAreNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'dependencies:' is not an array literal, which the build needs to read it; write '[First.self, Second.self]'",
      at: argument.expression)
  }

  static func dependencyIsNotType(_ expression: ExprSyntax) -> Diagnostic {
    let text = expression.quotation
    if expression.is(StringLiteralExprSyntax.self) {
      return .error("\(text) is a name, and a dependency is a type; write 'Type.self', or use 'after:'", at: expression)
    }
    let repairs =
      expression.namePath == nil
      ? [] : [Repair("add '.self'", .replace(expression, with: expression.trimmedDescription + ".self"))]
    return .error(
      "'\(text)' does not tell the build which task it is; write 'Type.self'", at: expression, repairs: repairs)
  }

  static func duplicateDependency(
    _ element: ArrayElementSyntax, named name: String, in list: ArrayExprSyntax
  ) -> Diagnostic {
    .error(
      "dependency '\(name)' is listed twice; remove one of them", at: element.expression,
      repairs: [Repair("remove the second '\(name)'", .remove(element, from: list.elements))])
  }

  static func dependsOnItself(_ element: ArrayElementSyntax, in list: ArrayExprSyntax) -> Diagnostic {
    .error(
      "a task cannot wait for itself; remove '\(element.expression.quotation)'", at: element.expression,
      repairs: [
        Repair("remove '\(element.expression.quotation)'", .remove(element, from: list.elements))
      ])
  }

  static func afterIsNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'after:' is not an array literal, which the build needs to read it; write '[\"First\", .optional(\"Second\")]'",
      at: argument.expression)
  }

  static func afterIsNotName(_ expression: ExprSyntax) -> Diagnostic {
    let text = expression.quotation
    if expression.metatype != nil {
      return .error(
        "'\(text)' is a type, and 'after:' takes names; write a string, or use 'dependencies:'", at: expression)
    }
    return .error(
      "'\(text)' does not tell the build which task it is; write a plain string literal or '.optional(\"Name\")'",
      at: expression, repairs: Repair.plain(expression))
  }

  static func duplicateAfter(
    _ element: ArrayElementSyntax, named name: String, in list: ArrayExprSyntax
  ) -> Diagnostic {
    .error(
      "'\(name)' is listed twice in 'after:'; remove one of them", at: element.expression,
      repairs: [Repair("remove the second '\(name)'", .remove(element, from: list.elements))])
  }

  static func followsItself(
    _ element: ArrayElementSyntax, named name: String, in list: ArrayExprSyntax
  ) -> Diagnostic {
    .error(
      "'\(name)' is this task, which cannot come after itself; remove it", at: element.expression,
      repairs: [Repair("remove '\(name)'", .remove(element, from: list.elements))])
  }
}

// MARK: - timeout: and retry:

extension Diagnostic {
  static func timeoutIsNotPositive(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "a timeout of '\(argument.expression.quotation)' is over before the task starts; write a longer one",
      at: argument.expression, repairs: [Repair("remove 'timeout:'", .remove(argument, from: list))])
  }

  static func attemptsBelowOne(_ attempts: ExprSyntax) -> Diagnostic {
    .error(
      "a task is tried at least once, and 'attempts' is \(attempts.quotation); write 1 or more",
      at: attempts,
      repairs: [Repair("replace '\(attempts.quotation)' with '1'", .replace(attempts, with: "1"))])
  }
}

// MARK: - run

extension Diagnostic {
  static func noRun(_ target: TaskTarget) -> Diagnostic {
    let declaration = target.declaration
    return .error(
      "'\(declaration.name.text)' has no 'run' for its task; declare 'static func run()' in the type's own body, "
        + "because one in an extension cannot be seen here",
      at: declaration.name, repairs: [Repair("add 'static func run()'", .add("static func run() {}", to: declaration))])
  }

  static func conditionalRun(_ run: FunctionDeclSyntax) -> Diagnostic {
    .error("'run' inside '#if' cannot be seen; declare it outside, with the '#if' in its body", at: run.name)
  }

  static func severalRuns(
    _ run: FunctionDeclSyntax, in target: TaskTarget, first: FunctionDeclSyntax
  ) -> Diagnostic {
    .error(
      "'\(target.declaration.name.text)' has two methods 'run' that could be its task; give one another name",
      at: run.name, notes: [("the other one is here", Syntax(first.name))])
  }

  static func runTakesSeveralParameters(_ run: FunctionDeclSyntax) -> Diagnostic {
    let parameters = run.signature.parameterClause.parameters
    return .error(
      "'run' has \(parameters.count) parameters; it takes nothing, the event's payload or a 'TaskContext' of it",
      at: parameters)
  }

  static func runParameterIsLabelled(_ parameter: FunctionParameterSyntax) -> Diagnostic {
    let label = parameter.firstName
    return .error(
      "the parameter of 'run' has the label '\(label.text)'; write '_' in its place", at: label,
      repairs: [Repair("remove the label", .removeLabel(of: parameter))])
  }

  static func runParameterIsVariadic(_ ellipsis: TokenSyntax, _ parameter: FunctionParameterSyntax) -> Diagnostic {
    .error(
      "the parameter of 'run' is variadic, and an event has one payload; remove '...'", at: ellipsis,
      repairs: [Repair("remove '...'", .replace(ellipsis, with: ""))])
  }

  static func runParameterIsSpecified(_ specifier: TokenSyntax) -> Diagnostic {
    .error(
      "the parameter of 'run' is '\(specifier.text)', and an event gives its payload to many tasks; "
        + "remove '\(specifier.text)'",
      at: specifier, repairs: [Repair("remove '\(specifier.text)'", .remove(specifier))])
  }

  static func genericRun(_ part: some SyntaxProtocol) -> Diagnostic {
    .error(
      "'run' is generic ('\(part.quotation)'), and an event has one payload; write the type itself", at: part)
  }

  static func opaqueOutput(_ type: TypeSyntax) -> Diagnostic {
    .error(
      "'run' returns '\(type.quotation)', and other tasks read its output by type; write the type itself",
      at: type)
  }

  static func outputIsHidden(_ name: TokenSyntax, in target: TaskTarget) -> Diagnostic {
    .error(
      "'Output' means what 'run' returns wherever it stands in '\(target.declaration.name.plainName)'; write what is around "
        + "the one that you mean in front, as in '\(target.place.module).Output', or give it another name",
      at: name)
  }

  static func noInitialiser(_ target: TaskTarget, for run: FunctionDeclSyntax) -> Diagnostic {
    let name = target.declaration.name.text
    let repairs =
      run.modifiers.has("mutating")
      ? [] : [Repair("add 'static'", FixIt.Change.replace(run.funcKeyword, with: "static func"))]
    return .error(
      "each run makes a new '\(name)', which has no 'init()' in its body; make 'run' static, or add 'init()'",
      at: run.name, repairs: repairs)
  }
}

// MARK: - stop

extension Diagnostic {
  static func stopIsNotStatic(_ stop: FunctionDeclSyntax) -> Diagnostic {
    .error(
      "'stop' is not static, and there is no instance to call it on; add 'static', or give it another name",
      at: stop.name, repairs: [Repair("add 'static'", .replace(stop.funcKeyword, with: "static func"))])
  }

  static func genericStop(_ part: some SyntaxProtocol) -> Diagnostic {
    .error(
      "'stop' is generic ('\(part.quotation)'), and what 'run' returns has one type; write the type itself, or "
        + "give it another name", at: part)
  }

  static func stopTakesSeveralParameters(_ stop: FunctionDeclSyntax) -> Diagnostic {
    let parameters = stop.signature.parameterClause.parameters
    return .error(
      "'stop' has \(parameters.count) parameters; it takes nothing, or what 'run' returns; or give it another name",
      at: parameters)
  }

  static func stopParameterIsLabelled(_ parameter: FunctionParameterSyntax) -> Diagnostic {
    let label = parameter.firstName
    return .error(
      "the parameter of 'stop' has the label '\(label.text)'; write '_' in its place, or give 'stop' another name",
      at: label, repairs: [Repair("remove the label", .removeLabel(of: parameter))])
  }

  static func stopParameterIsMarked(_ mark: TokenSyntax) -> Diagnostic {
    .error(
      "the parameter of 'stop' is marked '\(mark.text)', and it is what 'run' returned; remove '\(mark.text)', or give "
        + "'stop' another name",
      at: mark, repairs: [Repair("remove '\(mark.text)'", .remove(mark))])
  }

  static func stopTakesNoOutput(_ stop: FunctionDeclSyntax, of run: FunctionDeclSyntax) -> Diagnostic {
    .error(
      "'stop' takes what 'run' returns, and that returns nothing; remove the parameter",
      at: stop.signature.parameterClause.parameters, notes: [("'run' is here", Syntax(run.name))])
  }

  static func stopReturns(_ stop: FunctionDeclSyntax, _ type: TypeSyntax) -> Diagnostic {
    .error(
      "'stop' returns '\(type.quotation)', which nobody reads; remove it, or give 'stop' another name",
      at: type)
  }

  static func severalStops(
    _ stop: FunctionDeclSyntax, in target: TaskTarget, first: FunctionDeclSyntax
  ) -> Diagnostic {
    .error(
      "'\(target.declaration.name.text)' has two methods 'stop' that could undo its task; give one another name",
      at: stop.name, notes: [("the other one is here", Syntax(first.name))])
  }

  static func conditionalStop(_ stop: FunctionDeclSyntax) -> Diagnostic {
    .error("'stop' inside '#if' cannot be seen; declare it outside, with the '#if' in its body", at: stop.name)
  }
}

// MARK: - isEnabled

extension Diagnostic {
  static func isEnabledIsNotStatic(_ variable: VariableDeclSyntax, _ name: TokenSyntax) -> Diagnostic {
    let keyword = variable.bindingSpecifier
    return .error(
      "'isEnabled' is not static, and it is read before there is an instance; add 'static'", at: name,
      repairs: [Repair("add 'static'", .replace(keyword, with: "static \(keyword.text)"))])
  }

  static func isEnabledIsNotBool(_ name: TokenSyntax) -> Diagnostic {
    .error("'isEnabled' is what switches a task off; write 'static var isEnabled: Bool', or use another name", at: name)
  }

  static func isEnabledHasEffects(_ specifiers: AccessorEffectSpecifiersSyntax) -> Diagnostic {
    .error(
      "'isEnabled' is '\(specifiers.quotation)', and it is read in passing; decide such things in 'run'",
      at: specifiers)
  }

  static func conditionalIsEnabled(_ name: TokenSyntax) -> Diagnostic {
    .error("'isEnabled' inside '#if' cannot be seen; declare it outside, with the '#if' in its body", at: name)
  }
}
