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

  /// Whether a task's output may be read in the file.
  static func mayReadOutputs(_ source: SourceText) -> Bool { source.contains("put(of", behind: outputs) }

  /// Whether a static member of `Notification.Name` may be declared in the file.
  static func mayNameNotifications(_ source: SourceText) -> Bool { source.contains("Notification.Name") }

  /// Whether a static member of `Lane` may be declared in the file.
  static func mayNameLanes(_ source: SourceText) -> Bool {
    // Whoever writes of lanes has the word in many files.
    source.contains("Lane") && extendedTypes(in: source).contains("Lane")
  }

  /// Whether `isEnabled` or a method `stop` may be declared in the file, however its author sets blanks. Each
  /// is searched by its rarest letter.
  static func maySwitchOrStop(_ source: SourceText) -> Bool {
    source.contains("Enabled", behind: switches) || source.contains("p", behind: stops)
  }

  /// Whether a value, also behind another one and a comma, a function or a type of that name may be declared in the file, as
  /// formatters set blanks.
  static func mayDeclare(_ name: String, in source: SourceText) -> Bool { source.contains(name, behind: declarations) }

  private static let declarations = [
    "let", "var", ",", "func", "struct", "enum", "class", "actor", "protocol", "typealias",
  ]
  .flatMap { [Array("\($0) ".utf8), Array("\($0) `".utf8)] }
  private static let switches = [Array("is".utf8)]
  private static let outputs = [Array("out".utf8)]
  private static let stops = [Array("sto".utf8)]

  /// The names of all aliases that may be declared in the file: what stands behind the word.
  static func aliases(in source: SourceText) -> Set<String> { names(behind: "ty", "pealias", in: source) }

  /// The names of all macros that may be declared in the file.
  static func macros(in source: SourceText) -> Set<String> { names(behind: "ma", "cro", in: source) }

  /// The names of all types from which others can inherit, and that may be declared in the file.
  static func inheritableTypes(in source: SourceText) -> Set<String> {
    names(behind: "cla", "ss", in: source).union(names(behind: "proto", "col", in: source))
  }

  /// What stands behind a word, which is given in two parts: the second one is searched, by its first letter.
  private static func names(behind beginning: String, _ word: String, in source: SourceText) -> Set<String> {
    var names: Set<String> = []
    source.forEach(word, behind: [Array(beginning.utf8)]) { end in
      source.withLexer(from: end) { lexer in
        let token = lexer.next()
        if token.kind == .word || token.kind == .escapedWord { names.insert(TypePath.plain(source.text(token.span))) }
      }
      return true
    }
    return names
  }

  /// Whether a type may be extended in the file.
  static func mayExtend(_ source: SourceText) -> Bool { source.contains("xtension", behind: [Array("e".utf8)]) }

  /// The names in the paths of all types that may be extended in the file.
  static func extendedTypes(in source: SourceText) -> Set<String> {
    var names: Set<String> = []
    source.forEach("xtension", behind: [Array("e".utf8)]) { end in
      source.withLexer(from: end) { lexer in
        var last: Token?
        var token = lexer.next()
        while [.word, .escapedWord, .period, .colonColon].contains(token.kind) {
          if token.kind == .word || token.kind == .escapedWord {
            // Behind the path there is no point between two words.
            if let last, last.kind != .period, last.kind != .colonColon { break }
            names.insert(TypePath.plain(source.text(token.span)))
          }
          last = token
          token = lexer.next()
        }
      }
      return true
    }
    return names
  }

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
    var isFound = false
    forEach(word, behind: beginnings) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Tells where each occurrence of a word ends.
  ///
  /// - Parameter body: whether to go on.
  fileprivate func forEach(_ word: String, behind beginnings: [[UInt8]], _ body: (_ end: Int) -> Bool) {
    let word = Array(word.utf8)
    bytes.withUnsafeBytes { bytes in
      guard let text = bytes.baseAddress, let first = word.first else { return }
      var offset = 0
      while offset + word.count <= count,
        let found = memchr(text + offset, Int32(first), count - word.count - offset + 1)
      {
        let start = text.distance(to: UnsafeRawPointer(found))
        if memcmp(found, word, word.count) == 0 {
          let isBehind = { (beginning: [UInt8]) in
            start >= beginning.count && memcmp(text + start - beginning.count, beginning, beginning.count) == 0
          }
          if beginnings.isEmpty || beginnings.contains(where: isBehind), !body(start + word.count) { return }
        }
        offset = start + 1
      }
    }
  }
}
