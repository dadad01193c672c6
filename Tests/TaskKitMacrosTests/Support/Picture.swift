import SwiftDiagnostics
import Testing

/// A source in which each message is drawn below the code that it marks, as a person sees it:
///
/// ```text
/// enum Refresh {}
///      ^~~~~~~
///      | error: 'Refresh' has no 'run' …
///      | fix-it: add 'static func run()'
/// ```
struct Picture: CustomTestStringConvertible, Sendable {
  /// The ids of the errors, in the order of the source.
  let ids: [String]
  let text: String

  /// The source after each repair, in the order of the drawing.
  let repaired: [String]

  init(_ ids: String..., text: String, repaired: String...) {
    self.ids = ids
    self.text = text
    self.repaired = repaired
  }

  /// The source alone.
  var source: String {
    text.split(separator: "\n", omittingEmptySubsequences: false).filter { !Self.isDrawn($0) }.joined(separator: "\n")
  }

  var testDescription: String { ids.joined(separator: ", ") }

  private static func isDrawn(_ line: Substring) -> Bool {
    let first = line.first { $0 != " " }
    return first == "^" || first == "|"
  }

  /// Draws what an expansion reported.
  static func draw(_ expansion: Expansion, over source: String) -> String {
    var notes: [Int: [String]] = [:]
    for diagnostic in expansion.diagnostics.sorted(by: { expansion.start($0) < expansion.start($1) }) {
      let fixIts = diagnostic.fixIts.map { "fix-it: \($0.message.message)" }
      let drawing = draw(["error: \(diagnostic.message)"] + fixIts, at: expansion.marked(diagnostic), over: source)
      notes[drawing.line, default: []] += drawing.lines
      for note in diagnostic.notes {
        let drawing = draw(["note: \(note.message)"], at: expansion.range(of: note.node), over: source)
        notes[drawing.line, default: []] += drawing.lines
      }
    }
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.enumerated().flatMap { [$0.element] + notes[$0.offset, default: []] }.joined(separator: "\n")
  }

  private static func draw(
    _ messages: [String], at range: Range<Int>, over source: String
  ) -> (line: Int, lines: [String]) {
    let before = source.utf8.prefix(range.lowerBound)
    let line = before.count { $0 == UInt8(ascii: "\n") }
    let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    let marked = source.utf8.dropFirst(range.lowerBound).prefix(range.count).prefix { $0 != UInt8(ascii: "\n") }
    let margin = String(repeating: " ", count: column)
    let carets = "^" + String(repeating: "~", count: max(0, marked.count - 1))
    let text = messages.flatMap { wrap($0, width: max(40, 100 - column)) }
    return (line, ([carets] + text).map { margin + $0 })
  }

  /// Breaks a message into lines, because a picture has to fit into a source file; what the message itself puts on
  /// lines of its own, which is a drawing, stays as it is.
  private static func wrap(_ message: String, width: Int) -> [String] {
    let parts = message.split(separator: "\n", omittingEmptySubsequences: false)
    var lines: [String] = []
    for word in parts[0].split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(lines.isEmpty ? "| \(word)" : "|   \(word)")
      }
    }
    return lines + parts.dropFirst().map { "| \($0)" }
  }
}

extension Expansion {
  /// What a diagnostic marks.
  func marked(_ diagnostic: Diagnostic) -> Range<Int> { range(of: diagnostic.node) }

  fileprivate func start(_ diagnostic: Diagnostic) -> Int { marked(diagnostic).lowerBound }
}

extension Picture {
  /// Expands the source and compares what is reported with the drawing, the ids and, unless told otherwise, what the
  /// repairs make of the source.
  func check(repairs: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
    let expansion = Expansion(source)
    let diagnostics = expansion.diagnostics.sorted { expansion.start($0) < expansion.start($1) }
    #expect(Self.draw(expansion, over: source) == text, sourceLocation: sourceLocation)
    #expect(
      diagnostics.map(\.diagMessage.diagnosticID) == ids.map { MessageID(domain: "taskKit", id: $0) },
      sourceLocation: sourceLocation)
    guard repairs else { return }
    #expect(diagnostics.flatMap(\.fixIts).map(expansion.applying) == repaired, sourceLocation: sourceLocation)
  }
}
