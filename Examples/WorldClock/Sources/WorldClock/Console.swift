import Dispatch
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
    guard !isKept else { return output.append(line) }
    print(line)
    // Whoever reads a pipe wants to see each line when it is written.
    fflush(nil)
  }

  /// Writes without waiting, and calls back when that is done, on whatever thread.
  nonisolated func write(_ line: String, completion: @escaping @Sendable (Result<Void, POSIXError>) -> Void) {
    guard !isKept else {
      Task { @MainActor in
        output.append(line)
        completion(.success(()))
      }
      return
    }
    let bytes = Array((line + "\n").utf8).withUnsafeBytes { DispatchData(bytes: $0) }
    DispatchIO.write(toFileDescriptor: STDOUT_FILENO, data: bytes, runningHandlerOn: .global()) { _, error in
      completion(error == 0 ? .success(()) : .failure(POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO)))
    }
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
