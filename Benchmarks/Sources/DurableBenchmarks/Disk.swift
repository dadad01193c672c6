#if Durable
import Foundation
import Measuring

/// How fast a disk takes what it is given, for certain: a file that is there already, written over and flushed.
final class Disk {
  private let file: Int32
  private let path: String
  private let bytes: [UInt8]
  private var offset = 0

  private static let size = 1 << 20

  /// - Parameter count: how many bytes at a time.
  init(in folder: URL, bytes count: Int) {
    path = folder.appending(path: "flushes-\(count)").path(percentEncoded: false)
    bytes = [UInt8](repeating: 0x5A, count: count)
    file = open(path, O_RDWR | O_CREAT, 0o600)
    precondition(file >= 0, "\(path) cannot be made")
    let start = [UInt8](repeating: 0, count: Self.size)
    precondition(write(file, start, start.count) == start.count && fsync(file) == 0, "\(path) cannot be written")
  }

  deinit {
    close(file)
    unlink(path)
  }

  /// Nanoseconds of some flushes, one after the other.
  func flushes(_ count: Int) -> [Double] {
    (0..<count).map { _ in
      let start = Stopwatch.time
      precondition(pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count, "\(path) cannot be written")
      #if canImport(Darwin)
      precondition(fcntl(file, F_FULLFSYNC) == 0, "\(path) cannot be flushed")
      #else
      precondition(fdatasync(file) == 0, "\(path) cannot be flushed")
      #endif
      offset = (offset + bytes.count) % Self.size
      return Double(Stopwatch.time - start)
    }
  }
}
#endif
