#if Durable && !os(Windows)
import Foundation
import Synchronization

/// The folder beside the database in which every owner holds the lock of a file for as long as it lives.
///
/// Somebody may delete it, or a file in it, while owners live: see ``SQLiteWriter/keepPlace(_:)``.
final class OwnerLocks: Sendable {
  let folder: String
  private let turns: Mutex<WriterTurn>

  init(forDatabaseAt path: String) throws {
    let folder = Self.folder(forDatabaseAt: path)
    turns = Mutex(try Self.makeTurn(in: folder, store: path))
    self.folder = folder
  }

  static func folder(forDatabaseAt path: String) -> String { path + "-owners" }

  var turn: WriterTurn { turns.withLock { $0 } }

  private static func makeTurn(in folder: String, store: String) throws -> WriterTurn {
    if mkdir(folder, 0o755) != 0, errno != EEXIST { throw JobStoreError(code: errno, path: folder, store: store) }
    do {
      return try WriterTurn(in: folder)
    } catch {
      throw JobStoreError(code: error.code, path: folder, store: store)
    }
  }

  /// Takes a lock that nobody had before.
  ///
  /// - Parameter file: the database, whose number is a part of the name.
  func take(for file: FileIdentity, store: String) throws -> OwnerLock {
    let name = "\(UUID().uuidString).\(file.number)"
    do {
      let lock = try FileLock(at: folder + "/" + name)
      guard lock.tryLock() else { throw JobStoreError(.locked, store: store, detail: "\(folder)/\(name) is locked") }
      return OwnerLock(lock: lock, name: name)
    } catch let error as FileLockError {
      throw JobStoreError(code: error.code, path: folder + "/" + name, store: store)
    }
  }

  /// The same in a folder that may have been deleted.
  func takeAgain(for file: FileIdentity, store: String) throws -> OwnerLock {
    // Whoever opens the file from now on takes turns here.
    let turn = try Self.makeTurn(in: folder, store: store)
    turns.withLock { $0 = turn }
    return try take(for: file, store: store)
  }

  /// Whether others find the lock.
  func isInPlace(_ lock: OwnerLock) -> Bool { lock.lock.isAt(folder + "/" + lock.name) }

  func remove(_ name: String) { unlink(folder + "/" + name) }

  enum Sign: Sendable {
    case lives, died
    /// It has ended in good order, and could not give back what it held.
    case left
    /// There is no lock, which a living owner puts back.
    case none
  }

  /// What the lock of an owner says of it.
  static func sign(of name: String, in folder: String, file: FileIdentity) -> Sign {
    switch FileLock.holding(at: folder + "/" + name) {
    case .held: .lives
    case .free: .died
    case .marked: .left
    case .missing:
      // Owners of the file of which this one is a copy are none of this one.
      name.split(separator: ".").dropFirst().first.map { UInt64($0) == file.number } ?? true ? .none : .died
    }
  }

  /// Removes what processes have left that died before they were owners.
  ///
  /// - Parameter names: the locks of all owners.
  func sweep(keeping names: Set<String>) {
    let aMinuteAgo = Date(timeIntervalSinceNow: -60)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !names.contains(name) {
      let path = folder + "/" + name
      // One that was made a moment ago may be about to be locked.
      guard UUID(uuidString: String(name.prefix { $0 != "." })) != nil,
        let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date,
        date < aMinuteAgo
      else { continue }
      _ = FileLock.holding(at: path) { unlink(path) }
    }
  }
}

/// Held for an owner's life.
final class OwnerLock: Sendable {
  let lock: FileLock
  let name: String

  init(lock: consuming FileLock, name: String) {
    self.lock = lock
    self.name = name
  }
}
#endif
