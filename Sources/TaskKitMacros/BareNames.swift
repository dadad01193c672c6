import SwiftSyntax

extension SyntaxProtocol {
  /// The names in it that the compiler looks up where they stand: not those behind a point or a module selector, those in a
  /// key path, or those in a closure, which may have names of its own.
  var bareNames: [TokenSyntax] {
    let visitor = BareNameVisitor(viewMode: .sourceAccurate)
    visitor.walk(self)
    return visitor.names
  }
}

private final class BareNameVisitor: SyntaxVisitor {
  private(set) var names: [TokenSyntax] = []

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
    if !isMember { add(node.baseName) }
    return .skipChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    add(node.name)
    return .visitChildren
  }

  override func visit(_ node: KeyPathComponentListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  private func add(_ name: TokenSyntax) {
    if name.previousToken(viewMode: .sourceAccurate)?.text != "::" { names.append(name) }
  }
}

extension TaskTarget {
  /// The names of values in the annotation, each once: what they mean, members of extensions and supertypes may change.
  ///
  /// What begins with a capital is a type, which no key path leads to; the build looks for those, and for all names where
  /// the type inherits from one around it, whose members mean the same outside.
  var valueNames: [String] {
    let inherited = (declaration.inheritanceClause?.inheritedTypes ?? []).compactMap { $0.type.namePath?.last }
    guard !inherited.contains(where: surroundings.path.contains) else { return [] }
    let names = (attribute.arguments?.bareNames ?? []).filter { name in
      guard case .identifier = name.tokenKind else { return false }
      return name.parent?.is(DeclReferenceExprSyntax.self) ?? false && name.plainName.first?.isUppercase == false
    }
    return names.map(\.text).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Reports names in an annotation that mean something else inside the type: the compiler reads the annotation outside of
  /// it, and what the macro copies inside.
  func checkNames(in attribute: AttributeSyntax, problems: inout Problems) {
    guard let names = attribute.arguments?.bareNames, !names.isEmpty else { return }
    let body = TypeBody(declaration)
    let members = (body.members + body.conditionalMembers).flatMap(\.declaredNames)
    for name in names {
      if name.tokenKind == .keyword(.Self) {
        problems.add(.selfInAnnotation(name, of: self))
        continue
      }
      guard let member = members.first(where: { $0.plainName == name.plainName }) else { continue }
      problems.add(.memberOfItself(name, of: self, member))
    }
  }
}
