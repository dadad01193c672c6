/// Makes new source texts out of old ones, the same for the same seed.
struct SourceMutator {
  private var random: SeededGenerator
  private let snippets: [String]

  /// - Parameter isAnnotated: whether what is inserted may be parts of annotations too.
  init(seed: UInt64, isAnnotated: Bool = false) {
    random = SeededGenerator(seed: seed)
    snippets = isAnnotated ? Self.snippets + Self.annotations + Self.annotations : Self.snippets
  }

  /// A text with one to three changes: something deleted, doubled, moved, inserted or replaced.
  mutating func mutate(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...random.next(below: 3) where !text.isEmpty { change(&text) }
    return text
  }

  private mutating func change(_ text: inout [UInt8]) {
    switch random.next(below: 10) {
    case 0:
      let start = random.next(below: text.count)
      text.removeSubrange(start..<min(text.count, start + 1 + random.next(below: 12)))
    case 1:
      let line = randomLine(of: text)
      text.removeSubrange(line)
    case 2:
      let line = randomLine(of: text)
      text.insert(contentsOf: Array(text[line]), at: randomLine(of: text).lowerBound)
    case 3:
      let start = random.next(below: text.count)
      let span = Array(text[start..<min(text.count, start + 1 + random.next(below: 60))])
      text.insert(contentsOf: span, at: random.next(below: text.count))
    case 4:
      text[random.next(below: text.count)] = UInt8(random.next(below: 256))
    case 5, 6:
      // A whole line is more often still valid source than a piece of one.
      text.insert(contentsOf: Array(snippet().utf8) + [0x0A], at: randomLine(of: text).lowerBound)
    case 7:
      text.insert(contentsOf: Array(snippet().utf8), at: randomGap(in: text))
    default:
      text.insert(contentsOf: Array(snippet().utf8), at: random.next(below: text.count))
    }
  }

  private mutating func snippet() -> String { snippets[random.next(below: snippets.count)] }

