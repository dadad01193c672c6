import TaskGraph

/// Reads what the annotations of one file say.
struct FileReader {
  let source: SourceText
  /// Without what stands where no build looks.
  private(set) var declarations: FileDeclarations
  let module: String
  let index: Int
  /// The branches that no build has, by index.
  private var deadBranches: Set<Int> = []
  private let lines: LineTable

  init(_ source: SourceText, module: String, index: Int) {
    self.source = source
    self.module = module
    self.index = index
    declarations = DeclarationReader.read(source)
    lines = LineTable(source)
    leaveOutDeadBranches()
  }

  /// Types stay, since others stand in them, without their annotations.
  private mutating func leaveOutDeadBranches() {
    // Hardly any file has one: conditions are read only where such a word is, or several that may contradict each other.
    let isSuspicious = declarations.branches.contains { branch in
      let text = text(branch.condition)
      return branch.parent != nil || branch.previous != nil
        || ["&&", "true", "false"].contains { text.contains($0) }
    }
    guard isSuspicious else { return }
    let dead = Set(
      declarations.branches.indices.filter { branch in
        let around = conditions(branch)
        return around.contains { $0.isNever } || around.facts.isImpossible
      })
    guard !dead.isEmpty else { return }
    deadBranches = dead
    func lives(_ branch: Int?) -> Bool { branch.map { !dead.contains($0) } ?? true }
    for number in declarations.types.indices {
      // Those of one declaration stand next to each other; those in no build become nobody's.
      let attributes = declarations.types[number].attributes
      if !lives(declarations.types[number].branch) {
        declarations.types[number].attributes = attributes.lowerBound..<attributes.lowerBound
      }
      for attribute in attributes where !lives(declarations.attributes[attribute].branch) {
        declarations.attributes[attribute].name.end = declarations.attributes[attribute].name.start
      }
    }
    declarations.members.removeAll { !lives($0.branch) }
    declarations.aliases.removeAll { !lives($0.branch) }
    declarations.imports.removeAll { !lives($0.branch) }
    declarations.misplaced.removeAll { !lives($0.branch) || !lives($0.attribute.branch) }
    declarations.methods.removeAll { !lives($0.mark.branch) }
  }

  /// Whether some build may have what stands in a branch.
  func isInSomeBuild(_ branch: Int?) -> Bool { branch.map { !deadBranches.contains($0) } ?? true }

  func place(_ offset: Int) -> SourcePlace { lines.place(of: offset) }

  func expression(_ span: SourceSpan) -> SourceExpression { SourceExpression(span, of: source) }

  func label(of argument: SourceArgument) -> String? { argument.label.map(source.text) }

  func arguments(of attribute: AttributeDeclaration) -> [SourceArgument] {
    attribute.arguments.map { ArgumentReader.arguments(in: $0, of: source) } ?? []
  }

  // MARK: - Tasks

  /// - Parameter readsBodies: whether to look at what stands in the types.
  func tasks(readsBodies: Bool) -> [ScannedTask] {
    let imports = imports()
    let readsOutputs = readsBodies && ByteSearch.mayReadOutputs(source)
    return declarations.types.indices.flatMap { type in
      var tasks: [ScannedTask] = []
      for attribute in declarations.attributes[declarations.types[type].attributes] {
        // An annotation on something that cannot be a task is reported by the checks.
        guard let kind = kind(of: attribute), declarations.types[type].kind.isNominal else { continue }
        var task = annotatedType(attribute, of: type, imports: imports, as: kind)
        // What it takes depends on the event; what it returns others see where they see the type.
        let readsRun = readsBodies && (kind == .event || task.access == .public) && !mayHaveMacros(type)
        if readsOutputs || readsRun {
          let body = expression(declarations.types[type].body).tokens
          if readsOutputs {
            task.outputReads = outputReads(in: body, of: task, branch: declarations.types[type].branch)
          }
          if readsRun, let parameters = runParameters(in: body) {
            if kind == .event { task.runParameter = runParameter(body[parameters]) }
            if task.access == .public { task.runOutput = runOutput(body[parameters.upperBound...]) }
          }
        }
        // One for each branch of an `#if` around the annotations; two in one build are reported by the checks.
        if tasks.allSatisfy(task.excludes) { tasks.append(task) }
      }
      return tasks + methods(of: type, imports: imports)
    }
  }

  func kind(of attribute: AttributeDeclaration) -> ScannedTask.Kind? {
    isDurableSchedule(attribute) ? nil : ScannedTask.Kind(rawValue: annotationName(attribute))
  }

  /// Without the library in front.
  func annotationName(_ attribute: AttributeDeclaration) -> String { annotationName(attribute.name) }

  func annotationName(_ span: SourceSpan) -> String {
    var name = source.text(span)
    if name.contains(where: { $0 == "`" || $0.isWhitespace }) {
      let path = TypePath.read(span, of: source)
      name = ([path.module].compactMap(\.self) + path.plainNames).joined(separator: ".")
    }
    for prefix in ["TaskKit.", "TaskKit::", "TaskKitDurable.", "TaskKitDurable::"] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    return name
  }

