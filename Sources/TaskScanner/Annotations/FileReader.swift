import TaskGraph

/// Reads what the annotations of one file say.
struct FileReader {
  let source: SourceText
  let declarations: FileDeclarations
  let module: String
  let index: Int
  private let lines: LineTable

  init(source: SourceText, declarations: FileDeclarations, module: String, index: Int) {
    self.source = source
    self.declarations = declarations
    self.module = module
    self.index = index
    lines = LineTable(source)
  }

  func place(_ offset: Int) -> SourcePlace { lines.place(of: offset) }

  // MARK: - Tasks

  func tasks() -> [ScannedTask] {
    declarations.types.indices.compactMap { type in
      for attribute in declarations.types[type].attributes {
        if let kind = kind(of: declarations.attributes[attribute]) {
          return task(kind, attribute: declarations.attributes[attribute], type: type)
        }
      }
      return nil
    }
  }

  func kind(of attribute: AttributeDeclaration) -> ScannedTask.Kind? {
    var name = source.text(attribute.name)
    for prefix in ["TaskKit.", "TaskKit::"] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
    return ScannedTask.Kind(rawValue: name)
  }

  private func task(_ kind: ScannedTask.Kind, attribute: AttributeDeclaration, type: Int) -> ScannedTask? {
    let declaration = declarations.types[type]
    // An annotation on something that cannot be a task: the macro says so.
    guard declaration.kind != .protocol, declaration.kind != .extension else { return nil }
    let arguments = attribute.arguments.map { ArgumentReader.arguments(in: $0, of: source) } ?? []
    let path = path(of: type)
    let values = AnnotationReader(arguments: arguments, file: self)
    return ScannedTask(
      kind: kind, module: module, path: path.plain, typeName: path.source,
      name: values.name ?? ([module] + path.plain).joined(separator: "."), place: place(attribute.start), file: index,
      occasions: values.occasions(kind), priority: values.priority, dependencies: values.dependencies,
      after: values.after, conditions: conditions(attribute.branch ?? declaration.branch),
      availability: availability(of: type), isCollectable: isCollectable(type))
  }

  private func availability(of type: Int) -> [String] {
    var texts: [String] = []
    var next: Int? = type
    while let current = next {
      let declaration = declarations.types[current]
      let own = declarations.attributes[declaration.attributes].filter { source.text($0.name) == "available" }
      texts = own.compactMap { $0.arguments.map(text) } + texts
      next = declaration.parent
    }
    return texts
  }

  private func isCollectable(_ type: Int) -> Bool {
    var next: Int? = type
    while let current = next {
      let declaration = declarations.types[current]
      if declaration.isLocal || declaration.isGeneric || declaration.modifiers.contains(.private)
        || declaration.modifiers.contains(.fileprivate)
      {
        return false
      }
      next = declaration.parent
    }
    return true
  }

  /// The names of the types around a type and its own: without backticks, and as source.
  private func path(of type: Int) -> (plain: [String], source: String) {
    var parts: [String] = []
    var next: Int? = type
    while let current = next {
      let declaration = declarations.types[current]
      let text = source.text(declaration.name).filter { !$0.isWhitespace }
      parts.insert(contentsOf: FileReader.components(text).path, at: 0)
      next = declaration.parent
    }
    return (parts.map(FileReader.plain), parts.joined(separator: "."))
  }

  func plainPath(of type: Int) -> String { path(of: type).plain.joined(separator: ".") }

  /// The parts of `A.B` and of `Module::A.B`.
  static func components(_ text: String) -> (module: String?, path: [String]) {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false).map(String.init)
    let module = halves.count > 1 ? halves[0] : nil
    return (module, (halves.last ?? "").split(separator: ".").map(String.init))
  }

  static func plain(_ name: String) -> String {
    name.hasPrefix("`") && name.hasSuffix("`") ? String(name.dropFirst().dropLast()) : name
  }

  // MARK: - Conditions

  /// The branches around a declaration, outermost first.
  func conditions(_ branch: Int?) -> [ScannedTask.Condition] {
    var conditions: [ScannedTask.Condition] = []
    var next = branch
    while let current = next {
      let declaration = declarations.branches[current]
      var parts: [String] = []
      var previous = declaration.previous
      while let earlier = previous {
        parts.insert("!(\(text(declarations.branches[earlier].condition)))", at: 0)
        previous = declarations.branches[earlier].previous
      }
      let own = text(declaration.condition)
      if !own.isEmpty { parts.append(parts.isEmpty ? own : "(\(own))") }
      conditions.insert(
        .init(
          group: "\(module)/\(index)#\(declaration.group)", branch: declaration.number,
          text: parts.joined(separator: " && ")), at: 0)
      next = declaration.parent
    }
    return conditions
  }

  private func text(_ span: SourceSpan) -> String {
    source.text(ArgumentReader.trimmed(span, of: source))
  }

  // MARK: - Imports

  func imports() -> [ScannedModule.ImportedModule] {
    declarations.imports.map { declaration in
      let path = source.text(declaration.path).filter { !$0.isWhitespace }
      let parts = path.split(separator: ".").map(String.init)
      return .init(name: FileReader.plain(parts.first ?? ""), access: declaration.modifiers.accessLevel ?? "")
    }
  }
}
