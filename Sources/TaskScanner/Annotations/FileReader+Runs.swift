extension FileReader {
  /// Where the parameters of a type's `run` stand; nil where there may be another `run`.
  ///
  /// - Parameter tokens: what stands between the braces of the type.
  func runParameters(in tokens: [Token]) -> Range<Int>? {
    // What a build has of it, nobody knows here.
    guard !tokens.contains(where: { $0.kind == .poundIf }) else { return nil }
    var found: [Range<Int>] = []
    var index = 0
    while index < tokens.count {
      switch tokens[index].kind {
      // `#declarations`, `@Declaring static var a = 1`.
      case .pound: return nil
      case .atSign where !isPlain(attributeName(at: index, in: tokens)): return nil
      case .word, .escapedWord:
        guard TypePath.plain(text(tokens[index])) == "run", index == 0 || tokens[index - 1].kind != .period else {
          break
        }
        // A property or a case may be called so as well.
        guard index > 0, text(tokens[index - 1]) == "func", index + 1 < tokens.count,
          tokens[index + 1].kind == .leftParen
        else { return nil }
        found.append(index + 2..<tokens.closing(index + 1))
      default: break
      }
      index = tokens.closing(index) + 1
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The one parameter of a `run`, where that is written as a name, or as a context of one; nil for anything else.
  func runParameter(_ parameter: ArraySlice<Token>) -> ScannedTask.RunParameter? {
    // `_ payload: Type`, `_: Type`
    guard let label = parameter.first, text(label) == "_",
      let colon = parameter.prefix(3).firstIndex(where: { $0.kind == .colon }), let last = parameter.last,
      colon + 1 < parameter.endIndex
    else { return nil }
    let type = SourceSpan(start: parameter[colon + 1].start, end: last.end)
    let path = TypePath.read(type, of: source)
    guard path.isPlain else { return nil }
    guard path.hasGenericArguments else { return .init(type: path, isContext: false, place: place(type.start)) }
    return context(path, type)
  }

  /// What a `run` returns, where that is written as a name.
  ///
  /// - Parameter rest: what stands behind its parameters.
  func runOutput(_ rest: ArraySlice<Token>) -> ScannedTask.TypeReference? {
    // `) async throws(Failure) -> Type {`
    guard let arrow = rest.firstIndex(where: { $0.kind == .arrow || $0.kind == .leftBrace }),
      rest[arrow].kind == .arrow,
      let end = rest[arrow...].firstIndex(where: { $0.kind == .leftBrace }), end > arrow + 1
    else { return nil }
    let span = SourceSpan(start: rest[arrow + 1].start, end: rest[end - 1].end)
    let path = TypePath.read(span, of: source)
    guard path.isPlain, !path.hasGenericArguments else { return nil }
    return .init(path: path, text: path.text, place: place(span.start))
  }

  private func context(_ path: TypePath, _ span: SourceSpan) -> ScannedTask.RunParameter? {
    guard Self.contexts.contains(path.plainNames), path.module ?? "TaskKit" == "TaskKit",
      let open = expression(span).tokens.first(where: { text($0) == "<" }), source.text(span).hasSuffix(">")
    else { return nil }
    let inside = SourceSpan(start: open.end, end: span.end - 1)
    let type = TypePath.read(inside, of: source)
    guard type.isPlain, !type.hasGenericArguments else { return nil }
    return .init(type: type, isContext: true, place: place(expression(inside).tokens.first?.start ?? inside.start))
  }

  // MARK: - Macros of somebody else's

  /// Whether a type, or one around it, has an attribute that may be a macro, which adds what no source shows.
  func mayHaveMacros(_ type: Int) -> Bool {
    ([declarations.types[type]] + surroundings(of: type)).contains { hasMacros($0) }
  }

  /// Whether an attribute of a type, or of an extension, may be a macro of somebody else's.
  func hasMacros(_ type: TypeDeclaration) -> Bool {
    declarations.attributes[type.attributes].contains { !isPlain(annotationName($0)) }
  }

  /// Behind the `@` at an index.
  func attributeName(at index: Int, in tokens: [Token]) -> String {
    let path = tokens[(index + 1)...].prefix { [.word, .escapedWord, .period, .colonColon].contains($0.kind) }
    // `@MainActor static`
    let end = path.indices.dropFirst().first { path[$0].kind == .word && path[$0 - 1].kind == .word } ?? path.endIndex
    guard let first = path.first, end > path.startIndex else { return "" }
    return annotationName(SourceSpan(start: first.start, end: path[end - 1].end))
  }

  /// Whether an attribute adds no declarations, as one of the language's or of TaskKit's.
  func isPlain(_ attribute: String) -> Bool { Self.plainAttributes.contains(attribute) }

  private static let plainAttributes = Set(ScannedTask.Kind.allCases.map(\.rawValue)).union([
    moduleAnnotation, kindAnnotation, "ModuleTask", "MainActor", "Sendable", "available", "backDeployed", "concurrent",
    "convention", "discardableResult", "frozen", "inlinable", "inline", "nonobjc", "objc", "objcMembers",
    "preconcurrency", "safe", "unsafe", "usableFromInline", "warn_unqualified_access",
  ])
}
