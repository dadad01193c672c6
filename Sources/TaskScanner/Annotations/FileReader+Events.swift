extension FileReader {
  /// `static var orderPlaced: Self { .init("orderPlaced") }` in an extension of `LifecycleEvent`.
  func events() -> [ScannedEvent] {
    let imports = imports()
    var extensions: [Int] = []
    for member in declarations.members where extensions.last != member.parent { extensions.append(member.parent) }
    return extensions.flatMap { index in
      let scope = NameScope(module: module, file: self.index, surroundings: [], imports: imports)
      return events(in: index, of: eventTypes(of: declarations.types[index], in: scope), imports: imports)
    }
  }

  /// The events among the members of an extension.
  ///
  /// - Parameter types: what they carry, and what is answered.
  func events(
    in index: Int, of types: EventTypes, imports: [ScannedModule.ImportedModule]
  ) -> [ScannedEvent] {
    let parent = declarations.types[index]
    let extended = TypePath.read(parent.name, of: source)
    return staticMembers(of: parent).filter { $0.keyword != "func" }.map { member in
      let value = initialValue(
        behind: member.name.end, before: parent.body.end, of: EventTable.types + [extended.plainNames])
      return ScannedEvent(
        member: TypePath.plain(source.text(member.name)), name: value.name, alias: value.alias,
        payload: types.payload, reply: types.reply, options: value.options, place: place(member.name.start),
        scope: NameScope(module: module, file: self.index, surroundings: [], imports: imports),
        typeScope: types.scope, conditions: conditions(member.branch), extended: extended,
        access: access(member.access, in: index))
    }
  }

  /// Whether it declares an alias of the type of events.
  var hasAliasOfEventType: Bool {
    declarations.aliases.contains { TypePath.read($0.target, of: source).plainNames.last == EventTable.type }
  }

  /// The types of the module's own that are called like the type of events.
  func namesakesOfEventType() -> [TypeDeclaration] {
    declarations.types.filter { type in
      // One in a branch hides it in some builds only, or in none.
      type.parent == nil && !type.isLocal && type.branch == nil && type.kind != .extension
        && TypePath.plain(source.text(type.name)) == EventTable.type
    }
  }

  /// What a static member is: a value with some name, or another member; neither where the source does not tell.
  ///
  /// The value stands behind `{`, `get {`, `return` or `=`.
  ///
  /// - Parameter types: how a source may write the member's type, and `.` alone.
  func initialValue(
    behind start: Int, before end: Int, of types: [[String]]
  ) -> InitialValue {
    source.withLexer(from: start) { lexer in
      var tokens: [Token] = []
      var depth = 0
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile || token.start >= end { break }
        let isInside = depth > 0
        switch token.kind {
        case .leftBrace, .leftParen, .leftSquare, .interpolationOpen: depth += 1
        case .rightBrace, .rightParen, .rightSquare, .interpolationClose: depth -= 1
        default: break
        }
        // Behind the braces, or on another line without any brackets: the next member.
        if depth <= 0, let last = tokens.last,
          token.kind == .rightBrace
            || (!isInside && token.startsLine && last.kind != .equal
              && ![.leftBrace, .period, .equal].contains(token.kind))
        {
          break
        }
        tokens.append(token)
      }
      guard let opening = tokens.firstIndex(where: { $0.kind == .leftBrace || $0.kind == .equal }) else {
        return InitialValue()
      }
      var value = tokens[(opening + 1)...]
      while let first = value.first, first.kind == .leftBrace || ["get", "return"].contains(source.text(first.span)) {
        value = value.dropFirst()
      }
      return initialValue(Self.firstExpression(of: value), of: types)
    }
  }

  /// The tokens up to where another expression or statement begins.
  private static func firstExpression(of tokens: ArraySlice<Token>) -> ArraySlice<Token> {
    var depth = 0
    return tokens.prefix { token in
      switch token.kind {
      case .leftParen, .leftSquare, .leftBrace, .interpolationOpen: depth += 1
      case .rightParen, .rightSquare, .rightBrace, .interpolationClose: depth -= 1
      case .semicolon: return depth > 0
      case .period: break
      default: if depth == 0, token.startsLine, token.start != tokens.first?.start { return false }
      }
      return depth >= 0
    }
  }

  private func initialValue(_ value: ArraySlice<Token>, of types: [[String]]) -> InitialValue {
    guard let first = value.first, let last = value.last else { return InitialValue() }
    // `a = .init("a"), b = .init("b")`
    let values = ArgumentReader.arguments(in: SourceSpan(start: first.start, end: last.end), of: source)
    return initialValue(expression(values.first?.value ?? first.span), of: types + [["Self"]])
  }

  /// A call of anything but an initialiser, and a name that is put together, say nothing of the value's name.
  func initialValue(_ value: SourceExpression, of types: [[String]]) -> InitialValue {
    if let (callee, arguments) = value.call {
      guard var path = callee.memberPath, let argument = arguments.first else { return InitialValue() }
      if path.last == "init" { path.removeLast() } else if path == [""] { return InitialValue() }
      let label = label(of: argument)
      guard types.contains(path), label == nil || label == "rawValue" else { return InitialValue() }
      return InitialValue(
        name: expression(argument.value).plainString, labels: arguments.dropFirst().map { self.label(of: $0) },
        options: eventOptions(arguments))
    }
    // `.other`, `LifecycleEvent<A, B>.other`.
    guard let path = value.memberPath, path.count > 1, types.contains(Array(path.dropLast())) else {
      return InitialValue()
    }
    return InitialValue(alias: path.last)
  }

  /// Of `LifecycleEvent<Order, Void>`, and of `where Payload == Order, Reply == Void`.
  func eventTypes(of type: TypeDeclaration, in scope: NameScope) -> EventTypes {
    if let (payload, reply) = eventTypes(between: expression(type.name)) {
      return EventTypes(payload: payload, reply: reply, scope: scope)
    }
    let header = expression(type.header)
    guard let clause = header.tokens.first(where: { source.text($0.span) == "where" }) else {
      return EventTypes(payload: "", reply: "", scope: scope)
    }
    var types: [String: String] = [:]
    for part in ArgumentReader.arguments(in: SourceSpan(start: clause.end, end: type.header.end), of: source) {
      let sides = expression(part.value).compactText.split(separator: "==", maxSplits: 1).map(String.init)
      if sides.count == 2 { types[sides[0]] = sides[1] }
    }
    return EventTypes(payload: types["Payload"] ?? "", reply: types["Reply"] ?? "", scope: scope)
  }

  /// What stands between the angles of `LifecycleEvent<Order, Void>` or `LifecycleEvent<Order, Void>.init`; nil where there
  /// are none. What the compiler has to find out, `_`, is not said.
  func eventTypes(between name: SourceExpression) -> (payload: String, reply: String)? {
    typeArguments(of: name).map { types in (types.first ?? "", types.count > 1 ? types[1] : "") }
  }

  /// What stands between the angles behind a type's name, without white space; nil where there are none.
  func typeArguments(of name: SourceExpression) -> [String]? {
    guard let open = name.tokens.first(where: { source.text($0.span) == "<" }),
      let close = name.tokens.last(where: { source.text($0.span).hasSuffix(">") })
    else { return nil }
    // The last `>` may be one token with the one before it.
    let inside = SourceSpan(start: open.end, end: close.end - 1)
    return ArgumentReader.arguments(in: inside, of: source).map { argument in
      let tokens = expression(argument.value).tokens
      return tokens.map { source.text(SourceSpan(start: $0.start, end: min($0.end, inside.end))) }.joined()
    }.map { $0 == "_" ? "" : $0 }
  }
}

/// What an event carries, and what is answered, as the source writes it; empty where it does not say.
struct EventTypes {
  let payload: String
  let reply: String
  /// In which the names of the types are looked up.
  let scope: NameScope
}

/// What stands behind the name of a static member.
struct InitialValue {
  /// What the initialiser is given; nil where the source does not tell.
  var name: String?
  /// Of what the initialiser is told besides.
  var labels: [String?] = []
  /// The other member that it stands for.
  var alias: String?
  /// What the initialiser of an event is told besides.
  var options = EventOptions()
}
