import Arguments
import Foundation
import TaskKit

/// Writes down the number of the process, for those who want to send it signals, and removes it in the end.
@EventTask(event: .didFinishLaunching, dependencies: [OpenScreen.self])
enum WriteProcessFile {
  /// - Returns: the path; nil if nobody asked for a file.
  static func run(_ context: TaskContext<LaunchOptions>) throws -> String? {
    guard let path = context[Invocation.self]?.processFile else { return nil }
    try "\(ProcessInfo.processInfo.processIdentifier)\n".write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  // Started after the screen was opened, so it is stopped before that is closed.
  static func stop(_ path: String?) throws {
    if let path { try FileManager.default.removeItem(atPath: path) }
  }
}
