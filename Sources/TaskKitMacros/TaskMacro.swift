import SwiftSyntax
import SwiftSyntaxMacros

/// An annotation that makes a type a task: one registration and one conformance.
///
/// The member role diagnoses, reads and builds. The extension role only adds the conformance, and stays silent: what
/// is wrong, the member role has said.
protocol TaskMacro: MemberMacro, ExtensionMacro {
  /// Reads the arguments, and reports everything in them that the build could not read, or that cannot be meant.
  static func annotation(_ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) -> Annotation
}

struct EventTaskMacro: TaskMacro {
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> Annotation {
    Annotation(event: attribute, on: target, problems: &problems)
  }
}

struct ScheduleTaskMacro: TaskMacro {
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> Annotation {
    Annotation(schedule: attribute, on: target, problems: &problems)
  }
}

struct NotificationTaskMacro: TaskMacro {
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> Annotation {
    Annotation(notification: attribute, on: target, problems: &problems)
  }
}

struct SequenceTaskMacro: TaskMacro {
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> Annotation {
    Annotation(sequence: attribute, on: target, problems: &problems)
  }
}

extension TaskMacro {
  // The expansion is laid out as it is meant to be read; formatting it once more would cost every user's build.
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
    let type = TaskType(target, problems: &problems)

    let declarations = TaskDeclarations(annotation: annotation, type: type, target: target)
    return problems.isEmpty ? declarations.members : declarations.stubs
  }

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
