import TaskScanner
import Testing

/// What the macros say of literals, which the build does not come to where the tool stops it.
@Suite struct MacroProblemTests {
  private static let mistakes: [(options: String, expected: String)] = [
    ("timeout: .zero", "46: error: a timeout of '.zero' is over before the task starts; write a longer one"),
    (
      "timeout: .seconds(-0.5)",
      "55: error: a timeout of '.seconds(-0.5)' is over before the task starts; write a longer one"
    ),
    (
      "timeout: Duration.milliseconds(0)",
      "68: error: a timeout of 'Duration.milliseconds(0)' is over before the task starts; write a longer one"
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

  private static let refused: [(declaration: String, expected: String)] = [
    (
      "@EventTask(event: .idle) private enum B {}",
      "39: error: 'B' is private, so the registry in another file cannot see it; make it internal"
    ),
    (
      "@TaskModule private actor B {}",
      "27: error: 'B' is private, so the registry in another file cannot see it; make it internal"
    ),
    (
      "@DurableTask(kind: \"b\") private struct B {}",
      "40: error: 'B' is private, so the registry in another file cannot see it; make it internal"
    ),
    (
      "@EventTask(event: .idle) enum B<T> {}",
      "31: error: 'B' is generic, and a task is one type; remove the generic parameters"
    ),
    (
      "@EventTask(event: .idle) @ScheduleTask(every: .seconds(1)) enum B {}",
      "26: error: 'B' is a task already, and a type is one task; use one annotation, or a second type\n"
        + "App.swift:1:1: note: the first annotation is here"
    ),
    (
      "@EventTask(event: .idle) @DurableTask(kind: \"b\") enum B {}",
      "26: error: 'B' is a task already, and a type is one task; use one annotation, or a second type\n"
        + "App.swift:1:1: note: the first annotation is here"
    ),
    (
      "@EventTask(name: \"a\\(b)\", event: .idle) enum B {}",
      "18: error: 'name:' is not a plain string literal, which the build needs to read it; write the name between quotes"
    ),
    (
      "@EventTask(name: \" \", event: .idle) enum B {}",
      "18: error: 'name:' is empty; write a name, or leave it out to use the type's path"
    ),
    (
      "@NotificationTask(\" \") enum B {}",
      "19: error: the name of the notification is empty; write the name with which it is posted"
    ),
    (
      "@EventTask(events: .idle, .reload, .idle) enum B {}",
      "36: error: event '.idle' is listed twice, so the task would run twice; remove one of them"
    ),
    (
      "@ScheduleTask(every: .seconds(1), count: 0) enum B {}",
      "42: error: 'count:' is 0, so the task would never run; write 1 or more, or leave it out"
    ),
  ]

  @Test(arguments: refused)
  func `a type that is refused with a repair is left to the macro, unless something else stops the build`(
    declaration: String, expected: String
  ) {
    func diagnostics(beside more: String) -> [String] {
      generate(["App.swift": declaration, "More.swift": more]).diagnostics
    }
    #expect(diagnostics(beside: "") == [])
    let graph = "@EventTask(event: .idle, dependencies: [Nobody.self]) enum D { static func run() {} }"
    #expect(diagnostics(beside: graph).first == "App.swift:1:\(expected)")
    #expect(diagnostics(beside: graph).count == 2)
  }

  private static let ownNames: [(declaration: String, expected: String)] = [
    ("enum A { @EventTask(event: .idle, after: [\"A.B\"]) enum B {} }", "43: error: task 'App.A.B' runs after itself"),
    ("@EventTask(event: .idle, after: [\"B\"]) enum B {}", "34: error: task 'App.B' runs after itself"),
    ("@EventTask(event: .idle, after: [.optional(\"App.B\")]) enum B {}", "34: error: task 'App.B' runs after itself"),
    ("@EventTask(name: \"b\", event: .idle, after: [\"b\"]) enum B {}", "45: error: task 'b' runs after itself"),
    ("@ScheduleTask(every: .seconds(1), after: [\"B\"]) enum B {}", "43: error: task 'App.B' runs after itself"),
  ]

  @Test(arguments: ownNames)
  func `that a task comes after itself is left to the macro, unless something else stops the build`(
    declaration: String, expected: String
  ) {
    func diagnostics(beside more: String) -> [String] {
      generate(["App.swift": declaration, "More.swift": more]).diagnostics
    }
    #expect(diagnostics(beside: "") == [])
    let graph = "@EventTask(event: .idle, dependencies: [Nobody.self]) enum D { static func run() {} }"
    #expect(diagnostics(beside: graph).first == "App.swift:1:\(expected); remove this dependency")
    #expect(diagnostics(beside: graph).count == 2)
  }

  @Test(arguments: [
    // The compiler would refuse the circle before it asks the macro.
    "@EventTask(event: .idle, dependencies: [B.self]) enum B {}",
    "@EventTask(event: .idle, dependencies: [App.B.self]) enum B {}",
    "@EventTask(event: .idle, dependencies: [App::B.self]) enum B {}",
    "@EventTask(event: .idle, dependencies: [C.self]) enum B {}\ntypealias C = B",
    "@EventTask(event: .idle, dependencies: [`B`.self]) enum B {}",
    "@EventTask(name: \"App.B\", event: .idle, after: [\"B\"]) enum B {}",
  ])
  func `where the macro is not asked or cannot see that a task waits for itself the tool says it`(declaration: String) {
    let found = generate(["App.swift": declaration]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("itself; remove this dependency") == true)
  }

  @Test func `that a task of an imported module comes after itself was told in its own build`() {
    let core = "@EventTask(event: .idle, after: [\"A\"]) public enum A { public static func run() {} }"
    let app = "@EventTask(event: .idle) enum D { static func run() {} }"
    let found = generate(
      ["App.swift": app], dependencies: [(name: "Core", files: ["Core.swift": core])]
    ).diagnostics
    #expect(found == [])
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
