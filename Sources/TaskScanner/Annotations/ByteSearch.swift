#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Searches for the words without which a file has nothing to say, long before it is lexed.
enum ByteSearch {
  /// Whether an annotation or an own event may stand in the file.
  static func mayDeclare(_ source: SourceText) -> Bool {
    // The annotations of tasks end in this word, an own event extends that type, and modules have a word of their own.
    source.contains("Task", behind: annotations) || source.contains("LifecycleEvent")
      || source.contains(FileReader.moduleAnnotation)
  }

  /// Whether a static member of `Notification.Name` may be declared in the file.
  static func mayNameNotifications(_ source: SourceText) -> Bool { source.contains("Notification.Name") }

  /// Whether `isEnabled` or a method `stop` may be declared in the file, however its author sets blanks. Each
  /// is searched by its rarest letter.
  static func maySwitchOrStop(_ source: SourceText) -> Bool {
    source.contains("Enabled", behind: switches) || source.contains("p", behind: stops)
  }

  private static let switches = [Array("is".utf8)]
  private static let stops = [Array("sto".utf8)]

  static func mayReexport(_ source: SourceText) -> Bool { source.contains("_exported") }

  static func mayImport(_ module: String, in source: SourceText) -> Bool { source.contains(module) }

  /// `Event`, `Schedule`, `Notification`, `Sequence`, `Durable`.
  private static let annotations = (ScannedTask.Kind.allCases.map(\.rawValue) + [FileReader.kindAnnotation])
    .map { Array($0.utf8.dropLast("Task".utf8.count)) }
}

extension SourceText {
  /// Whether a word stands anywhere in the text.
  ///
  /// - Parameter beginnings: what has to stand before it, one of these; nothing if there are none.
  fileprivate func contains(_ word: String, behind beginnings: [[UInt8]] = []) -> Bool {
    let word = Array(word.utf8)
    return bytes.withUnsafeBytes { bytes in
      guard let text = bytes.baseAddress, let first = word.first else { return false }
      var offset = 0
      while offset + word.count <= count,
        let found = memchr(text + offset, Int32(first), count - word.count - offset + 1)
      {
        let start = text.distance(to: UnsafeRawPointer(found))
        if memcmp(found, word, word.count) == 0 {
          let isBehind = { (beginning: [UInt8]) in
            start >= beginning.count && memcmp(text + start - beginning.count, beginning, beginning.count) == 0
          }
          if beginnings.isEmpty || beginnings.contains(where: isBehind) { return true }
        }
        offset = start + 1
      }
      return false
    }
  }
}
