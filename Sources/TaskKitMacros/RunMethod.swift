import SwiftDiagnostics
import SwiftSyntax

/// The method that does a task's work, read once.
struct RunMethod {
  enum Input {
    case none
    case payload(type: String)
    case context(type: String)
  }

  let declaration: FunctionDeclSyntax
  let input: Input

  /// The type that it returns; nil for nothing.
  let output: String?

  let effects: Effects

  var isStatic: Bool { declaration.modifiers.areStatic }
  var isMutating: Bool { declaration.modifiers.has("mutating") }

  /// Reads a method that fits; nil, with at least one problem, for one that does not.
  init?(_ declaration: FunctionDeclSyntax, problems: inout Problems) {
    let found = Self.problems(of: declaration)
    guard found.isEmpty else {
      found.forEach { problems.add($0) }
      return nil
    }
    self.declaration = declaration
    let signature = declaration.signature
    input = signature.parameterClause.parameters.first.map { Self.input($0.type) } ?? .none
    output = signature.returnClause.flatMap { $0.type.isVoid ? nil : Self.plain($0.type) }
    effects = Effects(signature.effectSpecifiers)
  }

  /// Finds the method named `run` of a type, and reports all that stand in its place and do not fit.
  ///
  /// - Parameters:
  ///   - missing: what is wrong where there is none.
  ///   - check: what keeps a method from being the one; what fits has no problems as a task's either.
  init?(
    in body: TypeBody, of target: TaskTarget, missing: @autoclosure () -> Diagnostic, problems: inout Problems,
    _ check: (FunctionDeclSyntax) -> [Diagnostic]
  ) {
    let candidates = body.functions.filter { $0.name.plainName == "run" }
    let fitting = candidates.filter { check($0).isEmpty }
    for declaration in fitting.dropFirst() {
      problems.add(.severalRuns(declaration, in: target, first: fitting[0]))
    }
    if let declaration = fitting.first {
      self.init(declaration, problems: &problems)
      return
    }
    // None fits: each says what is wrong with it.
    for problem in candidates.flatMap(check) { problems.add(problem) }
    guard candidates.isEmpty else { return nil }
    let conditional = body.conditionalMembers.lazy.compactMap { $0.as(FunctionDeclSyntax.self) }
      .first { $0.name.plainName == "run" }
    problems.add(conditional.map { .conditionalRun($0) } ?? missing())
    return nil
  }

  /// What a wrapper must repeat to run where it runs.
  var isolation: [String] { declaration.isolation }

  /// Whether it runs on the instance, if its type is an actor.
  var isIsolatedToInstance: Bool { !isStatic && isolation.isEmpty }

  /// What keeps a method named `run` from being a task's; empty when it fits.
  static func problems(of declaration: FunctionDeclSyntax) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    let parameters = declaration.signature.parameterClause.parameters
    if let clause = declaration.genericParameterClause { problems.append(.genericRun(clause)) }
    if parameters.count > 1 { problems.append(.runTakesSeveralParameters(declaration)) }
    if let parameter = parameters.first, parameters.count == 1 {
      if parameter.firstName.tokenKind != .wildcard { problems.append(.runParameterIsLabelled(parameter)) }
      if let ellipsis = parameter.ellipsis { problems.append(.runParameterIsVariadic(ellipsis, parameter)) }
      if let specifier = parameter.type.specifier { problems.append(.runParameterIsSpecified(specifier)) }
      if let opaque = parameter.type.opaquePart { problems.append(.genericRun(opaque)) }
    }
    if let opaque = declaration.signature.returnClause?.type.opaquePart { problems.append(.opaqueOutput(opaque)) }
    return problems
  }

  private static func input(_ type: TypeSyntax) -> Input {
    type.isTaskContext ? .context(type: type.trimmedDescription) : .payload(type: plain(type))
  }

  /// The type as it can stand anywhere: neither `sending`, nor with `!`.
  private static func plain(_ type: TypeSyntax) -> String {
    if let type = type.as(AttributedTypeSyntax.self) {
      return type.with(\.specifiers, []).trimmedDescription
    }
    if let type = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(type.wrappedType.trimmedDescription)?"
    }
    return type.trimmedDescription
  }
}

extension TypeSyntax {
  /// Whether it is spelt `Void` or `()`, in parentheses or not.
  var isVoid: Bool {
    if let tuple = `as`(TupleTypeSyntax.self) {
      return tuple.elements.isEmpty || (tuple.elements.count == 1 && tuple.elements.first?.type.isVoid ?? false)
    }
    return namePath.map { $0 == ["Void"] || $0 == ["Swift", "Void"] } ?? false
  }

  /// Whether it is spelt `TaskContext<…>`, with the module in front or without.
  fileprivate var isTaskContext: Bool {
    switch `as`(TypeSyntaxEnum.self) {
    case .identifierType(let type):
      type.name.text == "TaskContext" && type.genericArgumentClause != nil
    case .memberType(let type):
      type.name.text == "TaskContext" && type.genericArgumentClause != nil && type.baseType.namePath == ["TaskKit"]
    default:
      false
    }
  }

  /// `inout` and its kin, of which none can stand in the type of a task's body.
  var specifier: TokenSyntax? {
    guard let specifier = `as`(AttributedTypeSyntax.self)?.specifiers.first else { return nil }
    return specifier.firstToken(viewMode: .sourceAccurate)
  }

  /// The `some P` in it.
  var opaquePart: TypeSyntax? {
    if let type = `as`(SomeOrAnyTypeSyntax.self), type.someOrAnySpecifier.tokenKind == .keyword(.some) { return self }
    return children(viewMode: .sourceAccurate).lazy.compactMap { Self.opaquePart(in: $0) }.first
  }

  private static func opaquePart(in node: Syntax) -> TypeSyntax? {
    if let type = node.as(TypeSyntax.self) { return type.opaquePart }
    return node.children(viewMode: .sourceAccurate).lazy.compactMap { opaquePart(in: $0) }.first
  }
}
