import SwiftSyntax
import SwiftSyntaxMacros

/// An annotation that makes the values of a type jobs.
protocol DurableMacro: RegistrationMacro {
  /// Reads the arguments, and reports everything that is wrong with them.
  static func annotation(
    _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) -> DurableAnnotation
}

extension DurableMacro {
  static var conformedProtocol: String { "\(DurableDeclarations.durableKit)__DurableTask" }

  static func fits(_ target: TaskTarget) -> Bool { DurableType.canBeJob(target) }

  static func declarations(
    _ attribute: AttributeSyntax, on target: TaskTarget, in context: some MacroExpansionContext,
    problems: inout Problems
  ) -> (any RegistrationDeclarations)? {
    let annotation = annotation(attribute, on: target, problems: &problems)
    let type = DurableType(target, problems: &problems)
    return DurableDeclarations(annotation: annotation, type: type, target: target)
  }
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
    if fits(target) { DurableType.checkCreation(target, problems: &problems) }
    return DurableAnnotation(schedule: attribute, on: target, problems: &problems)
  }
}
