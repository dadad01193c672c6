import SwiftSyntax

extension TokenSyntax {
  /// The name without its backticks.
  var plainName: String {
    let name = text
    return name.hasPrefix("`") && name.hasSuffix("`") && name.count > 2 ? String(name.dropFirst().dropLast()) : name
  }
}

extension TypeSyntax {
  /// The names in `A.B`, a module selector left out; nil when it is anything but a plain chain of names.
  var namePath: [String]? { nameTokens?.map(\.plainName) }

  /// The same as the source has them.
  var nameTokens: [TokenSyntax]? {
    switch `as`(TypeSyntaxEnum.self) {
    case .identifierType(let type) where type.genericArgumentClause == nil:
      [type.name]
    case .memberType(let type) where type.genericArgumentClause == nil:
      type.baseType.nameTokens.map { $0 + [type.name] }
    default:
      nil
    }
  }
}

extension ExprSyntax {
  /// The names in `A.B`, a module selector left out; nil when it is anything but a plain chain of names.
  var namePath: [String]? {
    switch `as`(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let name) where name.argumentNames == nil:
      [name.baseName.plainName]
    case .memberAccessExpr(let access) where access.declName.argumentNames == nil:
      access.base?.namePath.map { $0 + [access.declName.baseName.plainName] }
    default:
      nil
    }
  }

  /// The type in `A.B.self`: as written, without layout, and as its names.
  var metatype: (text: String, path: [String])? {
    guard
      let access = `as`(MemberAccessExprSyntax.self), access.declName.baseName.tokenKind == .keyword(.self),
      let base = access.base, let path = base.namePath
    else { return nil }
    return (base.tokens(viewMode: .sourceAccurate).map(\.text).joined(), path)
  }

  /// What a string literal says that is on one line and has neither interpolation, escapes nor pound signs.
  var plainString: String? {
    guard
      let literal = `as`(StringLiteralExprSyntax.self), literal.openingPounds == nil,
      literal.openingQuote.tokenKind == .stringQuote, literal.segments.count == 1,
      case .stringSegment(let segment) = literal.segments.first, !segment.content.text.contains("\\")
    else { return nil }
    return segment.content.text
  }

  /// A string literal with pound signs, or on lines of its own, as a plain one; nil where that could not say the same.
  var plainSpelling: String? {
    guard
      let literal = `as`(StringLiteralExprSyntax.self), literal.segments.count == 1,
      case .stringSegment(let segment) = literal.segments.first,
      !segment.content.text.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline })
    else { return nil }
    return "\"\(segment.content.text)\""
  }

  /// The value of a number literal with an optional minus.
  var number: Double? {
    switch `as`(ExprSyntaxEnum.self) {
    case .integerLiteralExpr(let literal): Double(literal.literal.text.filter { $0 != "_" })
    case .floatLiteralExpr(let literal): Double(literal.literal.text.filter { $0 != "_" })
    case .prefixOperatorExpr(let prefix) where prefix.operator.text == "-": prefix.expression.number.map { -$0 }
    default: nil
    }
  }

  /// Whether it is a duration, written with a literal, that is zero or less.
  var isEmptyDuration: Bool { duration.map { $0 <= 0 } ?? false }

  /// Whether it is a duration, written with a literal, that is less than zero.
  var isNegativeDuration: Bool { duration.map { $0 < 0 } ?? false }

  /// A duration that is written with a literal, in whatever unit.
  private var duration: Double? {
    if let access = `as`(MemberAccessExprSyntax.self) { return access.declName.baseName.text == "zero" ? 0 : nil }
    return durationLiteral?.number
  }

  /// Where a message about a duration points: at the number in `.seconds(-5)`, else at all of it.
  var durationNumber: ExprSyntax { durationLiteral ?? self }

  /// What stands in the parentheses of `.seconds(-5)`.
  private var durationLiteral: ExprSyntax? {
    let units: Set<String> = ["seconds", "milliseconds", "microseconds", "nanoseconds"]
    guard
      let call = `as`(FunctionCallExprSyntax.self), call.arguments.count == 1,
      let unit = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text, units.contains(unit)
    else { return nil }
    return call.arguments.first?.expression
  }
}

extension AttributeListSyntax {
  /// What stands in it, without what stands inside `#if`.
  var plain: [AttributeSyntax] {
    compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
  }

  /// What stands inside `#if`, of which a macro cannot know whether it is compiled; without what no build has.
  var conditional: [AttributeSyntax] {
    flatMap { element -> [AttributeSyntax] in
      guard case .ifConfigDecl(let condition) = element else { return [] }
      return condition.possibleClauses.flatMap { clause -> [AttributeSyntax] in
        clause.elements?.as(AttributeListSyntax.self).map { $0.plain + $0.conditional } ?? []
      }
    }
  }
}

extension AttributeSyntax {
  /// The name of the attribute, without a module in front.
  var annotationName: String { attributeName.namePath?.last ?? attributeName.trimmedDescription }
}

extension SyntaxProtocol {
  /// What a message says of the node: its first line, and an ellipsis for what follows.
  var quotation: String {
    let text = trimmedDescription
    return text.firstIndex(where: \.isNewline).map { "\(text[..<$0])…" } ?? text
  }

  /// The spaces at the start of the line on which the node starts.
  var lineIndentation: String {
    let layout = leadingTrivia.description
    return String(layout[(layout.lastIndex(where: \.isNewline).map(layout.index(after:)) ?? layout.startIndex)...])
  }
}
