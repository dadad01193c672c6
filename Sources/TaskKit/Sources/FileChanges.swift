#if os(Linux)
import CTaskKit
import Foundation
import Synchronization

/// The moments at which a file or a folder changes (inotify).
package enum FileChanges {
  /// Something was written into a file, or it was made.
  package static let writing = UInt32(IN_MODIFY) | UInt32(IN_CREATE)
  /// A file is no longer open for writing, for one because its process has died.
  package static let closing = UInt32(IN_CLOSE_WRITE)

  /// - Parameters:
  ///   - path: a file, or a folder whose entries are meant.
  ///   - mask: which changes.
  ///   - name: of a folder, the one entry that is meant.
  package static func events(
    at path: String, _ mask: UInt32, named name: String? = nil
  ) throws(EventSourceUnavailable) -> AsyncStream<Void> {
    let file = try open(path, mask)
    return DescriptorSource.events(of: file, label: "org.taskkit.file-changes") { concerns(file, name) }
  }

  fileprivate static func open(_ path: String, _ mask: UInt32) throws(EventSourceUnavailable) -> Int32 {
    let file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard file >= 0 else { throw EventSourceUnavailable("\(path): \(SystemError.text)") }
    guard inotify_add_watch(file, path, mask) >= 0 else {
      let text = SystemError.text
      close(file)
      throw EventSourceUnavailable("\(path): \(text)")
    }
    return file
  }

  /// Reads what has happened, and says whether it concerns the name.
  fileprivate static func concerns(_ file: Int32, _ name: String?) -> Bool {
    var isMeant = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      let headSize = MemoryLayout<inotify_event>.size
      while true {
        let count = read(file, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        while offset + headSize <= count {
          let head = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let text = buffer[(offset + headSize)..<min(count, offset + headSize + Int(head.len))].prefix { $0 != 0 }
          // What overflowed has no name, and may have been anything.
          let isUnknown = head.mask & UInt32(IN_Q_OVERFLOW) != 0
          if isUnknown || name == nil || String(decoding: text, as: UTF8.self) == name { isMeant = true }
          offset += headSize + Int(head.len)
        }
      }
    }
    return isMeant
  }
}

/// A watch that can be told not to listen for a while: whoever writes the file himself would wake himself up.
package final class FileWatch: Sendable {
  package let events: AsyncStream<Void>
  private let path: String
  private let mask: UInt32
  /// Nil when it has been closed, since its number may be another file's then.
  private let file: Mutex<Int32?>
  private let source: DescriptorSource

  /// - Parameters:
  ///   - path: a file.
  ///   - mask: which changes.
  package init(at path: String, _ mask: UInt32) throws(EventSourceUnavailable) {
    let file = try FileChanges.open(path, mask)
    let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    source = DescriptorSource(file, label: "org.taskkit.file-changes") {
      if FileChanges.concerns(file, nil) { continuation.yield() }
    }
    self.path = path
    self.mask = mask
    self.events = events
    self.file = Mutex(file)
  }

  deinit { cancel() }

  /// What happens while it does not listen is lost: look for it when it listens again.
  package func setListening(_ isListening: Bool) {
    // A watch of the same path gets another mask; it cannot have none.
    file.withLock { file in
      if let file { _ = inotify_add_watch(file, path, isListening ? mask : UInt32(IN_DELETE_SELF)) }
    }
  }

  /// Ends it. The source closes the file.
  package func cancel() {
    file.withLock { $0 = nil }
    source.cancel()
  }
}
#endif
