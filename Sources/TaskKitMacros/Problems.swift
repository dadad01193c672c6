import SwiftDiagnostics
import SwiftSyntaxMacros

/// What is wrong with one annotation, collected while it is read, so that all of it is reported at once.
struct Problems {
  private var diagnostics: [Diagnostic] = []

  var isEmpty: Bool { diagnostics.isEmpty }

  mutating func add(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
  }

  func report(in context: some MacroExpansionContext) {
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
  }
}
