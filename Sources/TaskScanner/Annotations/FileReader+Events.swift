extension FileReader {
  /// `static var orderPlaced: Self { .init("orderPlaced") }` in an extension of `LifecycleEvent`.
  func events() -> [ScannedEvent] {
    declarations.members.map { member in
      let parent = declarations.types[member.parent]
      let value = initialValue(behind: member.name.end, before: parent.body.end)
      let types = eventTypes(of: parent)
      return ScannedEvent(
        member: TypePath.plain(source.text(member.name)), name: value.name, alias: value.alias,
        payload: types.payload, reply: types.reply, place: place(member.name.start), module: module,
        conditions: conditions(member.branch))
    }
  }

  /// What a member is: an event of some name, or another member.
  ///
  /// The value stands behind `{`, `get {`, `return` or `=`.
  func initialValue(behind start: Int, before end: Int) -> (name: String?, alias: String?) {
    source.withLexer(from: start) { lexer in
      var tokens: [Token] = []
      var depth = 0
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile || token.start >= end { break }
        switch token.kind {
        case .leftBrace: depth += 1
        case .rightBrace: depth -= 1
        default: break
        }
        // Behind the braces, or on another line without any: the next member.
        if depth == 0, let last = tokens.last,
          token.kind == .rightBrace || (token.startsLine && last.kind != .equal && token.kind != .leftBrace)
        {
          break
        }
        tokens.append(token)
      }
      guard let opening = tokens.firstIndex(where: { $0.kind == .leftBrace || $0.kind == .equal }) else {
        return (nil, nil)
      }
      var value = tokens[(opening + 1)...]
      while let first = value.first, first.kind == .leftBrace || ["get", "return"].contains(source.text(first.span)) {
        value = value.dropFirst()
      }
      return read(value)
    }
  }

  private func read(_ value: ArraySlice<Token>) -> (name: String?, alias: String?) {
    if let open = value.firstIndex(where: { $0.kind == .leftParen }) {
      var arguments = value[(open + 1)...]
      if let label = arguments.first, source.text(label.span) == "rawValue" { arguments = arguments.dropFirst(2) }
      let argument = arguments.first
      return (argument.flatMap { expression($0.span).plainString }, nil)
    }
    // `.other`, `LifecycleEvent<A, B>.other`.
    let members = value.prefix { $0.kind != .rightBrace }
    guard let name = members.last, name.kind == .word || name.kind == .escapedWord,
      members.dropLast().last?.kind == .period
    else { return (nil, nil) }
    return (nil, TypePath.plain(source.text(name.span)))
  }

  /// Of `LifecycleEvent<Order, Void>`, and of `where Payload == Order, Reply == Void`.
  private func eventTypes(of type: TypeDeclaration) -> (payload: String, reply: String) {
    let name = expression(type.name)
    if let open = name.tokens.first(where: { source.text($0.span) == "<" }), let close = name.tokens.last {
      let list = ArgumentReader.arguments(in: SourceSpan(start: open.end, end: close.end - 1), of: source)
      let types = list.map { expression($0.value).compactText }
      return (types.first ?? "", types.count > 1 ? types[1] : "")
    }
    let header = expression(type.header)
    guard let clause = header.tokens.first(where: { source.text($0.span) == "where" }) else { return ("", "") }
    var types: [String: String] = [:]
    for part in ArgumentReader.arguments(in: SourceSpan(start: clause.end, end: type.header.end), of: source) {
      let sides = expression(part.value).compactText.split(separator: "==", maxSplits: 1).map(String.init)
      if sides.count == 2 { types[sides[0]] = sides[1] }
    }
    return (types["Payload"] ?? "", types["Reply"] ?? "")
  }
}
