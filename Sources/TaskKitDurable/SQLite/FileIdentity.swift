#if Durable && !os(Windows)
import Foundation

/// Which file it is, whatever it is called.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  /// What the file system calls it.
  let number: UInt64

  /// Nil where there is none.
  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of a file that is open.
  init?(_ file: Int32) {
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
#endif
