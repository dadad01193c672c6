import Foundation
import TaskScanner
import Testing

@Suite struct GenerationTests {
  @Test func `what modules that are not listed may have is left to the run`() {
    let source = """
      @EventTask(event: .idle) enum A {}
      @EventTask(event: .idle, dependencies: [Elsewhere.self], after: ["Elsewhere"]) enum B {}
      @EventTask(event: .idle, dependencies: [A.self], after: ["A"]) enum C {}
      """
    let found = generate(["App.swift": source], isComplete: false)
    #expect(found.diagnostics == [])
    #expect(found.text?.contains("_tasks.add(B.registration, at: 1)\n") == true)
    #expect(found.text?.contains("_tasks.add(C.registration, at: 2, dependencies: [0], after: [0])\n") == true)
  }

  @Test(arguments: [
    "@EventTask(event: .idle)", "@EventTask (event: .idle)", "@TaskKit.EventTask(event: .idle)",
    "@TaskKit::EventTask(event: .idle)", "@ScheduleTask(every: .seconds(1))", "@NotificationTask(\"N\")",
    "@SequenceTask(Prices.updates)",
  ])
  func `a file with one annotation is read, however it is written`(annotation: String) {
    #expect(generate(["App.swift": "\(annotation) enum A {}"]).text?.contains("A.registration") == true)
  }

  @Test func `what is wrong in the module itself is told all the same`() {
    let source = "enum Plain {}\n@EventTask(event: .idle, dependencies: [Plain.self, A.self]) enum A {}"
    let found = generate(["App.swift": source], isComplete: false)
    #expect(found.diagnostics.map { $0.prefix(21) } == ["App.swift:2:41: error", "App.swift:2:53: error"])
  }

  @Test func `a request says the same in a file`() throws {
    let text = "incomplete\nmodule\tCore\tTaskKit\nfile\t/a/b c.swift\tb c.swift\nmodule\tApp\tCore\tTaskKit\n"
    let expected = GenerationRequest(
      modules: [
        .init(
          name: "Core", dependencies: ["TaskKit"], sources: [.init(path: "/a/b c.swift", relativePath: "b c.swift")]),
        .init(name: "App", dependencies: ["Core", "TaskKit"], sources: []),
      ], isComplete: false)
    #expect(try GenerationRequest(contentsOf: text) == expected)
  }

  @Test(arguments: ["file\t/a.swift\ta.swift", "module", "module\tA\nfile\t/a.swift", "incomplete\tA", "other"])
  func `a request that says something else is refused with its line`(text: String) {
    #expect {
      try GenerationRequest(contentsOf: text)
    } throws: { error in
      "\(error)".hasPrefix("line \(text.split(separator: "\n").count) of the request is neither a module nor a file")
    }
  }

  @Test func `a file that cannot be read is named`() {
    let request = GenerationRequest(modules: [
      .init(name: "App", dependencies: [], sources: [.init(path: "/nowhere/a.swift", relativePath: "a.swift")])
    ])
    #expect {
      try Generation(request)
    } throws: {
      "\($0)".hasPrefix("cannot read /nowhere/a.swift")
    }
  }

  @Test func `modules come after those that they depend on, whatever the request says`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "TaskScannerTests-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    func module(_ name: String, _ dependencies: Set<String>, _ text: String) throws -> GenerationRequest.Module {
      let path = folder.appending(path: "\(name).swift")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try text.write(to: path, atomically: true, encoding: .utf8)
      return .init(
        name: name, dependencies: dependencies,
        sources: [.init(path: path.path(percentEncoded: false), relativePath: "\(name).swift")])
    }
    let task = "@EventTask(event: .idle) public enum T {}"
    let request = GenerationRequest(modules: [
      try module("A", ["Core"], task), try module("Core", [], task), try module("App", ["A", "Core"], task),
    ])
    let text = try Generation(request).text ?? ""
    let calls = text.split(separator: "\n").filter { $0.hasPrefix("      _taskKit_") }.map { $0.prefix { $0 != "(" } }
    #expect(calls == ["      _taskKit_Core", "      _taskKit_A", "      _taskKit_App"])
  }
}
