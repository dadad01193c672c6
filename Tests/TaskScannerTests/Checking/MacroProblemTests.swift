import TaskScanner
import Testing

/// What the macros say of literals, which the build does not come to where the tool stops it.
@Suite struct MacroProblemTests {
  private static let mistakes: [(options: String, expected: String)] = [
    ("timeout: .zero", "46: error: a timeout of '.zero' is over before the task starts; write a longer one"),
    (
      "timeout: .seconds(-0.5)",
      "46: error: a timeout of '.seconds(-0.5)' is over before the task starts; write a longer one"
    ),
    (
      "timeout: Duration.milliseconds(0)",
      "46: error: a timeout of 'Duration.milliseconds(0)' is over before the task starts; write a longer one"
    ),
    ("retry: .attempts(0)", "54: error: a task is tried at least once, and 'attempts' is 0; write 1 or more"),
    (
      "retry: RetryPolicy(attempts: -1)",
      "66: error: a task is tried at least once, and 'attempts' is -1; write 1 or more"
    ),
    ("dependencies: [C.self, C.self]", "60: error: dependency 'C' is listed twice; remove one of them"),
    (
      "dependencies: [C.self, App::C.self, App::C.self]",
      "73: error: dependency 'C' is listed twice; remove one of them"
    ),
    ("after: [\"C\", .optional(\"C\")]", "50: error: 'C' is listed twice in 'after:'; remove one of them"),
  ]

  private func diagnostics(_ options: String, beside more: String) -> [String] {
    generate([
      "App.swift": """
      @EventTask(name: "b", event: .idle, \(options)) enum B { static func run() {} }
      @EventTask(event: .idle) enum C { static func run() {} }
      """,
      "More.swift": more,
    ]).diagnostics
  }

  @Test(arguments: mistakes)
  func `where the tool stops the build it says in the macro's words what the macro would`(
    options: String, expected: String
  ) {
    let graph = "@EventTask(event: .idle, dependencies: [Nobody.self]) enum D { static func run() {} }"
    let found = diagnostics(options, beside: graph)
    #expect(found.count == 2)
    #expect(found.first == "App.swift:1:\(expected)")
  }

  @Test(arguments: mistakes)
  func `where it does not the macro says it, with a repair`(options: String, expected: String) {
    #expect(diagnostics(options, beside: "") == [])
    // A warning stops nothing.
    let warning = "@EventTask(event: .idle, after: [\"Nobody\"]) enum D { static func run() {} }"
    #expect(diagnostics(options, beside: warning).count == 1)
  }

  @Test(arguments: [
    "timeout: .seconds(1)", "timeout: limit", "timeout: .seconds(zero)", "timeout: zero", "retry: .attempts(1)",
    "retry: .attempts(count)", "retry: .never", "dependencies: [C.self]", "after: [\"C\", .optional(\"App.C\")]",
  ])
  func `what no macro refuses the tool does not`(options: String) {
    let graph = "@EventTask(event: .idle, dependencies: [Nobody.self]) enum D { static func run() {} }"
    #expect(diagnostics(options, beside: graph).count == 1)
  }

  @Test func `the mistakes of an imported module were told in its own build`() {
    let core = "@EventTask(event: .idle, timeout: .zero) public enum A { public static func run() {} }"
    let graph = "@EventTask(event: .idle, dependencies: [Nobody.self]) enum D { static func run() {} }"
    let found = generate(
      ["App.swift": graph], dependencies: [(name: "Core", files: ["Core.swift": core])]
    ).diagnostics
    #expect(found.count == 1)
  }
}
