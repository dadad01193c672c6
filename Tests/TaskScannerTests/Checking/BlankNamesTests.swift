import TaskScanner
import Testing

/// Names of lanes, events and notifications that nobody could read in a report.
@Suite struct BlankNamesTests {
  private static let event = "the event of task 'App.A' has a blank name; write one"
  private static let notification =
    "the notification of task 'App.A' has a blank name; write the name with which it is posted"
  private static let lane = "the lane of task 'App.A' has a blank name; write one"

  @Test(arguments: [
    (
      "@EventTask(event: .shown)", "extension LifecycleEvent<Int, Void> { static var shown: Self { .init(\"\") } }",
      event
    ),
    (
      "@EventTask(events: .idle, .again)",
      "extension LifecycleEvent<Int, Void> { static var shown: Self { .init(\" \", once: true) } }\n"
        + "extension LifecycleEvent<Int, Void> { static var again: Self { .shown } }", event
    ),
    ("@EventTask(event: .shown)", "extension Moment { static var shown: Self { .init(\"\") } }", event),
    ("@NotificationTask(.shown)", "extension Notification.Name { static let shown = Self(\"  \") }", notification),
    (
      "@NotificationTask(Notification.Name.shown, burst: .drop)",
      "extension NSNotification.Name { static var shown: Self { .init(rawValue: \"\") } }", notification
    ),
    ("@EventTask(event: .idle, lane: .shown)", "extension Lane { static let shown = Lane(\"\u{3000}\") }", lane),
    (
      "@NotificationTask(\"News\", lane: TaskKit.Lane.shown)",
      "extension TaskKit.Lane { static let shown = Self(\"\", isolation: .mainActor, timeout: .seconds(1)) }", lane
    ),
    (
      "@ScheduleTask(every: .seconds(1), lane: .shown)",
      "extension Lane { static let a = Lane(\"a\"), shown = Lane(\"\") }", lane
    ),
  ])
  func `a blank name is refused where the member that an annotation names is declared`(
    annotation: String, declaration: String, expected: String
  ) {
    let found = generate([
      "App.swift": "\(annotation) enum A {}\n\(annotation) enum B {}", "More.swift": declaration,
      "Names.swift": "typealias Moment = LifecycleEvent<Int, Void>",
    ]).diagnostics
    // Once, whoever else names it.
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("More.swift:1:") == true)
    #expect(
      found.first?.hasSuffix(": error: \(expected)\nApp.swift:1:1: note: the task is declared here") == true, "\(found)"
    )
  }

  @Test func `it is refused of the methods of a module, too`() {
    let source = """
      extension Lane { static let shown = Lane("") }
      @TaskModule actor Mail {
        @ModuleTask(event: .idle, lane: .shown) func load() {}
      }
      """
    #expect(
      generate(["App.swift": source]).diagnostics == [
        "App.swift:1:29: error: the lane of task 'App.Mail.load' has a blank name; write one\n"
          + "App.swift:3:3: note: the task is declared here"
      ])
  }

  @Test(arguments: [
    (
      "@EventTask(event: .idle, lane: Lane(\"\"))", "37: error: \(lane)\nApp.swift:1:1: note: the task is declared here"
    ),
    (
      "@EventTask(event: .idle, lane: .init(\" \", onFailure: .stop))",
      "38: error: \(lane)\nApp.swift:1:1: note: the task is declared here"
    ),
    (
      "@NotificationTask(Notification.Name(\"\"))",
      "19: error: the name of the notification is empty; write the name with which it is posted"
    ),
    (
      "@NotificationTask(.init(rawValue: \" \"))",
      "19: error: the name of the notification is empty; write the name with which it is posted"
    ),
  ])
  func `a blank name is refused where an annotation makes what has it`(annotation: String, expected: String) {
    #expect(generate(["App.swift": "\(annotation) enum A {}"]).diagnostics == ["App.swift:1:\(expected)"])
  }

  @Test(arguments: [
    (
      "@EventTask(event: .shown)",
      "extension LifecycleEvent<Int, Void> { static var shown: Self { .init(prefix + \"\") } }"
    ),
    (
      "@EventTask(event: .shown)",
      "extension LifecycleEvent<Int, Void> { static var shown: Self { .init(\"\", in: x) } }"
    ),
    ("@EventTask(event: .idle)", "extension LifecycleEvent<Int, Void> { static var shown: Self { .init(\"\") } }"),
    ("@NotificationTask(.shown)", "extension Notification.Name { static let shown = Self(\"\", of: x) }"),
    ("@NotificationTask(.shown)", "extension Notification.Name { private static let shown = Self(\"\") }"),
    (
      "@NotificationTask(.shown)",
      "enum Notification { struct Name {} }\nextension Notification.Name { static let shown = Self(\"\") }"
    ),
    ("@EventTask(event: .idle, lane: .shown)", "extension Lane { static let shown = Lane(\"\", of: x) }"),
    ("@EventTask(event: .idle, lane: .shown)", "extension Lane { static let shown = make(\"\") }"),
    ("@EventTask(event: .idle, lane: .shown)", "struct Lane {}\nextension Lane { static let shown = Lane(\"\") }"),
    (
      "@EventTask(event: .idle, lane: .shown)",
      "#if DEBUG\nextension Lane { static let shown = Lane(\"\") }\n#else\nextension Lane { static let shown = Lane(\"a\") }\n#endif"
    ),
    ("@EventTask(event: .idle, lane: Lanes.shown)", "enum Lanes { static let shown = Lane(\"\") }"),
    ("@EventTask(event: .idle, lane: .init(\"\", of: x))", ""),
  ])
  func `what is not certain to be blank, or is no task's, is left alone`(annotation: String, declaration: String) {
    #expect(generate(["App.swift": "\(annotation) enum A {}", "More.swift": declaration]).diagnostics == [])
  }

  @Test func `a member of another module is refused where a task names it, whose own were told in its build`() {
    let core = """
      extension Lane { public static let shown = Lane("") }
      @EventTask(event: .idle, lane: .shown) public enum Load {}
      """
    func diagnostics(_ app: String) -> [String] {
      generate(["App.swift": app], dependencies: [(name: "Core", files: ["Core.swift": core])]).diagnostics
    }
    #expect(
      diagnostics("import Core\n@EventTask(event: .idle, lane: .shown) enum A {}") == [
        "Core.swift:1:36: error: \(Self.lane)\nApp.swift:2:1: note: the task is declared here"
      ])
    #expect(diagnostics("import Core\n@EventTask(event: .idle) enum A {}") == [])
  }
}
