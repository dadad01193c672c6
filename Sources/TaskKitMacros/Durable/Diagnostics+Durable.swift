import SwiftDiagnostics
import SwiftSyntax

// What can be wrong with a kind of durable work. See `Diagnostics.swift`.

// MARK: - kind:

extension Diagnostic {
  static func noKind(_ attribute: AttributeSyntax, proposal: String) -> Diagnostic {
    let addition = "kind: \"\(proposal)\""
    let repair =
      if let parenthesis = attribute.leftParen {
        Repair(
          "add '\(addition)'",
          .replace(parenthesis, with: "(\(addition)\(Arguments(attribute).list.isEmpty ? "" : ", ")"))
      } else {
        Repair(
          "add '\(addition)'",
          .replace(attribute.attributeName, with: "\(attribute.attributeName.trimmedDescription)(\(addition))"))
      }
    return .error(
      "'@\(attribute.annotationName)' does not say by which name its jobs are stored, for years; add 'kind:'",
      at: attribute.attributeName, repairs: [repair])
  }

  static func kindIsNotLiteral(_ argument: LabeledExprSyntax) -> Diagnostic {
    .error(
      "'kind:' is not a plain string literal, which the build needs to read it; write the kind between quotes",
      at: argument.expression, repairs: Repair.plain(argument.expression))
  }

  static func emptyKind(_ argument: LabeledExprSyntax, proposal: String) -> Diagnostic {
    .error(
      "'kind:' is empty, and it is the name by which jobs are stored; write one",
      at: argument.expression,
      repairs: [Repair("write '\"\(proposal)\"'", .replace(argument.expression, with: "\"\(proposal)\""))])
  }
}

// MARK: - The other arguments

extension Diagnostic {
  static func emptyOption(
    _ label: String, _ argument: LabeledExprSyntax, in list: LabeledExprListSyntax
  ) -> Diagnostic {
    .error(
      "'\(label):' is empty; write a name, or leave it out", at: argument.expression,
      repairs: [Repair("remove '\(label):'", .remove(argument, from: list))])
  }

  static func deadlineIsNotPositive(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "a deadline of '\(argument.expression.trimmedDescription)' is over before the attempt begins; write a later one",
      at: argument.expression.durationNumber, repairs: [Repair("remove 'deadline:'", .remove(argument, from: list))])
  }

  static func crashesBelowOne(_ crashes: ExprSyntax) -> Diagnostic {
    .error(
      "a job is held when its process has died 'crashes' times in it, and that is \(crashes.quotation); write 1 or more",
      at: crashes,
      repairs: [Repair("replace '\(crashes.quotation)' with '1'", .replace(crashes, with: "1"))])
  }

  static func limitBelowOne(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "'limit:' is \(argument.expression.trimmedDescription), so no job of the kind would ever run; write 1 or more, or "
        + "leave it out",
      at: argument.expression, repairs: [Repair("remove 'limit:'", .remove(argument, from: list))])
  }

  static func keyLimitBelowOne(_ count: ExprSyntax) -> Diagnostic {
    .error(
      "'keyLimit:' lets \(count.quotation) jobs of a key run at a time, so none ever would; write 1 or more", at: count,
      repairs: [Repair("replace '\(count.quotation)' with '1'", .replace(count, with: "1"))])
  }
}

// MARK: - The type

extension Diagnostic {
  static func jobIsActor(_ declaration: ActorDeclSyntax) -> Diagnostic {
    .error(
      "'\(declaration.name.text)' is an actor, and a job is a value that is written down; make it a struct",
      at: declaration.actorKeyword,
      repairs: [Repair("replace 'actor' with 'struct'", .replace(declaration.actorKeyword, with: "struct"))])
  }

  static func jobHasNoValues(_ declaration: EnumDeclSyntax) -> Diagnostic {
    .error(
      "'\(declaration.name.text)' has no cases, and a job is a value that is written down; make it a struct",
      at: declaration.enumKeyword,
      repairs: [Repair("replace 'enum' with 'struct'", .replace(declaration.enumKeyword, with: "struct"))])
  }
}

// MARK: - @ScheduleTask(durable: true)

extension Diagnostic {
  static func durableIsNotTrue(_ argument: LabeledExprSyntax, in list: LabeledExprListSyntax) -> Diagnostic {
    .error(
      "whether a schedule is durable is known while building; write 'true', or remove 'durable:'",
      at: argument.expression, repairs: [Repair("remove 'durable:'", .remove(argument, from: list))])
  }

  static func scheduledJobHasNoInitialiser(_ target: TaskTarget) -> Diagnostic {
    let name = target.declaration.name.text
    return .error(
      "each occurrence makes a new '\(name)', which has no 'init()' in its body; give its properties values, or add "
        + "'init()'", at: target.declaration.name)
  }
}

// MARK: - run

extension Diagnostic {
  static func noJobRun(_ target: TaskTarget) -> Diagnostic {
    let declaration = target.declaration
    let method = "func run(_ context: DurableContext) async throws"
    return .error(
      "'\(declaration.name.text)' has no 'run' for its jobs; declare '\(method)' in the type's own body, because one in "
        + "an extension cannot be seen here",
      at: declaration.name, repairs: [Repair("add 'run'", .add("\(method) {}", to: declaration))])
  }

  static func jobRunIsStatic(_ modifier: DeclModifierSyntax) -> Diagnostic {
    .error(
      "'run' is \(modifier.name.text), and it is a job, a value of the type, that runs; remove '\(modifier.name.text)'",
      at: modifier, repairs: [Repair("remove '\(modifier.name.text)'", .remove(modifier))])
  }

  static func jobRunIsMutating(_ modifier: DeclModifierSyntax) -> Diagnostic {
    .error(
      "'run' is mutating, and what it changes would be lost: each attempt reads the job as it was enqueued; remove "
        + "'mutating', and keep what a later attempt needs as a checkpoint of the context",
      at: modifier, repairs: [Repair("remove 'mutating'", .remove(modifier))])
  }

  static func jobRunTakesSeveralParameters(_ run: FunctionDeclSyntax) -> Diagnostic {
    let parameters = run.signature.parameterClause.parameters
    return .error(
      "'run' has \(parameters.count) parameters; it takes a 'DurableContext', or nothing", at: parameters)
  }

  static func jobRunTakesSomethingElse(_ parameter: FunctionParameterSyntax) -> Diagnostic {
    let type = parameter.type.trimmedDescription
    let repairs =
      parameter.ellipsis == nil
      ? [Repair("replace '\(type)' with 'DurableContext'", .replace(parameter.type, with: "DurableContext"))] : []
    return .error(
      "'run' takes '\(type)\(parameter.ellipsis?.text ?? "")', and a job gets a 'DurableContext'; "
        + "what else it needs is part of its value",
      at: parameter.type, repairs: repairs)
  }

  static func genericJobRun(_ clause: GenericParameterClauseSyntax) -> Diagnostic {
    .error(
      "'run' is generic ('\(clause.trimmedDescription)'), and nobody would say which types are meant; write the types "
        + "themselves", at: clause)
  }
}
