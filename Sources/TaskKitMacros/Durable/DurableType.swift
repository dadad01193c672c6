import SwiftDiagnostics
import SwiftSyntax

/// What an annotated type declares that its jobs need, read once.
struct DurableType {
  /// Its work; nil when a problem says why there is none.
  private(set) var run: RunMethod?

  /// The names that the macro's output declares and that the type declares as well.
  private(set) var takenNames: Set<String> = []

  /// Whether the type can have values that are written down; where not, the member role says why.
  static func canBeJob(_ target: TaskTarget) -> Bool {
    switch target.kind {
    case .actor: false
    case .enum: TypeBody(target.declaration).hasCases
    case .class, .struct: true
    }
  }

  /// Reads the type and reports everything that keeps its values from being jobs, as far as its own source tells.
  init(_ target: TaskTarget, problems: inout Problems) {
    let body = TypeBody(target.declaration)
    checkDeclaration(target, problems: &problems)
    target.checkOwnName(in: body, problems: &problems)
    takenNames = target.takenNames(["registration", "_jobBody"], in: body, problems: &problems)
    run = RunMethod(in: body, of: target, missing: .noJobRun(target), problems: &problems, Self.problems)
  }

  /// Reports what keeps an occurrence of a schedule from making its job.
  static func checkCreation(_ target: TaskTarget, problems: inout Problems) {
    let body = TypeBody(target.declaration)
    let initialisers = body.initialisers + body.conditionalInitialisers
    if !initialisers.contains(where: \.takesNothing), !body.hasImplicitInitialiser(of: target.kind) {
      problems.add(.scheduledJobHasNoInitialiser(target))
    }
  }

  private func checkDeclaration(_ target: TaskTarget, problems: inout Problems) {
    target.checkVisibility(problems: &problems)
    if let declaration = target.declaration.as(ClassDeclSyntax.self), !declaration.modifiers.has("final") {
      problems.add(.classIsNotFinal(declaration))
    }
    if let declaration = target.declaration.as(ActorDeclSyntax.self) { problems.add(.jobIsActor(declaration)) }
    if let declaration = target.declaration.as(EnumDeclSyntax.self), !Self.canBeJob(target) {
      problems.add(.jobHasNoValues(declaration))
    }
  }

  /// What keeps a method named `run` from being a job's; empty when it fits. What fits has no problems as a task's
  /// either.
  private static func problems(of declaration: FunctionDeclSyntax) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    if let modifier = declaration.modifiers.first(where: { $0.name.text == "static" || $0.name.text == "class" }) {
      problems.append(.jobRunIsStatic(modifier))
    }
    if let modifier = declaration.modifiers.first(where: { $0.name.text == "mutating" }) {
      problems.append(.jobRunIsMutating(modifier))
    }
    if let clause = declaration.genericParameterClause { problems.append(.genericJobRun(clause)) }
    let parameters = declaration.signature.parameterClause.parameters
    if parameters.count > 1 { problems.append(.jobRunTakesSeveralParameters(declaration)) }
    if let parameter = parameters.first, parameters.count == 1 {
      if parameter.firstName.tokenKind != .wildcard { problems.append(.runParameterIsLabelled(parameter)) }
      if !parameter.isJobContext { problems.append(.jobRunTakesSomethingElse(parameter)) }
    }
    if let opaque = declaration.signature.returnClause?.type.opaquePart { problems.append(.opaqueOutput(opaque)) }
    return problems
  }
}

extension TypeBody {
  /// Whether an enum has values, in one of the branches of `#if` at least.
  fileprivate var hasCases: Bool { (members + conditionalMembers).contains { $0.is(EnumCaseDeclSyntax.self) } }
}

extension FunctionParameterSyntax {
  /// Whether it may be a `DurableContext`: that, or another name of which only the compiler knows what it stands for.
  fileprivate var isJobContext: Bool {
    ellipsis == nil && type.namePath.map { !["ScheduledRun", "TaskContext"].contains($0.last) } ?? false
  }
}
