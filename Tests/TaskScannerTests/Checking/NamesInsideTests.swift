import TaskScanner
import Testing

/// Names in an annotation that mean something else inside the annotated type.
@Suite struct NamesInsideTests {
  private static func source(_ annotation: String) -> String {
    "@EventTask(event: .idle, \(annotation)) struct Load {}\ntypealias Mine = Load\n"
  }

  @Test(arguments: [
    ("timeout: limit", "limit", "extension Load { static let limit = 1 }"),
    ("timeout: limit", "limit", "extension Load {\n  @Sendable public nonisolated static func limit() {}\n}"),
    ("timeout: Limits.long", "Limits", "extension App.Load { enum Limits {} }"),
    ("timeout: Limits.long", "Limits", "extension Mine { typealias Limits = Others }"),
    ("timeout: `default`", "`default`", "extension Load { static let `default` = 1 }"),
    ("retry: .attempts(count)", "count", "extension Load { static var count: Int { 1 } }"),
    ("retry: .attempts(1, backoff: .fixed(pause))", "pause", "extension Load { static let pause = 1 }"),
    ("timeout: isLong ? .seconds(2) : limit", "limit", "extension Load { static let limit = 1 }"),
    (
      "lane: lanes[0]", "lanes",
      "extension Load: Laned {}\nprotocol Laned {}\nextension Laned { static var lanes: [Int] { [] } }"
    ),
  ])
  func `a name that a member of an extension hides is refused where it stands`(
    annotation: String, name: String, declaration: String
  ) throws {
    let source = Self.source(annotation)
    let column =
      try source.utf8.distance(from: source.startIndex, to: #require(source.firstRange(of: name)).lowerBound) + 1
    let plain = name.filter { $0 != "`" }
    let found = generate(["App.swift": source + declaration]).diagnostics
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "App.swift:1:\(column): error: '\(plain)' is a member of 'Load', and means that one where the macro puts it, but not "
          + "here; write what is around the one that you mean in front, as in 'App.\(plain)', or give the member another "
          + "name\nApp.swift:") == true,
      "\(found)")
  }

  @Test func `a name that the type inherits is refused where it stands`() {
    let core = """
      open class Worker { public static func limit() -> Int { 1 }; static let inner = 1; public class var open: Int { 1 } }
      """
    func diagnostics(_ name: String) -> [String] {
      let source = "import Core\n@EventTask(event: .idle, timeout: \(name)) final class Load: Worker {}"
      return generate(["App.swift": source], dependencies: [(name: "Core", files: ["Core.swift": core])]).diagnostics
    }
    #expect(diagnostics("limit()").first?.hasPrefix("App.swift:2:35: error: 'limit' is a member of 'Load'") == true)
    #expect(diagnostics("open").first?.hasSuffix("Core.swift:1:101: note: the member is declared here") == true)
    // It is not seen.
    #expect(diagnostics("inner") == [])
  }

  @Test(arguments: [
    // Behind a point or a module selector, as a label, in a closure.
    ("timeout: .limit", "extension Load { static let limit = 1 }"),
    ("timeout: App.limit", "extension Load { static let limit = 1 }"),
    ("timeout: App::limit", "extension Load { static let limit = 1 }"),
    ("retry: .attempts(1, backoff: .none)", "extension Load { static let backoff = 1, attempts = 1, retry = 1 }"),
    ("timeout: make { limit in limit }", "extension Load { static let limit = 1 }"),
    // Of another type, of an instance, or not seen.
    ("timeout: limit", "let limit = 1\nextension Load {}\nextension Other { static let limit = 1 }"),
    ("timeout: limit", "extension Load { func limit() {}; struct Inner { static let limit = 1 } }"),
  ])
  func `a name that means the same inside is left alone`(annotation: String, declaration: String) {
    #expect(generate(["App.swift": Self.source(annotation) + declaration]).diagnostics == [])
  }

  @Test(arguments: [
    "private static let limit = 1", "private nonisolated(unsafe) static var limit = 1",
    "private static let other = 2, limit = 1",
  ])
  func `a member that is private to another file hides nothing`(declaration: String) {
    let member = "extension Load { \(declaration) }"
    #expect(generate(["App.swift": Self.source("timeout: limit") + member]).diagnostics.count == 1)
    #expect(generate(["App.swift": Self.source("timeout: limit"), "More.swift": member]).diagnostics == [])
  }

  /// The annotated type inherits from it, in the same file.
  @Test(arguments: [
    ("class Worker { private static let limit = 1 }", 0), ("class Worker { fileprivate static let limit = 1 }", 1),
    ("class Worker {}\nextension Worker { private static func limit() {} }", 0),
    ("class Worker {}\nextension Worker { private enum limit {} }", 0),
    ("class Worker { private typealias limit = Int }", 0),
    // At the outside, and for what is in it, `private` is the file's.
    ("class Worker {}\nprivate extension Worker { static let limit = 1 }", 1),
    ("private class Worker { static let limit = 1 }", 1),
    ("class Worker { private static let limit = 1 }\nextension Load { private static let limit = 1 }", 1),
  ])
  func `what is private to a supertype hides nothing`(declaration: String, count: Int) {
    let source = "@EventTask(event: .idle, timeout: limit) final class Load: Worker {}\n"
    #expect(generate(["App.swift": source + declaration]).diagnostics.count == count)
  }

  @Test(arguments: [
    "extension Load { static let limit = 1 }",
    "extension Load {\n#if FAST\nstatic func other() {}\n#endif\n}\nclass Worker { class var limit: Int { 1 } }",
    "extension Load { enum limit {} }", "extension Load { typealias limit = Int }",
  ])
  func `a member of a build that has not the task hides nothing`(member: String) {
    let source = "#if DEBUG\n@EventTask(event: .idle, timeout: limit) final class Load: Worker {}\n"
    func count(_ branch: String) -> Int { generate(["App.swift": source + branch]).diagnostics.count }
    #expect(count(member + "\n#endif") == 1)
    #expect(count("#else\n" + member + "\n#endif") == 0)
    #expect(count("#endif\n#if !DEBUG\n" + member + "\n#endif") == 0)
  }

  @Test(arguments: [
    ("#if DEBUG\nMEMBER\n#endif", 1), ("#if DEBUG\n#else\nMEMBER\n#endif", 0), ("#if !DEBUG\nMEMBER\n#endif", 0),
    ("#if !DEBUG\n#elseif FAST\nMEMBER\n#endif", 1), ("#if FAST\n#if !DEBUG\n#else\nMEMBER\n#endif\n#endif", 1),
    ("#if FAST\n#if !DEBUG\nMEMBER\n#endif\n#endif", 0), ("#if !DEBUG\n#endif\nMEMBER", 1),
  ])
  func `the branch counts in which a member stands`(members: String, count: Int) {
    for member in ["static let limit = 1", "static func limit() {}", "enum limit {}", "typealias limit = Int"] {
      let source = """
        #if DEBUG
        @EventTask(event: .idle, timeout: limit) enum Load {}
        #endif
        extension Load {
        \(members.replacing("MEMBER", with: member))
        }
        """
      #expect(generate(["App.swift": source]).diagnostics.count == count, "\(member)")
    }
  }

  @Test(arguments: [
    // What the type inherits from one around it is the same outside.
    ("class Feed { static let limit = 1; TASK Feed {} }", 0),
    ("class Feed { TASK Feed {}; static func limit() {} }", 0),
    ("class Feed {}\nextension Feed { static let limit = 1 }\nextension Feed { TASK Feed {} }", 0),
    ("class Feed: Base { TASK Feed {} }\nclass Base { static let limit = 1 }", 0),
    ("class Feed { static let limit = 1; enum Inner { TASK Feed {} } }", 0),
    // Another one is nearer outside, or inside.
    ("class Feed { static let limit = 1; enum Inner { static let limit = 2; TASK Feed {} } }", 1),
    ("class Feed { static let limit = 1; enum Inner { private static let limit = 2; TASK Feed {} } }", 1),
    (
      "class Feed { class var limit: Int { 1 }; TASK Sub {} }\nclass Sub: Feed { override class var limit: Int { 2 } }",
      1
    ),
    ("class Feed { static let limit = 1; TASK Other {} }\nclass Other { static let limit = 1 }", 1),
  ])
  func `a name that means the same member inside and outside is left alone`(source: String, count: Int) {
    let task = "@EventTask(event: .idle, timeout: limit) final class Load:"
    #expect(generate(["App.swift": source.replacing("TASK", with: task)]).diagnostics.count == count)
  }

  /// Types that conform to what no scanned module declares, that conform to a scanned protocol, and that are extended; and
  /// files in which all of them might be meant.
  @Test(.timeLimit(.minutes(1)))
  func `the names of very many tasks are looked for once`() {
    let files =
      (0..<1_600).map { number in
        let type = ["struct Load\(number): Sendable", "struct Load\(number): Timed", "struct Load\(number)"][number % 3]
        return (
          "A\(number).swift",
          """
          @EventTask(event: .idle, timeout: limit, retry: .attempts(count)) \(type) {}
          extension Load\(number) { static let other = 1 }
          enum Limits\(number) { static let limit = 1, count = 1; static let count = 2 }
          typealias Mine\(number) = Limits\(number)
          \(String(repeating: "// Nothing that has to do with it, only some more of limits and counts.\n", count: 50))
          """
        )
      } + [("Timed.swift", "protocol Timed {}\nlet limit = 1\nlet count = 1")]
    #expect(generate(Dictionary(uniqueKeysWithValues: files)).diagnostics == [])
  }

  @Test func `modules and kinds of durable work are looked at as well, and marked methods stand inside`() {
    let source = """
      @TaskModule final class Feed { @ModuleTask(event: .idle, timeout: limit) func load() {} }
      extension Feed { static let limit = 1 }
      @DurableTask(kind: "upload", limit: most) struct Upload {}
      extension Upload { static let most = 1 }
      """
    let found = generate(["App.swift": source]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("App.swift:3:37: error: 'most' is a member of 'Upload'") == true, "\(found)")
  }
}
