package import Foundation

/// A source file in memory.
package struct SourceText: Sendable {
  /// As it is named in messages.
  package let path: String
  /// The text and a byte of 0 behind it, which lets the lexer look ahead without asking where the end is.
  let bytes: ContiguousArray<UInt8>

  package init(path: String, utf8 text: some Collection<UInt8>) {
    self.path = path
    var bytes = ContiguousArray<UInt8>()
    bytes.reserveCapacity(text.count + 1)
    bytes.append(contentsOf: text)
    bytes.append(0)
    self.bytes = bytes
  }

  package init(path: String, _ text: String) {
    self.init(path: path, utf8: text.utf8)
  }

  /// Reads a file; `path` is the name that messages use.
  package init(contentsOf url: URL, path: String) throws {
    self.init(path: path, utf8: try Data(contentsOf: url))
  }

  /// The number of bytes.
  package var count: Int { bytes.count - 1 }

  package func text(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<max(span.start, span.end)], as: UTF8.self)
  }

  /// Gives a function a lexer over the text.
  package func withLexer<Result>(from position: Int = 0, _ body: (inout Lexer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { buffer in
      var lexer = Lexer(buffer, from: position)
      return try body(&lexer)
    }
  }
}
