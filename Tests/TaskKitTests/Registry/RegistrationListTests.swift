import TaskKit
import Testing

@Suite struct RegistrationListTests {
  /// Without TaskKit's own insides: whoever uses it can write the same, in this format or another.
  @Test func `a registry tells what a drawing of its graph takes`() throws {
    let registry = try TaskRegistry(modules: [
      .of(
        "App",
        [
          .event(.alpha, name: "open") { _ in },
          .event(.alpha, name: "read", dependencies: ["open"], after: ["trace"]) { _ in },
          .event(.beta, name: "trace") { _ in },
        ])
    ])
    let arrows = registry.registrations.flatMap { task in
      task.dependencies.map { "\"\($0)\" -> \"\(task.name)\"" }
        + task.after.map { "\"\($0.name)\" -> \"\(task.name)\" [style=dashed]" }
    }
    #expect(arrows == ["\"open\" -> \"read\"", "\"trace\" -> \"read\" [style=dashed]"])
    #expect(registry.registrations.map(\.events) == [["alpha"], ["alpha"], ["beta"]])
  }
}
