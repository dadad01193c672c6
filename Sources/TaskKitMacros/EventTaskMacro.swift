import SwiftSyntax
import SwiftSyntaxMacros

/// `@EventTask`: one registration and one conformance for the type that it stands on.
///
/// The member role diagnoses, reads and builds. The extension role only adds the conformance, and stays silent: what
/// is wrong, the member role has said.
struct EventTaskMacro {
  // The expansion is laid out as it is meant to be read; formatting it once more would cost every user's build.
  static let formatMode = FormatMode.disabled
}

extension EventTaskMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    var problems = Problems()
    defer { problems.report(in: context) }

    // Without a target nothing can be built, and the problems say why.
    guard let target = TaskTarget(node, on: declaration, in: context, isPlaced: true, problems: &problems) else {
      return []
    }
    let annotation = Annotation(event: node, on: target, problems: &problems)
    let type = TaskType(target, problems: &problems)

    let declarations = TaskDeclarations(annotation: annotation, type: type, target: target)
    return problems.isEmpty ? declarations.members : declarations.stubs
  }
}

extension EventTaskMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    // No protocols: the type conforms already. No target, or one that an extension cannot reach: the member role has
    // said why.
    var unheard = Problems()
    guard
      !protocols.isEmpty,
      let target = TaskTarget(node, on: declaration, in: context, isPlaced: false, problems: &unheard),
      !target.isHiddenInType
    else { return [] }
    return TaskDeclarations.conformance(of: type, availability: target.availability)
  }
}
