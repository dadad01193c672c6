import TaskScanner
import Testing

@Suite struct LexerTests {
  @Test(arguments: [
    ("a.b?.c!", "word(a) period(.) word(b) postfixQuestion(?) period(.) word(c) postfixExclamation(!)"),
    ("A::B.self", "word(A) colonColon(::) word(B) period(.) word(self)"),
    ("`class`: `two words`", "escapedWord(`class`) colon(:) escapedWord(`two words`)"),
    ("a /* b /* c */ d */ e // f", "word(a) word(e)"),
    ("f(&x)", "word(f) leftParen(() prefixAmpersand(&) word(x) rightParen())"),
    ("-> == ..< ...", "arrow(->) binaryOperator(==) binaryOperator(..<) binaryOperator(...)"),
    (
      "0x1p-3 1e+5 1_000 0xff.b 1.a x.0.1",
      "number(0x1p-3) number(1e+5) number(1_000) number(0xff) period(.) word(b) number(1) period(.) word(a) "
        + "word(x) period(.) number(0) period(.) number(1)"
    ),
    (
      "#if A\n#elseif B\n#else\n#endif #selector",
      "poundIf(#if) word(A) poundElseif(#elseif) word(B) poundElse(#else) "
        + "poundEndif(#endif) pound(#) word(selector)"
    ),
    ("#!/usr/bin/swift\na", "shebang(#!/usr/bin/swift) word(a)"),
    ("\u{FEFF}a\r\nb", "word(a) word(b)"),
    ("<#name#>", "word(<#name#>)"), ("$0 $0a $a", "number($0) word($0a) word($a)"),
    ("é ∘ x", "word(é) binaryOperator(∘) word(x)"),
    ("a+/*c*/b", "word(a) postfixOperator(+) word(b)"),
  ])
  func `words, operators and directives are told apart`(text: String, expected: String) {
    #expect(tokens(text) == expected)
  }

  @Test(arguments: [
    (#""plain" x"#, #"string("plain") word(x)"#),
    (#""a\"b" x"#, #"string("a\"b") word(x)"#),
    (##"#"a"b\n"# x"##, ##"string(#"a"b\n"#) word(x)"##),
    (##"#"""# x"##, ##"string(#"""#) word(x)"##),
    ("\"\"\"\n a \"\" b\n \"\"\" x", "string(\"\"\"\n a \"\" b\n \"\"\") word(x)"),
    (#""a \(b) c""#, #"interpolationOpen("a \() word(b) interpolationClose() c")"#),
    (
      #""\(f("x)"))""#,
      #"interpolationOpen("\() word(f) leftParen(() string("x)") rightParen()) interpolationClose()")"#
    ),
    (#""\(a)\(b)""#, #"interpolationOpen("\() word(a) interpolationNext()\() word(b) interpolationClose()")"#),
    (##"#"\(a) \#(b)"#"##, ##"interpolationOpen(#"\(a) \#() word(b) interpolationClose()"#)"##),
    (
      #""\("\(a)")" x"#,
      #"interpolationOpen("\() interpolationOpen("\() word(a) interpolationClose()") interpolationClose()") word(x)"#
    ),
    (#""\(/* ) */ a)""#, #"interpolationOpen("\() word(a) interpolationClose()")"#),
  ])
  func `string literals in all forms are one piece around their interpolations`(text: String, expected: String) {
    #expect(tokens(text) == expected)
  }

  @Test(arguments: [
    ("a / b / c", "word(a) binaryOperator(/) word(b) binaryOperator(/) word(c)"),
    ("let r = /a(b)[c)]/", "word(let) word(r) equal(=) regex(/a(b)[c)]/)"),
    ("let r = /a\\/b/", "word(let) word(r) equal(=) regex(/a\\/b/)"),
    ("f(/, /)", "word(f) leftParen(() binaryOperator(/) comma(,) binaryOperator(/) rightParen())"),
    (
      "reduce(1, /) / 2",
      "word(reduce) leftParen(() number(1) comma(,) binaryOperator(/) rightParen()) "
        + "binaryOperator(/) number(2)"
    ),
    ("try? /^ x/", "word(try) postfixQuestion(?) regex(/^ x/)"),
    (
      "func /(a: A) {}",
      "word(func) prefixOperator(/) leftParen(() word(a) colon(:) word(A) rightParen()) leftBrace({) "
        + "rightBrace(})"
    ),
    ("x = +/b/", "word(x) equal(=) prefixOperator(+) regex(/b/)"),
    ("#/ a / b /#", "regex(#/ a / b /#)"),
    ("#/\n a\n/# x", "regex(#/\n a\n/#) word(x)"),
    ("x = /a\ny", "word(x) equal(=) prefixOperator(/) word(a) word(y)"),
    ("return /a/", "word(return) regex(/a/)"),
  ])
  func `a slash is guessed as the compiler guesses it`(text: String, expected: String) {
    #expect(tokens(text) == expected)
  }

  @Test func `a token knows whether it starts a line`() {
    SourceText(path: "a.swift", "a b\nc /*\n*/ d").withLexer { lexer in
      #expect((0..<4).map { _ in lexer.next().startsLine } == [true, false, true, true])
    }
  }
}
