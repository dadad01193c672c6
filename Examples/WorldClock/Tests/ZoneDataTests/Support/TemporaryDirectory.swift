import Foundation

/// A directory that goes away with its last reference.
final class TemporaryDirectory {
  let url = FileManager.default.temporaryDirectory.appending(path: "worldclock-\(UUID().uuidString)")
  var path: String { url.path(percentEncoded: false) }

  init(_ files: [String: [UInt8]] = [:]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, bytes) in files {
      let file = url.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      at: url.appending(path: name), withDestinationURL: url.appending(path: target))
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
