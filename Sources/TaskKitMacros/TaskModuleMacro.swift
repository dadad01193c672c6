import SwiftSyntax
import SwiftSyntaxMacros

/// `@TaskModule`: one registration, with all marked methods, and one conformance for the class or actor it stands on.
///
/// The member role diagnoses, reads and builds, and reads the marks on the methods as well. The extension role only adds
/// the conformance, and stays silent.
struct TaskModuleMacro {
  static let formatMode = FormatMode.disabled
}

extension TaskModuleMacro: MemberMacro {
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
    guard target.kind == .class || target.kind == .actor else {
      problems.add(.moduleIsNotAnObject(node, target))
      return []
    }
    let annotation = ModuleAnnotation(node, on: target, problems: &problems)
    let type = ModuleType(target, annotation, in: context, problems: &problems)

    let declarations = ModuleDeclarations(annotation: annotation, type: type, target: target)
    return problems.isEmpty ? declarations.members : declarations.stubs
  }
}

extension TaskModuleMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    // No protocols: the type conforms already. No target, no object, or one that an extension cannot reach: the member role
    // has said why.
    var unheard = Problems()
    guard
      !protocols.isEmpty,
      let target = TaskTarget(node, on: declaration, in: context, isPlaced: false, problems: &unheard),
      target.kind == .class || target.kind == .actor, !target.isHiddenInType
    else { return [] }
    return TaskDeclarations.conformance(of: type, to: "__LifecycleModule", availability: target.availability)
  }
}
