/// How the registry file has to import a module, so that it agrees with the target's own files.
///
/// Beside an import with a level, a bare one of the same module is ambiguous, and beside a bare one a level is: the
/// compiler then complains in the person's file. So the first import that is found decides for the generated one.
struct ImportLevels {
  private let target: ScannedModule

  init(of target: ScannedModule) {
    self.target = target
  }

  /// - Parameter attributes: those of a person's import; what they let see is kept.
  func line(for module: String, attributes: [String] = []) -> String {
    let kept = attributes.filter { $0 == "@testable" || $0.hasPrefix("@_spi(") }
    let level = written(module).map { $0.isEmpty ? [] : ["internal"] } ?? []
    return (kept + level + ["import", Self.identifier(module)]).joined(separator: " ")
  }

  /// A reserved word needs backticks.
  static func identifier(_ name: String) -> String {
    SourceText(path: "", name).withLexer { lexer in
      let keyword = Keyword(of: lexer.next(), in: lexer.bytes)
      return keyword?.isReserved == true ? "`\(name)`" : name
    }
  }

  /// The level with which the target imports a module; empty for none, nil where no file imports it.
  private func written(_ module: String) -> String? {
    for (index, source) in target.files.enumerated() {
      let imports =
        target.imports[index]
        ?? (ByteSearch.mayImport(module, in: source)
          ? FileReader(source, module: target.name, index: index).imports() : [])
      if let found = imports.first(where: { $0.name == module }) { return found.access }
    }
    return nil
  }
}
