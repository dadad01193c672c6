extension FileReader {
  /// The one parameter of a type's `run`, where that is written as a name, or as a context of one; nil for anything else, and
  /// where there is another `run`.
  func runParameter(of type: TypeDeclaration) -> ScannedTask.RunParameter? {
    let tokens = expression(type.body).tokens
    // What a build has of it, nobody knows here.
    guard !tokens.contains(where: { $0.kind == .poundIf }) else { return nil }
    var found: [Range<Int>] = []
    var index = 0
    while index + 3 < tokens.count {
      if text(tokens[index]) == "func", TypePath.plain(text(tokens[index + 1])) == "run" {
        guard tokens[index + 2].kind == .leftParen else { return nil }
        found.append(index + 3..<tokens.closing(index + 2))
      }
      index = tokens.closing(index) + 1
    }
    // `_ payload: Type`, `_: Type`
    guard found.count == 1, let parameter = found.first.map({ tokens[$0] }), let label = parameter.first,
      text(label) == "_", let colon = parameter.prefix(3).firstIndex(where: { $0.kind == .colon }),
      let last = parameter.last, colon + 1 < parameter.endIndex
    else { return nil }
    let type = SourceSpan(start: parameter[colon + 1].start, end: last.end)
    let path = TypePath.read(type, of: source)
    guard path.isPlain else { return nil }
    guard path.hasGenericArguments else { return .init(type: path, isContext: false, place: place(type.start)) }
    return context(path, type)
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
}
