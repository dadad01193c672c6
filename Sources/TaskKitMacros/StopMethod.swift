import SwiftDiagnostics
import SwiftSyntax

/// The method that undoes a task when its center shuts down, read once.
struct StopMethod {
  /// Whether it takes what `run` returned.
  let takesOutput: Bool

  /// Reads a method that fits; nil, with at least one problem, for one that does not.
  init?(_ declaration: FunctionDeclSyntax, problems: inout Problems) {
    let found = Self.problems(of: declaration)
    guard found.isEmpty else {
      found.forEach { problems.add($0) }
      return nil
    }
    takesOutput = !declaration.signature.parameterClause.parameters.isEmpty
  }

  /// What keeps a method named `stop` from being a task's; empty when it fits.
  static func problems(of declaration: FunctionDeclSyntax) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    let parameters = declaration.signature.parameterClause.parameters
    if !declaration.modifiers.areStatic { problems.append(.stopIsNotStatic(declaration)) }
    if let clause = declaration.genericParameterClause { problems.append(.genericStop(clause)) }
    if parameters.count > 1 { problems.append(.stopTakesSeveralParameters(declaration)) }
    if let parameter = parameters.first, parameters.count == 1 {
      if parameter.firstName.tokenKind != .wildcard { problems.append(.stopParameterIsLabelled(parameter)) }
      if let mark = parameter.ellipsis ?? parameter.type.specifier { problems.append(.stopParameterIsMarked(mark)) }
      if let opaque = parameter.type.opaquePart { problems.append(.genericStop(opaque)) }
    }
    if let clause = declaration.signature.returnClause, !clause.type.isVoid {
      problems.append(.stopReturns(clause))
    }
    return problems
  }
}
