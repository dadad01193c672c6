import SwiftDiagnostics
import SwiftSyntax

/// One element of `dependencies:`: a type that the compiler checks and the build can read.
struct Dependency {
  /// The type as the source spells it, without layout.
  let type: String

  /// The same without a module selector and without layout: what messages at run time call it.
  let name: String

  /// Reads `dependencies:` and reports what the build could not read, what stands there twice and a task that waits
  /// for itself.
  static func list(
    _ argument: LabeledExprSyntax, of target: TaskTarget, problems: inout Problems
  ) -> [Dependency] {
    guard let list = argument.expression.as(ArrayExprSyntax.self) else {
      problems.add(.dependenciesAreNotLiteral(argument))
      return []
    }
    var dependencies: [Dependency] = []
    for element in list.elements {
      guard let (type, path) = element.expression.metatype else {
        problems.add(.dependencyIsNotType(element.expression))
        continue
      }
      let dependency = Dependency(type: type, name: path.joined(separator: "."))
      if type == target.declaration.name.text {
        // A longer path may lead to another type of that name, of which only the build knows; it says the same then.
        problems.add(.dependsOnItself(element, in: list))
      } else if dependencies.contains(where: { $0.type == type }) {
        problems.add(.duplicateDependency(element, named: dependency.name, in: list))
      }
      dependencies.append(dependency)
    }
    return dependencies
  }
}
