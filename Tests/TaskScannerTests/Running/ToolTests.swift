import Foundation
import Testing

/// The program `taskkit-generate`, which lies beside that of the tests, as a build system calls it.
@Suite struct ToolTests {
  private static let task = "@EventTask(event: .idle, dependencies: [Load.self]) enum Show {}"

  @Test(arguments: ["link", "link/", "Sources", "Sources/", "chain"])
  func `a directory has the same tasks behind a link as at its own path`(sources: String) async throws {
    try await withFolder { folder in
      try write("@EventTask(event: .idle) enum Load {}", to: folder.appending(path: "Sources/App/B.swift"))
      try write(Self.task, to: folder.appending(path: "Sources/A.swift"))
      try write("", to: folder.appending(path: "Sources/Folder.swift/notes.txt"))
      try link("link", to: "Sources", in: folder)
      try link("chain", to: "link", in: folder)
      let found = try await generate(sources, in: folder)
      #expect(found.messages == "")
      #expect(found.code == 0)
      let text = try String(contentsOf: folder.appending(path: "out.swift"), encoding: .utf8)
      #expect(text.contains("_tasks.add(Show.registration, at: 0, dependencies: [1])"))
      #expect(text.contains("_tasks.add(Load.registration, at: 1)"))
    }
  }

  @Test func `what is wrong behind a link is told of the path that was given`() async throws {
    try await withFolder { folder in
      try write(Self.task, to: folder.appending(path: "Sources/App/A.swift"))
      try link("link", to: "Sources", in: folder)
      let path = folder.appending(path: "link/App/A.swift").path(percentEncoded: false)
      let found = try await generate("link", in: folder)
      #expect(found.code == 1)
      #expect(found.messages.hasPrefix("\(path):1:41: error: "), "\(found.messages)")
    }
  }

  @Test(arguments: ["Sources", "broken", "Sources/A.swift"])
  func `a directory that is not there is no module without tasks`(sources: String) async throws {
    try await withFolder { folder in
      if sources != "Sources" { try write("", to: folder.appending(path: "Sources/A.swift")) }
      try link("broken", to: "Missing", in: folder)
      let found = try await generate(sources, in: folder)
      #expect(found.code == 1)
      #expect(found.messages.contains("error: there is no directory"))
    }
  }

  @Test func `what the tool has written among the sources it does not read again`() async throws {
    try await withFolder { folder in
      for line in ["import TaskKit", "internal import TaskKit"] {
        try write(line, to: folder.appending(path: "z.swift"))
        let found = try await generate("", in: folder)
        #expect(found.messages == "")
        let text = try String(contentsOf: folder.appending(path: "out.swift"), encoding: .utf8)
        #expect(text.contains("\n\(line)\n"), "\(text)")
      }
    }
  }

  private func generate(_ sources: String, in folder: URL) async throws -> (code: Int32, messages: String) {
    let process = Process()
    let output = Pipe()
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let bundle = String(tests[..<(tests.range(of: ".xctest")?.upperBound ?? tests.endIndex)])
    process.executableURL = URL(filePath: bundle).deletingLastPathComponent().appending(path: "taskkit-generate")
    process.arguments = [
      "--module", "App", "--sources", folder.path(percentEncoded: false) + "/" + sources, "--output",
      folder.appending(path: "out.swift").path(percentEncoded: false),
    ]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let reading = output.fileHandleForReading
    return await withCheckedContinuation { continuation in
      // A thread of its own, which ends with the process: waiting holds it.
      Thread.detachNewThread {
        let text = String(decoding: reading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        continuation.resume(returning: (process.terminationStatus, text))
      }
    }
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "TaskKitGenerate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func link(_ name: String, to target: String, in folder: URL) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: name).path(percentEncoded: false), withDestinationPath: target)
  }
}
