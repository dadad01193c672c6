import SwiftSyntax

/// What `@TaskModule(…)` says, read once.
struct ModuleAnnotation {
  enum Creation: String, CaseIterable {
    case whenNeeded, atLaunch, byRegistering
  }

  /// What `name:` says.
  private(set) var name: String?
  private(set) var creation = Creation.whenNeeded
  private(set) var dependencies: [Dependency] = []

  init(_ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) {
    let arguments = Arguments(attribute)
    name = arguments.name(problems: &problems)
    if let argument = arguments["creation"] {
      if let creation = argument.expression.moduleCreation {
        self.creation = creation
      } else {
        problems.add(.creationIsNotMember(argument.expression))
      }
    }
    if let argument = arguments["dependencies"] {
      dependencies = Dependency.list(argument, of: target, problems: &problems)
    }
  }
}

extension ExprSyntax {
  /// The way of creation that `.atLaunch` or `ModuleCreation.atLaunch` names.
  fileprivate var moduleCreation: ModuleAnnotation.Creation? {
    guard let access = `as`(MemberAccessExprSyntax.self), access.declName.argumentNames == nil else { return nil }
    if let base = access.base, base.namePath != ["ModuleCreation"], base.namePath != ["TaskKit", "ModuleCreation"] {
      return nil
    }
    return ModuleAnnotation.Creation(rawValue: access.declName.baseName.text)
  }
}
