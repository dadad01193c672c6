import TaskScanner
import Testing

/// Which conditions of two `#if` are never true together, told by two tasks of one name that are a mistake in any other
/// case.
@Suite struct ConditionTests {
  private static func isDuplicate(_ first: String, _ second: String) -> Bool {
    let found = generate([
      "A.swift": "#if \(first)\n@EventTask(name: \"x\", event: .idle) enum A {}\n#endif",
      "B.swift": "#if \(second)\n@EventTask(name: \"x\", event: .idle) enum B {}\n#endif",
    ])
    return found.diagnostics.contains { $0.contains("two tasks are named 'x'") }
  }

  @Test(arguments: [
    ("DEBUG", "!DEBUG"), ("os(iOS)", "os(macOS)"), ("arch(x86_64)", "arch(arm64)"), ("!(A || B)", "B"),
    ("A && B", "C && !B"), ("swift(>=6.3)", "!swift(>=6.3)"), ("!(!A)", "!A"), ("os(iOS)", "!os( iOS )"),
    ("(A)", "((!A))"), ("A && (B || C)", "!(A || D)"),
    ("os(iOS) || os(tvOS)", "os(macOS)"), ("os(iOS) || os(tvOS)", "os(macOS) || os(Linux)"),
    ("os(iOS) || os(tvOS)", "!(os(iOS) || os(tvOS))"), ("!(!os(iOS) && !os(tvOS))", "os(macOS)"),
    ("(os(iOS) && A) || os(tvOS)", "os(macOS)"), ("arch(arm64) || arch(arm)", "arch(x86_64)"),
    ("(os(iOS) || os(tvOS)) && !os(tvOS)", "os(tvOS) || os(macOS)"),
    ("(os(iOS) || os(tvOS)) && (os(tvOS) || os(macOS))", "os(iOS) || os(macOS)"),
    ("os(OSX)", "!os(macOS)"), ("!os( OSX )", "os(macOS)"), ("os(OSX)", "os(iOS)"), ("os(xrOS)", "!os(visionOS)"),
  ])
  func `tasks of one name are no duplicates where no build has both`(first: String, second: String) {
    #expect(!Self.isDuplicate(first, second))
    #expect(!Self.isDuplicate(second, first))
  }

  @Test(arguments: [
    ("A", "A"), ("A", "B"), ("A || B", "!A"), ("!(A && B)", "A"), ("!os(iOS)", "!os(macOS)"),
    ("canImport(UIKit)", "canImport(AppKit)"), ("A ||", "!A"),
    ("os(iOS) || os(macOS)", "os(macOS)"), ("os(iOS) || os(macOS)", "os(macOS) || os(Linux)"),
    ("os(iOS) || A", "os(macOS)"), ("os(iOS) || arch(arm64)", "os(macOS)"), ("os(iOS) || os(tvOS)", "!os(iOS)"),
    ("os(OSX)", "os(macOS)"), ("os( OSX )", "os(macOS) || os(iOS)"), ("os(xrOS)", "os(visionOS)"),
  ])
  func `tasks of one name are duplicates where a build may have both`(first: String, second: String) {
    #expect(Self.isDuplicate(first, second))
    #expect(Self.isDuplicate(second, first))
  }

  @Test(arguments: [
    ("os(iOS)", "os(macOS)", false), ("arch(x86_64)", "arch(arm64)", false),
    ("os(iOS) || os(tvOS)", "os(macOS) || os(Linux)", false),
    ("targetEnvironment(simulator)", "!targetEnvironment(simulator)", false),
    ("compiler(>=6.3)", "!compiler(>=6.3)", false),
    // Each module has flags, a language version and modules in sight of its own.
    ("DEBUG", "!DEBUG", true), ("swift(>=6)", "!swift(>=6)", true), ("canImport(UIKit)", "!canImport(UIKit)", true),
  ])
  func `what has one answer in a build tells the tasks of two modules apart`(
    first: String, second: String, isDuplicate: Bool
  ) {
    let found = generate(
      ["B.swift": "#if \(second)\n@EventTask(name: \"x\", event: .idle) enum B {}\n#endif"],
      dependencies: [
        (
          name: "Core",
          files: ["A.swift": "#if \(first)\n@EventTask(name: \"x\", event: .idle) public enum A {}\n#endif"]
        )
      ])
    #expect(found.diagnostics.contains { $0.contains("two tasks are named 'x'") } == isDuplicate)
  }

  @Test(arguments: [
    ("os(iOS) || os(tvOS)", "os(macOS) || os(Linux)", false), ("os(iOS) || os(tvOS)", "!os(iOS) && !os(tvOS)", false),
    ("os(iOS) || os(tvOS)", "os(tvOS) || os(macOS)", true),
  ])
  func `tasks that wait for each other are a mistake only where some build has them all`(
    first: String, second: String, isCycle: Bool
  ) {
    let found = generate([
      "A.swift": "#if \(first)\n@EventTask(event: .idle, after: [\"B\"]) enum A {}\n#endif",
      "B.swift": "@EventTask(event: .idle, after: [\"C\"]) enum B {}",
      "C.swift": "#if \(second)\n@EventTask(event: .idle, after: [\"D\"]) enum C {}\n#endif",
      "D.swift": "@EventTask(event: .idle, after: [\"A\"]) enum D {}",
    ]).diagnostics
    #expect(found.count == (isCycle ? 1 : 0), "\(found)")
    #expect(found.allSatisfy { $0.contains("error: these tasks wait for each other") })
  }

