import Foundation

/// Takes connections, and never says anything.
final class SilentServer: Sendable {
  let folder: URL
  private let listener: Int32

  init() throws {
    folder = URL(filePath: "/tmp/taskkit-silent-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    listener = FaultyProxy.socket(folder.appending(path: ".s.PGSQL.5432").path) { bind($0, $1, $2) }
    // The system takes them, since nobody does.
    listen(listener, 8)
  }

  func end() {
    close(listener)
    try? FileManager.default.removeItem(at: folder)
  }
}
