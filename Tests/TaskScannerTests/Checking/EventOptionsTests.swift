import TaskScanner
import Testing

/// How often an event happens, and what a burst of it does, wherever it is declared.
@Suite struct EventOptionsTests {
  /// What a build says of two events of one name that are told different things.
  private func diagnostics(_ first: String, _ second: String) -> [String] {
    generate([
      "A.swift": "extension LifecycleEvent<Int, Void> { static var a: Self { .init(\"same\"\(first)) } }",
      "B.swift": "@EventTask(event: LifecycleEvent<Int, Void>(\"same\"\(second))) enum B {}",
      "C.swift": "@EventTask(event: .a) enum C {}",
    ]).diagnostics
  }

  private func found(_ message: String) -> [String] {
    [
      "B.swift:1:19: error: event 'same' \(message)\n"
        + "A.swift:1:50: note: the other event 'same' is declared here"
    ]
  }

  @Test(arguments: [
    ("", ", once: true"), (", once: true", ""), (", once: false", ", once: true"),
    (", once: true", ", burst: .drop"), (", once: true, burst: .queue", ", once: false, burst: .queue"),
  ])
  func `an event that happens once in one place and repeatedly in another is refused`(first: String, second: String) {
    #expect(
      diagnostics(first, second)
        == found("happens once in one place and repeatedly in another; declare it in one place"))
  }

  @Test(arguments: [
    ("", ", burst: .drop", "queue", "drop"), (", burst: .coalesce", "", "coalesce", "queue"),
    (", burst: .replace", ", burst: BurstPolicy.drop", "replace", "drop"),
    (", burst: TaskKit.BurstPolicy.coalesce", ", burst: .debounce(.seconds(1))", "coalesce", "debounce(.seconds(1))"),
    (", once: false, burst: .drop", ", once: false", "drop", "queue"),
  ])
  func `an event that does two things with a burst is refused`(
    first: String, second: String, one: String, other: String
  ) {
    #expect(
      diagnostics(first, second)
        == found("does '\(one)' with a burst in one place and '\(other)' in another; say the same in both"))
  }

  @Test(arguments: [
    (", once: true", ", once: true"), ("", ", once: false"), ("", ", burst: .queue"), ("", ", once: isOnce"),
    (", once: !true", ", once: true"), (", burst: .drop", ", burst: policy"), (", burst: .usual", ", burst: .drop"),
    (", burst: .debounce(.seconds(1))", ", burst: .debounce(.milliseconds(1000))"),
    (", burst: .queue", ", burst: TaskKit::BurstPolicy.queue"), (", burst: Bursts.drop", ", burst: .queue"),
    // An initialiser of somebody's own.
    (", in: .shop", ", once: true"), (", once: true, in: .shop", ", once: false, burst: .drop"),
    (", burst: .drop, shop", ""), ("", ", in: .shop, burst: .drop"),
  ])
  func `what agrees, and what the source computes, is left to the program`(first: String, second: String) {
    #expect(diagnostics(first, second) == [])
  }

  @Test(arguments: [
    (", once: true, burst: .drop", "drop"), (", burst: BurstPolicy.replace, once: true", "replace"),
    (", once: true, burst: .debounce(.seconds(1)), reply: .any", "debounce(.seconds(1))"),
  ])
  func `an event that happens once and says what a burst does is refused where a task runs at it`(
    options: String, burst: String
  ) {
    let event = "LifecycleEvent<Int, Void>(\"late\"\(options))"
    let declaration = "extension LifecycleEvent<Int, Void> { static var late: Self { .init(\"late\"\(options)) } }"
    let found =
      "error: 'once: true' and 'burst: .\(burst)' of event 'late' contradict each other; remove one of them"
    #expect(generate(["A.swift": "@EventTask(event: \(event)) enum A {}"]).diagnostics == ["A.swift:1:19: \(found)"])
    #expect(
      generate(["A.swift": declaration, "B.swift": "@EventTask(event: .late) enum B {}"]).diagnostics
        == ["A.swift:1:50: \(found)"])
    #expect(generate(["A.swift": declaration]).diagnostics == [])
  }

  @Test(arguments: [
    ", once: true", ", once: true, burst: .queue", ", once: false, burst: .drop", ", once: isOnce, burst: .drop",
    ", once: true, burst: policy", ", once: true, burst: .drop, in: .shop",
  ])
  func `what is no contradiction, or is computed, is left to the program`(options: String) {
    let text = "@EventTask(event: LifecycleEvent<Int, Void>(\"late\"\(options))) enum A {}"
    #expect(generate(["A.swift": text]).diagnostics == [])
  }

  @Test(arguments: [
    // Constants for whoever sends, beside the one at which a task runs, and without one.
    ("", "@EventTask(event: .saved) enum A {}"), ("", ""),
    ("", "@EventTask(event: LifecycleEvent<Void, Void>(\"saved\")) enum A {}"),
    ("static var again: Self { .savedIfIdle }", "@EventTask(event: .saved) enum A {}"),
    ("static var restIfIdle: Self { .init(\"idle\", burst: .drop) }", "@EventTask(event: .idle) enum A {}"),
    // No build has both tasks.
    (
      "",
      """
      #if DEBUG
      @EventTask(event: .saved) enum A {}
      #else
      @EventTask(event: .savedIfIdle) enum A {}
      #endif
      """
    ),
  ])
  func `what a burst does is compared only where tasks run`(more: String, tasks: String) {
    #expect(generate(["App.swift": Self.saved(more) + tasks]).diagnostics == [])
  }

  @Test(arguments: [
    ("", "@EventTask(event: .saved) enum A {}\n@EventTask(event: .savedIfIdle) enum B {}", "saved"),
    ("", "@TaskModule final class A { @ModuleTask(events: .saved, .savedIfIdle) func run() {} }", "saved"),
    (
      "static var again: Self { .savedIfIdle }",
      "@EventTask(event: .saved) enum A {}\n@EventTask(event: .again) enum B {}", "saved"
    ),
    (
      "static var restIfIdle: Self { .init(\"idle\", burst: .drop) }", "@EventTask(event: .restIfIdle) enum A {}",
      "idle"
    ),
  ])
  func `constants at which tasks run are told the same, by whatever name`(more: String, tasks: String, name: String) {
    let found = generate(["App.swift": Self.saved(more) + tasks]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("error: event '\(name)' does '") == true, "\(found)")
  }

  private static func saved(_ more: String) -> String {
    """
    extension LifecycleEvent<Void, Void> {
      nonisolated static var saved: Self { .init("saved") }
      nonisolated static var savedIfIdle: Self { .init("saved", burst: .drop) }
      \(more)
    }

    """
  }

  @Test func `a name that two static members have in one file is held against itself`() {
    let text = """
      extension LifecycleEvent<Int, Void> {
        static var a: Self { .init("same") }
        static let b = Self("same", once: true)
        static var c: Self { get { return .init("other", burst: .drop) } }
        static var d: Self { LifecycleEvent("other", burst: .drop) }
      }
      """
    let found = generate(["App.swift": text]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("App.swift:3:14: error: event 'same' happens once in one place") == true)
  }

  @Test func `of two branches a build has one`() {
    let text = """
      #if DEBUG
      extension LifecycleEvent<Int, Void> { static var a: Self { .init("same") } }
      #else
      extension LifecycleEvent<Int, Void> { static var a: Self { .init("same", once: true) } }
      #endif
      """
    #expect(generate(["App.swift": text]).diagnostics == [])
  }

  @Test(arguments: [
    ("LaunchOptions", "didFinishLaunching", "", "happens repeatedly here and once in TaskKit"),
    ("Void", "willTerminate", ", once: true", "happens once here and repeatedly in TaskKit"),
    ("Void", "reload", "", "does 'queue' with a burst here and 'coalesce' in TaskKit"),
    ("Void", "idle", ", burst: .drop", "does 'drop' with a burst here and 'queue' in TaskKit"),
  ])
  func `an event of TaskKit's is what TaskKit says`(
    payload: String, name: String, options: String, message: String
  ) {
    let text = "@EventTask(event: LifecycleEvent<\(payload), Void>(\"\(name)\"\(options))) enum A {}"
    #expect(
      generate(["A.swift": text]).diagnostics == ["A.swift:1:19: error: event '\(name)' \(message); write '.\(name)'"])
  }
}
