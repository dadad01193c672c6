import TaskScanner
import Testing

@Suite struct DeclarationReaderTests {
  @Test(arguments: [
    (
      "public enum A { struct B { final class C {} } }",
      ["enum A in [] if [] modifiers public", "struct B in [A] if []", "class C in [A > B] if [] modifiers final"]
    ),
    ("extension A.B { actor C {} }", ["extension A.B in [] if []", "actor C in [A.B] if []"]),
    (
      "extension A::B<C>: D where E == F { enum G {} }", ["extension A::B<C> in [] if []", "enum G in [A::B<C>] if []"]
    ),
    ("func f() { struct L { enum M {} } }", ["struct L in [] local if []", "enum M in [L] local if []"]),
    ("struct A { var v: Int { class L {} } }", ["struct A in [] if []", "class L in [A] local if []"]),
    ("let c = { enum L {} }", ["enum L in [] local if []"]),
    ("struct A<T> { enum `default` {} }", ["struct A in [] generic if []", "enum `default` in [A] if []"]),
    ("protocol P<A>: class { }", ["protocol P in [] generic if []"]),
    ("class A { class func f() {}; class final var v = 1; class override func g() {} }", ["class A in [] if []"]),
    ("let actor = 1\nlet a = actor\nfoo()\nactor B {}", ["actor B in [] if []"]),
    ("x.struct; f(class: 1); foo {} extension: {}; y = .protocol", []),
    (
      "typealias A = B<\n  C\n>\nactor D {}\nlet e: F<\n  G\n>\nfinal class H {}",
      ["typealias A in [] if []", "actor D in [] if []", "class H in [] if [] modifiers final"]
    ),
    (
      "let a: F<\n  G\n>?\nactor B {}\nlet c: F<\n  G\n>!\nopen class D {}\nlet e: [F<G>]\npackage enum H {}\n"
        + "let i: F<G>\nactor J {}",
      [
        "actor B in [] if []", "class D in [] if [] modifiers open", "enum H in [] if [] modifiers package",
        "actor J in [] if []",
      ]
    ),
    ("nonisolated struct A {}; private(set) var x = 1", ["struct A in [] if [] modifiers nonisolated"]),
  ])
  func `types are found with their nesting`(text: String, expected: [String]) {
    #expect(declarations(text) == expected)
  }

  @Test(arguments: [
    (
      "@EventTask(event: .a, dependencies: [B.self]) enum A {}",
      "enum A in [] if [] @EventTask(event: .a | dependencies: [B.self]) if []"
    ),
    (
      "@TaskKit.EventTask(event: .a)\n@available(iOS 13, *)\nenum A {}",
      "enum A in [] if [] @TaskKit.EventTask(event: .a) if [] @available(iOS 13, *) if []"
    ),
    ("@TaskKit::EventTask(event: .a) enum A {}", "enum A in [] if [] @TaskKit::EventTask(event: .a) if []"),
    (
      "@A<B, C>(d, e: \"\\(f, g)\") public enum A {}",
      "enum A in [] if [] modifiers public @A<B, C>(d | e: \"\\(f, g)\") if []"
    ),
    (
      "@A(b: { x, y in z }, c: (1, 2), d: D<E, F>.self) enum A {}",
      "enum A in [] if [] @A(b: { x, y in z } | c: (1, 2) | d: D<E, F>.self) if []"
    ),
    ("@A(b: x ? y : z, /* c */ d: e /* f */,) enum A {}", "enum A in [] if [] @A(b: x ? y : z | d: e) if []"),
    ("@A(b < c, d) enum A {}", "enum A in [] if [] @A(b < c | d) if []"),
    ("@A func f() {}\nenum A {}", "enum A in [] if []"),
  ])
  func `attributes keep their arguments as written`(text: String, expected: String) {
    #expect(declarations(text) == [expected])
  }

  @Test func `conditions are listed with their group and branch`() {
    let text = """
      #if os(Linux) && (
        A || B) // why
      struct S {}
      #elseif !C
        #if D
        enum E {}
        #endif
      #else
      class F {}
      #endif
      actor G {}
      """
    #expect(
      declarations(text) == [
        "struct S in [] if [#0.0 os(Linux) && (\n  A || B)]",
        "enum E in [] if [#0.1 !C, #61.0 D]",
        "class F in [] if [#0.2 else]",
        "actor G in [] if []",
      ])
  }

  @Test func `an attribute may stand in a condition of its own`() {
    let text = "#if A\n@EventTask(event: .x)\n#endif\nenum E {}"
    #expect(declarations(text) == ["enum E in [] if [] @EventTask(event: .x) if [#0.0 A]"])
  }

  @Test func `imports keep level, attributes and kind`() {
    let text = """
      @testable import A.B
      public import struct C.D
      @preconcurrency internal import E
      @_exported import F
      """
    #expect(
      declarations(text) == [
        "import A.B in [] if [] @testable if []", "import kind C.D in [] if [] modifiers public",
        "import E in [] if [] modifiers internal @preconcurrency if []", "import F in [] if [] @_exported if []",
      ])
  }

  @Test func `aliases outside of functions are listed`() {
    #expect(
      declarations("typealias A = B.C\nstruct S { typealias D<T> = E<T> }\nfunc f() { typealias G = H }") == [
        "typealias A in [] if []", "struct S in [] if []", "typealias D in [S] if []",
      ])
  }
}
