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
    ("timeout: limit", "let limit = 1\nextension Other { static let limit = 1 }"),
    ("timeout: limit", "extension Load { func limit() {}; struct Inner { static let limit = 1 } }"),
  ])
  func `a name that means the same inside is left alone`(annotation: String, declaration: String) {
    #expect(generate(["App.swift": Self.source(annotation) + declaration]).diagnostics == [])
  }

  @Test func `a member that is private to another file hides nothing`() {
    let member = "extension Load { private static let limit = 1 }"
    #expect(generate(["App.swift": Self.source("timeout: limit") + member]).diagnostics.count == 1)
    #expect(generate(["App.swift": Self.source("timeout: limit"), "More.swift": member]).diagnostics == [])
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
