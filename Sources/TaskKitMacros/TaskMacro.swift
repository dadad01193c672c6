import SwiftSyntax
import SwiftSyntaxMacros

/// An annotation that makes a type a task.
protocol TaskMacro: RegistrationMacro {
  /// Reads the arguments, and reports everything in them that the build could not read, or that cannot be meant.
  static func annotation(_ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) -> Annotation
}

extension TaskMacro {
  static var conformedProtocol: String { "\(TaskDeclarations.kit)__LifecycleTask" }

  static func declarations(
    _ attribute: AttributeSyntax, on target: TaskTarget, in context: some MacroExpansionContext,
    problems: inout Problems
  ) -> (any RegistrationDeclarations)? {
    let annotation = annotation(attribute, on: target, problems: &problems)
    let type = TaskType(target, problems: &problems)
    // A type that declares an 'Output' of its own hears of that.
    if !type.takenNames.contains("Output") {
      for name in attribute.arguments?.bareNames ?? [] where name.plainName == "Output" {
        problems.add(.outputIsHidden(name, in: target))
      }
    }
    return TaskDeclarations(annotation: annotation, type: type, target: target)
  }
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
