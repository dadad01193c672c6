#if Durable && !os(Windows)
import Foundation
import Synchronization
import TaskKit
#if !os(Linux)
import Darwin
import Dispatch
#endif

/// How a store comes to know what others do.
struct SQLiteHearing: Sendable {
  /// Whether the system is asked to tell.
  var asksSystem = true
  /// How often the file is looked at where the system does not tell. The locks of owners are a third as often.
  var interval = Duration.seconds(1)
  /// Tells how long locks have been away, whatever becomes of the calendar.
  var now: @Sendable () -> SuspendingClock.Instant = { SuspendingClock.now }
  /// Waits until it is time to look again; throws where the task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}

extension SQLiteWriter {
  /// Looks when others may have written the file, or may have died. Each task ends when it is cancelled.
  ///
  /// Where the system has no watch to give (Linux gives each user 128), the file is looked at every second instead. For
  /// deaths that is so on Apple's systems, too, as long as there are other owners: there nobody tells of them.
  func watches() -> [Task<Void, Never>] {
    var watches: [Task<Void, Never>] = []
    #if os(Linux)
    // The log itself: what else happens in its folder concerns nobody. It is there for as long as a connection is.
    if hearing.asksSystem, let watch = try? FileWatch(at: path + "-wal", FileChanges.writing) {
      setWatch(watch)
      watches.append(Task { [weak self] in for await _ in watch.events { self?.fileMayHaveChanged() } })
    } else {
      watches.append(lookOften())
    }
    if hearing.asksSystem { watches.append(Task { [weak self] in await Self.hearDeaths(self) }) }
    #else
    let file = hearing.asksSystem ? Darwin.open(path + "-wal", O_EVTONLY | O_CLOEXEC) : -1
    guard file >= 0 else { return [lookOften()] }
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: file, eventMask: [.write, .extend])
    source.setEventHandler { continuation.yield() }
    source.setCancelHandler { Darwin.close(file) }
    let cancellable = CancellableSource(source)
    continuation.onTermination = { _ in cancellable.cancel() }
    source.activate()
    watches.append(Task { [weak self] in for await _ in changes { self?.fileMayHaveChanged() } })
    #endif
    return watches
  }

  private func lookOften() -> Task<Void, Never> {
    Task { [weak self, hearing] in
      while (try? await hearing.sleep(hearing.interval)) != nil, let self { self.fileMayHaveChanged() }
    }
  }

  #if os(Linux)
  /// After how long it is looked again when something was told of an owner: the kernel tells that a file is closed before it frees
  /// the lock, and tells nobody of that.
  private static let breath = Duration.milliseconds(100)

  /// An owner's file is closed when it dies. The folder may be another one later, if somebody deletes it.
  private static func hearDeaths(_ writer: @autoclosure () -> SQLiteWriter?) async {
    let changes =
      FileChanges.closing | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    while let (folder, lock, sleep) = writer().map({ ($0.locks.folder, $0.lockName, $0.hearing.sleep) }),
      let events = try? FileChanges.events(at: folder, changes)
    {
      writer()?.setHearsDeaths(true)
      var next = events.makeAsyncIterator()
      // First for what was done before there was a watch.
      repeat {
        await writer()?.lookForOwners()
        // What is told meanwhile is looked for then.
        try? await sleep(breath)
        await writer()?.lookForOwners()
        guard writer()?.lockName == lock else { break }
      } while await next.next() != nil
      guard !Task.isCancelled, let writer = writer(), !writer.company.withLock({ $0.isMisplaced }) else { break }
    }
    writer()?.setHearsDeaths(false)
  }
  #endif
}
#endif
