import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import Testing

@testable import TaskKitMacros

@Suite struct CalendarTextTests {
  @Test(arguments: [
    #"""
    "*/15 9-17 * * MON-FRI"
    """#,
    #"""
    "0 0 30 2 *"
         ^ wrongCron: there is no day '30' in FEB; write a day that the month has, or 'L' for the last one
         fix-it: replace '30' with 'L': "0 0 L 2 *"
    note: it is this part:
      0 0 30 2 *
          ^~
    """#,
    #"""
    "61 24 * * MON-FRY"
     ^ wrongCron: minute '61' is more than 59; write a number from 0 to 59
    note: it is this part:
      61 24 * * MON-FRY
      ^~
        ^ wrongCron: hour '24' is more than 23; write '0' for midnight
        fix-it: replace '24' with '0': "61 0 * * MON-FRY"
    note: it is this part:
      61 24 * * MON-FRY
         ^~
                   ^ wrongCron: 'FRY' is no day of the week; write 'FRI'
                   fix-it: replace 'FRY' with 'FRI': "61 24 * * MON-FRI"
    note: it is this part:
      61 24 * * MON-FRY
                    ^~~
    """#,
    #"""
    ""
     ^ wrongCron: there is no cron expression; write five fields, as in '30 2 * * *'
    note: it is this part:
      
      ^
    """#,
    #"""
    rule
    ^ cronIsNotLiteral: 'cron:' is not a plain string literal, which is checked while compiling; write the expression between quotes
    """#,
    #"""
    "\(minute) * * * *"
    ^ cronIsNotLiteral: 'cron:' is not a plain string literal, which is checked while compiling; write the expression between quotes
    """#,
  ])
  func `a wrong cron expression is marked where it is wrong`(picture: String) {
    Self.check(picture) { Diagnostic.mistakes(inCron: $0) }
  }

  @Test(arguments: [
    #"""
    "02:30"
    """#,
    #"""
    "24:60"
     ^ wrongDaily: hour '24' is more than 23; write '00' for midnight
     fix-it: replace '24' with '00': "00:60"
    note: it is this part:
      24:60
      ^~
        ^ wrongDaily: minute '60' is more than 59; write 00 to 59
    note: it is this part:
      24:60
         ^~
    """#,
    #"""
    2.30
    ^ dailyIsNotLiteral: 'daily:' is not a plain string literal, which is checked while compiling; write the time between quotes, as in 'daily: "02:30"'
    """#,
  ])
  func `a wrong time of day is marked where it is wrong`(picture: String) {
    Self.check(picture) { Diagnostic.mistakes(inDaily: $0) }
  }

  @Test func `a position counts bytes from the literal, wherever in the file that stands`() throws {
    let source = "/* é */ @ScheduleTask(cron: \"0 0 * * é\") enum Night {}"
    let literal = try #require(Parser.parse(source: source).firstLiteral)
    let mistake = try #require(Diagnostic.mistakes(inCron: ExprSyntax(literal)).first)
    let marked = source.utf8.dropFirst(mistake.position.utf8Offset).prefix(2)
    #expect(Array(marked) == Array("é".utf8))
  }

  /// Draws what is reported for the first line of the picture and compares.
  private static func check(_ picture: String, _ mistakes: (ExprSyntax) -> [Diagnostic]) {
    let source = String(picture.prefix { $0 != "\n" })
    var parser = Parser(source)
    let expression = ExprSyntax.parse(from: &parser)
    let drawn = mistakes(expression).flatMap { draw($0, over: source) }
    #expect(([source] + drawn).joined(separator: "\n") == picture)
  }

  private static let ids = ["cronIsNotLiteral", "wrongCron", "dailyIsNotLiteral", "wrongDaily"]

  private static func draw(_ diagnostic: Diagnostic, over source: String) -> [String] {
    let margin = String(repeating: " ", count: diagnostic.position.utf8Offset)
    let fixIts = diagnostic.fixIts.map { fixIt in
      let changes = fixIt.changes.map { change in
        guard case .replace(let old, let new) = change, old.description == source else { return "another change" }
        return new.description
      }
      return "\(margin)fix-it: \(fixIt.message.message): \(changes.joined())"
    }
    let id = ids.first { MessageID(domain: "taskKit", id: $0) == diagnostic.diagnosticID }
    return ["\(margin)^ \(id ?? "unknown"): \(diagnostic.message)"] + fixIts
      + diagnostic.notes.map { "note: \($0.message)" }
  }
}

extension SourceFileSyntax {
  fileprivate var firstLiteral: StringLiteralExprSyntax? {
    tokens(viewMode: .sourceAccurate).lazy.compactMap { $0.parent?.as(StringLiteralExprSyntax.self) }.first
  }
}
