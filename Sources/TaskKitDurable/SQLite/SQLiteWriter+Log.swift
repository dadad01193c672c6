#if Durable && !os(Windows)
import Dispatch
import GRDB
import Synchronization
import TaskKit

extension SQLiteWriter {
  /// The size in bytes to which the log is cut when it begins anew. SQLite moves it into the file at half of that; it gets
  /// longer while somebody reads, and by a large commit.
  static let largestLog = 8 << 20

  /// Lets the log be moved into the file as soon as nothing is written for a while: whoever comes next does not have to,
  /// and whoever opens the file after a crash has nothing to read first.
  func moveLogSoon() {
    let mustBegin = memory.withLock { memory in
      guard isOwned, memory.hasWritten, !memory.isMoveTimed else { return false }
      memory.isMoveTimed = true
      return true
    }
    guard mustBegin else { return }
    // Ends when the log has been moved, or with the writer.
    Task { [weak self, hearing] in
      repeat { try? await hearing.sleep(hearing.interval) } while await self?.mustWaitOn() ?? false
    }
  }

  /// Moves the log, unless something has been written meanwhile.
  private func mustWaitOn() async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async {
        let hasWritten = self.memory.withLock { memory in
          defer { memory.hasWritten = false }
          memory.isMoveTimed = memory.hasWritten
          return memory.hasWritten
        }
        // What fails here is done by a later commit.
        if !hasWritten, !self.state.withLock({ $0.isClosed }) {
          _ = try? self.database.writeWithoutTransaction { try $0.checkpoint(.passive) }
        }
        continuation.resume(returning: hasWritten)
      }
    }
  }
}
#endif
