#if Durable && !os(Windows)
import Faults
import Foundation
import Synchronization
import TaskKit

/// Everything that happens to the files of a folder, in its order, with the moments at which something was acknowledged:
/// from it follows what a disk may hold after a power cut at any place.
final class RecordedDisk: FileObserver {
  enum Event: Sendable {
    case create
    case write(offset: Int, Data)
    case truncate(Int)
    case sync
    case delete(isSynced: Bool)
  }

  /// What of the things that were not flushed has reached the disk.
  enum Survival: Hashable, Sendable, CaseIterable {
    /// As where no power has failed, and only the process has died.
    case all
    case none
    /// What was done first.
    case beginning
    /// Each by chance.
    case some
    /// Each part of 512 bytes by chance.
    case sectors
  }

  private struct Record: Sendable {
    let path: String
    let event: Event
    /// How many things had been acknowledged before.
    let acknowledged: Int
  }

  private struct State: Sendable {
    var records: [Record] = []
    var acknowledged = 0
  }

  private let folder: URL
  private let whenFlushing: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameter whenFlushing: happens before each flush, on the thread that flushes.
  init(_ folder: URL, whenFlushing: @escaping @Sendable () -> Void = {}) {
    self.folder = folder
    self.whenFlushing = whenFlushing
    FaultyFiles.observe(folder, self)
  }

  deinit { FaultyFiles.forget(self) }

  /// Notes that something was promised.
  func acknowledge() { state.withLock { $0.acknowledged += 1 } }

  /// How many things have happened.
  var count: Int { state.withLock { $0.records.count } }

  /// How often something was flushed.
  var flushes: Int {
    state.withLock { state in
      state.records.count { record in
        if case .sync = record.event { true } else { false }
      }
    }
  }

  /// How many things had been promised when the power failed before that place.
  func acknowledged(before place: Int) -> Int {
    state.withLock { state in place < state.records.count ? state.records[place].acknowledged : state.acknowledged }
  }

  /// Whether something was flushed there, or just before.
  func isBoundary(_ place: Int) -> Bool {
    state.withLock { state in
      [place - 1, place].contains { index in
        guard state.records.indices.contains(index) else { return false }
        if case .sync = state.records[index].event { return true }
        return false
      }
    }
  }

  func will(_ operation: FileOperation, _ path: String) -> FileVerdict {
    if case .sync = operation { whenFlushing() }
    return .go
  }

  func did(_ operation: FileOperation, _ path: String) {
    let event: Event =
      switch operation {
      case .create: .create
      case .write(let offset, let bytes): .write(offset: offset, Data(bytes))
      case .truncate(let size): .truncate(size)
      case .sync: .sync
      case .delete(let isSynced): .delete(isSynced: isSynced)
      }
    let name = String(path.dropFirst(folder.path.count + 1))
    state.withLock { $0.records.append(Record(path: name, event: event, acknowledged: $0.acknowledged)) }
  }

  /// What the files are after a power cut before that place, by name.
  func files(
    cutBefore place: Int, _ survival: Survival, _ chance: inout SeededGenerator
  ) -> [String: Data] {
    let records = state.withLock { $0.records[..<place] }
    var flushed: [String: Data] = [:]
    var pending: [(path: String, event: Event)] = []
    for record in records {
      switch record.event {
      case .sync:
        let isNew = pending.contains { path, event in
          if case .create = event { path == record.path } else { false }
        }
        for (path, event) in pending where path == record.path { Self.apply(event, to: &flushed[path]) }
        pending.removeAll { $0.path == record.path }
        // SQLite flushes the folder with the first flush of a new journal or write-ahead log.
        if isNew, record.path.contains("-") { Self.flushFolder(&flushed, &pending) }
      case .delete(isSynced: true):
        pending.removeAll { $0.path == record.path }
        flushed[record.path] = nil
      default: pending.append((record.path, record.event))
      }
    }
    let last = survival == .beginning ? Int.random(in: 0...pending.count, using: &chance) : pending.count
    for (path, event) in pending.prefix(last) {
      switch survival {
      case .none: continue
      case .all, .beginning: Self.apply(event, to: &flushed[path])
      case .some: if Bool.random(using: &chance) { Self.apply(event, to: &flushed[path]) }
      case .sectors:
        guard case .write(let offset, let bytes) = event else {
          if Bool.random(using: &chance) { Self.apply(event, to: &flushed[path]) }
          continue
        }
        for start in stride(from: 0, to: bytes.count, by: 512) where Bool.random(using: &chance) {
          let part = bytes.dropFirst(start).prefix(512)
          Self.apply(.write(offset: offset + start, part), to: &flushed[path])
        }
      }
    }
    return flushed
  }

  /// Which files there are is on the disk, what is in them not.
  private static func flushFolder(_ flushed: inout [String: Data], _ pending: inout [(path: String, event: Event)]) {
    for path in Set(pending.map(\.path)) {
      guard
        let last = pending.lastIndex(where: { pendingPath, event in
          switch event {
          case .create, .delete: pendingPath == path
          default: false
          }
        })
      else { continue }
      if case .delete = pending[last].event { flushed[path] = nil } else { flushed[path] = flushed[path] ?? Data() }
      let later = pending[(last + 1)...].filter { $0.path == path }
      pending.removeAll { $0.path == path }
      pending += later
    }
  }

  private static func apply(_ event: Event, to file: inout Data?) {
    switch event {
    case .create: file = file ?? Data()
    case .write(let offset, let bytes):
      var content = file ?? Data()
      if content.count < offset + bytes.count { content.append(Data(count: offset + bytes.count - content.count)) }
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      file = content
    case .truncate(let size):
      var content = file ?? Data()
      if content.count > size {
        content.removeSubrange(size...)
      } else {
        content.append(Data(count: size - content.count))
      }
      file = content
    case .delete: file = nil
    case .sync: break
    }
  }
}
#endif
