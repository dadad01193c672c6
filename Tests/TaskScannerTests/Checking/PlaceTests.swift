import Foundation
import TaskScanner
import Testing

/// Annotations on what is no type, of which the compiler says no more than that a macro cannot be attached to it.
@Suite struct PlaceTests {
  private static let task = "'@EventTask' declares a task by a type, and this is"
  private static let home = "move it to an enum, struct, class or actor with a 'run'"

  @Test(arguments: [
    ("@EventTask(event: .idle)\nfunc f() {}", 2, "\(task) a function; \(home)"),
    ("@EventTask(event: .idle) @MainActor public func f() {}", 2, "\(task) a function; \(home)"),
    ("@MainActor @TaskKit.EventTask(event: .idle) let a = 1", 2, "\(task) a constant; \(home)"),
    ("@EventTask(event: .idle) private(set) var a = 1", 2, "\(task) a variable; \(home)"),
    ("@EventTask(event: .idle) typealias A = B", 2, "\(task) a type alias; \(home)"),
    ("enum A {\n  @EventTask(event: .idle) static func run() {}\n}", 3, "\(task) a method; \(home)"),
    ("class A {\n  @EventTask(event: .idle) class func run() {}\n}", 3, "\(task) a method; \(home)"),
    ("enum A {\n  @EventTask(event: .idle) static let a = 1\n}", 3, "\(task) a property; \(home)"),
    ("enum A {\n  @EventTask(event: .idle) var a: Int { 1 }\n}", 3, "\(task) a property; \(home)"),
    ("enum A {\n  @EventTask(event: .idle) case a\n}", 3, "\(task) an enum case; \(home)"),
    ("struct A {\n  @EventTask(event: .idle) init() {}\n}", 3, "\(task) an initializer; \(home)"),
    ("class A {\n  @EventTask(event: .idle) deinit {}\n}", 3, "\(task) a deinitializer; \(home)"),
    ("struct A {\n  @EventTask(event: .idle) subscript(a: Int) -> Int { 1 }\n}", 3, "\(task) a subscript; \(home)"),
    ("protocol A {\n  @EventTask(event: .idle) associatedtype B\n}", 3, "\(task) an associated type; \(home)"),
    ("func f() {\n  @EventTask(event: .idle) func g() {}\n}", 3, "\(task) a function; \(home)"),
    ("@EventTask(event: .idle) extension A {}", 2, "\(task) an extension; \(home)"),
    ("@EventTask(event: .idle) protocol A {}", 2, "\(task) a protocol; \(home)"),
    (
      "@ScheduleTask(every: .seconds(1)) func f() {}", 2,
      "'@ScheduleTask' declares a task by a type, and this is a function; \(home)"
    ),
    (
      "@NotificationTask(\"a\") func f() {}", 2,
      "'@NotificationTask' declares a task by a type, and this is a function; \(home)"
    ),
    (
      "@SequenceTask(Prices.updates) func f() {}", 2,
      "'@SequenceTask' declares a task by a type, and this is a function; \(home)"
    ),
    (
      "@TaskModule func f() {}", 2,
      "'@TaskModule' declares a module by a type with one instance, and this is a function; move it to a class or an actor"
    ),
    (
      "@TaskModule(name: \"a\") extension A {}", 2,
      "'@TaskModule' declares a module by a type with one instance, and this is an extension; move it to a class or an actor"
    ),
    (
      "@DurableTask(kind: \"a\") func f() {}", 2,
      "'@DurableTask' declares a kind of job by a type, and this is a function; move it to a struct, enum or final class "
        + "with a 'run'"
    ),
    (
      "@ScheduleTask(every: .seconds(1), durable: true) let a = 1", 2,
      "'@ScheduleTask' declares a kind of job by a type, and this is a constant; move it to a struct, enum or final class "
        + "with a 'run'"
    ),
    (
      "@TaskModule actor A {\n  @EventTask(event: .idle) func a() {}\n}", 3,
      "'@EventTask' declares a task by a type, and this is a method of a module; write '@ModuleTask'"
    ),
    (
      "extension A {\n  @EventTask(event: .idle) func a() {}\n}\n@TaskModule actor A {}", 3,
      "'@EventTask' declares a task by a type, and this is a method in an extension of a module; move it to the module's own "
        + "body and write '@ModuleTask'"
    ),
    ("extension A {\n  @EventTask(event: .idle) func a() {}\n}\nactor A {}", 3, "\(task) a method; \(home)"),
  ])
  func `an annotation on what is no type says what it stands on and where it belongs`(
    declaration: String, line: Int, message: String
  ) {
    let found = generate(["App.swift": "import TaskKit; import TaskKitDurable\n\(declaration)"])
    #expect(found.text == nil)
    #expect(found.diagnostics.count == 1)
    #expect(found.diagnostics.first?.hasPrefix("App.swift:\(line):") == true)
    #expect(found.diagnostics.first?.hasSuffix(": error: \(message)") == true)
  }

