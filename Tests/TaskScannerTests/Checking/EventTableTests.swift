import Foundation
import TaskScanner
import Testing

@Suite struct EventTableTests {
  /// TaskKit's own files of events, which the scanner knows by heart.
  private static var knownEvents: String {
    get throws {
      try ["Known", "System"].map { part in
        let file = URL(fileURLWithPath: #filePath).appending(
          path: "../../../../Sources/TaskKit/Declaring/LifecycleEvent+\(part).swift")
        return try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
      }.joined()
    }
  }

  @Test func `every event of TaskKit is known with its payload and reply`() throws {
    let known = try Self.knownEvents.matches(of: /static var (\w+): Self/).map(\.1)
    #expect(known.count > 50)
    for name in known {
      let source =
        "extension LifecycleEvent<Wrong, Wrong> { static var other: Self { .init(\"\(name)\") } }\nstruct Wrong {}"
      let found = generate(["App.swift": source]).diagnostics
      #expect(found.first?.contains("error: event '\(name)' carries 'Wrong' here and") == true, "\(name)")
    }
  }

  private static let namesake = "struct LifecycleEvent { init(_ name: String) {} }"

  /// With a repeated event of the program's that would contradict TaskKit's.
  @Test(arguments: [
    (["A.swift": namesake, "B.swift": "extension LifecycleEvent {"], false),
    (["A.swift": namesake, "B.swift": "extension App.LifecycleEvent {"], false),
    (["A.swift": namesake, "B.swift": "extension App::LifecycleEvent {"], false),
    (["B.swift": "private \(namesake)\nextension LifecycleEvent {"], false),
    // Another file does not see it, or TaskKit's is named.
    (["A.swift": "private \(namesake)", "B.swift": "extension LifecycleEvent<LaunchOptions, Void> {"], true),
    (["A.swift": namesake, "B.swift": "extension TaskKit.LifecycleEvent<LaunchOptions, Void> {"], true),
    (["A.swift": "enum Box { \(namesake) }", "B.swift": "extension LifecycleEvent<LaunchOptions, Void> {"], true),
  ])
  func `a type of the module's own that is called like the type of events has none`(
    files: [String: String], isEvent: Bool
  ) throws {
    var files = files
    files["B.swift"]! += " static let didFinishLaunching = LifecycleEvent(\"didFinishLaunching\") }"
    files["C.swift"] = "@EventTask(event: .didFinishLaunching) enum A {}"
    let conflicts = generate(files).diagnostics.filter { $0.contains("event 'didFinishLaunching' happens repeatedly") }
    #expect(conflicts.isEmpty != isEvent, "\(conflicts)")
  }

  @Test func `TaskKit's own declarations of its events agree with what the scanner knows`() throws {
    #expect(try generate(["Known.swift": Self.knownEvents]).diagnostics == [])
  }

  @Test(arguments: [
    ("", "LifecycleEvent<Void, Void>(\"willTerminate\")"),
    ("", "LifecycleEvent<(), Void>.willTerminate"),
    ("extension LifecycleEvent<Void, Void> { static var last: Self { .willTerminate } }", ".last"),
    (
      "extension LifecycleEvent<Void, Void> { static let first = Self(\"first\"), last = Self(\"willTerminate\") }",
      ".last"
    ),
    (
      "#if DEBUG\nextension LifecycleEvent<Void, Void> { static var end: Self { .idle } }\n#else\n"
        + "extension LifecycleEvent<Void, Void> { static var end: Self { .init(\"willTerminate\") } }\n#endif",
      ".end"
    ),
  ])
  func `an event is the same by whatever name`(declaration: String, event: String) {
    let source = """
      \(declaration)
      #if !DEBUG
      @EventTask(event: \(event)) enum Later {}
      @EventTask(event: .didBecomeActive, dependencies: [Later.self]) enum Sooner {}
      #endif
      """
    let found = generate(["App.swift": source]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("which runs at 'willTerminate', a later event") == true)
  }