  private mutating func randomLine(of text: [UInt8]) -> Range<Int> {
    let middle = random.next(below: text.count)
    let start = text[..<middle].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = text[middle...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
    return start..<max(start, end)
  }

  /// A place between two words.
  private mutating func randomGap(in text: [UInt8]) -> Int {
    let start = random.next(below: text.count)
    return text[start...].firstIndex(of: 0x20) ?? start
  }

  /// What the reader of annotations could take for something else.
  private static let annotations = [
    "@EventTask(event: .idle)", "@EventTask(", "@EventTask", "@EventTask()", "@TaskKit.EventTask(event: .idle)",
    "@EventTask(events: .idle, .reload)", "@EventTask(event: .init(\"own\"))", "event: .", "event:", "events: []",
    "@ScheduleTask(every: .seconds(5))", "@ScheduleTask(cron: \"*/5 * * * *\")", "@ScheduleTask(daily: \"25:00\")",
    "cron: \"\"", "daily: \"2:3\", timeZone: \"Mars\"", "count: -1", "@NotificationTask(.done)",
    "@NotificationTask(nil)",
    "@TaskModule", "@SequenceTask(A.b)", "@DurableTask(A.self)", "name: \"\"", "name: \"a b\"", "name: \"\\(x)\"",
    "name: #\"x\"#", "name: nil", "name: \"A\" + \"B\"", "priority: .high", "priority: Priority(-1)", "priority: 1 + 1",
    "dependencies: [First.self]", "dependencies: [A.B<C>.self, (D).self, E]", "dependencies: []", "dependencies: [,]",
    "after: [\"First\"]", "after: [.optional(\"x\")]", "after: [\"\", \"\"]", "after: x", "timeout: .seconds(-1)",
    "timeout: .seconds(1.5)", "retry: .attempts(0)", "retry: .attempts(2, backoff: .fixed(.zero))", "runs: .once",
    "onFailure: .stopEvent", "lane: .a", "lane: Lane(\"x\")", "static var isEnabled: Bool { true }",
    "static let isEnabled = !false", "static func stop() {}", "func stop(_ output: Int) async throws {}",
    "extension First { static func stop() {} }", "extension App.First { static var isEnabled: Bool { true } }",
    "@MainActor static func run() {}", "static func run(_ context: TaskContext<Void>) async throws -> Int { 1 }",
    "private", "fileprivate", "public", "enum First {}", "struct Second { init() {} }", "actor Third {}", "enum",
    "extension LifecycleEvent<Int, Void> { static var own: Self { .init(\"own\") } }",
    "@EventTask(event: LifecycleEvent<[.], Void>(\"own\")) enum Half {}", "LifecycleEvent<., Void>(\"own\")",
    "@EventTask(event: LifecycleEvent<[A::], (B)>(\"own\", once: true, burst: .drop)) struct Own {}",
    "extension LifecycleEvent<[.: String], Void> { static var other: Self { .init(\"own\", burst: .queue) } }",
    "extension Notification.Name { static let done = Self(\"done\") }", "#if !(A && (B || !C))", "#if ((((A))))",
    "#if !!A", "#if os(iOS) || targetEnvironment(simulator)", "#if (A", "#if A)", "#if", "#if &&", "#elseif (A) && (B)",
    "// error: x", "import Core", "internal import TaskKit",
  ]

  /// What the lexer or the reader could take for something else.
  private static let snippets = [
    "struct S {}", "actor A {}", "actor", "let a = actor", "open", "x = open", "final class F<T>: P where T: Q {}",
    "public extension A.B<C>.D: E where F == G {}", "extension [Int] {}", "extension (any P) {}", "class func f() {}",
    "class override var v: Int { 1 }", "class final let c = 1", "indirect enum I { case a, b }",
    "protocol P<A>: class {}",
    "nonisolated(unsafe) var n = 1", "private(set) var p = 2", "open(file)", "open {}", "package struct K {}",
    "package(x)", "enum `default` { case `self` }", "typealias T = A.B<C>", "typealias U<V> = any P", "import A",
    "@testable import B.C", "public import struct D.E", "import func F.<", "@_exported import G",
    "@Foo(a: 1, b: [A.self], c: \"\\(x, y)\")", "@Foo<A, B>(1)", "@A.B(c)", "@A::B (c)", "@Foo ({ struct L {} })",
    "@available(iOS 13, *)", "@objc(a:b:)", "@MainActor", "@", "@Foo\n#if X\n@Bar(1)\n#else\n@Baz\n#endif\nstruct S {}",
    "#if DEBUG", "#if os(Linux) && (\n  A || B)", "#elseif !X // no", "#else", "#endif",
    "#if A\nstruct X {}\n#elseif B\nenum Y {}\n#else\nclass Z {}\n#endif", "#available(iOS 1, *)", "#warning(\"w\")",
    "#Preview { struct L {} }", "#sourceLocation(file: \"x\", line: 1)", "#selector(f)", "#\"\\#(x)\"#", "#\"\"\"#",
    "##\"\"#\"##", "\"\"\"\n  a \\(b + \"c\\(d)\") \"\"\n  \"\"\"", "\"\\( { struct L {} }() )\"", "\"\\(\"", "\"",
    "\"\"\"",
    "'", "`", "\\", "\\.self", "/", " / ", "/x/", "/* */", "/*", "*/", "//", "a / b / c", "let r = /a(b)[/\\/]c/",
    "try? /^ x/", "foo(/, /)", "func /(a: A, b: B) {}", "prefix operator /", "#/ a\n b /#", "#/a/#", "reduce(1, /) / 2",
    "x /y/ z", "return /a/", "case /a/:", "+/b/", "/.a", "a ? /b/ : c", "[/a/, /b/]", "!/a/", "{ /a/ }", "1/2/3",
    "<#x#>", "<", ">", "<<", ">>>", "->", "=", "&x", "...", "..<", "a<b>c", "f(a < b, c > (d))", "A<B>.self",
    "x?.struct",
    ".class", "f(class: 1, struct: 2)", "foo {} extension: {}", "(protocol: 1)", "{ actor in actor }",
    "case .a: struct C {}",
    "default:", "in", "if x { enum E {} } else { struct G {} }", "var v: Int { struct L {} ; return 1 }", "do {", "{",
    "}",
    "(", ")", "[", "]", ",", ";", ":", "::", "A::B", ".", "$0", "0x1p-3", "1e+5", "1.a", "0xff.b", "x.0.1", "é", "∘",
    "×",
    "\u{FEFF}", "\r\n", "\r", "\u{0}", "\u{A0}", "\t", "\u{C}", "précis = 1", "≠≠", "a ≠/b/", "\u{301}", "return",
    "func",
    "func f(_ x: @escaping () -> Void = { struct L {} }) {}", "init(struct s: Int) {}",
    "subscript(a: A) -> B { get {} }",
    "static func < (l: A, r: A) -> Bool { l < r }", "static func / (l: A, r: A) -> A { l / r }",
    "precedencegroup P { higherThan: Q }", "macro m() = #externalMacro(module: \"A\", type: \"B\")",
    "@attached(extension, conformances: P) macro n() = #n", "lazy var x = { class L {} }()", "let (a, b) = (1, 2)",
    "switch x { case .extension: break; case let .struct(y): actor.z }", "outer: while true { break outer }",
    "for x in y where x is Z { protocol.a }", "guard let a else { return }", "await actor.run()", "async let z = 1",
    "var w: some P { @Bar var b = 1; return b }", "let c = { @MainActor (a: Int) async -> B in struct L {} }",
    "weak var d: AnyObject?", "unowned(unsafe) let e: E", "distributed actor DA {}", "convenience init() {}",
    "deinit { class L {} }", "associatedtype Q: R = S", "enum N: Int { case a = 1, b }", "struct Gen<each T> {}",
    "let s = if x { 1 } else { 2 }", "let t: F<\n  G\n>", "let u: F<\n  G\n>?", "optional func g()",
    "infix operator +-: P", "extension A::B {}", "a::b.c",
  ]
}

extension SeededGenerator {
  /// At least 0, less than `bound`; 0 if that is 0.
  mutating func next(below bound: Int) -> Int {
    bound > 0 ? Int(next() % UInt64(bound)) : 0
  }
}
