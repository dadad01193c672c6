import TaskScanner
import Testing

@Suite struct LexerTotalityTests {
  @Test(arguments: [
    "", "\"", "\"\"\"", "#\"", "\"\\(", "\"\\(\"\\(", "/*", "/* /* */", "`", "#", "##", "#/", "#/\n", "'", "@", "{",
    "((((",
    "}}}", "#if", "#if (", "#endif", "#else", "struct", "extension", "@A(", "\\", "<#", "import", "typealias A =",
    "actor",
    "\u{0}\u{0}", "class class class", "\"\\u{", "0x", "1e", "/", "a /", "x = /", "x = /(",
  ])
  func `what is not finished comes to an end all the same`(text: String) {
    let all = tokens(text)
    #expect(all.utf8.count < 1000)
    #expect(declarations(text).count <= 1)
  }

  @Test func `broken UTF-8 is skipped`() {
    let source = SourceText(path: "a.swift", utf8: [0x61, 0xFF, 0x20, 0xC3, 0x20, 0xE2, 0x82, 0x20, 0x62, 0xF0])
    source.withLexer { lexer in
      var words: [String] = []
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile { break }
        if token.kind == .word { words.append(source.text(token.span)) }
      }
      #expect(words == ["a", "b"])
    }
  }

  /// What would be quadratic if a piece were looked at again and again; nothing here is timed, but it would not end.
  @Test(arguments: [
    "#", "/*", "(", "[", "{", "}", ")", "\"", "\"\\(", "`", "<", "<#", "@A(", "#if A\n", "#endif\n", "#/\n", "a<",
    "x = /a ",
    "#\"\"\"", "/ ", "struct A { ", "extension A.", "class final ", "+<#", "\\", "@A<", "typealias A = B<", "private(",
  ])
  func `two hundred thousand times the same piece is no problem`(piece: String) {
    let source = SourceText(path: "a.swift", String(repeating: piece, count: 200_000 / piece.utf8.count * 2))
    let found = DeclarationReader.read(source)
    #expect(found.types.count <= source.count)
    #expect(ArgumentReader.arguments(in: SourceSpan(start: 0, end: source.count), of: source).count <= source.count)
  }
}
