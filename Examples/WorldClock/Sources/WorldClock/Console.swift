import Foundation
import TaskKit

/// Where the program writes. Tests read what it wrote.
@MainActor
final class Console: SharedKey {
  typealias Value = Console

  /// Whether a person reads it.
  nonisolated let isTerminal: Bool
  private(set) var output: [String] = []
  private(set) var errors: [String] = []
  private let isKept: Bool

  /// - Parameter isKept: whether lines are kept instead of being written.
  nonisolated init(isTerminal: Bool, isKept: Bool) {
    self.isTerminal = isTerminal
    self.isKept = isKept
  }

  /// The process's own.
  nonisolated static let standard = Console(isTerminal: isatty(STDOUT_FILENO) == 1, isKept: false)

  func write(_ line: String) {
    if isKept { output.append(line) } else { print(line) }
  }

  func writeError(_ line: String) {
    if isKept {
      errors.append(line)
    } else {
      // What was printed before comes before, also where both go to the same file.
      fflush(nil)
      FileHandle.standardError.write(Data((line + "\n").utf8))
    }
  }
}
