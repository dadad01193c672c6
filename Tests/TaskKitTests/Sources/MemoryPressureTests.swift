#if os(Linux)
import Foundation
import TaskKitTesting
import Testing

@testable import TaskKit

@Suite struct MemoryPressureTests {
  private let recorder = Recorder()

  private func center(_ launched: Gate) throws -> TaskCenter {
    try .with([
      .event(.didFinishLaunching, name: "launched") { _ in launched.open() },
      .event(.didReceiveMemoryWarning, name: "warning") { [recorder] _ in recorder.note("warning") },
    ])
  }

  /// Runs the source on a made-up file system.
  ///
  /// - Returns: its report when the launch had ended.
  private func report(on folder: TemporaryFolder, _ body: @escaping @Sendable () async throws -> Void = {})
    async throws -> String
  {
    let launched = Gate()
    let center = try center(launched)
    let root = folder.url.path + "/"
    async let ended = center.run(sources: [.memoryPressure(root: root)])
    await launched.pass()
    let report = center.sources.map(\.description).joined().replacing(root, with: "/")
    try await body()
    center.shutDown()
    _ = await ended
    return report
  }

  @Test func `a machine that tells nothing of it makes the source unavailable, and it says what it tried`() async throws
  {
    let report = try await report(on: TemporaryFolder())
    #expect(
      report
        == "memoryPressure: unavailable: memory pressure cannot be told: "
        + "/proc/pressure/memory: No such file or directory, the process is in no control group of version 2")
  }

  @Test func `the machine's own information comes first`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("some avg10=0.00", to: "proc/pressure/memory")
    let report = try await report(on: folder)
    #expect(report == "memoryPressure: listening")
    let written = try Data(contentsOf: folder.url.appending(path: "proc/pressure/memory"))
    #expect(String(decoding: written, as: UTF8.self) == "some 150000 2000000\0")
  }

  @Test(arguments: [("0::/", ""), ("1:cpu:/x\n0::/app.slice/one", "/app.slice/one")])
  func `then that of the control group`(line: String, group: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(line, to: "proc/self/cgroup")
    try folder.write("1", to: "sys/fs/cgroup\(group)/cgroup.procs")
    try folder.write("", to: "sys/fs/cgroup\(group)/memory.pressure")
    let report = try await report(on: folder)
    #expect(
      report
        == "memoryPressure: listening; listens to /sys/fs/cgroup\(group)/memory.pressure, because "
        + "/proc/pressure/memory: No such file or directory")
  }

  @Test func `then the group's limits: each one that is reached is a warning`() async throws {
    let folder = try TemporaryFolder()
    let events = "sys/fs/cgroup/unified/app/memory.events"
    try folder.write("0::/app", to: "proc/self/cgroup")
    try folder.write("1", to: "sys/fs/cgroup/unified/app/cgroup.procs")
    try folder.write("low 0\nhigh 3\nmax 0\noom 0\n", to: events)
    let file = folder.url.appending(path: events)
    let report = try await report(on: folder) { [recorder] in
      // Written in place, as the kernel changes it.
      for (count, text) in ["low 9\nhigh 4\nmax 0\noom 0\n", "low 9\nhigh 4\nmax 1\noom 0\n"].enumerated() {
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        #expect(await recorder.notes(count + 1).count == count + 1)
      }
    }
    #expect(report.hasPrefix("memoryPressure: listening; listens to /sys/fs/cgroup/unified/app/memory.events, because"))
  }

  /// - Parameter isTold: whether the kernel tells that the file has gone: not of a control group's, nor of one with another name.
  @Test(arguments: [true, false])
  func `a source that is told nothing any more, as its control group has gone, is unavailable`(
    isTold: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let events = "sys/fs/cgroup/app/memory.events"
    try folder.write("0::/app", to: "proc/self/cgroup")
    try folder.write("1", to: "sys/fs/cgroup/app/cgroup.procs")
    try folder.write("high 3", to: events)
    let launched = Gate()
    let center = try center(launched)
    let told = center.events.makeAsyncIterator()
    let root = folder.url.path + "/"
    if !isTold { try FileManager.default.linkItem(atPath: root + events, toPath: root + "kept") }
    async let ended = center.run(sources: [.memoryPressure(root: root)])
    await launched.pass()
    try FileManager.default.removeItem(atPath: root + (isTold ? events : "sys/fs/cgroup/app"))
    while let event = await told.next(), !event.words.hasPrefix("sourceFailed memoryPressure") {}
    center.shutDown()
    #expect(await ended.sources.map(\.state) == [.unavailable("\(root)\(events): the file has gone")])
  }

  @Test func `a source whose counters cannot be read any more is unavailable, and says why`() async throws {
    let folder = try TemporaryFolder()
    let events = "sys/fs/cgroup/app/memory.events"
    try folder.write("0::/app", to: "proc/self/cgroup")
    try folder.write("1", to: "sys/fs/cgroup/app/cgroup.procs")
    try folder.write("high 3", to: events)
    let launched = Gate()
    let center = try center(launched)
    let told = center.events.makeAsyncIterator()
    let root = folder.url.path + "/"
    async let ended = center.run(sources: [.memoryPressure(root: root)])
    await launched.pass()
    // It is there, and no text.
    let handle = try FileHandle(forWritingTo: folder.url.appending(path: events))
    try handle.write(contentsOf: Data([0xC0, 0xC1, 0xF5]))
    try handle.close()
    while let event = await told.next(), !event.words.hasPrefix("sourceFailed memoryPressure") {}
    center.shutDown()
    guard case .unavailable(let reason) = await ended.sources.first?.state else {
      Issue.record("it listens still")
      return
    }
    #expect(reason.hasPrefix("\(root)\(events): ") && !reason.hasSuffix("has gone"))
  }

  @Test(arguments: [
    ("low 1\nhigh 2\nmax 3\noom 4\noom_kill 5\noom_group_kill 6\n", 9), ("", 0), ("high x\nmax", 0),
  ])
  func `limits that were reached are counted`(text: String, count: Int) {
    #expect(MemoryPressure.limitsReached(text) == count)
  }

  /// Without a privilege: the kernel takes the window, or the report says what is missing.
  @Test func `this machine tells it, or the report says why not`() async throws {
    let launched = Gate()
    let center = try center(launched)
    async let ended = center.run(sources: [.memoryPressure])
    await launched.pass()
    let source = try #require(center.sources.first)
    if FileManager.default.isWritableFile(atPath: "/proc/pressure/memory") {
      #expect(source.state == .listening && source.notes.isEmpty)
    } else if case .unavailable(let reason) = source.state {
      #expect(reason.contains("/proc/pressure/memory: "))
    } else {
      #expect(source.notes.joined().contains("/proc/pressure/memory: "))
    }
    center.shutDown()
    _ = await ended
  }
  @Test(
    .enabled(
      if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: ChildProcess.userSetter)
        && FileManager.default.isWritableFile(atPath: "/proc/pressure/memory"),
      "needs root, to be somebody else, and pressure stall information"))
  func `a process without any privilege is told by the machine itself`() async throws {
    let nobody = 65_534
    let child = try ChildProcess("hungry", user: nobody)
    await child.lines(until: "launched one two")
    child.send(SIGTERM)
    #expect(await child.lines().filter { $0.hasPrefix("source memory") } == ["source memoryPressure: ended"])
  }

  @Test(
    .enabled(
      if: MemoryGroup.isAvailable && PressureGroup.isAvailable,
      "needs root, a memory control group that can be written, and pressure stall information of groups"))
  func `where only the control group is told, a process of it that has too little memory is a warning`() async throws {
    let (folder, limited, told) = (try TemporaryFolder(), try MemoryGroup(limit: 24 << 20), try PressureGroup())
    // A root without the machine's own information, in which everything else is the machine's.
    try folder.write("0::/\(told.name)\n", to: "proc/self/cgroup")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "sys"), withDestinationURL: URL(filePath: "/sys"))
    let child = try ChildProcess("hungry", environment: ["PROBE_FILE": folder.url.appending(path: "pages").path])
    await child.lines(until: "launched one two")
    let report = try await report(on: folder) { [recorder] in
      #expect(recorder.notes == [])
      try told.add(child.identifier)
      try limited.add(child.identifier)
      child.send(SIGHUP)
      #expect(await recorder.notes(1).first == "warning")
    }
    #expect(report.hasPrefix("memoryPressure: listening; listens to /sys/fs/cgroup/"))
    #expect(report.contains("\(told.name)/memory.pressure, because /proc/pressure/memory: No such file or directory"))
    child.send(SIGKILL)
    #expect(await child.exitCode() == 128 + SIGKILL)
    // A group goes only when nobody is in it.
    withExtendedLifetime((limited, told)) {}
  }

  @Test(.enabled(if: MemoryGroup.isAvailable, "needs root and a memory control group that can be written"))
  func `a process that really has too little memory is told`() async throws {
    let (folder, group) = (try TemporaryFolder(), try MemoryGroup(limit: 24 << 20))
    let child = try ChildProcess(
      "hungry", environment: ["PROBE_FILE": folder.url.appending(path: "pages").path])
    await child.lines(until: "launched one two")
    try group.add(child.identifier)
    child.send(SIGHUP)
    #expect(await child.lines(until: "memory").last == "memory")
    child.send(SIGKILL)
    #expect(await child.exitCode() == 128 + SIGKILL)
    withExtendedLifetime(group) {}
  }
}