  @Test func `it is told at the annotation, each one, beside everything else`() {
    let text = """
      import TaskKit
      @MainActor @EventTask(event: .idle) @ScheduleTask(every: .seconds(1)) func f() {}
      @EventTask(event: .idle, dependencies: [Nobody.self]) enum A {}
      """
    #expect(
      generate(["App.swift": text]).diagnostics.map { $0.prefix { $0 != "e" } } == [
        "App.swift:2:12: ", "App.swift:2:37: ", "App.swift:3:41: ",
      ])
  }

  @Test(arguments: [
    // The file does not say that it sees TaskKit.
    "@EventTask(event: .idle) func f() {}",
    "import Other\n@EventTask(event: .idle) func f() {}",
    "import TaskKitDurable\n@EventTask(event: .idle) func f() {}",
    "import TaskKit\n@DurableTask(kind: \"a\") func f() {}",
    "import struct TaskKit.Lane\n@EventTask(event: .idle) func f() {}",
    "#if canImport(TaskKit)\nimport TaskKit\n#endif\n@EventTask(event: .idle) func f() {}",
    // What may never be compiled.
    "import TaskKit\n#if false\n@EventTask(event: .idle) func f() {}\n#endif",
    "import TaskKit\n#if compiler(>=7)\nenum A {\n@EventTask(event: .idle) func f() {}\n}\n#endif",
    "import TaskKit\n#if A\n@EventTask(event: .idle)\n#endif\nfunc f() {}",
    "import TaskKit\n#if false\n@EventTask(event: .idle) extension A {}\n@TaskModule protocol B {}\n#endif",
    "import TaskKit\n#if false\n@DurableTask(kind: \"a\")\n#endif\nprotocol A {}",
    // Somebody's own macros.
    "import TaskKit\n@attached(peer) macro EventTask(event: Int) = #externalMacro(module: \"A\", type: \"B\")\n"
      + "@EventTask(event: 1) func f() {}",
    "import TaskKit\n@attached(peer) macro\n  `EventTask`(event: Int) = #externalMacro(module: \"A\", type: \"B\")\n"
      + "@EventTask(event: 1) func f() {}",
    "import TaskKit\n@MyTask func f() {}", "import TaskKit\n@Other.EventTask(event: 1) func f() {}",
    // The macro of this one runs wherever it stands, and says what is wrong.
    "import TaskKit\n@ModuleTask(event: .idle) func f() {}",
    // No declaration that an annotation could be on.
    "import TaskKit\nlet a = \"@EventTask(event: .idle)\"\nfunc f() {}",
    "import TaskKit\n// @EventTask(event: .idle)\nfunc f() {}",
    "import TaskKit\n@EventTask(event: .idle) enum A { func f() {} }",
    "import TaskKit\n@EventTask(event: .idle, lane: { let a = Lane(\"a\"); return a }()) enum A { static func run() {} }",
  ])
  func `what may be somebody else's, or is none, is left alone`(text: String) {
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  /// The libraries of the package, as its manifest has them.
  private var libraries: [String] {
    get throws {
      let manifest = URL(filePath: #filePath).appending(path: "../../../../Package.swift").standardized
      let text = try String(contentsOf: manifest, encoding: .utf8)
      // What is in front of the traits; behind them stands what only its own development has.
      let products = text.prefix(upTo: text.firstRange(of: "traits:")?.lowerBound ?? text.endIndex)
      return products.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }.filter { $0 != "TaskGraph" }
    }
  }

  @Test func `the macros of TaskKit's own libraries are nobody else's`() throws {
    let text =
      "import TaskKit; import TaskKitDurable\n@DurableTask(kind: \"a\") func f() {}\n"
      + "@ScheduleTask(every: .seconds(1)) func g() {}"
    let macros = "public macro DurableTask(kind: String) = a\npublic macro ScheduleTask(every: Duration) = a"
    #expect(try libraries.count >= 5)
    for library in try libraries {
      let found = generate(["App.swift": text], dependencies: [(name: library, files: ["Macros.swift": macros])])
      #expect(found.diagnostics.count == 2, "\(library)")
    }
    let other = generate(["App.swift": text], dependencies: [(name: "Other", files: ["Macros.swift": macros])])
    #expect(other.diagnostics == [])
    let longer = "public macro DurableTaskGroup() = a\npublic macro ScheduleTask2() = a"
    let namesakes = generate(["App.swift": text], dependencies: [(name: "Other", files: ["Macros.swift": longer])])
    #expect(namesakes.diagnostics.count == 2)
  }

  @Test func `who imports TaskKit through another module, or by another file that exports it, sees it too`() {
    let text = "import Core\n@EventTask(event: .idle) func f() {}"
    func count(core: String, more: String = "") -> Int {
      generate(["App.swift": text, "More.swift": more], dependencies: [(name: "Core", files: ["Core.swift": core])])
        .diagnostics.count
    }
    #expect(count(core: "import TaskKit") == 0)
    #expect(count(core: "@_exported import TaskKit") == 1)
    #expect(count(core: "", more: "import TaskKit") == 0)
    #expect(count(core: "", more: "@_exported import TaskKit") == 1)
  }

  @Test func `an annotation of an imported module was judged in its own build`() {
    let core = "import TaskKit\n@EventTask(event: .idle) func f() {}"
    let found = generate(["App.swift": "import Core"], dependencies: [(name: "Core", files: ["Core.swift": core])])
    #expect(found.diagnostics == [])
  }
}