  /// What is wrong with two tasks, one of which waits for an event that an extension declares in a file without any word of
  /// TaskKit's.
  private func diagnostics(_ alias: String, _ extended: String, value: String = ".init(\"willTerminate\")") -> [String]
  {
    let app = """
      @EventTask(event: .end) enum Later {}
      @EventTask(event: .didBecomeActive, dependencies: [Later.self]) enum Sooner {}
      """
    let member = "extension \(extended) { static var end: Self { \(value) } }"
    return generate(["Aliases.swift": alias, "App.swift": app, "More.swift": member]).diagnostics
  }

  @Test(arguments: [
    ("typealias Moment = LifecycleEvent", "Moment<Void, Void>"), ("typealias Moment = LifecycleEvent", "App.Moment"),
    ("typealias Moment = LifecycleEvent", "Moment where Payload == Void, Reply == Void"),
    ("public typealias Moment = TaskKit::LifecycleEvent<Void, Void>", "Moment"),
    ("typealias Moment = TaskKit.LifecycleEvent<Void, Void>\ntypealias Short = Moment", "Short"),
    ("typealias Moment<Payload> = LifecycleEvent<Payload, Void>", "Moment<Void>"),
    ("enum Shop { typealias Moment = LifecycleEvent<Void, Void> }", "Shop.Moment"),
    ("enum Shop { typealias Moment = LifecycleEvent<Void, Void> }\ntypealias Front = Shop", "Front.Moment"),
  ])
  func `an event in an extension of an alias of their type is one`(alias: String, extended: String) {
    let name = extended.prefix { $0 != "<" && $0 != " " }
    for value in [".init(\"willTerminate\")", "\(name)(\"willTerminate\")", ".willTerminate"] {
      let found = diagnostics(alias, extended, value: value)
      #expect(found.count == 1)
      #expect(found.first?.contains("which runs at 'willTerminate', a later event") == true, "\(value)")
    }
  }

  @Test(arguments: [
    ("struct Moment {}\nenum Box { typealias Moment = LifecycleEvent<Void, Void> }", "Moment"),
    ("struct Other {}\ntypealias Moment = Other\ntypealias Event = LifecycleEvent", "Moment"),
    ("struct LifecycleEvent {}\ntypealias Moment = LifecycleEvent", "Moment"),
    ("enum Box { struct LifecycleEvent {}; typealias Moment = LifecycleEvent }", "Box.Moment"),
    (
      "struct Other {}\n#if DEBUG\ntypealias Moment = LifecycleEvent\n#else\ntypealias Moment = Other\n#endif",
      "Moment"
    ),
    ("#if false\ntypealias Moment = LifecycleEvent<Void, Void>\n#endif", "Moment"),
  ])
  func `what an extension of another type declares, or of what may be one, is none`(alias: String, extended: String) {
    #expect(diagnostics(alias, extended) == [])
  }

  @Test(arguments: [
    ("typealias Moment = LifecycleEvent<Int, Void>", "Moment", 1),
    ("enum Shop { typealias Item = Int; typealias Moment = LifecycleEvent<Item, Void> }", "Shop.Moment", 1),
    ("enum Shop { typealias Item = String; typealias Moment = LifecycleEvent<Item, Void> }", "Shop.Moment", 0),
    ("typealias Moment = LifecycleEvent", "Moment<Int, Void>", 1),
    ("typealias Moment = LifecycleEvent", "Moment<String, Void>", 0),
    ("typealias Moment = LifecycleEvent\ntypealias Last = Moment<Int, Void>", "Last", 1),
    // What the parameters of an alias stand for, the compiler knows.
    ("typealias Moment<Reply> = LifecycleEvent<String, Reply>", "Moment<Int>", 0),
    (
      "#if DEBUG\ntypealias Moment = LifecycleEvent<Int, Void>\n#else\ntypealias Moment = LifecycleEvent<String, Void>\n"
        + "#endif", "Moment", 0
    ),
  ])
  func `an event carries what the alias of their type says, where that stands`(
    alias: String, extended: String, conflicts: Int
  ) {
    let found = generate([
      "Aliases.swift": alias, "App.swift": "extension \(extended) { static var a: Self { .init(\"same\") } }",
      "More.swift": "extension LifecycleEvent<String, Void> { static var b: Self { .init(\"same\") } }",
    ]).diagnostics
    #expect(found.count == conflicts, "\(found)")
  }

