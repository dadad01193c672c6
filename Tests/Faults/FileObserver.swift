/// What SQLite does with a file that outlives the process. The bytes are valid during the call.
public enum FileOperation {
  case create
  case write(offset: Int, UnsafeRawBufferPointer)
  case truncate(Int)
  case sync
  /// - isSynced: whether the folder is flushed, too.
  case delete(isSynced: Bool)
}

/// What becomes of an operation.
public enum FileVerdict {
  case go
  /// It does nothing, and SQLite gets this code.
  case fail(Int32)
  /// Of a write, only the first bytes reach the file.
  case part(Int)
}

/// Sees everything that SQLite does with the files of a folder, and decides whether it happens.
public protocol FileObserver: AnyObject, Sendable {
  /// Called before it happens, on whatever thread does it.
  func will(_ operation: FileOperation, _ path: String) -> FileVerdict
  /// Called when it has happened.
  func did(_ operation: FileOperation, _ path: String)
  /// Called when so many bytes were read.
  func didRead(_ count: Int, _ path: String)
}

extension FileObserver {
  public func didRead(_ count: Int, _ path: String) {}
}
