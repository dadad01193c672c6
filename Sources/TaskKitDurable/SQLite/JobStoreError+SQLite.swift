#if Durable
import Foundation
import GRDB

extension JobStoreError {
  /// What an error of the database means for the file at a path.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as JobStoreError: self = error
    case let error as DatabaseError: self.init(error, path: path)
    case let row as UnreadableRow: self.init(row.error, path: path)
    default: self.init(.other, store: path, detail: "\(error)")
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? error.resultCode.description
    let reason: Reason =
      switch error.resultCode {
      case .SQLITE_FULL: .full
      case .SQLITE_TOOBIG: .invalid
      case .SQLITE_READONLY: error.extendedResultCode == .SQLITE_READONLY_DBMOVED ? .missing : .readOnly
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .locked
      case .SQLITE_PERM, .SQLITE_AUTH: .readOnly
      // SQLite opens none whose path is longer than 512 bytes, with the endings of the files beside it.
      case .SQLITE_CANTOPEN: Self.place(ofFileAt: path) ?? (path.utf8.count < 500 ? .inputOutput : .other)
      case .SQLITE_IOERR: Self.place(ofFileAt: path) ?? .inputOutput
      case .SQLITE_MISUSE where error.message == "Connection is closed": .closed
      default: .other
      }
    self.init(reason, store: path, detail: detail)
  }

  /// Why a file could not be opened, read or written, where that is to be seen at its place.
  private static func place(ofFileAt path: String) -> Reason? {
    let path = FileName.resolved(path)
    let folder = (path as NSString).deletingLastPathComponent
    guard access(folder, F_OK) == 0 else { return .missing }
    if access(folder, W_OK) != 0 { return .readOnly }
    if access(path, F_OK) == 0, access(path, W_OK) != 0 { return .readOnly }
    return nil
  }

  /// What an error number of the system means for the file at a path.
  init(code: Int32, path: String, store: String) {
    let reason: Reason =
      switch code {
      case ENOSPC, EDQUOT: .full
      case EACCES, EROFS, EPERM: .readOnly
      case ENOENT, ENOTDIR: .missing
      // What no trying again helps against. All else may pass: as soon as somebody has closed files, for one.
      case ENAMETOOLONG, ELOOP, EINVAL, EISDIR: .other
      default: .inputOutput
      }
    self.init(reason, store: store, detail: "\(path): \(String(cString: strerror(code)))")
  }
}
#endif