  @Test func `tasks that wait for each other in some builds are found beside those that no build has together`() {
    let found = generate([
      "A.swift": "#if os(iOS) || os(tvOS)\n@EventTask(event: .idle, after: [\"B\"]) enum A {}\n#endif",
      "B.swift": "@EventTask(event: .idle, after: [\"C\"]) enum B {}",
      "C.swift": "#if !os(iOS) && !os(tvOS)\n@EventTask(event: .idle, after: [\"D\", \"E\"]) enum C {}\n#endif",
      "D.swift": "@EventTask(event: .idle, after: [\"A\"]) enum D {}",
      "E.swift": """
      @EventTask(event: .idle, after: ["F"]) enum E {}
      @EventTask(event: .idle, after: ["G"]) enum F {}
      @EventTask(event: .idle, after: ["H"]) enum G {}
      @EventTask(event: .idle, after: ["C"]) enum H {}
      """,
    ]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("error: these tasks wait for each other") == true, "\(found)")
    #expect(found.first?.contains("'App.H' runs after 'App.C'") == true, "\(found)")
  }

  @Test func `tasks that wait for each other are found beside one that no build has`() {
    let found = generate([
      "A.swift": """
      @EventTask(event: .idle, after: [.optional("B"), "C"]) enum A {}
      #if os(iOS)
      #if os(macOS)
      @EventTask(event: .idle, after: ["A"]) enum B {}
      #endif
      #endif
      """,
      "C.swift": "@EventTask(event: .idle, after: [\"A\"]) enum C {}",
    ]).diagnostics
    #expect(found.contains { $0.contains("error: these tasks wait for each other") }, "\(found)")
  }

  private static let oldVersion = """
    import Gone
    @EventTask(event: .idle) enum Sync {}
    @EventTask(event: make(), dependencies: [Removed.self]) enum Other {}
    extension LifecycleEvent<Int, Void> { static var last: Self { .init("willTerminate") } }
    @EventTask(event: .idle) func notAType() {}
    """

  @Test(arguments: [
    ("#if false", "#endif"), ("#if true\n#else", "#endif"), ("#if !true", "#endif"), ("#if DEBUG && (false)", "#endif"),
    ("#if true\n#elseif DEBUG", "#endif"), ("#if false\n#if DEBUG", "#endif\n#endif"),
    ("#if true\n#else\nenum Box {", "}\n#endif"),
  ])
  func `what stands where no build looks says nothing`(opening: String, closing: String) throws {
    let found = generate([
      "A.swift": "\(opening)\n\(Self.oldVersion)\n\(closing)\n@EventTask(event: .idle) enum Sync {}",
      "B.swift": "#if false\n@EventTask(event: .once)\n#endif\n@EventTask(event: .idle) enum Own {}",
    ])
    #expect(found.diagnostics == [])
    let text = try #require(found.text)
    #expect(text.contains("Sync.registration") && text.contains("Own.registration"))
    #expect(!text.contains("Other") && !text.contains("Gone") && !text.contains("#if"))
  }