/// A control group of version 2 that the kernel tells of, whether or not memory is limited by version 1. It goes with the value.
private final class PressureGroup: Sendable {
  /// Its name below where version 2 is mounted.
  let name: String
  private let path: String

  static var isAvailable: Bool { (try? PressureGroup()) != nil }

  init() throws {
    for parent in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
      guard FileManager.default.fileExists(atPath: "\(parent)/cgroup.controllers") else { continue }
      name = "taskkit-tests-\(UUID().uuidString)"
      path = "\(parent)/\(name)"
      guard mkdir(path, 0o755) == 0 else { throw Broken() }
      guard FileManager.default.isWritableFile(atPath: "\(path)/memory.pressure") else {
        rmdir(path)
        throw Broken()
      }
      return
    }
    throw Broken()
  }

  deinit { rmdir(path) }

  func add(_ process: Int32) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: "\(path)/cgroup.procs"))
    try handle.write(contentsOf: Data("\(process)".utf8))
  }
}

/// A control group whose processes may have little memory, of version 1 or 2. It goes with the value.
private final class MemoryGroup: Sendable {
  private static let parents = [
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"),
  ]
  private let path: String

  static var isAvailable: Bool {
    (try? MemoryGroup(limit: 1 << 20)) != nil
      && FileManager.default.isWritableFile(atPath: "/proc/pressure/memory")
  }

  init(limit: Int) throws {
    var failure: (any Error)?
    for (parent, file) in Self.parents {
      let path = "\(parent)/taskkit-tests-\(UUID().uuidString)"
      guard mkdir(path, 0o755) == 0 else { continue }
      do {
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(path)/\(file)"))
        try handle.write(contentsOf: Data("\(limit)".utf8))
        self.path = path
        return
      } catch {
        rmdir(path)
        failure = error
      }
    }
    throw failure ?? Broken()
  }

  deinit { rmdir(path) }

  func add(_ process: Int32) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: "\(path)/cgroup.procs"))
    try handle.write(contentsOf: Data("\(process)".utf8))
  }
}
#endif
