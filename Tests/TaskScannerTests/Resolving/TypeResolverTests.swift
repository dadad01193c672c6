import TaskScanner
import Testing

/// What a type in `dependencies:` stands for, told by the slot that the generated file names.
@Suite struct TypeResolverTests {
  private static let core = """
    @EventTask(event: .idle) public enum Load {}
    public enum Feature { @EventTask(event: .idle) public enum Load {} }
    public typealias Short = Feature
    """
  private static let superclass = "class Super { @EventTask(event: .idle) enum Mine {} }"

  @Test(arguments: [
    // The innermost scope wins, and the type itself is one.
    ("enum Load {}", "App", "Feature.Load", ".init(1, module: 0)"),
    ("", "App", "Load", ".init(0, module: 0)"),
    ("", "App", "Core.Load", ".init(0, module: 0)"),
    ("", "App", "Core::Load", ".init(0, module: 0)"),
    ("", "App", "Core::Feature.Load", ".init(1, module: 0)"),
    ("", "App", "Short.Load", ".init(1, module: 0)"),
    ("typealias Mine = Core.Short", "App", "Mine.Load", ".init(1, module: 0)"),
    ("typealias Mine = Load", "App", "Mine", ".init(0, module: 0)"),
    ("enum Box { typealias Mine = Inner; @EventTask(event: .idle) enum Inner {} }", "App", "Box.Mine", "0"),
    ("@EventTask(event: .idle) enum Load {}", "App", "Load", "0"),
    ("@EventTask(event: .idle) enum Load {}", "App", "App.Load", "0"),
    ("@EventTask(event: .idle) enum Load {}", "App", "App::Load", "0"),
    ("@EventTask(event: .idle) enum `default` {}", "App", "`default`", "0"),
    ("extension Short { @EventTask(event: .idle) enum Mine {} }", "App", "Feature.Mine", "0"),
    ("typealias Again = Short\nextension Again { @EventTask(event: .idle) enum Mine {} }", "App", "Feature.Mine", "0"),
    (
      "enum Home { enum Feed {}; typealias Own = Feed }\nextension Home.Own { @EventTask(event: .idle) enum Mine {} }",
      "App", "Home.Feed.Mine", "0"
    ),
    (
      "enum Home { enum Feed {} }\ntypealias Front = Home\nextension Front.Feed { @EventTask(event: .idle) enum Mine {} }",
      "App", "Home.Feed.Mine", "0"
    ),
    (
      "typealias Foreign = UIView\nextension Foreign { @EventTask(event: .idle) enum Mine {} }", "App", "UIView.Mine",
      "0"
    ),
    (
      "#if DEBUG\ntypealias Mode = A\n#else\ntypealias Mode = B\n#endif\nenum A {}\nenum B {}\n"
        + "extension Mode { @EventTask(event: .idle) enum Mine {} }", "App", "B.Mine", "0"
    ),
    ("enum Feed {}\nextension App.Feed { @EventTask(event: .idle) enum Mine {} }", "App", "Feed.Mine", "0"),
    ("extension Core.Feature { @EventTask(event: .idle) enum Mine {} }", "App", "Feature.Mine", "0"),
    ("extension Core::Feature { @EventTask(event: .idle) enum Mine {} }", "App", "Feature.Mine", "0"),
    // A type has what it inherits.
    ("\(superclass)\nclass Sub: Super {}\nclass Third: Sub {}", "App", "Third.Mine", "0"),
    ("\(superclass)\nclass Sub: Super {}\ntypealias Short = Sub", "App", "App.Short.Mine", "0"),
    ("\(superclass)\nclass Sub: Super {}\ntypealias Own = Sub.Mine", "App", "Own", "0"),
    ("protocol Loading { typealias Mine = Load }\nenum Home: Loading {}", "App", "Home.Mine", ".init(0, module: 0)"),
    (
      "protocol Loading {}\nextension Loading { typealias Mine = Feature }\nextension Home: Loading {}\nenum Home {}",
      "App", "Home.Mine.Load", ".init(1, module: 0)"
    ),
  ])
  func `a type is looked up as the compiler does it`(
    declaration: String, module: String, written: String, slot: String
  ) {
    let source = "import Core\n\(declaration)\n@EventTask(event: .idle, dependencies: [\(written).self]) enum Z {}"
    let found = generate(["App.swift": source], dependencies: [(name: "Core", files: ["Core.swift": Self.core])])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("dependencies: [\(slot)])") == true, "\(found.text ?? "")")
  }

  @Test(
    arguments: [
      ("", "Core.Laod", "Load"), ("", "Featur.Load", "Feature.Load"), ("", "Short.Laod", "Feature.Load"),
      ("typealias Gone = Laod", "Gone", "Load"), ("typealias Gone = Entirely.Different", "Gone", nil),
      // Not the task itself, a method of a module, or what another module keeps to itself.
      ("@EventTask(event: .idle) enum Step1 {}", "Step3", "Step1"), ("", "Step3", nil),
      ("@TaskModule final class Step1 { @ModuleTask(event: .idle) func stay() {} }", "Step1.stax", nil),
      ("", "Hiddem", nil),
      // A module that is called like its type.
      ("enum App { @EventTask(event: .idle) enum Refresh {} }", "App.Refrsh", "App.Refresh"),
    ] as [(String, String, String?)])
  func `a name that nobody has is answered with one that is near and can be meant`(
    declaration: String, written: String, suggestion: String?
  ) throws {
    let core = Self.core + "\n@EventTask(event: .idle) enum Hidden {}"
    let source = "import Core\n\(declaration)\n@EventTask(event: .idle, dependencies: [\(written).self]) enum Step2 {}"
    let found = generate(["App.swift": source], dependencies: [(name: "Core", files: ["Core.swift": core])])
    let message = try #require(found.diagnostics.first { $0.contains("task 'App.Step2' needs '\(written)'") })
    let question = message.split(separator: "did you mean '").dropFirst().first.map { $0.prefix { $0 != "'" } }
    #expect(question.map(String.init) == suggestion, "\(message)")
  }

  @Test func `an alias with one meaning in each branch is proved for all, and looked up by the program`() {
    func source(_ option: String) -> String {
      """
      @EventTask(event: .idle) enum A {}
      @EventTask(event: .idle\(option)) enum B {}
      #if DEBUG
      typealias Mode = A
      #else
      typealias Mode = B
      #endif
      @EventTask(event: .idle, dependencies: [Mode.self]) enum C {}
      """
    }
    // With slots it would wait for both in either build.
    let found = generate(["App.swift": source("")])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("C.registration, at: 2)\n") == true)
    let cycle = generate(["App.swift": source(", after: [\"C\"]")]).diagnostics
    #expect(cycle.count == 1)
    #expect(cycle.first?.contains("these tasks wait for each other") == true)
  }

  @Test func `a task sees the one of its own branch`() {
    let source = """
      #if os(iOS)
      @EventTask(event: .idle) enum A {}
      #else
      @EventTask(event: .idle) enum A {}
      @EventTask(event: .idle, dependencies: [A.self]) enum B {}
      #endif
      #if os(iOS)
      @EventTask(event: .idle, dependencies: [A.self]) enum C {}
      #endif
      """
    let text = generate(["App.swift": source]).text ?? ""
    #expect(text.contains("B.registration, at: 2, dependencies: [1])"))
    #expect(text.contains("C.registration, at: 3, dependencies: [0])"))
  }

  @Test(arguments: [true, false])
  func `what a module re-exports is seen by those who import it`(exports: Bool) {
    let found = generate(
      ["App.swift": "import Middle\n@EventTask(event: .idle, dependencies: [Load.self]) enum A {}"],
      dependencies: [
        (name: "Core", files: ["Core.swift": Self.core]),
        (name: "Middle", files: ["Middle.swift": exports ? "@_exported import Core" : "import Core"]),
      ])
    #expect(found.diagnostics.isEmpty == exports)
    #expect(found.text?.contains("dependencies: [.init(0, module: 0)])") == (exports ? true : nil))
  }

  @Test(arguments: [
    "@EventTask(event: .idle, dependencies: [Load.self]) enum A {}",
    "@EventTask(event: .idle, dependencies: [Core.Load.self]) enum A {}",
    "typealias Other = Load\n@EventTask(event: .idle, dependencies: [Other.self]) enum A {}",
  ])
  func `what one file of a module exports the others see too`(text: String) {
    let core = [(name: "Core", files: ["Core.swift": Self.core])]
    for exports in ["@_exported import Core", "@_exported import Middle"] {
      let found = generate(
        ["App.swift": text, "Exports.swift": exports],
        dependencies: core + [(name: "Middle", files: ["Middle.swift": "@_exported import Core"])])
      #expect(found.diagnostics == [])
      #expect(found.text?.contains("dependencies: [.init(0, module: 0)])") == true)
    }
    #expect(generate(["App.swift": text, "Imports.swift": "import Core"], dependencies: core).diagnostics.count == 1)
  }

  @Test func `a module that the one of the task depends on is seen where that one exports it`() {
    let modules = [(name: "Core", files: ["Core.swift": "@TaskModule public actor Feed { public init() {} }"])]
    let app = "@TaskModule(dependencies: [Feed.self]) actor Screen {}"
    let found = generate(["App.swift": app, "Exports.swift": "@_exported import Core"], dependencies: modules)
    #expect(found.diagnostics == [])
    #expect(generate(["App.swift": app], dependencies: modules).diagnostics.count == 1)
  }

  @Test(arguments: ["Feed", "Core.Feed"])
  func `a member of a type that the file sees is left to the compiler where its module is not imported`(
    extended: String
  ) {
    let news = "import Core\nextension \(extended) { @EventTask(event: .idle) public enum Refresh {} }"
    let modules = [
      (name: "Core", files: ["Core.swift": "public enum Feed {}"]), (name: "News", files: ["News.swift": news]),
    ]
    let app = "@EventTask(event: .idle, dependencies: [\(extended).Refresh.self]) enum X {}"
    let found = generate(["App.swift": "import Core\n" + app, "Other.swift": "import News"], dependencies: modules)
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("X.registration, at: 0)") == true)
    // Of a type that it does not see, none is.
    #expect(generate(["App.swift": app, "Other.swift": "import News"], dependencies: modules).diagnostics.count == 1)
  }

  @Test func `aliases in a circle come to an end`() {
    let source = "typealias A = B\ntypealias B = A\n@EventTask(event: .idle, dependencies: [A.self]) enum C {}"
    #expect(generate(["App.swift": source]).diagnostics.count == 1)
  }

  // MARK: - What is nearest

  /// The line of the generated file that adds task `X`, behind the slot: what it waits for.
  private func links(
    _ files: [String: String], dependencies: [(name: String, files: [String: String])] = []
  ) -> String {
    let found = generate(files, dependencies: dependencies)
    #expect(found.diagnostics == [])
    let line = found.text?.split(separator: "\n").first { $0.contains("X.registration") } ?? ""
    let imports = found.text?.split(separator: "\n").first { $0.contains("imports: [\"") }
    return (imports.map { $0.split(separator: "\"")[3] + " " } ?? "")
      + (line.split(separator: ": ", maxSplits: 2).dropFirst(2).first ?? "nothing")
  }

  private static let mailAndNews = [
    (name: "Mail", files: ["Mail.swift": "@EventTask(event: .idle) public enum Refresh {}"]),
    (name: "News", files: ["News.swift": "@EventTask(event: .idle) public enum Refresh {}"]),
  ]

  private static let user = "@EventTask(event: .idle, dependencies: [Refresh.self]) enum X {}"

  @Test(arguments: [
    ["App.swift": "import Mail\nimport News\ntypealias Refresh = News.Refresh\n\(user)"],
    ["App.swift": "import Mail\nimport News\n\(user)", "B.swift": "import News\ntypealias Refresh = News.Refresh"],
    ["App.swift": "import Mail\nimport News\nenum F { typealias Refresh = News.Refresh\n\(user) }"],
    ["App.swift": "import Mail\nimport enum News.Refresh\n\(user)"],
  ])
  func `an alias of the module, or a single import, goes before what is imported`(files: [String: String]) {
    #expect(links(files, dependencies: Self.mailAndNews) == "News [.init(0, module: 0)])")
  }

  @Test(arguments: [
    "enum F { typealias Load = Other; @EventTask(event: .idle, dependencies: [Load.self]) enum X {} }",
    "enum F { typealias G = H; @EventTask(event: .idle, dependencies: [G.Load.self]) enum X {} }\n"
      + "enum H { typealias Load = Other }\nenum G { @EventTask(event: .idle) enum Load {} }",
    "enum F {}\nextension F { typealias Load = Other }\n"
      + "extension F { @EventTask(event: .idle, dependencies: [Load.self]) enum X {} }",
  ])
  func `an alias hides a task that is farther away`(text: String) {
    let source = "@EventTask(event: .idle) enum Other {}\n@EventTask(event: .idle) enum Load {}\n\(text)"
    #expect(links(["App.swift": source]) == "[0])")
  }

  @Test(arguments: [
    "private typealias Load = Other", "fileprivate typealias Load = Other",
    "private extension F { typealias Load = Other }",
  ])
  func `a private alias is seen in its own file`(text: String) {
    let tasks = "@EventTask(event: .idle) enum Other {}\n@EventTask(event: .idle) enum Load {}\nenum F {}"
    let user = "extension F { @EventTask(event: .idle, dependencies: [Load.self]) enum X {} }"
    let alias = text.contains("extension") ? text : "extension F { \(text) }"
    #expect(links(["A.swift": tasks, "B.swift": "\(alias)\n\(user)"]) == "[0])")
    #expect(links(["A.swift": tasks, "B.swift": alias, "C.swift": user]) == "[1])")
    // An alias sees what is private in its own file.
    let chain = "\(alias)\nextension F { typealias Seen = Load }"
    #expect(
      links(["A.swift": tasks, "B.swift": chain, "C.swift": user.replacing("[Load.self]", with: "[F.Seen.self]")])
        == "[0])")
  }

  @Test func `of what is imported only the public is seen`() {
    let mail = (name: "Mail", files: ["Mail.swift": "@EventTask(event: .idle) enum Refresh {}"])
    let source = "import Mail\nimport News\n\(Self.user)"
    #expect(
      links(["App.swift": source], dependencies: [mail, Self.mailAndNews[1]]) == "News [.init(0, module: 0)])")
    let nested = (
      name: "Mail", files: ["Mail.swift": "enum Feed {}\nextension Feed { @EventTask(event: .idle) enum Refresh {} }"]
    )
    let news = (
      name: "News", files: ["News.swift": "public extension Feed { @EventTask(event: .idle) enum Refresh {} }"]
    )
    #expect(
      links(
        ["App.swift": source.replacing("[Refresh.self]", with: "[Feed.Refresh.self]")], dependencies: [nested, news])
        == "News [.init(0, module: 0)])")
  }

  @Test(arguments: ["import Mail\nimport News", "@testable import Mail\nimport News"])
  func `which of two imported tasks is meant the program looks up`(imports: String) {
    let level = imports.contains("@") ? "" : "public "
    let mail = (name: "Mail", files: ["Mail.swift": "@EventTask(event: .idle) \(level)enum Refresh {}"])
    #expect(
      links(["App.swift": "\(imports)\n\(Self.user)"], dependencies: [mail, Self.mailAndNews[1]]) == "nothing")
  }

  @Test(arguments: [
    // Release has no task in the slot of the other branch.
    "#if DEBUG\n@EventTask(event: .idle) enum Load {}\n#else\ntypealias Load = Live\n#endif",
    "#if DEBUG\ntypealias Load = Live\n#endif\nimport Core",
    "typealias Load = (Live)",
  ])
  func `what differs from build to build, or is not written as a path, the program looks up`(text: String) {
    let source = """
      @EventTask(event: .idle) enum Live {}
      \(text)
      @EventTask(event: .idle, dependencies: [Load.self]) enum X {}
      """
    let core = (name: "Core", files: ["Core.swift": Self.core])
    #expect(links(["App.swift": source], dependencies: [core]) == "nothing")
  }

  @Test func `of an alias and a task in two branches each build's own task has its own`() {
    let source = """
      @EventTask(event: .idle) enum Live {}
      #if DEBUG
      @EventTask(event: .idle) enum Load {}
      @EventTask(event: .idle, dependencies: [Load.self]) enum X {}
      #else
      typealias Load = Live
      #endif
      """
    #expect(links(["App.swift": source]) == "[1])")
    let other = source.replacing("@EventTask(event: .idle, dependencies: [Load.self]) enum X {}\n", with: "")
      .replacing("Load = Live", with: "Load = Live\n@EventTask(event: .idle, dependencies: [Load.self]) enum X {}")
    #expect(links(["App.swift": other]) == "[0])")
  }

  @Test func `inside an extension of a nested type nothing of the types around that one is visible`() {
    let source = """
      @EventTask(event: .idle) enum Load {}
      enum Feature { enum Sub {}; @EventTask(event: .idle) enum Load {} }
      extension Feature.Sub { @EventTask(event: .idle, dependencies: [Load.self]) enum X {} }
      """
    #expect(links(["App.swift": source]) == "[0])")
    let nested = source.replacing("extension Feature.Sub {", with: "extension Feature { enum Inner {")
      .replacing("enum X {} }", with: "enum X {} } }")
    #expect(links(["App.swift": nested]) == "[1])")
  }

  @Test(arguments: [
    ("final class Sub: Base, Sendable {", "}"), ("extension Sub {", "}\nclass Sub: Base {}"),
    ("class Sub: Middle { enum Inner {", "} }\nclass Middle: Alias {}\ntypealias Alias = Base"),
    ("enum Sub: Loading {", "}\nprotocol Loading {}\nextension Loading { typealias Load = Base.Load }"),
    (
      "enum Sub {",
      "}\nextension Sub: Loading {}\nprotocol Loading {}\nextension Loading { typealias Load = Base.Load }"
    ),
  ])
  func `what a type inherits is nearer than what is around it`(opening: String, closing: String) {
    let source = """
      @EventTask(event: .idle) enum Load {}
      class Base { @EventTask(event: .idle) enum Load {} }
      \(opening)
        @EventTask(event: .idle, dependencies: [Load.self]) enum X {}
      \(closing)
      """
    #expect(links(["App.swift": source]) == "[1])")
    let alone = source.replacing("@EventTask(event: .idle) enum Load {}\nclass", with: "class")
    #expect(links(["App.swift": alone]) == "[0])")
  }

  @Test func `an extension of another module's type sees the members that this one has there`() {
    let source = """
      import Core
      @EventTask(event: .idle) enum Load {}
      extension Feature { @EventTask(event: .idle, dependencies: [Load.self]) enum X {} }
      """
    let core = (name: "Core", files: ["Core.swift": Self.core])
    #expect(links(["App.swift": source], dependencies: [core]) == "Core [.init(1, module: 0)])")
    // A type of the module's own is another one.
    let own = source + "\nenum Feature {}"
    #expect(links(["App.swift": own], dependencies: [core]) == "[0])")
  }

  @Test(arguments: [
    "{ @EventTask(event: .idle) enum Load {} }", "{ typealias Load = Other }",
    "{}\nextension Use { @EventTask(event: .idle) enum Load {} }",
  ])
  func `a name that means something else inside the annotated type is refused`(body: String) {
    let source = """
      @EventTask(event: .idle) enum Load {}
      @EventTask(event: .idle) enum Other {}
      @EventTask(event: .idle, dependencies: [Load.self]) enum Use \(body)
      """
    let found = generate(["App.swift": source]).diagnostics
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "App.swift:3:41: error: 'Load' is a member of 'Use', and means that one where the macro puts it, but not here; "
          + "write what is around the one that you mean in front, as in 'App.Load', or give the member another name\n"
          + "App.swift:") == true,
      "\(found)")
    #expect(generate(["App.swift": source.replacing("[Load.self]", with: "[App.Load.self]")]).diagnostics == [])
  }

  @Test func `a task that the annotated type inherits from one around it is the same outside`() {
    let source = """
      class Feed {
        @EventTask(event: .idle) enum Load {}
        @EventTask(event: .idle, dependencies: [Load.self]) final class X: Feed {}
      }
      """
    #expect(links(["App.swift": source]) == "[0])")
    let other = source + "\nclass Base { @EventTask(event: .idle) enum Load {} }"
    let found = generate(["App.swift": other.replacing("X: Feed", with: "X: Base")]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("App.swift:3:43: error: 'Load' is a member of 'X'") == true, "\(found)")
  }

  @Test(arguments: [
    "Base", "Base & Named", "Named & Base", "@preconcurrency Base", "Named, Base", "Both", "Base&Named",
    "Wide<Int>&Named",
    "Wide<(Int, Int) -> [Int]>&~Copyable", "Named&Wide<[Int: Wide<Int>]>", "Wide<Pair<Int, Int>>& Named, Other",
    "Named & (Other & Base)", "(Base & Named)", "@MainActor (Named & (Base))", "Other, Named&(Wide<Int>&Other)",
    "Nested",
    "Tight",
  ])
  func `a name that a type around the task inherits is found however that is written`(supertypes: String) {
    let source = """
      class Base { @EventTask(event: .idle) enum Load {} }
      class Wide<Value>: Base {}
      protocol Named {}
      protocol Other {}
      typealias Both = Base & Named
      typealias Nested = Named & (Other & Base)
      typealias Tight = Wide<Int>&
        Named
      class Screen: \(supertypes) { @EventTask(event: .idle, dependencies: [Load.self]) enum X {} }
      """
    #expect(links(["App.swift": source]) == "[0])")
  }

  @Test(arguments: ["Loading", "@MainActor Loading", "nonisolated Loading", "Loading & Named", "Both"])
  func `a name that the annotated type inherits is refused however that is written`(supertypes: String) {
    let source = """
      protocol Named {}
      protocol Loading {}
      extension Loading { typealias Load = FastLoad }
      typealias Both = Named & Loading
      @EventTask(event: .idle) enum Load {}
      @EventTask(event: .idle) enum FastLoad {}
      @EventTask(event: .idle, dependencies: [Load.self]) enum Show: \(supertypes) {}
      """
    let found = generate(["App.swift": source]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("App.swift:7:41: error: 'Load' is a member of 'Show'") == true, "\(found)")
  }

  @Test func `'Self' in an annotation is refused in the words of the macro, and means the module inside of it`() {
    let source = """
      extension Feed.Page {
        @EventTask(event: .idle) enum Load {}
        @EventTask(event: .idle, dependencies: [Self.Load.self]) enum Use {}
      }
      @TaskModule actor Mail {
        @EventTask(event: .idle) enum Load {}
        @ModuleTask(event: .idle, dependencies: [Self.Load.self]) func use() {}
      }
      """
    let message = "'Self' means 'Use' where the macro puts it, but not here; write 'Feed.Page'"
    #expect(generate(["App.swift": source]).diagnostics == ["App.swift:3:43: error: \(message)"])
    // With backticks where the name needs them.
    let reserved = generate(["App.swift": source.replacing("Feed.Page", with: "`default`.Page")]).diagnostics
    #expect(reserved == ["App.swift:3:43: error: \(message.replacing("Feed", with: "`default`"))"])
  }

  @Test func `what a module declares that is there for other systems only is left to the compiler`() {
    let source = """
      #if os(iOS)
      import PhoneFeatures
      @EventTask(event: .idle, dependencies: [PhoneTask.self], after: ["PhoneFeatures.Other"]) enum X {}
      #endif
      """
    #expect(links(["App.swift": source]) == "nothing")
    // Elsewhere it would have to be there.
    for wrong in [
      source.replacing("#if os(iOS)\n", with: "").replacing("#endif", with: ""),
      source.replacing("import PhoneFeatures\n", with: ""),
    ] {
      let found = generate(["App.swift": wrong]).diagnostics
      #expect(found.count == 2)
      #expect(found.first?.contains("needs 'PhoneTask', which is not declared in module 'App'") == true)
    }
  }
}
