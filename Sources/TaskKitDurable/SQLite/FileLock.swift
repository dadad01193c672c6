#if Durable && !os(Windows)
import Foundation

/// A lock on a file that the kernel frees when the process dies, however it dies.
///
/// It belongs to the open file, not to the process: two stores of one process exclude each other as two processes do. A
/// program that is started inherits nothing of it; a child made by `fork` alone keeps it for as long as it lives.
struct FileLock: ~Copyable, Sendable {
  private let file: Int32

  /// Opens the file, and makes it where it is not there; does not lock.
  init(at path: String) throws(FileLockError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw FileLockError(code: errno) }
    self.file = file
  }

  deinit {
    // A program that is being started by another thread holds a copy of the open file for a moment.
    flock(file, LOCK_UN)
    close(file)
  }

  /// - Returns: whether it is ours now.
  borrowing func tryLock() -> Bool { flock(file, LOCK_EX | LOCK_NB) == 0 }

  /// Waits until it is ours. Blocks its thread.
  borrowing func lock() {
    while flock(file, LOCK_EX) != 0, errno == EINTR {}
  }

  borrowing func unlock() { flock(file, LOCK_UN) }

  /// Leaves a mark on the file that needs no room on the disk, and stays when the lock is free: a date at which no lock was
  /// made. Not a permission, as there are file systems that have none.
  borrowing func mark() {
    let time = timespec(tv_sec: Self.marked, tv_nsec: 0)
    _ = futimens(file, [time, time])
  }

  /// In seconds, 1987-06-05 04:03:21: none with which a clock begins that was never set, as those in 1970, 1980 and 2000 are,
  /// from which the locks of processes are that have died. File systems that know no earlier date than 1980 know this one;
  /// those that go by local time are a day off at most.
  private static let marked = 549_864_201
  private static let aDay = 86_400

  private static func isMarked(_ file: Int32) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0 else { return false }
    #if canImport(Darwin)
    let time = status.st_mtimespec.tv_sec
    #else
    let time = status.st_mtim.tv_sec
    #endif
    return abs(time - marked) <= aDay
  }

  /// Whether the file of that name is the one that was opened.
  borrowing func isAt(_ path: String) -> Bool {
    guard let identity = FileIdentity(file) else { return false }
    return FileIdentity(at: path) == identity
  }

  enum Holding: Sendable {
    case held
    case free
    /// The same, and who held it has marked it.
    case marked
    /// No file of that name is there.
    case missing
  }

  /// Whether somebody holds the lock of a file.
  ///
  /// - Parameter whileFree: is called while nobody can take it.
  static func holding(at path: String, whileFree: () -> Void = {}) -> Holding {
    // Only for reading: those who watch for locks that become free wait for the end of what was open for writing.
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno == ENOENT ? .missing : .held }
    defer { close(file) }
    // Shared: all look at once when one has died, and would take each other for it. Who holds it holds it alone.
    guard flock(file, LOCK_SH | LOCK_NB) == 0 else { return .held }
    whileFree()
    return isMarked(file) ? .marked : .free
  }
}

struct FileLockError: Error {
  let code: Int32
}
#endif
