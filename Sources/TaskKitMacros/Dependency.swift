import SwiftDiagnostics
import SwiftSyntax

/// One element of `dependencies:`: a type that the compiler checks and the build can read.
struct Dependency {
  /// The type as the source spells it.
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
      if isTarget(path, target) {
        problems.add(.dependsOnItself(element, in: list))
      } else if dependencies.contains(where: { $0.name == dependency.name }) {
        problems.add(.duplicateDependency(element, named: dependency.name, in: list))
      }
      dependencies.append(dependency)
    }
    return dependencies
  }

  /// Whether the path means the annotated type: names are looked up from the inside out, so each end of its own does.
  private static func isTarget(_ path: [String], _ target: TaskTarget) -> Bool {
    target.path.suffix(path.count) == path[...]
  }
}
