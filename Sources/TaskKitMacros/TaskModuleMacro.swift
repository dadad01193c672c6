import SwiftSyntax
import SwiftSyntaxMacros

/// `@TaskModule`: a registration with all marked methods, for the class or actor it stands on. It reads the marks on the
/// methods as well.
struct TaskModuleMacro: RegistrationMacro {
  static var conformedProtocol: String { "\(ModuleDeclarations.kit)__LifecycleModule" }

  static func fits(_ target: TaskTarget) -> Bool { target.kind == .class || target.kind == .actor }

  static func declarations(
    _ attribute: AttributeSyntax, on target: TaskTarget, in context: some MacroExpansionContext,
    problems: inout Problems
  ) -> (any RegistrationDeclarations)? {
    guard fits(target) else {
      problems.add(.moduleIsNotAnObject(attribute, target))
      return nil
    }
    let annotation = ModuleAnnotation(attribute, on: target, problems: &problems)
    let type = ModuleType(target, annotation, in: context, problems: &problems)
    return ModuleDeclarations(annotation: annotation, type: type, target: target)
  }
}
