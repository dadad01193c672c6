import SwiftDiagnostics
import SwiftSyntax

/// The text of a diagnostic, a note or a repair, with the stable id of the mistake that it belongs to.
struct TaskMessage: DiagnosticMessage, NoteMessage, FixItMessage {
  let message: String
  let id: MessageID

  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { id }
  var noteID: MessageID { id }
  var fixItID: MessageID { id }

  /// - Parameter function: the catalogue's function, whose name is the id.
  init(_ message: String, function: String) {
    self.message = message
    id = MessageID(domain: "taskKit", id: String(function.prefix { $0 != "(" }))
  }
}

/// A change of the source that repairs a mistake.
struct Repair {
  let message: String
  let changes: [FixIt.Change]

  init(_ message: String, _ changes: FixIt.Change...) {
    self.message = message
    self.changes = changes
  }
}

extension Diagnostic {
  /// An error at the smallest node that is wrong.
  static func error(
    _ message: String, at node: some SyntaxProtocol, repairs: [Repair] = [],
    notes: [(text: String, node: Syntax)] = [], function: String = #function
  ) -> Diagnostic {
    Diagnostic(
      node: node, message: TaskMessage(message, function: function),
      notes: notes.map { Note(node: $0.node, message: TaskMessage($0.text, function: function)) },
      fixIts: repairs.map { FixIt(message: TaskMessage($0.message, function: function), changes: $0.changes) })
  }
}

extension Repair {
  /// Writes a string literal as a plain one, where that says the same.
  static func plain(_ expression: ExprSyntax) -> [Repair] {
    expression.plainSpelling.map { [Repair("write '\($0)'", .replace(expression, with: $0))] } ?? []
  }
}

// MARK: - Changes

extension FixIt.Change {
  /// Puts a text where the node is, and leaves the layout around it.
  static func replace(_ node: some SyntaxProtocol, with text: String) -> FixIt.Change {
    .replace(
      oldNode: Syntax(node),
      newNode: Syntax(
        TokenSyntax.identifier(text, leadingTrivia: node.leadingTrivia, trailingTrivia: node.trailingTrivia)))
  }

  /// Takes the node away, with the space behind it.
  ///
  /// - Parameter spaced: whether that space stays, for what follows.
  static func remove(_ node: some SyntaxProtocol, spaced: Bool = false) -> FixIt.Change {
    .replace(
      oldNode: Syntax(node),
      newNode: Syntax(
        TokenSyntax.identifier(
          "", leadingTrivia: node.leadingTrivia, trailingTrivia: spaced ? node.trailingTrivia : [])))
  }

  /// Takes the node away, with the line break before it if it starts a line.
  static func removeLine(_ node: some SyntaxProtocol) -> FixIt.Change {
    guard node.leadingTrivia.contains(where: \.isNewline) else { return remove(node) }
    return .replace(oldNode: Syntax(node), newNode: Syntax(TokenSyntax.identifier("")))
  }

  /// Puts a member at the end of a type's body.
  static func add(_ member: String, to declaration: some DeclGroupSyntax) -> FixIt.Change {
    let brace = declaration.memberBlock.rightBrace
    let indentation = declaration.lineIndentation
    let isOnOneLine = !brace.leadingTrivia.contains(where: \.isNewline)
    return .replace(brace, with: "\(isOnOneLine ? "\n\(indentation)" : "")  \(member)\n\(indentation)}")
  }

  /// Lets a parameter have no label, under the name that it has.
  static func removeLabel(of parameter: FunctionParameterSyntax) -> FixIt.Change {
    let label = parameter.firstName
    return .replace(label, with: parameter.secondName == nil ? "_ \(label.text)" : "_")
  }

  /// Takes an element out of a list, with the comma that is then too many.
  static func remove<List: SyntaxCollection>(
    _ element: List.Element, from list: List
  ) -> FixIt.Change where List.Element: WithTrailingCommaSyntax {
    var kept = Array(list).filter { $0.id != element.id }
    if let last = kept.indices.last, element.trailingComma == nil { kept[last].trailingComma = nil }
    return .replace(
      oldNode: Syntax(list),
      newNode: Syntax(TokenSyntax.identifier(kept.map(\.description).joined())))
  }
}
