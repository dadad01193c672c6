import SwiftSyntax

/// The arguments of an annotation.
struct Arguments {
  let list: LabeledExprListSyntax

  init(_ attribute: AttributeSyntax) {
    // Without parentheses there is no list; what is missing then, the reader of each argument says.
    list = attribute.arguments?.as(LabeledExprListSyntax.self) ?? []
  }

  /// The argument of that label.
  subscript(label: String) -> LabeledExprSyntax? {
    list.first { $0.label?.text == label }
  }

  /// The argument of that label; none where its value is `nil`, which is as if it were not written.
  func said(_ label: String) -> LabeledExprSyntax? {
    self[label].flatMap { $0.expression.is(NilLiteralExprSyntax.self) ? nil : $0 }
  }

  /// The argument of that label and those without a label behind it: how a parameter pack is written.
  func list(startingAt label: String) -> [LabeledExprSyntax] {
    guard let start = list.firstIndex(where: { $0.label?.text == label }) else { return [] }
    return [list[start]] + list[list.index(after: start)...].prefix { $0.label == nil }
  }

  /// What `name:` says; nil where it is not there, or a problem says why it cannot be read.
  func name(problems: inout Problems) -> String? {
    guard let argument = said("name") else { return nil }
    let name = argument.expression.plainString
    switch name?.contains(where: { !$0.isWhitespace }) {
    case nil: problems.add(.nameIsNotLiteral(argument))
    case false?: problems.add(.emptyName(argument, in: list))
    case true?: break
    }
    return name
  }
}
