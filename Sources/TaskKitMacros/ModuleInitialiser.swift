import SwiftSyntax

/// The `init` by which the center makes a module, read once.
struct ModuleInitialiser {
  struct Argument {
    /// Nil for a parameter without a label.
    let label: String?
    /// The module's type, as `dependencies:` has it.
    let type: String
    let isOptional: Bool
  }

  private(set) var arguments: [Argument] = []
  private(set) var effects = Effects(nil)
  /// The attributes and modifiers that say where it runs.
  private(set) var isolation: [String] = []

  /// How many parameters are left to their defaults.
  private var defaults = 0

  /// Finds the one that takes most modules; without any in the body there is an implicit or inherited one.
  init?(_ body: TypeBody, _ annotation: ModuleAnnotation) {
    let written = body.initialisers.compactMap { Self(fitting: $0, annotation.dependencies) }
    if written.isEmpty, body.keepsImplicitInitialiserOfObject { return }
    // Which of those inside `#if` is compiled nobody knows here; the compiler tells where one of them is called otherwise.
    let fitting =
      written.isEmpty
      ? body.conditionalInitialisers.compactMap { Self(fitting: $0, annotation.dependencies) } : written
    if fitting.isEmpty, body.hasImplicitInitialiserOfObject { return }
    guard let most = fitting.map(\.arguments.count).max(),
      // Of several that a call fits, the compiler prefers the one that leaves least to defaults.
      let found = fitting.filter({ $0.arguments.count == most }).min(by: { $0.defaults < $1.defaults })
    else { return nil }
    self = found
  }

  private init?(fitting declaration: InitializerDeclSyntax, _ dependencies: [Dependency]) {
    guard declaration.optionalMark == nil, declaration.genericParameterClause == nil else { return nil }
    for parameter in declaration.signature.parameterClause.parameters {
      let passed = Self.passed(parameter.type)
      let optional = passed.as(OptionalTypeSyntax.self)
      let type = optional?.wrappedType ?? passed
      let text = type.tokens(viewMode: .sourceAccurate).map(\.text).joined()
      if dependencies.contains(where: { $0.type == text }) {
        let label = parameter.firstName.tokenKind == .wildcard ? nil : parameter.firstName.text
        arguments.append(Argument(label: label, type: text, isOptional: optional != nil))
      } else if parameter.defaultValue == nil {
        return nil
      } else {
        defaults += 1
      }
    }
    effects = Effects(declaration.signature.effectSpecifiers)
    isolation = declaration.isolation
  }

  /// The type of what a call passes, without what only the initialiser cares for: `consuming`, `borrowing`, `sending`.
  private static func passed(_ type: TypeSyntax) -> TypeSyntax {
    guard
      let written = type.as(AttributedTypeSyntax.self), written.attributes.isEmpty,
      written.specifiers.allSatisfy({ ["consuming", "borrowing", "sending"].contains($0.trimmedDescription) })
    else { return type }
    return written.baseType
  }
}
