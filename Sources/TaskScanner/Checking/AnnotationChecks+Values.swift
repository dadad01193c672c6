import TaskGraph

/// What the macro says with a repair. The build tool says it only where it stops the build, and no macro is asked.
extension AnnotationChecks {
  mutating func checkValues(_ attribute: AttributeDeclaration) {
    for argument in file.arguments(of: attribute) {
      let value = expression(argument)
      switch file.label(of: argument) {
      case "dependencies": checkRepeatedTypes(value)
      case "after": checkRepeatedNames(value)
      case "timeout":
        if let wrong = value.emptyDuration { refuse(.timeoutIsNotPositive(value.quotation, at: place(wrong.span))) }
      case "retry": checkAttempts(value)
      default: break
      }
    }
  }

  private mutating func checkRepeatedTypes(_ list: SourceExpression) {
    var seen: Set<String> = []
    for element in list.elements ?? [] {
      guard let (text, path) = element.metatype, !seen.insert(text).inserted else { continue }
      refuse(.duplicateDependency(path.names.joined(separator: "."), at: place(element.span)))
    }
  }

  private mutating func checkRepeatedNames(_ list: SourceExpression) {
    var seen: Set<String> = []
    for element in list.elements ?? [] {
      guard let name = predecessor(element), !seen.insert(name).inserted else { continue }
      refuse(.duplicateAfter(name, at: place(element.span)))
    }
  }

  /// `.attempts(0)`, `.attempts(0, …)`, `RetryPolicy(attempts: 0, …)`.
  private mutating func checkAttempts(_ value: SourceExpression) {
    guard let (callee, arguments) = value.call, let first = arguments.first else { return }
    guard file.label(of: first) == "attempts" || callee.lastMember == "attempts" else { return }
    let attempts = expression(first)
    if let number = attempts.number, number < 1 {
      refuse(.attemptsBelowOne(attempts.quotation, at: place(attempts.span)))
    }
  }
}

extension SourceExpression {
  /// The last name behind a point.
  fileprivate var lastMember: String? { memberPath.flatMap { $0.count > 1 ? $0.last : nil } }

  /// What says that a duration is zero or less, where that is written with a literal: the number, or `.zero`.
  fileprivate var emptyDuration: SourceExpression? {
    if lastMember == "zero" { return self }
    guard let (callee, arguments) = call, arguments.count == 1, let unit = callee.lastMember,
      ["seconds", "milliseconds", "microseconds", "nanoseconds"].contains(unit)
    else { return nil }
    let amount = SourceExpression(arguments[0].value, of: source)
    return amount.number.map { $0 <= 0 } == true ? amount : nil
  }
}
