#if Durable && !os(Windows)
import Foundation

/// Names of one file.
package enum FileName {
  /// The name without links, which is the same for everybody, whether the file is there or not yet.
  ///
  /// SQLite goes by it, too: the log of a file that was opened by a link lies beside the file, not beside the link.
  package static func resolved(_ path: String) -> String {
    var path = path
    // As many links as the system follows.
    for _ in 0..<40 {
      if let name = real(path) { return name }
      guard errno == ENOENT else { return path }
      let parent = (path as NSString).deletingLastPathComponent
      guard let folder = real(parent.isEmpty ? "." : parent) else { return path }
      path = (folder as NSString).appendingPathComponent((path as NSString).lastPathComponent)
      // A link may have been made before the file.
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
      path = target.hasPrefix("/") ? target : (folder as NSString).appendingPathComponent(target)
    }
    return path
  }

  private static func real(_ path: String) -> String? {
    guard let name = realpath(path, nil) else { return nil }
    defer { free(name) }
    return String(cString: name)
  }
}
#endif
