import SwiftSyntax

/// What swift-syntax's parser finds in a file, written down one declaration a line, in the order of the names.
final class SyntaxTranscript: SyntaxVisitor {
  private var entries: [(place: AbsolutePosition, line: String)] = []

  static func lines(of file: SourceFileSyntax) -> [String] {
    let transcript = SyntaxTranscript(viewMode: .sourceAccurate)
    transcript.walk(file)
    return transcript.entries.sorted { $0.place < $1.place }.map(\.line)
  }

  private func add(_ line: String, at name: some SyntaxProtocol) {
    entries.append((name.positionAfterSkippingLeadingTrivia, line))
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { add("struct", node) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { add("enum", node) }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add("class", node) }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { add("actor", node) }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { add("protocol", node) }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    add(
      "extension", node, name: node.extendedType, attributes: node.attributes,
      modifiers: node.modifiers, isGeneric: false)
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    add(
      node.importKindSpecifier == nil ? "import" : "import kind", node, name: node.path, attributes: node.attributes,
      modifiers: node.modifiers, isGeneric: false, isNested: false)
  }

  /// Leaves out the condition: the parser takes any expression there, closures with types in them too, but the compiler
  /// takes none of these, so that nothing is ever declared in one.
  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    if let elements = node.elements { walk(elements) }
    return .skipChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    let nesting = nesting(of: Syntax(node))
    if !nesting.isLocal {
      add("typealias \(node.name.text) in \(nesting.path) if \(conditions(around: Syntax(node)))", at: node.name)
    }
    return .visitChildren
  }

  /// Methods with the mark of a module's task, among the members of a type. An operator is none of the instance's.
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let nesting = nesting(of: Syntax(node))
    if let mark = mark(in: node.attributes), isMember(node), case .identifier = node.name.tokenKind {
      add("method \(node.name.text) in \(nesting.path) if \(conditions(around: Syntax(mark)))", at: node.name)
    }
    return .visitChildren
  }

  /// The first one, inside of `#if` or not.
  private func mark(in list: AttributeListSyntax) -> AttributeSyntax? {
    list.lazy.compactMap { element -> AttributeSyntax? in
      switch element {
      case .attribute(let attribute):
        attribute.attributeName.trimmedDescription.split(separator: ".").last == "ModuleTask" ? attribute : nil
      case .ifConfigDecl(let directive):
        directive.clauses.lazy.compactMap { clause -> AttributeSyntax? in
          if case .attributes(let inner)? = clause.elements { self.mark(in: inner) } else { nil }
        }.first
      }
    }.first
  }

  /// Whether it stands directly in a type, or in an `#if` there.
  private func isMember(_ node: FunctionDeclSyntax) -> Bool {
    var parent = node.parent
    while let current = parent {
      if current.is(MemberBlockSyntax.self) { return true }
      if current.is(CodeBlockSyntax.self) || current.is(ClosureExprSyntax.self) || current.is(SourceFileSyntax.self) {
        return false
      }
      parent = current.parent
    }
    return false
  }

  private func add(_ kind: String, _ node: some DeclGroupSyntax & NamedDeclSyntax) -> SyntaxVisitorContinueKind {
    let isGeneric = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    let associated = node.as(ProtocolDeclSyntax.self)?.primaryAssociatedTypeClause != nil
    return add(
      kind, node, name: node.name, attributes: node.attributes, modifiers: node.modifiers,
      isGeneric: isGeneric || associated)
  }

  private func add(
    _ kind: String, _ node: some DeclSyntaxProtocol, name: some SyntaxProtocol, attributes: AttributeListSyntax,
    modifiers: DeclModifierListSyntax, isGeneric: Bool, isNested: Bool = true
  ) -> SyntaxVisitorContinueKind {
    // An import belongs to the file, even where it does not compile.
    let nesting = isNested ? nesting(of: Syntax(node)) : (path: "[]", isLocal: false)
    var line = "\(kind) \(name.trimmedDescription) in \(nesting.path)"
    if nesting.isLocal { line += " local" }
    if isGeneric { line += " generic" }
    line += " if \(conditions(around: Syntax(node)))"
    let words = Set(modifiers.map(\.name.text)).sorted()
    if !words.isEmpty { line += " modifiers \(words.joined(separator: " "))" }
    line += attributeTexts(attributes).joined()
    add(line, at: name)
    return .visitChildren
  }

  private func attributeTexts(_ list: AttributeListSyntax) -> [String] {
    list.flatMap { element -> [String] in
      switch element {
      case .attribute(let attribute):
        var text = " @\(attribute.attributeName.trimmedDescription)"
        if case .argumentList(let arguments)? = attribute.arguments {
          let texts = arguments.map { "\($0.label.map { "\($0.text): " } ?? "")\($0.expression.trimmedDescription)" }
          text += "(\(texts.joined(separator: " | ")))"
        } else if let arguments = attribute.arguments {
          text += "(\(arguments.trimmedDescription))"
        }
        return [text + " if \(conditions(around: Syntax(attribute)))"]
      case .ifConfigDecl(let directive):
        return directive.clauses.flatMap { clause -> [String] in
          if case .attributes(let inner)? = clause.elements { return attributeTexts(inner) }
          return []
        }
      }
    }
  }

  /// The types around a node, from the outside, and whether code stands between them. What is declared in an attribute of a
  /// type is not inside of the type.
  private func nesting(of node: Syntax) -> (path: String, isLocal: Bool) {
    var names: [String] = []
    var isLocal = false
    var current = node
    while let parent = current.parent {
      if current.kind != .attributeList, let group = parent.asProtocol((any DeclGroupSyntax).self) {
        let name =
          (group.asProtocol((any NamedDeclSyntax).self)?.name.text)
          ?? group.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
        names.append(name)
      }
      switch parent.kind {
      case .codeBlock, .closureExpr, .accessorBlock, .switchExpr: isLocal = true
      default: break
      }
      current = parent
    }
    return ("[\(names.reversed().joined(separator: " > "))]", isLocal)
  }

  private func conditions(around node: Syntax) -> String {
    var texts: [String] = []
    var current = node
    while let parent = current.parent {
      if let clause = parent.as(IfConfigClauseSyntax.self), let list = clause.parent?.as(IfConfigClauseListSyntax.self),
        let directive = list.parent?.as(IfConfigDeclSyntax.self), current.id != clause.condition?.id
      {
        let number = list.index(of: clause).map { list.distance(from: list.startIndex, to: $0) } ?? -1
        let group = directive.positionAfterSkippingLeadingTrivia.utf8Offset
        texts.append("#\(group).\(number) \(clause.condition?.trimmedDescription ?? "else")")
      }
      current = parent
    }
    return "[\(texts.reversed().joined(separator: ", "))]"
  }
}
