import TaskScanner

/// What the scanner finds in a file, in the words of ``SyntaxTranscript``.
struct ScannerTranscript {
  private let source: SourceText
  private let declarations: FileDeclarations

  static func lines(of source: SourceText) -> [String] {
    let transcript = ScannerTranscript(source: source, declarations: DeclarationReader.read(source))
    return transcript.lines
  }

  private init(source: SourceText, declarations: FileDeclarations) {
    self.source = source
    self.declarations = declarations
  }

  private var lines: [String] {
    var entries: [(place: Int, line: String)] = []
    for type in declarations.types { entries.append((type.name.start, line(of: type))) }
    for alias in declarations.aliases {
      let line = "typealias \(source.text(alias.name)) in \(path(to: alias.parent)) if \(conditions(alias.branch))"
      entries.append((alias.name.start, line))
    }
    for declaration in declarations.imports {
      var line = "\(declaration.hasKind ? "import kind" : "import") \(source.text(declaration.path)) in []"
      line += " if \(conditions(declaration.branch))"
      line += ending(declaration.modifiers, declaration.attributes)
      entries.append((declaration.path.start, line))
    }
    for method in declarations.methods {
      let line = "method \(source.text(method.name)) in \(path(to: method.parent)) if \(conditions(method.mark.branch))"
      entries.append((method.name.start, line))
    }
    return entries.sorted { $0.place < $1.place }.map(\.line)
  }

  private func line(of type: TypeDeclaration) -> String {
    var line = "\(type.kind.rawValue) \(source.text(type.name)) in \(path(to: type.parent))"
    if type.isLocal { line += " local" }
    if type.isGeneric && type.kind != .extension { line += " generic" }
    line += " if \(conditions(type.branch))"
    return line + ending(type.modifiers, type.attributes)
  }

  private func ending(_ modifiers: Modifiers, _ attributes: Range<Int>) -> String {
    var text = ""
    let words = modifiers.names.sorted()
    if !words.isEmpty { text += " modifiers \(words.joined(separator: " "))" }
    for attribute in declarations.attributes[attributes] {
      text += " @\(source.text(attribute.name))"
      if let span = attribute.arguments {
        if Self.hasArgumentList(source.text(attribute.name)) {
          let arguments = ArgumentReader.arguments(in: span, of: source).map { argument in
            "\(argument.label.map { "\(source.text($0)): " } ?? "")\(source.text(argument.value))"
          }
          text += "(\(arguments.joined(separator: " | ")))"
        } else {
          text += "(\(source.text(ArgumentReader.trimmed(span, of: source))))"
        }
      }
      text += " if \(conditions(attribute.branch))"
    }
    return text
  }

  /// swift-syntax reads the arguments of these into nodes of their own.
  private static func hasArgumentList(_ name: String) -> Bool {
    ![
      "available", "objc", "_specialize", "specialized", "_implements", "_originallyDefinedIn", "_spi_available",
      "backDeployed", "_backDeploy", "differentiable", "derivative", "transpose", "_dynamicReplacement",
      "_documentation", "_effects", "abi",
    ].contains(name)
  }

  private func path(to parent: Int?) -> String {
    var names: [String] = []
    var current = parent
    while let index = current {
      names.append(source.text(declarations.types[index].name))
      current = declarations.types[index].parent
    }
    return "[\(names.reversed().joined(separator: " > "))]"
  }

  private func conditions(_ branch: Int?) -> String {
    var texts: [String] = []
    var current = branch
    while let index = current {
      let branch = declarations.branches[index]
      let condition = branch.condition.isEmpty ? "else" : source.text(branch.condition)
      texts.append("#\(branch.group).\(branch.number) \(condition)")
      current = branch.parent
    }
    return "[\(texts.reversed().joined(separator: ", "))]"
  }
}
