import SwiftDiagnostics
import SwiftSyntax

// What can be wrong with `run`, `stop` and `isEnabled`. See `Diagnostics.swift`.

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
      at: stop.signature.parameterClause.parameters,
      repairs: [Repair("remove the parameter", .remove(stop.signature.parameterClause.parameters))],
      notes: [("'run' is here", Syntax(run.name))])
  }

  static func stopReturns(_ clause: ReturnClauseSyntax) -> Diagnostic {
    .error(
      "'stop' returns '\(clause.type.quotation)', which nobody reads; remove it, or give 'stop' another name",
      at: clause.type)
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
