import SwiftSyntax

/// The members of a type as a macro can see them: those of its own body, with those inside `#if` set apart.
struct TypeBody {
  /// What stands in the body itself.
  private(set) var members: [DeclSyntax] = []

  /// What stands inside `#if`, of which a macro cannot know whether it is compiled; without what no build has.
  private(set) var conditionalMembers: [DeclSyntax] = []

  init(_ declaration: any TaskTarget.Declaration) {
    members = declaration.memberBlock.members.map(\.decl)
    conditionalMembers = members.flatMap { Self.contents(of: $0) }
  }

  var functions: [FunctionDeclSyntax] { members.compactMap { $0.as(FunctionDeclSyntax.self) } }
  var initialisers: [InitializerDeclSyntax] { members.compactMap { $0.as(InitializerDeclSyntax.self) } }
  var conditionalInitialisers: [InitializerDeclSyntax] {
    conditionalMembers.compactMap { $0.as(InitializerDeclSyntax.self) }
  }
  var variables: [VariableDeclSyntax] { members.compactMap { $0.as(VariableDeclSyntax.self) } }

  private static func contents(of declaration: DeclSyntax) -> [DeclSyntax] {
    guard let condition = declaration.as(IfConfigDeclSyntax.self) else { return [] }
    return condition.possibleClauses.flatMap { clause in
      (clause.elements?.as(MemberBlockItemListSyntax.self) ?? []).flatMap { [$0.decl] + contents(of: $0.decl) }
    }
  }
}

extension DeclSyntax {
  /// The tokens that name what is declared: several for `case a, b` and `var a, b`.
  var declaredNames: [TokenSyntax] {
    switch `as`(DeclSyntaxEnum.self) {
    case .enumCaseDecl(let declaration): declaration.elements.map(\.name)
    case .variableDecl(let declaration): declaration.names
    default: asProtocol((any NamedDeclSyntax).self).map { [$0.name] } ?? []
    }
  }

  /// Whether it belongs to the type and not to its values: static members, cases and nested types.
  var belongsToType: Bool {
    switch `as`(DeclSyntaxEnum.self) {
    case .functionDecl(let declaration): declaration.modifiers.areStatic
    case .variableDecl(let declaration): declaration.modifiers.areStatic
    default: true
    }
  }
}

extension VariableDeclSyntax {
  var names: [TokenSyntax] {
    bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
  }
}

extension DeclModifierListSyntax {
  var areStatic: Bool { has("static") || has("class") }

  func has(_ name: String) -> Bool { contains { $0.name.text == name } }
}