  @Test(arguments: [
    "@EventTask(event: .idle) enum A {}\n#if false\nextension A { static var isEnabled: Bool { false } }\n#endif",
    "@EventTask(event: .idle) enum A {}\nextension A {\n#if true\n#else\nstatic func stop() {}\n#endif\n}",
    """
    #if os(iOS)
    @EventTask(event: .idle) enum A {}
    #else
    enum A {}
    extension A { static var isEnabled: Bool { false } }
    #endif
    """,
    """
    #if false
    extension A { static let limit = 1 }
    #endif
    let limit = 1
    @EventTask(event: .idle, timeout: .seconds(limit)) enum A {}
    """,
    """
    #if false
    class Old { static let limit = 1 }
    extension A: Old {}
    #endif
    class Old {}
    let limit = 1
    @EventTask(event: .idle, timeout: .seconds(limit)) final class A: Old {}
    """,
    """
    #if false
    struct A<T> {}
    #endif
    struct A {}
    extension A { @EventTask(event: .idle) enum B {} }
    """,
    """
    #if DEBUG
    struct A<T> {}
    #else
    struct A {}
    extension A { @EventTask(event: .idle) enum B {} }
    #endif
    """,
    """
    #if os(iOS) || os(tvOS)
    @EventTask(event: .idle) enum A {}
    #if os(macOS)
    @EventTask(event: .idle, dependencies: [A.self]) enum B {}
    #endif
    #endif
    """,
    """
    @EventTask(event: .idle) enum A {}
    #if os(iOS) && os(macOS)
    extension A { static var isEnabled: Bool { false } }
    #endif
    """,
    """
    @EventTask(event: .idle) enum A {}
    #if !os(iOS)
    #elseif !os(tvOS)
    #else
    extension A { static var isEnabled: Bool { false } }
    #endif
    """,
  ])
  func `what stands where no build has it beside the task says nothing of the task`(text: String) {
    let found = generate(["A.swift": text])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains(".registration") == true)
  }

  @Test func `what stands beside the second of two exclusive tasks is said of that`() {
    let text = """
      #if os(iOS)
      @EventTask(event: .idle) enum A {}
      #else
      @EventTask(event: .idle) enum A {}
      extension A { static var isEnabled: Bool { false } }
      #endif
      """
    let found = generate(["A.swift": text]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix("A.swift:4:1: note: the task is declared here") == true, "\(found)")
  }

  @Test(arguments: ["true", "!false", "false || DEBUG", "falsehood", "isTrue"])
  func `what stands where some build looks counts`(condition: String) {
    let found = generate(["A.swift": "#if \(condition)\n@EventTask(event: make()) enum A {}\n#endif"])
    #expect(found.diagnostics.contains { $0.contains("does not tell the build which event it is") })
  }

  /// A condition that is too long to be looked at says nothing.
  @Test(arguments: ["(", "! ", "!(", "A && (", "A || ("])
  func `a condition that is nested more deeply than anybody writes comes to an end`(opening: String) {
    let depth = 100_000
    let closings = opening.contains("(") ? String(repeating: ")", count: depth) : ""
    let condition = String(repeating: opening, count: depth) + "A" + closings
    #expect(Self.isDuplicate(condition, "B"))
  }

  /// Conditions of three flags and two systems, drawn by chance, against a table of all builds.
  @Test func `no two conditions are taken for exclusive that hold together in some build`() {
    var random = SeededGenerator(seed: 64)
    var exclusive = 0
    for _ in 0..<600 {
      let (first, second) = (Condition(depth: 3, random: &random), Condition(depth: 3, random: &random))
      guard !Self.isDuplicate(first.text, second.text) else { continue }
      exclusive += 1
      let together = (0..<24).first { first.holds(in: $0) && second.holds(in: $0) }
      #expect(together == nil, "#if \(first.text) and #if \(second.text) hold together")
    }
    #expect(exclusive >= 60, "only \(exclusive) of 600 were taken for exclusive")
  }

  /// A condition with its own evaluation, over builds that are numbered: three bits for the flags, and one of three systems.
  private indirect enum Condition {
    case flag(Int)
    case system(Int)
    case not(Condition)
    case both(Condition, Condition)
    case either(Condition, Condition)

    private static let systems = ["iOS", "macOS"]

    init(depth: Int, random: inout SeededGenerator) {
      switch depth == 0 ? random.next(below: 2) : random.next(below: 6) {
      case 0: self = .flag(random.next(below: 3))
      case 1: self = .system(random.next(below: 2))
      case 2: self = .not(Condition(depth: depth - 1, random: &random))
      case 3: self = .either(Condition(depth: depth - 1, random: &random), Condition(depth: depth - 1, random: &random))
      default: self = .both(Condition(depth: depth - 1, random: &random), Condition(depth: depth - 1, random: &random))
      }
    }

    func holds(in build: Int) -> Bool {
      switch self {
      case .flag(let number): build >> number & 1 == 1
      case .system(let number): build / 8 == number
      case .not(let inner): !inner.holds(in: build)
      case .both(let first, let second): first.holds(in: build) && second.holds(in: build)
      case .either(let first, let second): first.holds(in: build) || second.holds(in: build)
      }
    }

    var text: String {
      switch self {
      case .flag(let number): ["A", "B", "C"][number]
      case .system(let number): "os(\(Self.systems[number]))"
      case .not(let inner): "!(\(inner.text))"
      case .both(let first, let second): "(\(first.text)) && (\(second.text))"
      case .either(let first, let second): "(\(first.text)) || (\(second.text))"
      }
    }
  }

  @Test func `a type that two conditions declare is left to the compiler`() {
    let found = generate([
      "A.swift": "#if canImport(UIKit)\n@EventTask(event: .idle) enum A {}\n#endif",
      "B.swift": "#if canImport(AppKit)\n@EventTask(event: .idle) enum A {}\n#endif",
      "C.swift": "@EventTask(event: .idle, dependencies: [A.self]) enum C {}",
    ])
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("C.registration, at: 2, dependencies: [0, 1]") == true)
  }

  @Test func `a type that is declared with and without a condition is a duplicate`() {
    let found = generate([
      "A.swift": "#if DEBUG\n@EventTask(event: .idle) enum A {}\n#endif",
      "B.swift": "@EventTask(event: .idle) enum A {}",
    ])
    #expect(found.diagnostics.count == 1)
    #expect(found.diagnostics[0].hasPrefix("B.swift:1:1: error: two tasks are named 'App.A'"))
    #expect(found.diagnostics[0].hasSuffix("A.swift:2:1: note: 'App.A' is first declared here"))
  }
}
