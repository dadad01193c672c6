import TaskScanner
import Testing

/// What tasks of one notification do with a burst of it.
@Suite struct NotificationPolicyTests {
  private func diagnostics(_ first: String, _ second: String, with more: String = "") -> [String] {
    generate([
      "App.swift": """
      import TaskKit
      @NotificationTask(\(first))
      enum First {}
      @NotificationTask(\(second))
      enum Second {}
      """,
      "More.swift": more,
    ]).diagnostics.filter { $0.contains("error") || $0.contains("warning") }
  }

  @Test(arguments: [
    ("\"News\", burst: .drop", "\"News\"", "drop", "queue"),
    ("\"News\"", "\"News\", burst: .coalesce", "queue", "coalesce"),
    ("\"News\", burst: .replace", ".init(\"News\"), burst: BurstPolicy.drop", "replace", "drop"),
    (
      "\"News\", sender: nil, burst: .queue", "\"News\", burst: .debounce(.seconds(1))", "queue",
      "debounce(.seconds(1))"
    ),
    (".news, burst: .drop", "\"News\"", "drop", "queue"),
  ])
  func `tasks of one notification that do two things with a burst are refused`(
    first: String, second: String, one: String, other: String
  ) {
    let declaration = "extension Notification.Name { static let news = Notification.Name(\"News\") }"
    #expect(
      diagnostics(first, second, with: declaration) == [
        "App.swift:4:1: error: notification 'News' does '\(one)' with a burst in one place and '\(other)' in another; say the "
          + "same in both\nApp.swift:2:1: note: the other task of 'News' is declared here"
      ])
  }

  @Test(arguments: [
    ("\"News\", burst: .drop", "\"News\", burst: .drop"), ("\"News\", burst: .drop", "\"Prices\""),
    ("\"News\", burst: policy", "\"News\", burst: .drop"), ("\"News\", burst: .usual", "\"News\""),
    ("\"News\", burst: .debounce(.seconds(1))", "\"News\", burst: .debounce(.milliseconds(1000))"),
    // One sender may be another object than the other, and has a burst of its own.
    ("\"News\", sender: Shop.one, burst: .drop", "\"News\""),
    ("\"News\", sender: Shop.one, burst: .drop", "\"News\", sender: shop"),
    (".unknown, burst: .drop", ".unknown"), (".unknown, burst: .drop", "\"News\""),
  ])
  func `what agrees, and what only the program knows, is left to that`(first: String, second: String) {
    #expect(diagnostics(first, second) == [])
  }

  @Test func `tasks that no build has together need not agree`() {
    let found = generate([
      "App.swift": """
      import TaskKit
      #if DEBUG
      @NotificationTask("News", burst: .drop)
      enum First {}
      #else
      @NotificationTask("News")
      enum Second {}
      #endif
      """
    ]).diagnostics.filter { $0.contains("error") || $0.contains("warning") }
    #expect(found == [])
  }
}
