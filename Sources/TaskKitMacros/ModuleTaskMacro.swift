import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModuleTask`: a mark that `@TaskModule` reads. It adds nothing, and says where it stands in vain.
struct ModuleTaskMacro: PeerMacro {
  static let formatMode = FormatMode.disabled
  static let name = "ModuleTask"

  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    if let problem = problem(node, on: declaration, in: context.lexicalContext) { context.diagnose(problem) }
    return []
  }

  private static func problem(
    _ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in contexts: [Syntax]
  ) -> Diagnostic? {
    guard declaration.is(FunctionDeclSyntax.self) else { return .markIsNotOnMethod(node) }
    guard let scope = contexts.first?.asProtocol((any DeclGroupSyntax).self) else { return .markIsNotOnMethod(node) }
    if let scope = scope.as(ExtensionDeclSyntax.self) { return .markInExtension(node, of: scope) }
    let annotations = scope.attributes.plain + scope.attributes.conditional
    guard !annotations.contains(where: { $0.annotationName == "TaskModule" }) else { return nil }
    return .markOutsideModule(node, in: Syntax(scope).asProtocol((any NamedDeclSyntax).self))
  }
}
