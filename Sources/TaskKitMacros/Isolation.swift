import SwiftSyntax

extension WithAttributesSyntax where Self: WithModifiersSyntax {
  /// The attributes and modifiers that say where a function or an initialiser runs: what a wrapper must repeat to run there
  /// too.
  ///
  /// A global actor is an attribute like any other, so everything is repeated that is not known to mean something else.
  var isolation: [String] {
    let attributes = attributes.compactMap { element -> String? in
      guard
        case .attribute(let attribute) = element, attribute.arguments == nil,
        let name = attribute.attributeName.namePath?.last, !otherAttributes.contains(name)
      else { return nil }
      return attribute.trimmedDescription
    }
    return attributes + modifiers.filter { $0.name.text == "nonisolated" }.map(\.trimmedDescription)
  }
}

private let otherAttributes: Set<String> = [
  "discardableResult", "frozen", "GKInspectable", "IBAction", "inlinable", "nonobjc", "objc", "preconcurrency",
  "Sendable", "unsafe", "safe", "usableFromInline", "warn_unqualified_access", "_disfavoredOverload",
  "_transparent", "_alwaysEmitIntoClient", "_optimize", "inline",
]