  @Test func `an alias of another module counts where the extension sees it`() {
    let core = "public typealias Moment = LifecycleEvent<Void, Void>"
    let app = """
      import Core
      extension Moment { static var end: Self { .init("willTerminate") } }
      @EventTask(event: .end) enum Later {}
      @EventTask(event: .didBecomeActive, dependencies: [Later.self]) enum Sooner {}
      """
    func diagnostics(_ core: String) -> [String] {
      generate(["App.swift": app], dependencies: [(name: "Core", files: ["Core.swift": core])]).diagnostics
    }
    #expect(diagnostics(core).count == 1)
    #expect(diagnostics("private \(core.dropFirst("public ".count))") == [])
  }

  @Test(arguments: [
    ("static var shown: Self { .didBecomeActive }", ".shown", ".didBecomeActive"),
    ("static var shown: Self { .again }; static var again: Self { .idle }", ".idle", ".shown"),
    ("static var a: Self { .init(\"x\") }; static var b: Self { .init(\"x\") }", ".a", "LifecycleEvent.b"),
    ("static var a: Self { .init(\"x\", once: true) }", "LifecycleEvent<Void, Void>(\"x\", once: true)", ".a"),
    ("", ".idle", "LifecycleEvent.idle"), ("", "LifecycleEvent<Void, Void>.init(\"idle\")", ".idle"),
  ])
  func `an event that a task lists by two names is refused at the second`(
    members: String, first: String, second: String
  ) {
    let source = """
      extension LifecycleEvent<Void, Void> { \(members) }
      @EventTask(events: \(first), \(second)) enum A {}
      """
    let problem = "event '\(second)' is listed twice, so the task would run twice; remove one of them"
    #expect(
      generate(["App.swift": source]).diagnostics == [
        "App.swift:2:\(22 + first.count): error: \(problem)\nApp.swift:2:20: note: '\(first)' is the same event"
      ])
    let method = source.replacing("@EventTask", with: "@TaskModule actor M { @ModuleTask")
      .replacing("enum A {}", with: "func a() {} }")
    let found = generate(["App.swift": method]).diagnostics
    #expect(found.count == 1 && found.first?.contains("error: \(problem)") == true, "\(found)")
  }

  @Test(arguments: [
    ("static var a: Self { .init(\"x\") }; static var b: Self { .init(\"y\") }", ".a, .b"), ("", ".idle, .reload"),
    ("static var shown: Self { make() }", ".shown, LifecycleEvent<Void, Void>(\"shown\")"),
    ("", ".elsewhere, LifecycleEvent<Void, Void>(\"elsewhere\")"),
    // Of two members of a name, the types tell which one is meant.
    ("static var idle: Self { .init(\"x\") }", "LifecycleEvent<Int, Void>.idle, LifecycleEvent<Void, Void>(\"x\")"),
    (
      "\n#if DEBUG\nstatic var shown: Self { .didBecomeActive }\n#else\nstatic var shown: Self { .idle }\n#endif\n",
      ".shown, .didBecomeActive"
    ),
  ])
  func `events that are two in some build, or may be, are let be`(members: String, events: String) {
    let source = """
      extension LifecycleEvent<Void, Void> { \(members) }
      @EventTask(events: \(events)) enum A {}
      """
    #expect(generate(["App.swift": source]).diagnostics == [])
  }

  @Test(arguments: [
    "private extension LifecycleEvent<Void, Void> { static", "extension LifecycleEvent<Void, Void> { private static",
  ])
  func `a private member is an event of its own file alone`(declaration: String) {
    let member = declaration + " var shown: Self { .init(\"x\") } }"
    let task = "@EventTask(events: .shown, LifecycleEvent<Void, Void>(\"x\")) enum A {}"
    #expect(generate(["App.swift": task, "More.swift": member]).diagnostics == [])
    // One that others see may stand for it.
    let shown = "extension LifecycleEvent<Void, Void> { static var alias: Self { .shown } }"
    let found = generate([
      "App.swift": task.replacing(".shown", with: ".alias"), "More.swift": member + "\n" + shown,
    ]).diagnostics
    #expect(found.count == 1 && found.first?.contains("is listed twice") == true, "\(found)")
  }

  /// With a task of the module's own at each of two events.
  private func diagnostics(
    _ saved: String, _ shown: String, _ dependencies: [(name: String, files: [String: String])]
  ) -> [String] {
    generate(
      [
        "App.swift": """
        import Base
        import TaskKit
        @EventTask(event: \(saved)) enum Save {}
        @EventTask(event: \(shown), dependencies: [Save.self]) enum Show {}
        """
      ], dependencies: dependencies
    ).diagnostics
  }

  /// A file that declares one event.
  private static func member(
    _ declaration: String, _ name: String, _ types: String = "Void, Void"
  ) -> [String: String] {
    ["Events.swift": extended(declaration, name, types)]
  }

  private static func extended(_ declaration: String, _ name: String, _ types: String = "Void, Void") -> String {
    "extension LifecycleEvent<\(types)> { \(declaration) var \(name) } }"
  }

  @Test(arguments: [
    ("static", ".closing"), ("private static", ".closing"), ("internal static", "LifecycleEvent.closing"),
  ])
  func `a member that only its own module sees is no event of another one's`(declaration: String, event: String) {
    let ads = Self.member(declaration, "closing: Self { .willTerminate")
    #expect(diagnostics(event, ".didBecomeActive", [(name: "Ads", files: ads)]) == [])
    let base = Self.member("public static", "closing: Self { .willTerminate")
    let found = diagnostics(event, ".didBecomeActive", [(name: "Base", files: base), (name: "Ads", files: ads)])
    #expect(found.count == 1)
    #expect(found.first?.contains("which runs at 'willTerminate', a later event") == true)
  }

  @Test func `an internal member is one of a file that imports its module for tests`() {
    let base = Self.member("static", "closing: Self { .willTerminate")
    let app = """
      @testable import Base
      @EventTask(event: .closing) enum Save {}
      @EventTask(event: .didBecomeActive, dependencies: [Save.self]) enum Show {}
      """
    #expect(generate(["App.swift": app], dependencies: [(name: "Base", files: base)]).diagnostics.count == 1)
  }

  @Test func `a member of a module on which the task's own does not depend is none of its events`() {
    let mail = """
      import Base
      @EventTask(event: .closing) public enum Save {}
      @EventTask(event: .didBecomeActive, dependencies: [Save.self]) public enum Show {}
      """
    let ads = Self.extended("public static", "closing: Self { .willTerminate")
    let base = Self.extended("public static", "closing: Self { .init(\"closing\")")
    let modules: [(name: String, dependencies: Set<String>, files: [SourceText])] = [
      (name: "Ads", dependencies: [], files: [SourceText(path: "Ads.swift", ads)]),
      (name: "Base", dependencies: [], files: [SourceText(path: "Base.swift", base)]),
      (name: "Mail", dependencies: ["Base"], files: [SourceText(path: "Mail.swift", mail)]),
      (name: "App", dependencies: ["Ads", "Base", "Mail"], files: []),
    ]
    #expect(Generation(modules: modules).diagnostics == [])
  }

  @Test func `a member of several modules that say different things is left to the program`() {
    let (one, other) = (
      Self.member("public static", "closing: Self { .willTerminate"),
      Self.member("public static", "closing: Self { .init(\"closing\")", "Int, Void")
    )
    let modules = [(name: "Base", files: one), (name: "Ads", files: other)]
    #expect(diagnostics(".closing", ".didBecomeActive", modules) == [])
    #expect(diagnostics(".didBecomeActive", ".closing", modules) == [])
    // Nothing is said either of what may order something.
    let app = """
      import Base
      @EventTask(event: .closing) enum Save {}
      @EventTask(event: LifecycleEvent<Int, Void>("closing"), after: ["Save"]) enum Show {}
      """
    #expect(generate(["App.swift": app], dependencies: modules).diagnostics == [])
  }

  @Test func `TaskKit's own event is not hidden by a member that is not in sight`() {
    let ads = Self.member("static", "willTerminate: Self { .init(\"ads.end\")", "Int, Void")
    let found = diagnostics(".willTerminate", ".didBecomeActive", [(name: "Ads", files: ads)])
    #expect(found.count == 1)
    #expect(found.first?.contains("which runs at 'willTerminate', a later event") == true)
  }

  @Test(arguments: [
    ("", ".unknown"),
    ("extension LifecycleEvent<Void, Void> { static var made: Self { .init(prefix + \"x\") } }", ".made"),
  ])
  func `where the sources do not tell the event nothing is said of what 'after' orders`(
    declaration: String, event: String
  ) {
    let source = """
      \(declaration)
      @EventTask(event: LifecycleEvent<Void, Void>("x")) enum First {}
      @EventTask(event: \(event), after: ["First"]) enum Second {}
      """
    #expect(generate(["App.swift": source]).diagnostics == [])
    let told = source.replacing(event, with: ".idle")
    #expect(generate(["App.swift": told]).diagnostics.filter { $0.contains("orders nothing") }.count == 1)
  }

  private static let types = "struct P {}\nstruct Q {}\n"

  @Test(arguments: [
    ("P", "R", "typealias R = P"), ("P", "R", "typealias R = Core.Q\nenum Core { typealias Q = P }"),
    ("Box.P", "Other.P", "enum Box { struct P {} }\ntypealias Other = Box"), ("[P]", "[R]", "typealias R = P"),
    ("Dictionary<String, Int>", "[String: Int]", ""), ("Double", "TimeInterval", ""), ("Int?", "Optional<Int>", ""),
    ("(Int, Int)", "R", "typealias R = (Int, Int)"), ("() -> Void", "@Sendable () -> Void", ""),
    ("P", "R", "#if DEBUG\ntypealias R = P\n#else\ntypealias R = Q\n#endif"),
  ])
  func `one type in two spellings is no conflict`(first: String, second: String, declarations: String) {
    let source = """
      extension LifecycleEvent<\(first), Void> { static var a: Self { .init("same") } }
      extension LifecycleEvent<\(second), Void> { static var b: Self { .init("same") } }
      """
    #expect(generate(["App.swift": source, "More.swift": Self.types + declarations]).diagnostics == [])
    #expect(
      generate(["App.swift": source.replacing("Void> {", with: "Int> {"), "More.swift": Self.types + declarations])
        .diagnostics == [])
    let replies = """
      extension LifecycleEvent<Int, \(first)> { static var a: Self { .init("same") } }
      extension LifecycleEvent<Int, \(second)> { static var b: Self { .init("same") } }
      """
    #expect(generate(["App.swift": replies, "More.swift": Self.types + declarations]).diagnostics == [])
  }

  @Test(arguments: [
    ("P", "R", "typealias R = Q"), ("[P]", "[Q]", ""), ("P", "[P]", ""),
    ("Box.P", "Other.P", "enum Box { struct P {} }\nenum Bag { struct P {} }\ntypealias Other = Bag"),
    ("Int8", "UInt8", ""), ("P", "Set<P>", ""), ("any Error", "P", ""),
  ])
  func `an alias of another type is a conflict`(first: String, second: String, declarations: String) {
    let source = """
      extension LifecycleEvent<\(first), Void> { static var a: Self { .init("same") } }
      extension LifecycleEvent<\(second), Void> { static var b: Self { .init("same") } }
      """
    let found = generate(["App.swift": source, "More.swift": Self.types + declarations]).diagnostics
    #expect(found.count == 1)
    #expect(
      found.first?.contains(
        "event 'same' carries '\(second)' here and '\(first.filter { $0 != " " })' in module 'App'") == true)
  }

  /// In a package that does not see TaskKit: `public typealias OrderID = UUID`, `public typealias Orders = [UUID]`.
  @Test(arguments: [
    ("OrderID", "UUID"), ("[OrderID]", "[UUID]"), ("OrderID?", "UUID?"), ("Orders", "[UUID]"),
    ("Ledger.OrderID", "UUID"),
    ("Ledger::OrderID", "UUID"), ("[String: OrderID]", "Dictionary<String, UUID>"), ("P", "OrderID"),
    ("P", "[OrderID]"),
    ("Set<OrderID>", "Orders"), ("Receipt", "Invoice"),
  ])
  func `a name that no scanned module declares may be an alias of anything`(first: String, second: String) {
    let core = "@EventTask(event: LifecycleEvent<\(first), Void>(\"shipped\")) public enum Ship {}\n" + Self.types
    for (payload, reply) in [(second, "Void"), ("_", second)] {
      let app = "import Core\n@EventTask(event: LifecycleEvent<\(payload), \(reply)>(\"shipped\")) enum Show {}"
      let replies = core.replacing("<\(first), Void>", with: "<_, \(first)>")
      let found = generate(
        ["App.swift": app],
        dependencies: [(name: "Core", files: ["Core.swift": payload == "_" ? replies : core])])
      #expect(found.diagnostics == [])
    }
  }

  @Test(arguments: [
    (".init(\"order.\" + \"placed\")", ".init(\"order.\" + \"gone\")"),
    (".app(\"order\")", ".app(\"order\")"), (".init(\"a\").prefixed()", ".init(\"a\")\n    .prefixed()"),
    (".init(isNew ? \"a\" : \"b\")", ".init(\"a\" as String)"),
    ("isNew ? .init(\"a\") : .init(\"c\")", "Names.event(\"a\")"), ("{ .app(\"openURL\") }()", "make(\"openURL\")"),
  ])
  func `a name that is put together, or given to something else, is not taken for the event's`(
    first: String, second: String
  ) {
    let source = """
      extension LifecycleEvent<Int, Void> { static var a: Self { \(first) } }
      extension LifecycleEvent<String, Void> {
        static let b: Self = \(second)
        static var openURL: Self { \(second) }
      }
      """
    #expect(generate(["App.swift": source]).diagnostics == [])
  }

  @Test(arguments: [
    ".init(\"same\")", "return Self(\"same\", once: true)", "get { .init(\"same\", reply: .merge { $0 + $1 }) }",
    "LifecycleEvent<String, Void>(\"same\")", "TaskKit.LifecycleEvent<[String: Int], Void>.init(\"same\")",
    ".init(\n  \"same\"\n)",
  ])
  func `a plain name is read however the initialiser is written`(value: String) {
    let source = """
      extension LifecycleEvent<Int, Void> { static var a: Self { .init("same") } }
      extension LifecycleEvent<String, Void> { static var b: Self { \(value) } }
      """
    #expect(generate(["App.swift": source]).diagnostics.count == 1)
  }

  @Test(arguments: [
    "= Self(\n    \"same\"\n  )", "= LifecycleEvent<String, Void>(\n    \"same\", once: true)",
    ": Self\n    = .init(\"same\")", "= Self([\n  ].isEmpty ? 1 : 2)\n  static let c = Self(\"same\")",
  ])
  func `a value may go on over several lines`(value: String) {
    let source = """
      extension LifecycleEvent<Int, Void> { static var a: Self { .init("same") } }
      extension LifecycleEvent<String, Void> {
        static let b \(value)
        static let other = Self("other")
      }
      """
    #expect(generate(["App.swift": source]).diagnostics.count == 1)
  }
}
