#if !os(Windows)
import Foundation

/// A file to which several processes append lines. A line is there when `note` returns, and stays if the process is killed.
///
/// Each line is the name of a run and what it says: see ``HistoryLine``.
package final class HistoryFile: Sendable {
  private let file: Int32
  private let run: String
  /// Where each line is counted for whoever listens: a byte in a pipe.
  private let echo: Int32?

  package init(at path: String, run: String, echo: Int32? = nil) throws {
    file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.run = run
    self.echo = echo
  }

  deinit { close(file) }

  package func note(_ words: Any...) { note(as: run, words) }

  /// A line in the name of another run: of one that is about to be killed, for one.
  package func note(as run: String, _ words: [Any]) {
    var line = "\(run) \(words.map { "\($0)" }.joined(separator: " "))\n"
    // One call, so that lines of several processes do not mix.
    line.withUTF8 { bytes in
      let count = write(file, bytes.baseAddress, bytes.count)
      precondition(count == bytes.count, "a line of the history was lost")
    }
    if let echo {
      var byte: UInt8 = 0
      _ = write(echo, &byte, 1)
    }
  }
}
#endif
