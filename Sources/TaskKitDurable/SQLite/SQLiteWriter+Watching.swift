#if Durable && !os(Windows)
import Foundation
import TaskKit
#if !os(Linux)
import Darwin
import Dispatch
#endif

extension SQLiteWriter {
  /// Looks when others may have written the file, or may have died. Each task ends when it is cancelled.
  ///
  /// Where the system has no watch to give (Linux gives each user 128), the file is looked at every second instead.
  func watches() -> [Task<Void, Never>] {
    #if os(Linux)
    var watches: [Task<Void, Never>] = []
    // The log itself: what else happens in its folder concerns nobody. It is there for as long as a connection is.
    if let watch = try? FileWatch(at: path + "-wal", FileChanges.writing) {
      setWatch(watch)
      watches.append(Task { [weak self] in for await _ in watch.events { self?.fileMayHaveChanged() } })
    } else {
      watches.append(Task { [weak self] in await Self.lookEverySecond(self) })
    }
    // An owner's file is closed when it dies.
    if let deaths = try? FileChanges.events(at: self.path + "-owners", FileChanges.closing) {
      watches.append(Task { [weak self] in for await _ in deaths { self?.ownerMayHaveDied() } })
    }
    return watches
    #else
    let file = Darwin.open(path + "-wal", O_EVTONLY | O_CLOEXEC)
    guard file >= 0 else { return [Task { [weak self] in await Self.lookEverySecond(self) }] }
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: file, eventMask: [.write, .extend])
    source.setEventHandler { continuation.yield() }
    source.setCancelHandler { Darwin.close(file) }
    let cancellable = CancellableSource(source)
    continuation.onTermination = { _ in cancellable.cancel() }
    source.activate()
    return [Task { [weak self] in for await _ in changes { self?.fileMayHaveChanged() } }]
    #endif
  }

  private static func lookEverySecond(_ writer: @autoclosure () -> SQLiteWriter?) async {
    while (try? await Task.sleep(for: .seconds(1))) != nil, let writer = writer() { writer.fileMayHaveChanged() }
  }
}
#endif
