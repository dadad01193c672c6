import SwiftSyntax
import SwiftSyntaxMacros

/// Where an annotation stands, as the expressions that the compiler offers for it.
struct TaskPlace: Equatable {
  let module: String
  let file: String
  let line: String
  let column: String

  init(of node: some SyntaxProtocol, in context: some MacroExpansionContext) {
    guard
      let location = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .fileID),
      let fileID = location.file.as(StringLiteralExprSyntax.self)?.segments.description
    else {
      // Only a node that is not part of a file has no location; then the expansion says where it stands itself.
      (module, file, line, column) = ("", "#fileID", "#line", "#column")
      return
    }
    module = String(fileID.prefix { $0 != "/" })
    file = location.file.trimmedDescription
    line = location.line.trimmedDescription
    column = location.column.trimmedDescription
  }

  /// As `TaskLocation` takes them.
  var arguments: String { "\(file), \(line), \(column)" }
}
