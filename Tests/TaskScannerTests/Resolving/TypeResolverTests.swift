import TaskScanner
import Testing

/// What a type in `dependencies:` stands for, told by the slot that the generated file names.
@Suite struct TypeResolverTests {
  private static let core = """
    @EventTask(event: .idle) public enum Load {}
    public enum Feature { @EventTask(event: .idle) public enum Load {} }
    public typealias Short = Feature
    """

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
    ("extension Core.Feature { @EventTask(event: .idle) enum Mine {} }", "App", "Feature.Mine", "0"),
    ("extension Core::Feature { @EventTask(event: .idle) enum Mine {} }", "App", "Feature.Mine", "0"),
  ])
  func `a type is looked up as the compiler does it`(
    declaration: String, module: String, written: String, slot: String
  ) {
    let source = "import Core\n\(declaration)\n@EventTask(event: .idle, dependencies: [\(written).self]) enum Z {}"
    let found = generate(["App.swift": source], dependencies: [(name: "Core", files: ["Core.swift": Self.core])])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("dependencies: [\(slot)])") == true, "\(found.text ?? "")")
  }

  @Test func `an alias with one meaning in each branch stands for the tasks of all`() {
    let source = """
      @EventTask(event: .idle) enum A {}
      @EventTask(event: .idle) enum B {}
      #if DEBUG
      typealias Mode = A
      #else
      typealias Mode = B
      #endif
      @EventTask(event: .idle, dependencies: [Mode.self]) enum C {}
      """
    #expect(generate(["App.swift": source]).text?.contains("dependencies: [0, 1])") == true)
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

  @Test func `aliases in a circle come to an end`() {
    let source = "typealias A = B\ntypealias B = A\n@EventTask(event: .idle, dependencies: [A.self]) enum C {}"
    #expect(generate(["App.swift": source]).diagnostics.count == 1)
  }
}
