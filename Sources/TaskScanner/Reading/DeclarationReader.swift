/// Reads the declarations of a file.
///
/// One pass over the tokens with a stack of its own, so that no nesting is too deep and the time is linear. Text with
/// errors gives some declarations or none, never a crash.
package struct DeclarationReader {
  var lexer: Lexer
  /// The token to be looked at.
  var token: Token
  /// What stood before it.
  var previous: Token
  var scope = Scope(kind: .file)
  /// The scopes around `scope`.
  private var outer: ContiguousArray<Scope> = []
  var openInterpolations = 0
  var result = FileDeclarations()
  /// The attributes that were read but whose declaration was not; each scope's behind those of the scopes around it.
  var attributes: ContiguousArray<AttributeDeclaration> = []
  var branch: Int?
  var directives: ContiguousArray<OpenDirective> = []

  /// Reads a file.
  package static func read(_ source: SourceText) -> FileDeclarations {
    source.withLexer { lexer in
      var reader = DeclarationReader(lexer)
      reader.read()
      return reader.result
    }
  }

  private init(_ lexer: Lexer) {
    self.lexer = lexer
    previous = lexer.previous
    token = previous
    token = self.lexer.next()
  }

  /// Goes to the next token.
  mutating func advance() {
    previous = token
    token = lexer.next()
  }

  private mutating func read() {
    while true {
      switch token.kind {
      case .endOfFile:
        while leaveScope() {}
        return
      case .leftBrace: enterBraces()
      case .rightBrace: leaveBraces()
      case .leftParen, .leftSquare: enterGroup()
      case .rightParen, .rightSquare: leaveGroup()
      case .interpolationOpen: enterInterpolation()
      case .interpolationClose: leaveInterpolation()
      case .interpolationNext:
        leaveInterpolation()
        enterInterpolation()
      case .poundIf, .poundElseif, .poundElse, .poundEndif:
        readDirective()
        continue
      case .atSign where scope.kind != .group:
        readAttribute()
        continue
      case .word where scope.kind != .group:
        if readWord() { continue }
      default:
        forgetPending()
      }
      advance()
    }
  }
}

/// Something between two brackets, or the file.
struct Scope {
  enum Kind: UInt8 {
    case file
    /// The members of a type.
    case members
    /// The statements of a function, an accessor, a closure, …
    case statements
    /// Parentheses, square brackets or an interpolation: nothing is declared directly in them.
    case group
  }

  var kind: Kind
  var isInterpolation = false
  /// Whether what is declared here is local.
  var isLocal = false
  /// The type whose members are declared here, by index.
  var type: Int?
  /// The type whose braces have not come yet, by index.
  var awaited: Int?
  /// The pending attribute whose arguments these are, by index.
  var attribute: Int?
  /// The index of the first pending attribute of this scope.
  var firstAttribute = 0
  var modifiers: Modifiers = []
  /// Whether there are pending attributes or modifiers.
  var hasPending = false
}

// MARK: - Scopes

extension DeclarationReader {
  /// Nothing that was read so far belongs to a declaration that is still to come.
  mutating func forgetPending() {
    guard scope.hasPending else { return }
    attributes.removeLast(attributes.count - scope.firstAttribute)
    scope.modifiers = []
    scope.hasPending = false
  }

  private mutating func enter(_ new: Scope) {
    var new = new
    outer.append(scope)
    new.firstAttribute = attributes.count
    scope = new
  }

  private mutating func leaveScope() -> Bool {
    guard let last = outer.popLast() else { return false }
    let left = scope
    attributes.removeLast(attributes.count - left.firstAttribute)
    scope = last
    if left.isInterpolation { openInterpolations -= 1 }
    if left.kind == .members, let type = left.type {
      result.types[type].body.end = token.start
    } else if let attribute = left.attribute {
      attributes[attribute].arguments?.end = token.start
    }
    return true
  }

  private mutating func enterBraces() {
    forgetPending()
    if let type = scope.awaited {
      scope.awaited = nil
      result.types[type].header.end = token.start
      result.types[type].body = SourceSpan(start: token.end, end: token.end)
      enter(Scope(kind: .members, isLocal: scope.isLocal, type: type))
    } else {
      enter(Scope(kind: .statements, isLocal: true, type: scope.type))
    }
  }

  private mutating func leaveBraces() {
    // Groups that were not closed end here.
    while scope.kind == .group, leaveScope() {}
    forgetPending()
    scope.awaited = nil
    if leaveScope() { scope.awaited = nil }
  }

  private mutating func enterGroup() {
    forgetPending()
    enter(Scope(kind: .group, isLocal: scope.isLocal, type: scope.type))
  }

  /// The parentheses of an attribute do not end the list of attributes.
  mutating func enterArguments(of attribute: Int) {
    attributes[attribute].arguments = SourceSpan(start: token.end, end: token.end)
    enter(Scope(kind: .group, isLocal: scope.isLocal, type: scope.type, attribute: attribute))
    advance()
  }

  private mutating func leaveGroup() {
    if scope.kind == .group { _ = leaveScope() } else { forgetPending() }
  }

  private mutating func enterInterpolation() {
    forgetPending()
    enter(Scope(kind: .group, isInterpolation: true, isLocal: scope.isLocal, type: scope.type))
    openInterpolations += 1
  }

  private mutating func leaveInterpolation() {
    guard openInterpolations > 0 else { return }
    while !scope.isInterpolation, leaveScope() {}
    _ = leaveScope()
  }

  /// Leaves the scopes that were opened since, for a directive that stands where they should have been closed.
  mutating func leaveScopes(downTo depth: Int) {
    while outer.count > depth, leaveScope() {}
  }

  var depth: Int { outer.count }
}
