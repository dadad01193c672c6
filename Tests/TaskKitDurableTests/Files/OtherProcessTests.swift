#if os(Linux) && Durable
import Foundation
import ProcessTesting
import TaskKitDurable
import Testing

/// What other processes have to do with a file: other users, children, and those who write it, too.
@Suite(.serialized) struct OtherProcessTests {
  private func lines(_ file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// What a process of a user who may not do everything says when it opens a store.
  private func opening(_ fixture: SQLiteFixture, in folder: URL) async throws -> String {
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: fixture.folder.path)
    let history = fixture.folder.appending(path: "history")
    try Data().write(to: history)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: history.path)
    let file = folder.appending(path: "jobs.sqlite").path
    let end = try await onThread {
      var environment = ["PROBE_MODE": "open", "PROBE_FILE": file, "PROBE_HISTORY": history.path]
      if getuid() == 0 { environment["PROBE_USER"] = "65534" }
      return try ProbeProcess(run: "user", environment).end()
    }
    #expect(end == .exit(0))
    let line = try #require(try lines(history).last)
    let words = line.split(separator: " ").map(String.init)
    guard words[1] == "error" else { return words[1] }
    #expect(line.contains(file))
    return "error \(words[2])"
  }

  private func permit(_ permissions: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }

  @Test func `a folder and a file that may not be written are told, and open when they may`() async throws {
    let fixture = try SQLiteFixture()
    let folder = fixture.folder.appending(path: "inner")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try permit(0o555, folder.path)
    #expect(try await opening(fixture, in: folder) == "error readOnly")
    try permit(0o777, folder.path)
    #expect(try await opening(fixture, in: folder) == "open")
    // The file is that user's now.
    let file = folder.appending(path: "jobs.sqlite").path
    try permit(0o444, file)
    #expect(try await opening(fixture, in: folder) == "error readOnly")
    try permit(0o644, file)
    #expect(try await opening(fixture, in: folder) == "open")
  }

  @Test func `of a link the file's own folder has to be writable, and not that of the link`() async throws {
    let fixture = try SQLiteFixture()
    let links = fixture.folder.appending(path: "links")
    let files = fixture.folder.appending(path: "files")
    for folder in [links, files] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      at: links.appending(path: "jobs.sqlite"), withDestinationURL: files.appending(path: "jobs.sqlite"))
    try permit(0o555, links.path)
    try permit(0o777, files.path)
    #expect(try await opening(fixture, in: links) == "open")
    try permit(0o777, links.path)
    try permit(0o555, files.path)
    #expect(try await opening(fixture, in: links) == "error readOnly")
    // So that the fixture can be removed.
    try permit(0o777, files.path)
  }

  @Test func `a child process keeps nothing of an owner alive`() async throws {
    let fixture = try SQLiteFixture()
    let store = SQLiteStore(at: fixture.file)
    _ = try await store.open(StoreEnvironment(owner: "parent"))
    let new = NewJob(kind: "Upload", payload: JobPayload(bytes: Data()))
    let id = try await store.enqueue([new])[0].id
    let claim = JobExchange.Claim(queue: "default", limit: 1, kinds: [.init("Upload", limit: 1)])
    #expect(try await store.exchange(JobExchange(claims: [claim])).claimed.map(\.id) == [id])
    // It waits for its input, which ends with this test's interest in it.
    let child = Process()
    let input = Pipe()
    child.executableURL = URL(filePath: "/bin/cat")
    child.standardInput = input
    try child.run()
    store.die()
    let next = SQLiteStore(at: fixture.file)
    #expect(try await next.open(StoreEnvironment(owner: "next")).rescued.map(\.id) == [id])
    #expect(child.isRunning)
    try input.fileHandleForWriting.close()
    await next.close()
  }

  @Test func `four processes that write as often as they can come to their turns`() async throws {
    // On a disk: in memory a turn is so short that who is put aside for one slice of the processor misses a hundred.
    let fixture = try SQLiteFixture()
    let history = fixture.folder.appending(path: "history")
    let file = fixture.file.path
    let turns = 150
    try await onThread {
      func start(_ place: Int) throws -> ProbeProcess {
        let process = try ProbeProcess(
          run: "w\(place)",
          [
            "PROBE_MODE": "turns", "PROBE_FILE": file, "PROBE_HISTORY": history.path, "PROBE_JOBS": "\(turns)",
          ])
        // It has opened the file.
        process.lines(1)
        return process
      }
      let first = try start(0)
      let second = try start(1)
      let third = try start(2)
      let fourth = try start(3)
      first.goOn()
      second.goOn()
      third.goOn()
      fourth.goOn()
      // All their turns, and the word that they have had them.
      first.lines(turns + 1)
      second.lines(turns + 1)
      third.lines(turns + 1)
      fourth.lines(turns + 1)
      first.goOn()
      second.goOn()
      third.goOn()
      fourth.goOn()
      let ends = [first.end(), second.end(), third.end(), fourth.end()]
      #expect(ends == Array(repeating: .exit(0), count: 4))
    }
    let turn = try lines(history).compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.count == 4 && words[1] == "enqueued" ? String(words[0]) : nil
    }
    #expect(turn.count == 4 * turns)
    // From when all have begun until the first has finished.
    let begin = Set(turn).compactMap { turn.firstIndex(of: $0) }.max()!
    let end = Set(turn).compactMap { turn.lastIndex(of: $0) }.min()!
    let contested = Array(turn[begin...end])
    for run in Set(turn) {
      let places = contested.indices.filter { contested[$0] == run }
      let waits = zip(places.dropFirst(), places).map { $0 - $1 - 1 }.sorted()
      // A fair share is a quarter, a fair wait is for three others. Some are longer, when the system lets a process rest:
      // for one slice on a machine with fifteen programs that run, others had 139 turns.
      #expect(places.count * 8 > contested.count, "\(run) had \(places.count) of \(contested.count) turns")
      #expect(waits[waits.count / 2] <= 4, "\(run) waited for \(waits)")
      #expect(waits.last! < 60, "\(run) waited for \(waits)")
    }
  }
}
#endif
