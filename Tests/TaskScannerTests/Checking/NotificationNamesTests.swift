import TaskScanner
import Testing

/// Which notification an annotation means, as far as the sources tell.
@Suite struct NotificationNamesTests {
  /// What is wrong where a task of one notification waits for a task of another.
  private func diagnostics(
    _ first: String, _ second: String, waiting option: String = "dependencies: [First.self]", with more: String = ""
  ) -> [String] {
    generate([
      "App.swift": """
      import TaskKit
      @NotificationTask(\(first))
      enum First {}
      @NotificationTask(\(second), \(option))
      enum Second {}
      """,
      "More.swift": more,
    ]).diagnostics.filter { $0.contains("error") || $0.contains("warning") }
  }

  private static let spellings = [
    "\"News\"", "Notification.Name(\"News\")", "Notification.Name(rawValue: \"News\")", "NSNotification.Name(\"News\")",
    "Foundation.Notification.Name.init(rawValue: \"News\")", ".init(\"News\")", ".init(rawValue: \"News\")",
  ]

  @Test(arguments: spellings)
  func `a name between quotes is the same however it is wrapped`(spelling: String) {
    #expect(diagnostics("\"News\"", spelling) == [])
    #expect(diagnostics(spelling, "\"News\"", waiting: "after: [\"First\"]") == [])
    let wrong = diagnostics("\"Prices\"", spelling)
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("task 'App.Second' of notification 'News' cannot wait for 'App.First'") == true)
  }

  @Test(arguments: [
    ".news", "Notification.Name.news", "Foundation.Notification.Name.news", "NSNotification.Name.`news`",
  ])
  func `a member is the same however its type is written`(spelling: String) {
    let declaration = "extension Notification.Name { static let news = Notification.Name(\"News\") }"
    #expect(diagnostics(".news", spelling) == [])
    #expect(diagnostics(".news", spelling, with: declaration) == [])
    #expect(diagnostics(".news", spelling, waiting: "after: [\"First\"]", with: declaration) == [])
  }

  @Test(arguments: [
    ("\"News\"", ".news"), (".news", "\"News\""), (".news", ".prices"), ("Names.news", "\"News\""),
    ("UIApplication.didBecomeActiveNotification", "Notification.Name.prices"), ("prefix + \"News\"", "\"News\""),
  ])
  func `what the sources do not tell is left to the program`(first: String, second: String) {
    #expect(diagnostics(first, second) == [])
    #expect(diagnostics(first, second, waiting: "after: [\"First\"]") == [])
  }

  @Test(arguments: [
    "extension Notification.Name { static let news = Notification.Name(\"News\") }",
    "extension Notification.Name { static let news = Self(\"News\"), other = Self(\"Other\") }",
    "extension Foundation.Notification.Name {\n  public static let news: Self = .init(rawValue: \"News\")\n}",
    "extension Notification.Name {\n  static let news = Notification.Name(\n    \"News\")\n  static let old = Self(\"Old\")\n}",
    "extension Notification.Name {\n  static let news: Self\n    = .init(\n      rawValue: \"News\"\n    )\n}",
    "extension NSNotification.Name {\n  static var news: Notification.Name { .init(\"News\") }\n  func news() {}\n}",
    "extension Notification.Name {\n  nonisolated static var news: Self {\n    get { return Self(\"News\") }\n  }\n}",
  ])
  func `a member whose declaration is scanned is known by its name`(declaration: String) {
    #expect(diagnostics(".news", "\"News\"", with: declaration) == [])
    let wrong = diagnostics(".news", "\"Prices\"", with: declaration)
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("cannot wait for 'App.First', a task of notification 'News'") == true)
  }

  @Test(arguments: ["Self(prefix + \"News\")", "Self(\"News\" + suffix)", "named(\"News\")", "Self(\"News\").quiet"])
  func `a member whose name is put together is left to the program`(value: String) {
    let declaration = "extension Notification.Name {\n  static let news = \(value)\n}"
    #expect(diagnostics(".news", "\"Prices\"", with: declaration) == [])
    #expect(diagnostics(".news", "\"News\"", with: declaration) == [])
  }

  @Test func `a member that is declared twice in different words is left to the program`() {
    let declarations = """
      #if DEBUG
      extension Notification.Name { static let news = Notification.Name("Test") }
      #else
      extension Notification.Name { static let news = Notification.Name("News") }
      #endif
      """
    #expect(diagnostics(".news", "\"Prices\"", with: declarations) == [])
  }

  @Test(arguments: [
    "private extension Notification.Name { static let news = Self(\"Other\") }",
    "fileprivate extension Notification.Name { static let news = Self(\"Other\") }",
    "extension Notification.Name { private static let news = Self(\"Other\") }",
    "extension Notification.Name { private nonisolated(unsafe) static var news = Self(\"Other\") }",
    "extension Notification.Name { private static let other = Self(\"x\"), news = Self(\"Other\") }",
  ])
  func `a private member is known in its own file alone`(declaration: String) {
    #expect(diagnostics("\"News\"", ".news", with: declaration) == [])
    #expect(diagnostics(".news", ".news", with: declaration) == [])
    let task = "@NotificationTask(.news, dependencies: [First.self]) enum Third {}"
    let wrong = diagnostics("\"News\"", "\"News\"", with: "import TaskKit\n\(declaration)\n\(task)")
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("task 'App.Third' of notification 'Other' cannot wait for 'App.First'") == true)
  }

  @Test func `the module's own member hides that of another module`() {
    let found = generate(
      [
        "App.swift": """
        import Core
        import TaskKit
        extension Notification.Name { static let news = Notification.Name("Own") }
        @NotificationTask(.news)
        enum First {}
        @NotificationTask("News", dependencies: [First.self])
        enum Second {}
        """
      ],
      dependencies: [
        (name: "Core", files: ["Core.swift": "extension Notification.Name { public static let news = Self(\"News\") }"])
      ]
    ).diagnostics
    #expect(found.count { $0.contains("a task of notification 'Own'") } == 1)
  }

  @Test(arguments: ["static let", "private static let"])
  func `what only another module sees is left to the program`(declaration: String) {
    let core = "extension Notification.Name { \(declaration) news = Self(\"core.news\") }"
    let app = """
      import Core
      @NotificationTask("News") enum First {}
      @NotificationTask(.news, dependencies: [First.self]) enum Second {}
      """
    let found = { (text: String) in
      generate(["App.swift": app], dependencies: [(name: "Core", files: ["Core.swift": text])]).diagnostics
    }
    #expect(found(core) == [])
    #expect(found(core.replacing(declaration, with: "public static let")).count == 1)
  }

  @Test func `a cycle through two spellings of one notification is found`() {
    let found = diagnostics(
      ".news, after: [\"Second\"]", "\"News\"",
      with: "extension Notification.Name { static let news = Notification.Name(\"News\") }")
    #expect(found.count == 1)
    #expect(found.first?.contains("these tasks wait for each other") == true)
  }
}
