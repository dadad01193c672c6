import TaskScanner
import Testing

/// A public task whose `run` returns what other modules do not see.
@Suite struct OutputAccessTests {
  @Test(arguments: [
    (
      "struct Feed {}\n@EventTask(event: .idle)\npublic enum A { static func run() -> Feed { Feed() } }",
      "4:38", "2:8", "Feed", "Feed"
    ),
    (
      "struct Feed {}\n@EventTask(event: .idle)\npublic enum A { static func run(_ a: Void) async throws(Broken) -> Feed { x } }",
      "4:68", "2:8", "Feed", "Feed"
    ),
    (
      "public enum Mail { struct Feed {} }\n@ScheduleTask(every: .seconds(1))\npublic struct A { func run() -> Mail.Feed { .init() } }",
      "4:33", "2:27", "Mail.Feed", "Mail.Feed"
    ),
    (
      "enum Mail { public struct Feed {} }\n@EventTask(event: .idle)\npublic enum A { static func run() -> Mail.Feed { .init() } }",
      "4:38", "2:27", "Mail.Feed", "Mail.Feed"
    ),
    (
      "// Its own.\n@EventTask(event: .idle)\npublic enum A { struct Feed {}\nstatic func run() -> Feed { Feed() } }",
      "5:22", "4:24", "Feed", "A.Feed"
    ),
  ])
  func `it is an error at the type, whatever it runs at`(
    text: String, place: String, declaration: String, written: String, path: String
  ) {
    let found = generate(["App.swift": "import TaskKit\n" + text]).diagnostics
    #expect(
      found == [
        "App.swift:\(place): error: 'run' returns '\(written)', which other modules do not see, and they see the task "
          + "'App.A'; make '\(path)' public, or the task internal\n"
          + "App.swift:\(declaration): note: '\(path)' is declared here"
      ])
  }

  @Test(arguments: [
    "public struct Feed {}\nTASK", "package struct Feed {}\nTASK", "public enum A {}",
    "struct Feed {}\n@EventTask(event: .idle) enum A { static func run() -> Feed { Feed() } }",
    "struct Feed {}\nenum Mail { TASK }", "struct Feed {}\nenum Mail {}\nextension Mail { TASK }",
    "public enum Mail {}\npublic extension Mail { struct Feed {} }\n"
      + "@EventTask(event: .idle) public enum A { static func run() -> Mail.Feed { .init() } }",
    // What the name means, is not certain.
    "struct Feed {}\n#if DEBUG\nTASK\n#endif", "#if DEBUG\nstruct Feed {}\n#else\npublic struct Feed {}\n#endif\nTASK",
    "struct Feed {}\nenum Mail { public typealias Feed = Int }\nTASK", "struct Feed {}\nextension A {}\nTASK",
    "struct Feed {}\n@EventTask(event: .idle) public enum A: P { static func run() -> Feed { Feed() } }",
    "struct Feed {}\n@Routed @EventTask(event: .idle) public enum A { static func run() -> Feed { Feed() } }",
    // Left to the compiler.
    "struct Feed {}\n@EventTask(event: .idle) public enum A { static func run() -> Feed? { nil } }",
    "struct Feed {}\n@EventTask(event: .idle) public enum A { static func run() -> [Feed] { [] } }",
    "struct Feed<Item> {}\n@EventTask(event: .idle) public enum A { static func run() -> Feed<Int> { .init() } }",
    "struct Feed {}\n@EventTask(event: .idle) public enum A { static func run() { let a = { () -> Feed in Feed() } } }",
    "TASK",
  ])
  func `what others see, or is not certain, is left alone`(text: String) {
    let task = "@EventTask(event: .idle) public enum A { static func run() -> Feed { Feed() } }"
    let found = generate(["App.swift": "import TaskKit\n" + text.replacing("TASK", with: task)]).diagnostics
    #expect(!found.contains { $0.contains("'run' returns") }, "\(found)")
  }

  @Test func `a module that is not generated for was built before`() {
    let text = "struct Feed {}\n@EventTask(event: .idle) public enum A { static func run() -> Feed { Feed() } }"
    #expect(generate([:], dependencies: [(name: "Core", files: ["Core.swift": text])]).diagnostics == [])
  }
}
