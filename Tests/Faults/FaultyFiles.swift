#if Durable && !os(Windows)
public import Foundation
import GRDBSQLite
import Synchronization

/// A file layer of SQLite (a VFS) above that of the system, through which a test sees and spoils what happens to files.
///
/// It becomes the layer that every connection uses which is opened afterwards; files that nobody observes are left to the
/// layer below as they are. It is never taken away, as connections may use it until the process ends.
public enum FaultyFiles {
  private static let observers = Mutex<[(folder: String, observer: any FileObserver)]>([])
  // Set once, before SQLite gets it, and never freed.
  fileprivate nonisolated(unsafe) static let below: UnsafeMutablePointer<sqlite3_vfs> = sqlite3_vfs_find(nil)
  // Filled in once, before SQLite gets it, and never freed.
  fileprivate nonisolated(unsafe) static let methods = makeMethods()
  private static let isInstalled = install()

  /// Shows the observer what connections do that are opened from now on with files of the folder.
  public static func observe(_ folder: URL, _ observer: any FileObserver) {
    precondition(isInstalled, "SQLite does not take another file layer")
    observers.withLock { $0.append((folder.path + "/", observer)) }
  }

  /// Files that are open already stay observed.
  public static func forget(_ observer: any FileObserver) {
    observers.withLock { $0.removeAll { $0.observer === observer } }
  }

  fileprivate static func observer(of path: String) -> (any FileObserver)? {
    observers.withLock { list in list.last { path.hasPrefix($0.folder) }?.observer }
  }

  private static func install() -> Bool {
    let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    layer.initialize(to: below.pointee)
    layer.pointee.pNext = nil
    layer.pointee.zName = UnsafePointer(strdup("taskkit-faults"))
    layer.pointee.szOsFile = max(layer.pointee.szOsFile, Int32(MemoryLayout<Handle>.size))
    layer.pointee.xOpen = { _, name, file, flags, flagsOut in FaultyFiles.open(name, file!, flags, flagsOut) }
    layer.pointee.xDelete = { _, name, isSynced in
      let path = String(cString: name!)
      guard let observer = FaultyFiles.observer(of: path) else {
        return FaultyFiles.below.pointee.xDelete(FaultyFiles.below, name, isSynced)
      }
      let operation = FileOperation.delete(isSynced: isSynced != 0)
      if case .fail(let code) = observer.will(operation, path) { return code }
      let code = FaultyFiles.below.pointee.xDelete(FaultyFiles.below, name, isSynced)
      if code == SQLITE_OK { observer.did(operation, path) }
      return code
    }
    return sqlite3_vfs_register(layer, 1) == SQLITE_OK
  }

  fileprivate static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ flagsOut: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let name, let observer = observer(of: String(cString: name)) else {
      return below.pointee.xOpen(below, name, file, flags, flagsOut)
    }
    let path = String(cString: name)
    let isNew = access(path, F_OK) != 0
    file.pointee.pMethods = nil
    if isNew, case .fail(let code) = observer.will(.create, path) { return code }
    let opened = OpenFile(path, observer, size: Int(below.pointee.szOsFile))
    let code = below.pointee.xOpen(below, name, opened.file, flags, flagsOut)
    guard code == SQLITE_OK else {
      opened.end()
      return code
    }
    if isNew { observer.did(.create, path) }
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: Handle.self).pointee.opened = Unmanaged.passRetained(opened)
    file.pointee.pMethods = UnsafePointer(methods)
    return SQLITE_OK
  }

  // SQLite gives every function the file that `open` has filled in, and nil to none.
  private static func makeMethods() -> UnsafeMutablePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    methods.pointee.xClose = { file in
      let opened = taking(file)
      let code = opened.file.pointee.pMethods.pointee.xClose(opened.file)
      opened.end()
      return code
    }
    methods.pointee.xRead = { file, bytes, count, offset in
      let (opened, file) = (openFile(file), fileBelow(file))
      opened.observer.didRead(Int(count), opened.path)
      return file.pointee.pMethods.pointee.xRead(file, bytes, count, offset)
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      let (opened, file) = (openFile(file), fileBelow(file))
      let operation = FileOperation.write(
        offset: Int(offset), UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      var written = count
      switch opened.observer.will(operation, opened.path) {
      case .go: break
      case .fail(let code): return code
      case .part(let part): written = Int32(part)
      }
      let code = file.pointee.pMethods.pointee.xWrite(file, bytes, written, offset)
      if code == SQLITE_OK { opened.observer.did(operation, opened.path) }
      return code
    }
    methods.pointee.xTruncate = { file, size in
      let (opened, file) = (openFile(file), fileBelow(file))
      return opened.observing(.truncate(Int(size))) { file.pointee.pMethods.pointee.xTruncate(file, size) }
    }
    methods.pointee.xSync = { file, flags in
      let (opened, file) = (openFile(file), fileBelow(file))
      return opened.observing(.sync) { file.pointee.pMethods.pointee.xSync(file, flags) }
    }
    methods.pointee.xFileSize = { file, size in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xFileSize(file, size)
    }
    methods.pointee.xLock = { file, level in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xLock(file, level)
    }
    methods.pointee.xUnlock = { file, level in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xUnlock(file, level)
    }
    methods.pointee.xCheckReservedLock = { file, answer in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xCheckReservedLock(file, answer)
    }
    methods.pointee.xFileControl = { file, operation, argument in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xFileControl(file, operation, argument)
    }
    methods.pointee.xSectorSize = { file in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xSectorSize(file)
    }
    methods.pointee.xDeviceCharacteristics = { file in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xDeviceCharacteristics(file)
    }
    methods.pointee.xShmMap = { file, region, size, extend, memory in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xShmMap(file, region, size, extend, memory)
    }
    methods.pointee.xShmLock = { file, offset, count, flags in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xShmLock(file, offset, count, flags)
    }
    methods.pointee.xShmBarrier = { file in
      let file = fileBelow(file)
      file.pointee.pMethods.pointee.xShmBarrier(file)
    }
    methods.pointee.xShmUnmap = { file, mustDelete in
      let file = fileBelow(file)
      return file.pointee.pMethods.pointee.xShmUnmap(file, mustDelete)
    }
    return methods
  }
}

private func openFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile {
  UnsafeMutableRawPointer(file!).assumingMemoryBound(to: Handle.self).pointee.opened!.takeUnretainedValue()
}

private func taking(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile {
  UnsafeMutableRawPointer(file!).assumingMemoryBound(to: Handle.self).pointee.opened!.takeRetainedValue()
}

private func fileBelow(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<sqlite3_file> {
  openFile(file).file
}

/// What SQLite keeps of an open file; begins as SQLite wants it to.
private struct Handle {
  var base: sqlite3_file
  var opened: Unmanaged<OpenFile>?
}

private final class OpenFile {
  let path: String
  let observer: any FileObserver
  /// The file of the layer below.
  let file: UnsafeMutablePointer<sqlite3_file>
  private let memory: UnsafeMutableRawPointer

  init(_ path: String, _ observer: any FileObserver, size: Int) {
    self.path = path
    self.observer = observer
    memory = .allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    file = memory.assumingMemoryBound(to: sqlite3_file.self)
  }

  func end() { memory.deallocate() }

  func observing(_ operation: FileOperation, _ body: () -> Int32) -> Int32 {
    if case .fail(let code) = observer.will(operation, path) { return code }
    let code = body()
    if code == SQLITE_OK { observer.did(operation, path) }
    return code
  }
}
#endif
