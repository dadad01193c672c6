extension FileReader {
  /// The types in `context.output(of: Type.self)` of a task's `run`, as far as it is certain that `context` is its context, and
  /// as far as some build has both what reads them and the task.
  ///
  /// - Parameters:
  ///   - tokens: what stands between the braces of the task's type.
  ///   - branch: the innermost branch of `#if` around that type, by index.
  func outputReads(
    in tokens: [Token], of task: ScannedTask, branch: Int?
  ) -> [ScannedTask.TypeReference] {
    let branches = BranchTrail(declarations.branches, around: branch)
    var reads: [ScannedTask.TypeReference] = []
    var index = 0
    while index < tokens.count {
      if let (context, body) = run(at: index, in: tokens) {
        reads += outputReads(through: context, in: tokens[body], of: task, branches)
        index = body.upperBound
      }
      // What stands in braces of its own is another method, or another type.
      index = tokens.closing(index) + 1
    }
    return reads
  }

  /// The name of the context and what stands between the braces, where a `func run(_ context: TaskContext<…>)` begins.
  private func run(at index: Int, in tokens: [Token]) -> (context: String, body: Range<Int>)? {
    // `func` `run` `(` `_` `context` `:` and at least one name behind it.
    guard index + 6 < tokens.count, text(tokens[index]) == "func", text(tokens[index + 1]) == "run",
      tokens[index + 2].kind == .leftParen, text(tokens[index + 3]) == "_", tokens[index + 5].kind == .colon
    else { return nil }
    let end = tokens.closing(index + 2)
    // It is no plain path where another parameter follows.
    let type = TypePath.read(SourceSpan(start: tokens[index + 5].end, end: tokens[end].start), of: source)
    guard type.isPlain, type.hasGenericArguments, Self.contexts.contains(type.plainNames),
      type.module ?? "TaskKit" == "TaskKit"
    else { return nil }
    var open = end + 1
    while open < tokens.count, tokens[open].kind != .leftBrace { open = tokens.closing(open) + 1 }
    guard open < tokens.count else { return nil }
    return (TypePath.plain(text(tokens[index + 4])), open + 1..<max(open + 1, tokens.closing(open)))
  }

  /// None at all where the context's name, or that of a type, may be declared a second time between the braces.
  private func outputReads(
    through context: String, in body: ArraySlice<Token>, of task: ScannedTask, _ branches: BranchTrail
  ) -> [ScannedTask.TypeReference] {
    var branches = branches
    var reads: [ScannedTask.TypeReference] = []
    var patternEnd = body.startIndex
    for index in body.indices {
      branches.follow(body[index])
      guard body[index].kind == .word || body[index].kind == .escapedWord else { continue }
      func kind(_ distance: Int) -> TokenKind {
        body.indices.contains(index + distance) ? body[index + distance].kind : .endOfFile
      }
      if kind(-1) == .period { continue }
      let word = text(body[index])
      if Self.declarations.contains(word) { return [] }
      if Self.patterns.contains(word) { patternEnd = max(patternEnd, endOfPattern(behind: index, in: body)) }
      guard TypePath.plain(word) == context else { continue }
      if index < patternEnd { return [] }
      switch (kind(-1), kind(1)) {
      case (_, .period):
        if let read = outputRead(at: index + 1, in: body), isInSomeBuild(branches.innermost),
          !conditions(branches.innermost).exclude(task.conditions)
        {
          reads.append(read)
        }
      case (_, .leftSquare): break
      // `work(context)`, `work(with: context)`, `work(context: context)`.
      case (.leftParen, .rightParen) where kind(-2) == .word, (.leftParen, .comma) where kind(-2) == .word: break
      case (.colon, .rightParen), (.colon, .comma): break
      case (_, .colon) where kind(2) == .word && text(body[index + 2]) == word: break
      // A parameter of a closure, as a rule.
      default: return []
      }
    }
    return reads
  }

  /// Where the names end that `let`, `var` or `for` declares.
  private func endOfPattern(behind start: Int, in body: ArraySlice<Token>) -> Int {
    var index = start + 1
    while index < body.endIndex {
      switch body[index].kind {
      case .equal, .colon, .comma, .leftBrace: return index
      case .word where text(body[index]) == "in": return index
      default: index = body.closing(index) + 1
      }
    }
    return index
  }

  /// The type in `.output(of: Type.self)`.
  private func outputRead(at index: Int, in body: ArraySlice<Token>) -> ScannedTask.TypeReference? {
    guard index + 5 < body.endIndex, text(body[index + 1]) == "output", body[index + 2].kind == .leftParen,
      text(body[index + 3]) == "of", body[index + 4].kind == .colon
    else { return nil }
    let end = body.closing(index + 2)
    guard end > index + 5 else { return nil }
    let type = expression(SourceSpan(start: body[index + 5].start, end: body[end - 1].end))
    return type.metatype.map { .init(path: $0.path, text: $0.text, place: place(type.span.start)) }
  }

  func text(_ token: Token) -> String { source.text(token.span) }

  /// How a source may write the type.
  static let contexts = [["TaskContext"], ["TaskKit", "TaskContext"]]

  private static let declarations: Set<String> = [
    "func", "struct", "class", "enum", "actor", "protocol", "typealias",
  ]
  private static let patterns: Set<String> = ["let", "var", "for"]
}

extension RandomAccessCollection<Token> where Index == Int {
  /// The index of the token that closes the bracket which is opened at an index; that index where none is.
  func closing(_ open: Int) -> Int {
    var depth = 0
    for index in open..<endIndex {
      switch self[index].kind {
      case .leftParen, .leftSquare, .leftBrace, .interpolationOpen: depth += 1
      case .rightParen, .rightSquare, .rightBrace, .interpolationClose: depth -= 1
      default: break
      }
      if depth <= 0 { return index }
    }
    return endIndex - 1
  }
}
