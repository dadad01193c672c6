import Foundation
import TaskScanner
import Testing

@Suite struct EventTableTests {
  /// TaskKit's own files of events, which the scanner knows by heart.
  private static var knownEvents: String {
    get throws {
      try ["Known", "System"].map { part in
        let file = URL(fileURLWithPath: #filePath).appending(
          path: "../../../../Sources/TaskKit/Declaring/LifecycleEvent+\(part).swift")
        return try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
      }.joined()
    }
  }

  @Test func `every event of TaskKit is known with its payload and reply`() throws {
    let known = try Self.knownEvents.matches(of: /static var (\w+): Self/).map(\.1)
    #expect(known.count > 50)
    for name in known {
      let source = "extension LifecycleEvent<Wrong, Wrong> { static var other: Self { .init(\"\(name)\") } }"
      let found = generate(["App.swift": source]).diagnostics
      #expect(found.first?.contains("error: event '\(name)' carries 'Wrong' here and") == true, "\(name)")
    }
  }

  @Test func `TaskKit's own declarations of its events agree with what the scanner knows`() throws {
    #expect(try generate(["Known.swift": Self.knownEvents]).diagnostics == [])
  }

  @Test(arguments: [
    ("", "LifecycleEvent<Void, Void>(\"willTerminate\")"),
    ("", "LifecycleEvent<(), Void>.willTerminate"),
    ("extension LifecycleEvent<Void, Void> { static var last: Self { .willTerminate } }", ".last"),
    (
      "#if DEBUG\nextension LifecycleEvent<Void, Void> { static var end: Self { .idle } }\n#else\n"
        + "extension LifecycleEvent<Void, Void> { static var end: Self { .init(\"willTerminate\") } }\n#endif",
      ".end"
    ),
  ])
  func `an event is the same by whatever name`(declaration: String, event: String) {
    let source = """
      \(declaration)
      #if !DEBUG
      @EventTask(event: \(event)) enum Later {}
      @EventTask(event: .didBecomeActive, dependencies: [Later.self]) enum Sooner {}
      #endif
      """
    let found = generate(["App.swift": source]).diagnostics
    #expect(found.count == 1)
    #expect(found.first?.contains("which runs at 'willTerminate', a later event") == true)
  }
}
