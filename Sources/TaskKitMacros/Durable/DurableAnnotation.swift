import SwiftDiagnostics
import SwiftSyntax

/// What `@DurableTask(…)`, or a durable `@ScheduleTask(…)`, says, read once: what the builder needs of it, copied verbatim.
struct DurableAnnotation {
  /// What `kind:` says; nil when a problem says why there is none.
  private(set) var kind: String?

  /// When jobs are made; nil where only the program does.
  private(set) var schedule: String?

  /// The other arguments, which are those of `JobOptions`.
  private(set) var options: [(label: String, value: String)] = []

  /// Reads the annotation, and reports everything in it that the build could not read, or that cannot be meant.
  init(_ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) {
    let arguments = Arguments(attribute)
    readKind(arguments, attribute, on: target, problems: &problems)
    for argument in arguments.list {
      guard let label = argument.label?.text, label != "kind" else { continue }
      check(label, argument, in: arguments, problems: &problems)
      options.append((label, argument.expression.trimmedDescription))
    }
  }

  /// Reads `@ScheduleTask(…, durable: true)`. Its kind is the name that it has as a task.
  init(schedule attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems) {
    let arguments = Arguments(attribute)
    let annotation = Annotation(schedule: attribute, on: target, problems: &problems)
    kind = annotation.name ?? target.fullName
    schedule = annotation.schedule
    for argument in arguments.list {
      guard let label = argument.label?.text, label != "name", !Annotation.scheduleLabels.contains(label) else {
        continue
      }
      if label == "durable" {
        let isTrue = argument.expression.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.true)
        if !isTrue { problems.add(.durableIsNotTrue(argument, in: arguments.list)) }
        continue
      }
      check(label, argument, in: arguments, problems: &problems)
      options.append((label, argument.expression.trimmedDescription))
    }
  }

  private mutating func readKind(
    _ arguments: Arguments, _ attribute: AttributeSyntax, on target: TaskTarget, problems: inout Problems
  ) {
    let proposal = target.declaration.name.plainName.dashed
    guard let argument = arguments["kind"] else {
      problems.add(.noKind(attribute, proposal: proposal))
      return
    }
    guard let text = argument.expression.plainString else {
      problems.add(.kindIsNotLiteral(argument))
      return
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      problems.add(.emptyKind(argument, proposal: proposal))
      return
    }
    kind = text
  }

  private func check(
    _ label: String, _ argument: LabeledExprSyntax, in arguments: Arguments, problems: inout Problems
  ) {
    let value = argument.expression
    switch label {
    case "queue", "store":
      if value.plainString?.allSatisfy(\.isWhitespace) ?? false {
        problems.add(.emptyOption(label, argument, in: arguments.list))
      }
    case "attempts":
      if let attempts = value.number, attempts < 1 { problems.add(.attemptsBelowOne(value)) }
    case "crashes":
      if let crashes = value.number, crashes < 1 { problems.add(.crashesBelowOne(value)) }
    case "deadline":
      if value.isEmptyDuration { problems.add(.deadlineIsNotPositive(argument, in: arguments.list)) }
    case "limit":
      if let limit = value.number, limit < 1 { problems.add(.limitBelowOne(argument, in: arguments.list)) }
    case "keyLimit":
      guard let count = value.as(FunctionCallExprSyntax.self)?.arguments.first(where: { $0.label?.text == "count" }),
        let limit = count.expression.number, limit < 1
      else { break }
      problems.add(.keyLimitBelowOne(count.expression))
    default:
      break
    }
  }
}

extension String {
  /// `UploadPhoto` as `upload-photo`, `HTTPUpload2` as `http-upload2`.
  fileprivate var dashed: String {
    let letters = Array(self)
    var result = ""
    for (index, letter) in letters.enumerated() {
      let next = index + 1 < letters.count ? letters[index + 1] : nil
      // A word begins with a capital behind a small letter, or with the last one of several.
      if letter.isUppercase, index > 0, letters[index - 1] != "_",
        !letters[index - 1].isUppercase || next?.isLowercase ?? false
      {
        result += "-"
      }
      result += letter == "_" ? "-" : letter.lowercased()
    }
    return result
  }
}
