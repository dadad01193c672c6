import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import TaskKitMacros

/// A source file of module `App` with its macros expanded, as the compiler would do it.
struct Expansion {
  /// The file after expansion.
  let expanded: String
  let diagnostics: [Diagnostic]

  private let source: String
  private let context: BasicMacroExpansionContext

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "App", fullFilePath: "/home/someone/App/Tasks.swift")])
    expanded =
      file.expand(
        macroSpecs: Self.macros,
        contextGenerator: { node in
          BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
        },
        indentationWidth: .spaces(2)
      ).description
    self.source = source
    self.context = context
    diagnostics = context.diagnostics
  }

  /// The plugin's own list, so that the tests cannot map a name to another macro than users get.
  private static let macros: [String: MacroSpec] = Dictionary(
    uniqueKeysWithValues: TaskKitMacrosPlugin().providingMacros.map { macro in
      let conformance = TypeSyntax(IdentifierTypeSyntax(name: .identifier("LifecycleTask")))
      return ("\(macro)".replacing("Macro", with: ""), MacroSpec(type: macro, conformances: [conformance]))
    })

  /// Where a node starts and ends in the source, as offsets of UTF-8 code units.
  func range(of node: some SyntaxProtocol) -> Range<Int> {
    offset(node.positionAfterSkippingLeadingTrivia, node)..<offset(node.endPositionBeforeTrailingTrivia, node)
  }

  /// The source after a repair.
  func applying(_ fixIt: FixIt) -> String {
    var text = Array(source.utf8)
    // From the end, so that an edit does not move the ones before it.
    for (range, replacement) in fixIt.changes.map(edit).sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      text.replaceSubrange(range, with: Array(replacement.utf8))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func edit(_ change: FixIt.Change) -> (Range<Int>, String) {
    switch change {
    case .replace(let old, let new):
      return (offset(old.position, old)..<offset(old.endPosition, old), new.description)
    default:
      preconditionFailure("the catalogue replaces nodes and changes nothing else: \(change)")
    }
  }

  private func offset(_ position: AbsolutePosition, _ node: some SyntaxProtocol) -> Int {
    context.location(for: position, anchoredAt: Syntax(node), fileName: "").offset
  }
}
