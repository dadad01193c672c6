#if Durable && !os(Windows)
import Foundation

/// The folder beside the database in which every owner holds the lock of a file for as long as it lives.
struct OwnerLocks: ~Copyable, Sendable {
  let folder: String
  let turn: WriterTurn

  init(forDatabaseAt path: String) throws {
    let folder = path + "-owners"
    if mkdir(folder, 0o755) != 0, errno != EEXIST { throw JobStoreError(code: errno, path: folder, store: path) }
    let turn: WriterTurn
    do {
      turn = try WriterTurn(in: folder)
    } catch {
      throw JobStoreError(code: error.code, path: folder, store: path)
    }
    self.folder = folder
    self.turn = turn
  }

  /// Takes a lock that nobody had before.
  ///
  /// - Returns: the lock, and the name of its file.
  borrowing func take(store: String) throws -> OwnerLock {
    let name = UUID().uuidString
    do {
      let lock = try FileLock(at: folder + "/" + name)
      guard lock.tryLock() else { throw JobStoreError(.locked, store: store, detail: "\(folder)/\(name) is locked") }
      return OwnerLock(lock: lock, name: name)
    } catch let error as FileLockError {
      throw JobStoreError(code: error.code, path: folder + "/" + name, store: store)
    }
  }

  borrowing func isDead(_ name: String) -> Bool { FileLock.isFree(at: folder + "/" + name) }

  borrowing func remove(_ name: String) { unlink(folder + "/" + name) }
}

/// Held for an owner's life.
struct OwnerLock: ~Copyable, Sendable {
  let lock: FileLock
  let name: String
}
#endif
