#if os(Linux)
import CTaskKit
import Foundation

/// Where Linux says that memory is short.
enum MemoryPressure {
  /// They fail where nothing is told any more, because the control group has been removed.
  typealias Warnings = AsyncThrowingStream<Void, any Error>

  /// 150 ms of stall within two seconds: since Linux 6.5 windows of two seconds and their multiples need no privilege.
  private static let trigger = "some 150000 2000000"

  /// Listens to the best of what there is.
  ///
  /// - Parameters:
  ///   - root: where the file system begins.
  ///   - note: told what was taken in the place of something better.
  static func open(root: String, note: (String) -> Void) throws -> Warnings {
    var failures: [String] = []
    let group = controlGroup(root: root)
    for path in ["proc/pressure/memory"] + (group.map { ["\($0)/memory.pressure"] } ?? []) {
      do {
        let stalls = try stalls(at: root + path)
        if !failures.isEmpty { note("listens to \(root)\(path), because \(failures.joined(separator: ", "))") }
        return stalls
      } catch let failure { failures.append(failure.reason) }
    }
    if let group {
      do {
        let limits = try limits(at: "\(root)\(group)/memory.events")
        note("listens to \(root)\(group)/memory.events, because \(failures.joined(separator: ", "))")
        return limits
      } catch let failure { failures.append(failure.reason) }
    } else {
      failures.append("the process is in no control group of version 2")
    }
    throw EventSourceUnavailable("memory pressure cannot be told: \(failures.joined(separator: ", "))")
  }

  /// The folder of the process's control group (version 2), relative to the root; nil if it is in none.
  static func controlGroup(root: String) -> String? {
    guard let text = try? String(contentsOfFile: root + "proc/self/cgroup", encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("0::/") {
      // Where version 1 is in use beside it, version 2 is mounted under `unified`.
      for mount in ["sys/fs/cgroup", "sys/fs/cgroup/unified"] {
        let folder = mount + (line.dropFirst(3) == "/" ? "" : line.dropFirst(3))
        if FileManager.default.fileExists(atPath: "\(root)\(folder)/cgroup.procs") { return folder }
      }
    }
    return nil
  }

  /// How often a limit was reached, from the text of `memory.events`.
  static func limitsReached(_ text: String) -> Int {
    text.split(separator: "\n").reduce(0) { sum, line in
      let words = line.split(separator: " ")
      guard words.count == 2, ["high", "max", "oom"].contains(words[0]), let count = Int(words[1]) else { return sum }
      return sum + count
    }
  }

  // MARK: - Pressure stall information

  private static func stalls(at path: String) throws(EventSourceUnavailable) -> Warnings {
    let file = Foundation.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw EventSourceUnavailable("\(path): \(SystemError.text)") }
    // With the zero byte: the kernel takes what is written as a string of C.
    let length = trigger.utf8.count + 1
    guard trigger.withCString({ write(file, $0, length) }) == length else {
      let text = SystemError.text
      close(file)
      throw EventSourceUnavailable("\(path): \(text)")
    }
    return try PriorityWatch.events(of: file, path: path)
  }

  // MARK: - Limits

  private static func limits(at path: String) throws(EventSourceUnavailable) -> Warnings {
    // Watched before it is read: what is reached in between is told by the next look.
    let changes = try FileChanges.events(at: path, UInt32(IN_MODIFY))
    // Kernels tell nobody of a file that goes with its control group, and of the group only who watches the folder that it is in:
    // nobody, where that lies outside of a container.
    let group = URL(filePath: path).deletingLastPathComponent()
    let removals = try? FileChanges.events(
      at: group.deletingLastPathComponent().path, UInt32(IN_DELETE), named: group.lastPathComponent)
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw EventSourceUnavailable("\(path): \(SystemError.text)")
    }
    let (warnings, continuation) = Warnings.makeStream(bufferingPolicy: .bufferingNewest(1))
    let gone = EventSourceUnavailable("\(path): the file has gone")
    // Both are ended with the stream that they feed.
    let reader = _Concurrency.Task {
      var reached = limitsReached(text)
      for await _ in changes {
        let text: String
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
          let isThere = FileManager.default.fileExists(atPath: path)
          let failure = EventSourceUnavailable("\(path): \(error.localizedDescription)")
          return continuation.finish(throwing: isThere ? failure : gone)
        }
        let now = limitsReached(text)
        if now > reached { continuation.yield() }
        reached = now
      }
      continuation.finish()
    }
    let watcher = _Concurrency.Task {
      guard let removals else { return }
      for await _ in removals { continuation.finish(throwing: gone) }
    }
    continuation.onTermination = { _ in
      reader.cancel()
      watcher.cancel()
    }
    return warnings
  }
}
#endif
