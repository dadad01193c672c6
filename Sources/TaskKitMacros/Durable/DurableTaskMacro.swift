import SwiftSyntax
import SwiftSyntaxMacros

/// An annotation that makes the values of a type jobs: one registration and one conformance.
///
/// The member role diagnoses, reads and builds. The extension role only adds the conformance, and stays silent.
protocol DurableMacro: MemberMacro, ExtensionMacro {
  /// Reads the arguments, and reports everything that is wrong with them.
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> DurableAnnotation
}

struct DurableTaskMacro: DurableMacro {
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> DurableAnnotation {
    DurableAnnotation(attribute, on: target, problems: &problems)
  }
}

/// `@ScheduleTask(…, durable: true)`.
struct DurableScheduleMacro: DurableMacro {
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> DurableAnnotation {
    if DurableType.canBeJob(target) { DurableType.checkCreation(target, problems: &problems) }
    return DurableAnnotation(schedule: attribute, on: target, problems: &problems)
  }
}

extension DurableMacro {
  static var formatMode: FormatMode { .disabled }

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
    let annotation = annotation(node, on: target, problems: &problems)
    let type = DurableType(target, problems: &problems)

    let declarations = DurableDeclarations(annotation: annotation, type: type, target: target)
    return problems.isEmpty ? declarations.members : declarations.stubs
  }

  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    // No protocols: the type conforms already. No target, no values, or one that an extension cannot reach: the member
    // role has said why.
    var unheard = Problems()
    guard
      !protocols.isEmpty,
      let target = TaskTarget(node, on: declaration, in: context, isPlaced: false, problems: &unheard),
      DurableType.canBeJob(target), !target.isHiddenInType
    else { return [] }
    return TaskDeclarations.conformance(
      of: type, to: "__DurableTask", in: DurableDeclarations.module, availability: target.availability)
  }
}
