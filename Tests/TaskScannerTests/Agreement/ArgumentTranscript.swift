import SwiftSyntax

@testable import TaskScanner

/// What the arguments of annotations say, in words, as far as the build reads them: literals, names, types, arrays and
/// calls; everything else is one word. Once read off the scanner's tokens, once off the tree of swift-syntax.
enum ArgumentTranscript {
  private static let other = "other"
  /// The annotations whose arguments the build reads.
  private static let annotations = [
    "EventTask", "ScheduleTask", "NotificationTask", "SequenceTask", "DurableTask", "TaskModule",
  ]

  // MARK: - By the scanner

  static func lines(of source: SourceText) -> [String] {
    let declarations = DeclarationReader.read(source)
    return declarations.types.flatMap { type in
      declarations.attributes[type.attributes].filter { annotations.contains(source.text($0.name)) }.flatMap {
        ($0.arguments.map { ArgumentReader.arguments(in: $0, of: source) } ?? []).map { argument in
          "\(argument.value.start): " + words(SourceExpression(argument.value, of: source))
        }
      }
    }
  }

  private static func words(_ expression: SourceExpression) -> String {
    if let text = expression.plainString { return "text '\(text)'" }
    if let number = expression.integer { return "number \(number)" }
    if let elements = expression.elements { return "[\(elements.map(words).joined(separator: ", "))]" }
    if let type = expression.metatype { return "type \(type.path.plainNames.joined(separator: "."))" }
    if let path = expression.memberPath { return "name \(path.joined(separator: "."))" }
    guard let (callee, arguments) = expression.call, let path = callee.memberPath else { return other }
    let texts = arguments.map { argument in
      (argument.label.map { "\(expression.source.text($0)): " } ?? "")
        + words(SourceExpression(argument.value, of: expression.source))
    }
    return "call \(path.joined(separator: "."))(\(texts.joined(separator: ", ")))"
  }

  // MARK: - By swift-syntax

  static func lines(of file: SourceFileSyntax) -> [String] {
    let finder = AnnotationFinder(annotations)
    finder.walk(file)
    return finder.arguments.map { "\($0.positionAfterSkippingLeadingTrivia.utf8Offset): " + words($0) }
  }

  private static func words(_ expression: ExprSyntax) -> String {
    if let text = text(expression) { return "text '\(text)'" }
    if let number = number(expression) { return "number \(number)" }
    // A dictionary is no list of types or names: each of its entries is refused.
    if let dictionary = expression.as(DictionaryExprSyntax.self) {
      let count = if case .elements(let list) = dictionary.content { list.count } else { 1 }
      return "[\(Array(repeating: other, count: count).joined(separator: ", "))]"
    }
    if let array = expression.as(ArrayExprSyntax.self) {
      return "[\(array.elements.map { words($0.expression) }.joined(separator: ", "))]"
    }
    if let access = expression.as(MemberAccessExprSyntax.self), access.declName.baseName.text == "self",
      let base = access.base, let path = path(base, generics: false), path.first != ""
    {
      return "type \(path.joined(separator: "."))"
    }
    if let path = path(expression, generics: true) { return "name \(path.joined(separator: "."))" }
    guard let call = expression.as(FunctionCallExprSyntax.self), let open = call.leftParen,
      call.trailingClosure == nil, call.additionalTrailingClosures.isEmpty,
      // The scanner takes no call whose parenthesis stands apart, which nobody writes.
      call.calledExpression.trailingTrivia.isEmpty, open.leadingTrivia.isEmpty,
      let path = path(call.calledExpression, generics: true)
    else { return other }
    let texts = call.arguments.map { argument in
      (argument.label.map { "\($0.text): " } ?? "") + words(argument.expression)
    }
    return "call \(path.joined(separator: "."))(\(texts.joined(separator: ", ")))"
  }

  private static func text(_ expression: ExprSyntax) -> String? {
    guard let literal = expression.as(StringLiteralExprSyntax.self), literal.openingPounds == nil,
      literal.openingQuote.tokenKind == .stringQuote, literal.segments.count == 1,
      case .stringSegment(let segment)? = literal.segments.first, !segment.content.text.contains("\\")
    else { return nil }
    return segment.content.text
  }

  private static func number(_ expression: ExprSyntax) -> Int? {
    if let prefix = expression.as(PrefixOperatorExprSyntax.self) {
      guard prefix.operator.text == "-", let literal = prefix.expression.as(IntegerLiteralExprSyntax.self) else {
        return nil
      }
      return number(literal.literal.text, sign: "-")
    }
    return expression.as(IntegerLiteralExprSyntax.self).flatMap { number($0.literal.text, sign: "") }
  }

  private static func number(_ text: String, sign: String) -> Int? {
    let digits = text.replacing("_", with: "")
    let radixes = ["0x": 16, "0o": 8, "0b": 2]
    guard let radix = radixes[String(digits.prefix(2))] else { return Int(sign + digits) }
    return Int(sign + digits.dropFirst(2), radix: radix)
  }

  /// The names of a chain, with an empty first one where it begins with a point.
  private static func path(_ expression: ExprSyntax, generics: Bool) -> [String]? {
    switch expression.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let name) where name.argumentNames == nil:
      return plain(name.baseName).map { [$0] }
    case .memberAccessExpr(let access) where access.declName.argumentNames == nil:
      guard let name = plain(access.declName.baseName) else { return nil }
      guard let base = access.base else { return ["", name] }
      return path(base, generics: generics).map { $0 + [name] }
    case .genericSpecializationExpr(let special) where generics:
      return path(special.expression, generics: generics)
    case .nilLiteralExpr, .booleanLiteralExpr, .superExpr, .discardAssignmentExpr:
      return [expression.trimmedDescription]
    default:
      return nil
    }
  }

  private static func plain(_ name: TokenSyntax) -> String? {
    switch name.tokenKind {
    case .identifier, .keyword: TypePath.plain(name.text)
    default: nil
    }
  }
}

/// Finds the arguments of the annotations on types and extensions.
private final class AnnotationFinder: SyntaxVisitor {
  private let names: [String]
  private(set) var arguments: [ExprSyntax] = []

  init(_ names: [String]) {
    self.names = names
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { read(node.attributes) }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { read(node.attributes) }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { read(node.attributes) }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { read(node.attributes) }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { read(node.attributes) }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { read(node.attributes) }

  /// As the compiler does not, the parser takes types in the condition of an `#if`: the scanner finds none there.
  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    if let elements = node.elements { walk(elements) }
    return .skipChildren
  }

  private func read(_ list: AttributeListSyntax) -> SyntaxVisitorContinueKind {
    for element in list {
      switch element {
      case .attribute(let attribute) where names.contains(attribute.attributeName.trimmedDescription):
        if case .argumentList(let list)? = attribute.arguments { arguments += list.map(\.expression) }
      case .attribute: break
      case .ifConfigDecl(let directive):
        for case .attributes(let inner)? in directive.clauses.map(\.elements) { _ = read(inner) }
      }
    }
    return .visitChildren
  }
}
