import SwiftSyntax
import SwiftSyntaxMacros

/// An annotation that gives the type it stands on one registration and one conformance.
///
/// The member role diagnoses, reads and builds. The extension role only adds the conformance, and stays silent: what is
/// wrong, the member role has said.
protocol RegistrationMacro: MemberMacro, ExtensionMacro {
  /// The protocol to which the type conforms, as source.
  ///
  /// By its second name: Swift 6.3 ignores the module selector in the conformance of a macro when the module has a protocol
  /// of its own that is called `LifecycleTask`.
  static var conformedProtocol: String { get }

  /// Whether the type can be what the annotation makes of it; where not, ``declarations(_:on:in:problems:)`` says why.
  static func fits(_ target: TaskTarget) -> Bool

  /// Reads the annotation and the type, and reports everything that is wrong with them.
  ///
  /// - Returns: what to add; nil, with a problem that says why, where there is nothing to build.
  static func declarations(
    _ attribute: AttributeSyntax, on target: TaskTarget, in context: some MacroExpansionContext,
    problems: inout Problems
  ) -> (any RegistrationDeclarations)?
}

extension RegistrationMacro {
  // The expansion is laid out as it is meant to be read; formatting it once more would cost every user's build.
  static var formatMode: FormatMode { .disabled }

  static func fits(_ target: TaskTarget) -> Bool { true }

  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    var problems = Problems()
    defer { problems.report(in: context) }

    // Without a target nothing can be built, and the problems say why.
    guard
      let target = TaskTarget(node, on: declaration, in: context, isPlaced: true, problems: &problems),
      let declarations = declarations(node, on: target, in: context, problems: &problems)
    else { return [] }
    target.checkNames(in: node, problems: &problems)
    return problems.isEmpty ? declarations.members : declarations.stubs
  }

  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    // No protocols: the type conforms already. No target, one that does not fit, or one that an extension cannot reach: the
    // member role has said why.
    var unheard = Problems()
    guard
      !protocols.isEmpty,
      let target = TaskTarget(node, on: declaration, in: context, isPlaced: false, problems: &unheard),
      fits(target), !target.isHiddenInType
    else { return [] }
    return [conformance(of: type, availability: target.availability)]
  }

  /// The conformance, for as long as the type is available.
  private static func conformance(of type: some TypeSyntaxProtocol, availability: [String]) -> ExtensionDeclSyntax {
    let name = TokenSyntax.identifier("nonisolated \(conformedProtocol)", trailingTrivia: .space)
    return ExtensionDeclSyntax(
      leadingTrivia: .init(pieces: availability.flatMap { [.unexpectedText($0), .newlines(1)] }),
      extensionKeyword: .keyword(.extension, trailingTrivia: .space),
      extendedType: type.trimmed,
      inheritanceClause: InheritanceClauseSyntax(
        colon: .colonToken(trailingTrivia: .space),
        inheritedTypes: [InheritedTypeSyntax(type: IdentifierTypeSyntax(name: name))]),
      memberBlock: MemberBlockSyntax(members: []))
  }
}