  /// A type with an annotation.
  ///
  /// - Parameter kind: what it is as a task; nil where it is none itself, and has no occasion.
  func annotatedType(
    _ attribute: AttributeDeclaration, of type: Int, imports: [ScannedModule.ImportedModule],
    as kind: ScannedTask.Kind? = nil
  ) -> ScannedTask {
    let declaration = declarations.types[type]
    let around = surroundings(of: type)
    let path = path(of: type)
    let values = AnnotationReader(attribute, in: self)
    let conditions = conditions(attribute.branch ?? declaration.branch)
    let attributes = ([declaration] + around).reversed().enumerated().flatMap { depth, type in
      availability(of: type, at: depth, beside: conditions)
    }
    var task = ScannedTask(
      kind: kind ?? .event, module: module, path: path.plainNames, typeName: path.text,
      name: values.name ?? ([module] + path.plainNames).joined(separator: "."), place: place(attribute.start),
      namePlace: place(declaration.name.start), file: index, imports: imports,
      surroundings: nameSurroundings(declaration.parent), supertypes: supertypes(of: declaration),
      access: access(declaration.modifiers, in: declaration.parent),
      extended: around.last.flatMap { $0.kind == .extension ? TypePath.read($0.name, of: source) : nil },
      occasions: kind.map(values.occasions) ?? [], priority: kind == nil ? 500 : values.priority,
      dependencies: values.dependencies, after: kind == nil ? [] : values.after,
      conditions: conditions,
      attributes: attributes,
      isCollectable: !([declaration] + around).contains {
        $0.isLocal || $0.isGeneric || $0.isHidden || isConstrained($0)
      },
      bareNames: values.bareNames)
    if kind == .event {
      task.events = values.madeEvents(by: task)
      task.eventReferences = values.eventReferences
    }
    if kind == .notification { task.burst = values.burst }
    if kind != nil {
      task.lane = values.lane
      // As the macro finds out that a task comes after itself.
      let names = values.name.map { [$0] } ?? [task.name, task.path.joined(separator: ".")]
      task.ownNames = task.after.filter { names.contains($0.name) }.map(\.place)
    }
    return task
  }

  /// The types around a type, innermost first.
  func surroundings(of type: Int) -> [TypeDeclaration] {
    Array(
      sequence(state: declarations.types[type].parent) { next in
        defer { next = next.flatMap { declarations.types[$0].parent } }
        return next.map { declarations.types[$0] }
      })
  }

  /// The `@available` of a type, as far as a build can have them that has what stands under some conditions.
  private func availability(
    of type: TypeDeclaration, at depth: Int, beside known: [ScannedTask.Condition]
  ) -> [Availability.Attribute] {
    declarations.attributes[type.attributes].compactMap { attribute in
      guard source.text(attribute.name) == "available", let arguments = attribute.arguments else { return nil }
      let conditions = conditions(attribute.branch)
      if conditions.exclude(known) { return nil }
      return .init(
        arguments: text(arguments), depth: depth, conditions: conditions.filter { !known.contains($0) })
    }
  }

  /// The names of the types around a type, outermost first, and its own.
  func path(of type: Int) -> TypePath {
    ([declarations.types[type]] + surroundings(of: type)).reduce(into: TypePath()) { path, type in
      let names = TypePath.read(type.name, of: source)
      path.names.insert(contentsOf: names.names, at: 0)
      path.module = names.module
    }
  }

  // MARK: - What names mean

  /// What stands around a declaration, innermost first, as the compiler looks names up in it.
  func nameSurroundings(_ innermost: Int?) -> [NameScope.Surrounding] {
    sequence(first: innermost) { $0.map { declarations.types[$0].parent } }.prefix { $0 != nil }.compactMap { index in
      index.map {
        let type = declarations.types[$0]
        return .init(
          path: path(of: $0).plainNames, isExtension: type.kind == .extension, supertypes: supertypes(of: type))
      }
    }
  }

  /// What stands behind the colon of a type or an extension.
  func supertypes(of type: TypeDeclaration) -> [TypePath] {
    let tokens = expression(type.header).tokens
    // Generic parameters have colons of their own.
    var depth = 0
    let colon = tokens.first { token in
      switch token.kind {
      case .binaryOperator, .prefixOperator, .postfixOperator:
        depth += angles(in: token)
        return false
      default: return depth == 0 && token.kind == .colon
      }
    }
    guard let colon else { return [] }
    let end = tokens.first { $0.kind == .word && source.text($0.span) == "where" }?.start ?? type.header.end
    guard colon.end < end else { return [] }
    return composedTypes(in: SourceSpan(start: colon.end, end: end))
  }

  /// How many angles an operator opens, less those that it closes.
  private func angles(in token: Token) -> Int {
    source.bytes[token.start..<token.end].reduce(0) { depth, byte in
      depth + (byte == UInt8(ascii: "<") ? 1 : byte == UInt8(ascii: ">") ? -1 : 0)
    }
  }

