import SwiftDiagnostics
import SwiftSyntax

// Every mistake in the text of a calendar rule. As in `Diagnostics.swift`, the function's name is the stable id.

extension Diagnostic {
  /// What is wrong with the text behind `cron:`, each mistake at its own field; empty when nothing is.
  static func mistakes(inCron expression: ExprSyntax) -> [Diagnostic] {
    guard let text = expression.plainString else { return [cronIsNotLiteral(expression)] }
    do {
      _ = try CronReader.read(text)
      return []
    } catch {
      return error.problems.map { wrongCron($0, in: expression, text) }
    }
  }

  /// What is wrong with the text behind `daily:`, each mistake at its own part; empty when nothing is.
  static func mistakes(inDaily expression: ExprSyntax) -> [Diagnostic] {
    guard let text = expression.plainString else { return [dailyIsNotLiteral(expression)] }
    do {
      _ = try DailyReader.read(text)
      return []
    } catch {
      return error.problems.map { wrongDaily($0, in: expression, text) }
    }
  }
}

// MARK: - cron:

extension Diagnostic {
  static func cronIsNotLiteral(_ expression: ExprSyntax) -> Diagnostic {
    .error(
      "'cron:' is not a plain string literal, which is checked while compiling; write the expression between quotes",
      at: expression, repairs: Repair.plain(expression))
  }

  static func wrongCron(_ problem: CronError.Problem, in literal: ExprSyntax, _ text: String) -> Diagnostic {
    .error(problem, in: literal, text)
  }
}

// MARK: - daily:

extension Diagnostic {
  static func dailyIsNotLiteral(_ expression: ExprSyntax) -> Diagnostic {
    .error(
      "'daily:' is not a plain string literal, which is checked while compiling; write the time between quotes, as in "
        + "'daily: \"02:30\"'",
      at: expression, repairs: Repair.plain(expression))
  }

  static func wrongDaily(_ problem: CronError.Problem, in literal: ExprSyntax, _ text: String) -> Diagnostic {
    .error(problem, in: literal, text)
  }
}

// MARK: - A part of a text

extension Diagnostic {
  /// An error at a part of a plain string literal.
  ///
  /// The literal's text is one token, and a compiler marks tokens: the position is heard by other tools only. So a
  /// note draws the text once more, with the part marked.
  fileprivate static func error(
    _ problem: CronError.Problem, in literal: ExprSyntax, _ text: String, function: String = #function
  ) -> Diagnostic {
    let bytes = Array(text.utf8)
    let head = String(decoding: bytes[..<problem.range.lowerBound], as: UTF8.self)
    let tail = String(decoding: bytes[problem.range.upperBound...], as: UTF8.self)
    let fixIts = problem.replacement.map { replacement in
      FixIt(
        message: TaskMessage("replace '\(problem.part)' with '\(replacement)'", function: function),
        changes: [.replace(literal, with: "\"\(head)\(replacement)\(tail)\"")])
    }
    let drawing = "it is this part:\n  \(text)\n  \(problem.marks(in: text))"
    // A plain literal has one quote, of one byte, before its text.
    let start = literal.positionAfterSkippingLeadingTrivia.advanced(by: 1)
    return Diagnostic(
      node: literal, position: start.advanced(by: problem.range.lowerBound),
      message: TaskMessage(problem.description, function: function), highlights: [],
      notes: [Note(node: Syntax(literal), message: TaskMessage(drawing, function: function))],
      fixIts: fixIts.map { [$0] } ?? [])
  }
}
