import SwiftSyntax

/// What encloses a declaration: types, extensions and functions, as the compiler shows them to a macro.
struct Surroundings {
  /// The names of the enclosing types, outermost first; an extension of `A.B` adds both.
  private(set) var path: [String] = []

  /// The same with their backticks, as source.
  private(set) var spelling: [String] = []

  /// Whether a function, a closure or an accessor is among them.
  private(set) var isLocal = false

  /// The private type or extension, if there is one, whose contents another file cannot see.
  private(set) var privateScope: String?

  /// The generic type, if there is one.
  private(set) var genericScope: String?

  /// The access that the extension around the declaration gives to its members.
  private(set) var extensionAccess: String?

  /// The `@available` of all of them, outermost first.
  private(set) var availability: [String] = []

  /// - Parameter contexts: innermost first, as `MacroExpansionContext` lists them.
  init(_ contexts: [Syntax]) {
    let scope = contexts.first?.as(ExtensionDeclSyntax.self)
    extensionAccess = scope?.modifiers.lazy.compactMap { Self.accessLevel($0) }.first
    for context in contexts.reversed() { add(context) }
  }

  private mutating func add(_ context: Syntax) {
    if let scope = context.as(ExtensionDeclSyntax.self) {
      let names = scope.extendedType.nameTokens
      add(scope, names: names ?? [], isGeneric: names == nil || scope.genericWhereClause != nil)
    } else if let scope = context.asProtocol((any DeclGroupSyntax).self) {
      let name = context.asProtocol((any NamedDeclSyntax).self)?.name
      let isGeneric = context.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
      add(scope, names: name.map { [$0] } ?? [], isGeneric: isGeneric)
    } else {
      isLocal = true
    }
  }

  private mutating func add(_ scope: some DeclGroupSyntax, names: [TokenSyntax], isGeneric: Bool) {
    path += names.map(\.plainName)
    spelling += names.map(\.text)
    availability += Self.availability(scope.attributes)
    let name = names.map(\.plainName).joined(separator: ".")
    if isGeneric { genericScope = name }
    if scope.modifiers.contains(where: { Self.hidden.contains($0.name.text) }) { privateScope = name }
  }

  /// The modifiers that keep a declaration inside its file.
  static let hidden: Set<String> = ["private", "fileprivate"]

  private static let accessLevels: Set<String> = [
    "open", "public", "package", "internal", "fileprivate", "private",
  ]

  /// The access level that a modifier states; nil for other modifiers, and for `private(set)`.
  static func accessLevel(_ modifier: DeclModifierSyntax) -> String? {
    modifier.detail == nil && accessLevels.contains(modifier.name.text) ? modifier.name.text : nil
  }

  /// The `@available` among some attributes, and those inside `#if` with the conditions around them.
  static func availability(_ attributes: AttributeListSyntax) -> [String] {
    attributes.compactMap { element in
      switch element {
      case .attribute(let attribute) where attribute.attributeName.trimmedDescription == "available":
        attribute.trimmedDescription
      case .ifConfigDecl(let condition): availability(condition)
      default: nil
      }
    }
  }

  private static func availability(_ condition: IfConfigDeclSyntax) -> String? {
    var lines: [String] = []
    var isEmpty = true
    for clause in condition.clauses {
      lines.append(
        ([clause.poundKeyword.text] + [clause.condition?.trimmedDescription].compactMap { $0 }).joined(separator: " "))
      guard let attributes = clause.elements?.as(AttributeListSyntax.self) else { continue }
      let inside = availability(attributes)
      if !inside.isEmpty { isEmpty = false }
      lines += inside
    }
    return isEmpty ? nil : (lines + ["#endif"]).joined(separator: "\n")
  }
}