  /// The types of `@MainActor A`, `nonisolated A, B`, `A & (B & C)`, one by one and without what stands in front of them.
  func composedTypes(in span: SourceSpan) -> [TypePath] {
    var types: [TypePath] = []
    var open = [expression(span).tokens[...]]
    while let next = open.popLast() {
      for part in parts(of: next) {
        let type = withoutAttributes(part)
        guard let first = type.first, let last = type.last else { continue }
        if first.kind == .leftParen, type.closing(type.startIndex) == type.endIndex - 1 {
          open.append(type.dropFirst().dropLast())
        } else {
          types.append(TypePath.read(SourceSpan(start: first.start, end: last.end), of: source))
        }
      }
    }
    return types.filter { !$0.names.isEmpty }
  }

  /// What stands between commas and `&`, outside of all brackets.
  private func parts(of tokens: ArraySlice<Token>) -> [ArraySlice<Token>] {
    var parts: [ArraySlice<Token>] = []
    var start = tokens.startIndex
    var depth = 0
    for (index, token) in zip(tokens.indices, tokens) {
      switch token.kind {
      case .leftParen, .leftSquare: depth += 1
      case .rightParen, .rightSquare: depth -= 1
      case .binaryOperator, .prefixOperator, .postfixOperator, .prefixAmpersand: depth += angles(in: token)
      default: break
      }
      guard depth == 0, token.kind == .comma || composes(token) else { continue }
      // In `A<B>&C` one token closes the angles as well.
      let isClosing = source.bytes[token.start] == UInt8(ascii: ">")
      parts.append(tokens[start..<(isClosing ? index + 1 : index)])
      start = index + 1
    }
    parts.append(tokens[start...])
    return parts
  }

  /// Whether it is `&`, or has one: `>&`, `&~`.
  func composes(_ token: Token) -> Bool {
    switch token.kind {
    case .binaryOperator, .prefixOperator, .postfixOperator, .prefixAmpersand:
      source.bytes[token.start..<token.end].contains(UInt8(ascii: "&"))
    default: false
    }
  }

  private func withoutAttributes(_ tokens: ArraySlice<Token>) -> ArraySlice<Token> {
    var rest = tokens
    while rest.count > 1, let first = rest.first {
      if first.kind == .atSign {
        rest = rest.dropFirst(2)
        while rest.count > 1, [.period, .colonColon].contains(rest[rest.startIndex].kind) { rest = rest.dropFirst(2) }
        if let next = rest.first, next.kind == .leftParen, next.start == tokens[rest.startIndex - 1].end {
          rest = rest[(rest.closing(rest.startIndex) + 1)...]
        }
      } else if Self.wordsBeforeTypes.contains(source.text(first.span)),
        [.word, .escapedWord, .atSign, .leftParen].contains(rest[rest.startIndex + 1].kind)
      {
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return rest
  }

  /// They may also be names of types.
  private static let wordsBeforeTypes: Set<String> = ["nonisolated", "any"]

  /// Whether it is `extension A where B == C`: the compiler treats what is inside as generic.
  func isConstrained(_ type: TypeDeclaration) -> Bool {
    type.kind == .extension
      && expression(type.header).tokens.contains { $0.kind == .word && source.text($0.span) == "where" }
  }

  /// Who sees a declaration, as far as its own file tells: what an extension extends may be declared elsewhere.
  func access(_ modifiers: Modifiers, in parent: Int?) -> AccessLevel { access(modifiers.accessLevel, in: parent) }

  /// The same of a declaration with this level, or without one.
  func access(_ level: String?, in parent: Int?) -> AccessLevel {
    let outer = parent.map { declarations.types[$0] }
    // Without a word it is internal, whatever type is around it; an extension speaks for what is in it.
    let written = level ?? (outer?.kind == .extension ? outer?.modifiers.accessLevel : nil)
    let isHiddenAround = outer.map { $0.isHidden || access($0.modifiers, in: $0.parent) == .hidden } ?? false
    switch written {
    case "private", "fileprivate": return .hidden
    case _ where isHiddenAround: return .hidden
    case "public", "open", "package":
      guard let outer, outer.kind != .extension else { return .public }
      return access(outer.modifiers, in: outer.parent)
    default: return .internal
    }
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
          module: module, file: index, group: declaration.group, branch: declaration.number,
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
    declarations.imports.compactMap { declaration in
      let path = TypePath.read(declaration.path, of: source).plainNames
      guard let name = path.first else { return nil }
      let attributes = declarations.attributes[declaration.attributes].map { attribute in
        "@" + source.text(attribute.name) + (attribute.arguments.map { "(\(text($0)))" } ?? "")
      }
      return .init(
        name: name, member: declaration.hasKind && path.count > 1 ? path[1] : nil,
        access: declaration.modifiers.accessLevel ?? "", attributes: attributes,
        conditions: conditions(declaration.branch))
    }
  }
}
