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
    // All annotations end in this word, and an own event extends this type.
    source.contains("Task", before: UInt8(ascii: "(")) || source.contains("LifecycleEvent")
  }

  static func mayReexport(_ source: SourceText) -> Bool { source.contains("_exported") }

  static func mayImport(_ module: String, in source: SourceText) -> Bool { source.contains(module) }
}

extension SourceText {
  /// Whether a word stands anywhere in the text.
  ///
  /// - Parameter next: the byte that has to follow, if only one will do.
  fileprivate func contains(_ word: String, before next: UInt8? = nil) -> Bool {
    let word = Array(word.utf8)
    return bytes.withUnsafeBytes { bytes in
      // There is at least the byte of 0 behind the text.
      guard let base = bytes.baseAddress, let first = word.first else { return false }
      var offset = 0
      while offset + word.count <= count,
        let found = memchr(base + offset, Int32(first), count - word.count - offset + 1)
      {
        let start = base.distance(to: UnsafeRawPointer(found))
        if memcmp(found, word, word.count) == 0, next == nil || bytes[start + word.count] == next { return true }
        offset = start + 1
      }
      return false
    }
  }
}
