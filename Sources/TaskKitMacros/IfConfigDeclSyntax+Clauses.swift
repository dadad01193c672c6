import SwiftSyntax

extension IfConfigDeclSyntax {
  /// Without those that no build has: `#if false`, and what stands behind `#if true`. The build leaves these out as well.
  var possibleClauses: [IfConfigClauseSyntax] {
    var possible: [IfConfigClauseSyntax] = []
    for clause in clauses {
      let isCompiled = clause.condition?.fixedTruth
      if isCompiled != false { possible.append(clause) }
      if isCompiled == true { break }
    }
    return possible
  }
}

extension ExprSyntax {
  /// What a condition says in every build; nil where builds may differ.
  fileprivate var fixedTruth: Bool? {
    switch `as`(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr(let literal):
      return literal.literal.tokenKind == .keyword(.true)
    case .tupleExpr(let tuple) where tuple.elements.count == 1:
      return tuple.elements.first?.expression.fixedTruth
    case .prefixOperatorExpr(let prefix) where prefix.operator.text == "!":
      return prefix.expression.fixedTruth.map { !$0 }
    case .sequenceExpr(let sequence):
      // A macro gets the declaration as it is parsed, before anybody knows what operators bind.
      let isConjunction = sequence.elements.allSatisfy { part in
        part.as(BinaryOperatorExprSyntax.self).map { $0.operator.text == "&&" } ?? true
      }
      return isConjunction && sequence.elements.contains { $0.fixedTruth == false } ? false : nil
    default:
      return nil
    }
  }
}
